"""Second computations of what the library computes: by hand, by brute force, with fractions or fifty digits."""
