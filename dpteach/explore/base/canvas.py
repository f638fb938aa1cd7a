"""A figure that is drawn again and again, fast.

Axes, ticks, grid, labels and legend take most of the time of a drawing and rarely change: they are kept as a bitmap,
and only what an explorer drew on top is drawn anew.
"""

from __future__ import annotations

import textwrap
from io import BytesIO

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.ticker import FixedFormatter, FuncFormatter
from PIL import Image

from ...figures.style import DPI, FONT

LETTERS = 11  # of a caption, in an inch
LINE_HEIGHT = 0.23  # inches


class Canvas:
    """The one figure of an explorer."""

    def __init__(self, figure: Figure):
        figure.set_dpi(DPI)
        self.figure = figure
        self._agg = FigureCanvasAgg(figure)
        self._frame = {child for ax in figure.axes for child in ax.get_children()}
        self._background = None
        self._background_of = None  # what the axes looked like when it was kept

    def drawn(self) -> list[tuple[Axes, Artist]]:
        """Return what was drawn on top of the empty axes, lowest first."""
        found = [(ax, child) for ax in self.figure.axes for child in ax.get_children() if child not in self._frame]
        return sorted(found, key=lambda item: item[1].get_zorder())

    def wipe(self) -> None:
        """Remove what was drawn, and keep the axes."""
        for ax in self.figure.axes:
            for container in list(ax.containers):
                container.remove()  # bars are kept in two places
        for _, artist in self.drawn():
            artist.remove()

    def pixels(self) -> np.ndarray:
        """Return the figure as it is now."""
        fresh = [(ax, artist) for ax, artist in self.drawn() if not isinstance(artist, Legend)]
        for _, artist in fresh:
            artist.set_animated(True)  # matplotlib's word for: not part of the background
        self._draw_background()
        for ax, artist in fresh:
            ax.draw_artist(artist)
        return _rgb(self._agg)

    def _draw_background(self) -> None:
        now = [_looks(ax) for ax in self.figure.axes]
        if now == self._background_of:
            self._agg.restore_region(self._background)
            return
        self._agg.draw()
        self._background = self._agg.copy_from_bbox(self.figure.bbox)
        self._background_of = now


def _looks(ax: Axes) -> tuple:
    """Return all that an explorer may change about the background of its axes."""
    return ax.axison, ax.get_title("left"), _side(ax.xaxis), _side(ax.yaxis), _legend(ax.get_legend())


def _side(axis: Axis) -> tuple:
    places = axis.get_majorticklocs().tolist()
    limits = axis.get_view_interval().tolist()
    return axis.get_label_text(), axis.get_scale(), limits, places, _words_at(axis, places)


def _words_at(axis: Axis, places: list[float]) -> list[str]:
    """Return the words that an explorer wrote at its ticks; numbers follow from the places."""
    formatter = axis.get_major_formatter()
    has_words = isinstance(formatter, FixedFormatter | FuncFormatter)  # set_ticks(places, words) makes one of these
    return formatter.format_ticks(places) if has_words else []


def _legend(legend: Legend | None) -> list:
    if legend is None:
        return []
    looks = [(line.get_color(), line.get_linestyle(), line.get_marker()) for line in legend.get_lines()]
    words = [text.get_text() for text in legend.get_texts()]
    return [legend._loc, looks, words]


def with_words(pixels: np.ndarray, words: str, background: str = "white") -> np.ndarray:
    """Return a picture with a sentence written under it, for pages on which nothing is alive."""
    width = pixels.shape[1] / DPI  # in inches, as all sizes of figures
    lines = textwrap.wrap(words, int(width * LETTERS))
    height = LINE_HEIGHT * len(lines) + 0.2
    strip = Figure(figsize=(width, height), dpi=DPI, facecolor=background)
    strip.text(0.1 / width, 1 - 0.08 / height, "\n".join(lines), fontsize=FONT - 2, va="top", linespacing=1.35)
    agg = FigureCanvasAgg(strip)
    agg.draw()
    return np.concatenate([pixels, _rgb(agg)])


def _rgb(agg: FigureCanvasAgg) -> np.ndarray:
    """Return what is drawn, without its transparency."""
    return np.asarray(agg.buffer_rgba())[..., :3]


def png(pixels: np.ndarray, level: int = 1) -> bytes:
    """Return an image file; level 1 is the fastest that compresses at all."""
    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, "png", compress_level=level)
    return buffer.getvalue()
