"""Explorer: when can one mechanism imitate another one?"""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar

import numpy as np
from matplotlib.figure import Figure

from ...figures.style import FONT, balanced_error, line_style, lower_boundary
from ...mechanisms import exponential_mechanism, geometric, randomized_response, staircase
from ...pair import Pair
from ..base.controls import choice, log_slider, pick, short
from ..base.explorer import Explorer

RESPONSE = "randomized response"
MAKERS = {
    RESPONSE: randomized_response,
    "two such answers at ε/2": lambda eps, delta: randomized_response(eps / 2, delta) ** 2,
    "geometric noise, sensitivity 2": lambda eps, delta: geometric(eps, sensitivity=2).pair,
    "staircase noise": lambda eps, delta: staircase(eps).pair,
    "exponential mechanism": lambda eps, delta: exponential_mechanism([1, 0, 0], [0, 0, 1], eps),
}
PURE = tuple(MAKERS)[2:]
DELTAS = (0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)


class Domination(Explorer):
    """When can one mechanism imitate another, and how is it done?"""

    controls: ClassVar = dict(
        first=choice(MAKERS, label="imitating: A"),
        second=choice(MAKERS, "staircase noise", label="imitated: B"),
        eps_a=log_slider(0.1, 4, 1, "ε of A"),
        eps_b=log_slider(0.1, 4, 1, "ε of B"),
        delta_a=pick(DELTAS, 0, "δ of A"),
        delta_b=pick(DELTAS, 0, "δ of B"),
    )
    presets: ClassVar = {
        "the worst pair imitates all": dict(),
        "but not the other way round": dict(first="staircase noise", second=RESPONSE),
        "neither imitates the other": dict(second=RESPONSE, eps_a=1, delta_a=0, eps_b=0.3, delta_b=0.1),
        "two small answers": dict(second="two such answers at ε/2"),
        "open failure": dict(second="two such answers at ε/2", delta_a=0.19, delta_b=0.1),
    }

    def blank(self) -> Figure:
        figure = super().blank()
        figure.set_size_inches(8.6, 4.4)
        left, right = figure.axes[0], figure.add_axes([0.6, 0.13, 0.38, 0.72])
        left.set_position([0.075, 0.13, 0.42, 0.82])
        left.set_xlabel("missed detection", fontsize=FONT)
        left.set_ylabel("false alarm", fontsize=FONT)
        right.tick_params(labelsize=FONT - 1, length=0)
        right.spines[:].set_visible(False)
        right.set_xlabel("outcome of B, by its privacy loss", fontsize=FONT - 1)
        right.set_ylabel("outcome of A", fontsize=FONT - 1)
        return figure

    def numbers(self, first, second, eps_a, eps_b, delta_a, delta_b):
        a, b = make("A", first, eps_a, delta_a), make("B", second, eps_b, delta_b)
        there, back = imitation(first, eps_a, delta_a, second, eps_b, delta_b)
        boundaries = [lower_boundary(pair) for pair in (a, b)]
        return dict(
            names=[named(first, eps_a, delta_a), named(second, eps_b, delta_b)], losses=[a.losses, b.losses],
            boundaries=boundaries, errors=[balanced_error(lower) for lower in boundaries], matrix=there,
            back=back is not None, witness=witness(a, boundaries[1]),
        )  # fmt: skip

    def draw(self, axes, n):
        left, right = axes
        for i, (name, lower) in enumerate(zip("AB", n.boundaries, strict=True)):
            left.plot(*lower.T, label=name, **line_style(i), marker="o", ms=5)
        left.plot([0, 1], [1, 0], color="0.55", linewidth=1.2)
        if n.matrix is None:
            alarm, missed, _ = n.witness
            left.plot(missed, alarm, "o", ms=16, mfc="none", mew=2.2, color="black")
        left.set(xlim=(-0.01, 1), ylim=(-0.01, 1), aspect="equal")
        left.legend(fontsize=FONT, loc="upper right")
        self._draw_matrix(right, n)

    def _draw_matrix(self, ax, n):
        rows, columns = (list(map(signed, losses)) for losses in n.losses)
        ax.set_xticks(range(len(columns)), columns)
        ax.set_yticks(range(len(rows)), rows)
        ax.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5))
        if n.matrix is None:
            ax.set_title("", loc="left")
            ax.text(0.5, 0.5, "no matrix turns A into B", fontsize=FONT, ha="center", transform=ax.transAxes)
            return
        ax.set_title("chance to replace an outcome of A", fontsize=FONT, loc="left")
        ax.imshow(n.matrix, cmap="Blues", vmin=0, vmax=1.4, aspect="auto")
        for (i, j), chance in np.ndenumerate(n.matrix):
            ax.text(j, i, f"{chance:.3g}" if chance > 5e-4 else "0", ha="center", va="center", fontsize=FONT - 1)

    def caption(self, n):
        errors = f"Equal errors: {n.errors[0]:.6g} against A, {n.errors[1]:.6g} against B."
        what = f"A is {n.names[0]}, B is {n.names[1]}."
        if n.matrix is not None:
            also = "B imitates A as well: they are equivalent." if n.back else "B cannot imitate A."
            return f"{what} A can imitate B: replace each outcome of A at random, as the matrix says. {also} {errors}"
        alarm, missed, needed = n.witness
        also = "B can imitate A." if n.back else "Nor can B imitate A."
        return (
            f"{what} A cannot imitate B: at a false alarm of {alarm:.6g} a tester of B misses {missed:.6g}, "
            f"a tester of A no less than {needed:.6g} (circle). {also} {errors}"
        )


def make(name: str, kind: str, eps: float, delta: float) -> Pair:
    """Return the pair of a mechanism; noise that never fails has no delta."""
    if kind in PURE and delta > 0:
        raise ValueError(f"δ of {name} must be 0, not {delta:g}: {kind} never gives the secret away")
    return MAKERS[kind](eps, delta)


@lru_cache(maxsize=256)
def imitation(*both) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return the matrices that turn A into B and B into A, or None where there is none."""
    a, b = make("A", *both[:3]), make("B", *both[3:])
    return a.simulates(b), b.simulates(a)


def witness(a: Pair, lower_b: np.ndarray) -> tuple[float, float, float]:
    """Return the vertex (false alarm, missed detection) of B that is farthest below A, and what A must miss there."""
    missed, alarm = lower_b.T
    needed = a.tradeoff(alarm)
    worst = int(np.argmax(needed - missed))
    return float(alarm[worst]), float(missed[worst]), float(needed[worst])


def named(kind: str, eps: float, delta: float) -> str:
    """Say what a mechanism is."""
    return f"{kind} (ε = {eps:.6g}, δ = {short(delta)})"


def signed(loss: float) -> str:
    """Return a loss with its sign."""
    return {np.inf: "+∞", -np.inf: "−∞"}.get(loss, f"{loss:+.3g}".replace("-", "−") if abs(loss) > 1e-9 else "0")
