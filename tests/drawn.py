"""What a figure draws, read from the finished figure: where its lines, markers, words and cells stand."""

from itertools import combinations, pairwise

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.colors import same_color
from matplotlib.patches import Polygon, Rectangle
from matplotlib.text import Annotation


def only_panel(picture):
    """Return the axes of a picture that has one panel."""
    (ax,) = picture.figure.axes
    return ax


def line(ax, label):
    """Return the points of the line with this label, one a row."""
    (found,) = [one for one in ax.lines if one.get_label() == label]
    return found.get_xydata()


def labels(ax):
    """Return the labels of the lines, in the order of the legend."""
    return [one.get_label() for one in ax.lines if not one.get_label().startswith("_")]


def segments(ax, **look):
    """Return the points of the lines without a label that have two ends or more and look like this."""
    lines = [one for one in ax.lines if one.get_label().startswith("_") and len(one.get_xdata()) > 1]
    return [one.get_xydata() for one in lines if one.get_transform() == ax.transData and _looks(one, look)]


def markers(ax, **look):
    """Return the places of single markers that look like this."""
    lines = [one for one in ax.lines if len(one.get_xdata()) == 1 and _looks(one, look)]
    return [tuple(one.get_xydata()[0]) for one in lines]


def _looks(artist, look):
    return all(_same(getattr(artist, f"get_{name}")(), value) for name, value in look.items())


def _same(found, wanted):
    try:
        return same_color(found, wanted)
    except (ValueError, TypeError):
        return found == wanted


def levels(ax):
    """Return the heights of the lines across the whole picture."""
    return [one.get_ydata()[0] for one in ax.lines if one.get_transform() == ax.get_yaxis_transform(which="grid")]


def uprights(ax):
    """Return where lines over the whole height of the picture stand."""
    return [one.get_xdata()[0] for one in ax.lines if one.get_transform() == ax.get_xaxis_transform(which="grid")]


def words(ax):
    """Return where words stand that belong to a place of the picture: (text, x, y), without those beside a point."""
    return [(one.get_text(), *one.get_position()) for one in ax.texts if not isinstance(one, Annotation)]


def notes(ax):
    """Return the words beside a point: (text, the point, how far from it)."""
    made = [one for one in ax.texts if isinstance(one, Annotation) and one.get_text()]
    return [(one.get_text(), tuple(map(float, one.xy)), one.xyann) for one in made]


def arrows(ax):
    """Return the arrows: (from, to)."""
    made = [one for one in ax.texts if isinstance(one, Annotation) and one.arrow_patch]
    return [(tuple(map(float, one.xyann)), tuple(map(float, one.xy))) for one in made]


def framed(ax, colour):
    """Return the words in a box whose edge has this colour: (text, x, y)."""
    boxed = [one for one in ax.texts if one.get_bbox_patch()]
    found = [one for one in boxed if same_color(one.get_bbox_patch().get_edgecolor(), colour)]
    return [(one.get_text(), *one.get_position()) for one in found]


def cells(ax):
    """Return the bars that have a size: (left, bottom, right, top)."""
    boxes = [patch.get_bbox() for patch in ax.patches if isinstance(patch, Rectangle)]
    return [(*box.min, *box.max) for box in boxes if box.width and box.height]


def cells_at(ax, x, y):
    """Return the bars around a point."""
    boxes = [patch for patch in ax.patches if isinstance(patch, Rectangle) and patch.get_width()]
    return [patch for patch in boxes if patch.get_bbox().contains(x, y)]


def polygons(ax):
    """Return the corners of the filled polygons."""
    return [patch.get_xy() for patch in ax.patches if isinstance(patch, Polygon)]


def areas(ax):
    """Return the corners of what is filled between two curves, a list for each call."""
    made = [one for one in ax.collections if isinstance(one, PolyCollection)]
    return [[path.vertices for path in one.get_paths()] for one in made]


def ticks(axis):
    """Return the words along an axis with their places."""
    named = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
    return [(float(place), label.get_text()) for place, label in named]


# ------------------------------------------------------------------------------------------------ what may not be


def covered_words(picture):
    """Return the words of a picture that cover each other, or that its edge cuts off."""
    boxes = _boxes_of_words(picture.figure)
    edge = picture.figure.bbox.padded(1)
    cut = [text for text, box in boxes if not (edge.contains(*box.min) and edge.contains(*box.max))]
    touching = [(a, b) for (a, one), (b, two) in combinations(boxes, 2) if one.padded(-1).overlaps(two.padded(-1))]
    return cut + touching


def _boxes_of_words(figure):
    _draw(figure)
    legends = [*figure.legends, *(ax.get_legend() for ax in figure.axes if ax.get_legend())]
    found = [text for ax in figure.axes for text in [*ax.texts, *_around(ax)]]
    found += [text for legend in legends for text in legend.get_texts()]
    return [(text.get_text(), text.get_window_extent()) for text in found if text.get_text().strip()]


def _around(ax):
    """Return the titles and, if the axes are shown, their names and the words at their ticks."""
    titles = [ax.title, ax._left_title]
    if not ax.axison:
        return titles
    ticks = [tick for axis in (ax.xaxis, ax.yaxis) for tick in axis.get_major_ticks() if _in_view(axis, tick)]
    return [*titles, ax.xaxis.label, ax.yaxis.label, *(tick.label1 for tick in ticks if tick.label1.get_visible())]


def _in_view(axis, tick):
    low, high = sorted(axis.get_view_interval())
    return low <= tick.get_loc() <= high


def crossed_words(picture):
    """Return the words that a line of the picture runs through, unless they stand in a box or on a marker."""
    _draw(picture.figure)
    found = []
    for ax in picture.figure.axes:
        lines = [one.get_transform().transform(one.get_xydata()) for one in ax.lines if len(one.get_xdata()) > 1]
        places = [(text.get_text(), text.get_window_extent()) for text in ax.texts if _stands_free(text, ax)]
        if ax.get_legend() and not ax.get_legend().get_frame_on():
            places.append(("the legend", ax.get_legend().get_window_extent()))
        found += [name for name, box in places if name and any(_crosses(points, box.padded(-2)) for points in lines)]
    return found


def _stands_free(text, ax):
    dots = [*markers(ax), *(tuple(offset) for one in ax.collections for offset in one.get_offsets())]
    return not (text.get_bbox_patch() or text.get_rotation() or text.get_position() in dots)


def _crosses(points, box):
    points = points[np.isfinite(points).all(axis=1)]
    ways = [start + t * (end - start) for start, end in pairwise(points) for t in np.linspace(0, 1, 40)]
    return any(box.contains(*point) for point in [*points, *ways])


def _draw(figure):
    FigureCanvasAgg(figure)
    figure.draw_without_rendering()
