"""The transport problem: couplings of two laws, and those that make a mean, or the largest of some means, smallest.

A coupling is a matrix of weights whose rows add up to one law and whose columns to the other. Linear programs are
solved in floats; what is returned is an exact coupling next to the solution, so that a bound made from it holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

MOST_CELLS = 40_000  # pairs of vectors; the transport problem has one variable for each
NARROW = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}  # the least the solver allows
USED = 1e-10  # what the solver says of a cell that carries no weight is smaller


@dataclass(frozen=True)
class Margins:
    """Two exact laws that a coupling joins."""

    rows: list[Fraction]
    columns: list[Fraction]

    @classmethod
    def of(cls, rows: Any, columns: Any) -> Margins:
        """Return two laws, made to sum to one exactly."""
        if len(rows) * len(columns) > MOST_CELLS:
            raise ValueError(
                f"h0 and h1 must have at most {MOST_CELLS} pairs of vectors for a matching; "
                f"these have {len(rows)} * {len(columns)}"
            )
        return cls(_normalized(rows), _normalized(columns))

    def swapped(self) -> Margins:
        """Exchange the two laws."""
        return Margins(self.columns, self.rows)

    def independent(self) -> np.ndarray:
        """Return the coupling that draws from the two laws independently."""
        return np.multiply.outer(self.rows, self.columns)

    def cheapest(self, cost: np.ndarray) -> np.ndarray:
        """Return a coupling with the least mean cost; it is exact, because the support of a vertex is a forest."""
        from scipy.optimize import linprog

        A, b = self._equations()
        answer = linprog(cost.ravel(), A_eq=A, b_eq=b, method="highs-ds", options=NARROW)
        solved = self._matrix(answer)
        coupling = _on_forest(solved > USED, self)
        return self.nearest(solved) if coupling is None else coupling

    def least_largest_mean(self, cost: np.ndarray) -> np.ndarray:
        """Return a coupling that makes the largest conditional mean of the cost given a column smallest."""
        from scipy.optimize import linprog
        from scipy.sparse import csr_array, hstack

        n, m = cost.shape
        A, b = self._equations()
        objective = np.append(np.zeros(n * m), 1.0)  # one variable more: the bound of all means
        shares = csr_array(-np.array([[float(w)] for w in self.columns]))
        answer = linprog(
            objective,
            A_ub=hstack([_column_sums(cost), shares]),
            b_ub=np.zeros(m),
            A_eq=hstack([A, csr_array((A.shape[0], 1))]),
            b_eq=b,
            bounds=[(0, None)] * (n * m) + [(None, None)],
            method="highs-ds",
            options=NARROW,
        )
        return self.nearest(self._matrix(answer))

    def nearest(self, matrix: np.ndarray) -> np.ndarray:
        """Return an exact coupling next to a matrix: shrink what is too much, spread what is missing."""
        exact = np.array([[Fraction(max(x, 0.0)) for x in row] for row in matrix], dtype=object)
        exact = exact * _shrinking(self.rows, exact.sum(axis=1))[:, None]
        exact = exact * _shrinking(self.columns, exact.sum(axis=0))
        missing_rows = np.array(self.rows) - exact.sum(axis=1)
        missing_columns = np.array(self.columns) - exact.sum(axis=0)
        missing = missing_rows.sum()
        return exact + np.multiply.outer(missing_rows, missing_columns) / missing if missing else exact

    def _equations(self):
        """Return the equations for row and column sums; the last one follows from the others."""
        b = np.array([float(w) for w in [*self.rows, *self.columns]])
        return _sums(len(self.rows), len(self.columns))[:-1], b[:-1]

    def _matrix(self, answer) -> np.ndarray:
        """Return the solver's matrix; the independent one where it gives up, because weights are too small for it."""
        n = len(self.rows)
        m = len(self.columns)
        if answer.x is None:
            return self.independent().astype(float)
        return answer.x[: n * m].reshape(n, m)


# ---------------------------------------------------------------------------------------------- one step each


@lru_cache(maxsize=16)
def _sums(n: int, m: int):
    """Return the sparse matrix that adds up the rows, and then the columns, of an n by m matrix."""
    from scipy.sparse import eye_array, kron, vstack

    row_sums = kron(eye_array(n), np.ones((1, m)))
    column_sums = kron(np.ones((1, n)), eye_array(m))
    return vstack([row_sums, column_sums]).tocsr()


def _normalized(law) -> list[Fraction]:
    weights = [Fraction(w) for w in law]
    total = sum(weights)
    return [w / total for w in weights]


def _column_sums(cost: np.ndarray):
    """Return the equations' left sides sum_i cost_ij x_ij, one for each column j."""
    from scipy.sparse import csr_array, vstack

    n, m = cost.shape
    row = np.zeros(n, int)
    sums = [csr_array((cost[:, j], (row, np.arange(n) * m + j)), shape=(1, n * m)) for j in range(m)]
    return vstack(sums)


def _shrinking(law: list[Fraction], sums: np.ndarray) -> np.ndarray:
    """Return by what to multiply, so that no sum exceeds the law."""
    return np.array([min(Fraction(1), w / s) if s else Fraction(1) for w, s in zip(law, sums, strict=True)])


def _on_forest(used: np.ndarray, margins: Margins) -> np.ndarray | None:
    """Return the exact coupling on a forest of cells: a row or column with one cell left sends it all its weight.

    None if the cells are no forest or carry no coupling, because weights were too small for the solver.
    """
    cells = {(i, j) for i, j in np.argwhere(used).tolist()}
    rows = list(margins.rows)
    columns = list(margins.columns)
    coupling = np.full(used.shape, Fraction(0), dtype=object)
    while cells:
        leaf = _leaf(cells)
        if leaf is None:
            return None
        i, j = leaf.cell
        weight = rows[i] if leaf.ends_row else columns[j]
        coupling[i, j] = weight
        rows[i] -= weight
        columns[j] -= weight
        cells.remove(leaf.cell)
    return None if any(rows) or any(columns) or coupling.min() < 0 else coupling


@dataclass(frozen=True)
class Leaf:
    """A cell that is alone in its row (`ends_row`) or in its column."""

    cell: tuple[int, int]
    ends_row: bool


def _leaf(cells: set[tuple[int, int]]) -> Leaf | None:
    """Return the first cell that is alone in its row or column; None if there is none."""
    in_row: dict[int, int] = {}
    in_column: dict[int, int] = {}
    for i, j in cells:
        in_row[i] = in_row.get(i, 0) + 1
        in_column[j] = in_column.get(j, 0) + 1
    leaves = [(i, j) for i, j in cells if in_row[i] == 1 or in_column[j] == 1]
    if not leaves:
        return None
    i, j = min(leaves)
    return Leaf((i, j), ends_row=in_row[i] == 1)
