"""The cellar: rounding to the safe side, sums of privacy losses, grids with certified errors."""
