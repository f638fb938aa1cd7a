"""The Fourier transform of a sum of blocks, at the frequencies where it is not nothing, with a bound of its error."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from .rounding import OTHER_FUNCTION, UNIT

NOTHING = 1e-14  # a frequency at which the transform is smaller is left out
AT_ONCE = 2**6  # blocks that are multiplied before looking again what is left, and then twice as many
RENEWED = 16  # powers of a root of unity are computed afresh after so many products

# In units of rounding, derived in README.md
ROOT = 4 * OTHER_FUNCTION  # a root of unity: the rounded angle, at most 2 pi, and two functions
COMPLEX = 3  # a product of complex numbers
LEVEL = 8  # one level of the fast Fourier transform (Higham, Theorem 24.2)


class Transform:
    """A product of Fourier transforms on a circle of `points` points, at the frequencies where it is not yet nothing.

    `error` bounds the Euclidean norm of the error of the law that it is the transform of.
    """

    def __init__(self, points: int):
        self.points = points
        self.frequencies = np.arange(points // 2 + 1)
        self.values = np.ones(len(self.frequencies), dtype=complex)
        self.error = NOTHING

    def multiply(self, j: np.ndarray, weights: np.ndarray) -> None:
        """Multiply by the transforms of blocks: in each row, whole numbers j and weights that sum to 1."""
        done = 0
        while done < len(j):
            if len(self.frequencies) * j.shape[1] > 2 * self.points:
                self._times(self._fast(j[done], weights[done]))
                done += 1
            else:
                some = slice(done, done + max(AT_ONCE, done))
                self._times(self._direct(j[some], weights[some]))
                done = some.stop

    def multiply_power(self, j: np.ndarray, weights: np.ndarray, k: int) -> None:
        """Multiply by the k-th power of the transform of one block; factors are at most 1, so its error counts k times.

        The power is made of products, fewer than 2 k counted with what they multiply.
        """
        before = self.error
        power = self._fast(j, weights)
        self.error = before + k * (self.error - before)
        self._times(_whole_power(power, k))
        norm = np.sqrt(2 * np.sum(np.abs(self.values) ** 2) / self.points)
        self.error += 2 * k * COMPLEX * UNIT * min(1.0, 1.01 * norm)

    def _times(self, transform: np.ndarray) -> None:
        """Multiply, and drop the frequencies at which nothing is left."""
        self.values *= transform
        alive = np.abs(self.values) > NOTHING
        if alive.sum() < 0.9 * len(alive):
            self.frequencies = self.frequencies[alive]
            self.values = self.values[alive]

    def _fast(self, j: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the transform of one row by the fast Fourier transform."""
        from scipy.fft import rfft

        law = np.bincount(j % self.points, weights=weights, minlength=self.points)
        self.error += self._of_a_transform(law)
        return rfft(law)[self.frequencies]

    def _direct(self, j: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the product of the transforms of some rows, from their definition."""
        weights = weights.astype(complex)
        products = np.empty(len(self.frequencies), dtype=complex)
        for n, power in enumerate(self._powers(j)):
            of_rows = np.einsum("ij,ij->i", weights, power)
            products[n] = np.prod(of_rows)
        of_power = (ROOT + COMPLEX) * RENEWED
        of_one = UNIT * (of_power + j.shape[1] + 2 * COMPLEX)
        share = 2 * len(self.frequencies) / self.points
        self.error += len(j) * of_one * np.sqrt(share)
        return products

    def _powers(self, j: np.ndarray) -> Iterator[np.ndarray]:
        """Yield e^(-2 pi i j frequency / points) for each frequency: by a product from the last one, if they follow."""
        root = self._power(j, 1)
        power = root
        age = RENEWED
        previous = -1
        for frequency in self.frequencies:
            if age < RENEWED and frequency == previous + 1:
                power *= root
                age += 1
            else:
                power = self._power(j, frequency)
                age = 1
            previous = frequency
            yield power

    def _power(self, j: np.ndarray, frequency: int) -> np.ndarray:
        """Return e^(-2 pi i j frequency / points), of which only the part of a turn that is left matters."""
        left = j * frequency % self.points
        return self.roots[left]

    @cached_property
    def roots(self) -> np.ndarray:
        """The roots of unity e^(-2 pi i n / points)."""
        return np.exp(-2j * np.pi / self.points * np.arange(self.points))

    def _of_a_transform(self, law: np.ndarray) -> float:
        """Bound the error of a fast Fourier transform; a law's Euclidean norm is at most the root of its maximum."""
        norm = np.sqrt(1.01 * np.abs(law).max())
        units = LEVEL * np.log2(self.points) + 4
        return UNIT * units * norm

    def law(self, first: int) -> np.ndarray:
        """Transform back; return the weights from the grid point `first` on."""
        from scipy.fft import irfft

        spectrum = np.zeros(self.points // 2 + 1, dtype=complex)
        spectrum[self.frequencies] = self.values
        weights = irfft(spectrum, self.points)
        self.error += self._of_a_transform(weights)
        return np.roll(weights, -(first % self.points))


def _whole_power(values: np.ndarray, k: int) -> np.ndarray:
    """Return the k-th power by squaring, so that only products are rounded."""
    power = np.ones_like(values)
    while k:
        if k % 2:
            power = power * values
        k //= 2
        values = values * values if k else values
    return power
