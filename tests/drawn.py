"""What a figure draws, read from the finished figure: where its lines, markers, words and cells stand."""

from itertools import combinations

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


def faults(picture):
    """Return everything that a viewer would complain about."""
    wrong = covered_words(picture) + crossed_words(picture) + badly_framed(picture) + alike(picture)
    return wrong + [f"cells cover each other at {x}, {y}" for ax in picture.figure.axes for x, y in covered_cells(ax)]


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
    t = np.linspace(0, 1, 40)[:, None, None]
    ways = points[:-1] + t * np.diff(points, axis=0)
    return ((box.min < ways) & (ways < box.max)).all(axis=-1).any()


def badly_framed(picture):
    """Return what is wrong with the frames of panels: things beyond the edge, or so little inside that it is lost."""
    _draw(picture.figure)
    found = []
    for ax in picture.figure.axes:
        box = ax.get_window_extent()
        beyond = [place for place in _anchors(ax) if not box.padded(2).contains(*ax.transData.transform(place))]
        found += [f"something at ({x:g}, {y:g})" for x, y in beyond]
        drawn = _drawn_in(ax)
        if len(drawn) and ax.axison and not ax.images:
            low, high = np.clip([drawn.min(axis=0), drawn.max(axis=0)], box.min, box.max)
            found += [f"only {share:.0%} is used" for share in (high - low) / box.size if share < FILLED]
    return found


def _anchors(ax):
    """Return the places that must be in view: of markers and words, and the corners of bars."""
    free = [text for text in ax.texts if text.get_transform() == ax.transData and text.get_text()]
    patches = [patch for patch in ax.patches if patch.get_data_transform() == ax.transData]
    corners = [corner for patch in patches if isinstance(patch, Rectangle) for corner in patch.get_corners()]
    return [*markers(ax), *(text.get_position() for text in free), *corners]


FILLED = 0.4  # so much of the width and of the height of a panel shows something


def _drawn_in(ax):
    """Return points in pixels that something reaches: lines, words, bars and what is filled."""
    lines = [one for one in ax.lines if one.get_transform() == ax.transData and len(one.get_xdata())]
    points = [point for one in lines for point in ax.transData.transform(one.get_xydata()) if np.isfinite(point).all()]
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text()]
    boxes += [patch.get_window_extent() for patch in ax.patches]
    boxes += [one.get_window_extent() for one in ax.collections]
    legend = ax.get_legend()
    boxes += [legend.get_window_extent()] if legend else []
    return np.array(points + [corner for one in boxes for corner in (one.min, one.max)])


def covered_cells(ax):
    """Return where one bar covers another."""
    return [
        (two[0], two[1])
        for one, two in combinations(cells(ax), 2)
        if min(one[2], two[2]) - max(one[0], two[0]) > TOUCHING and min(one[3], two[3]) - max(one[1], two[1]) > TOUCHING
    ]


TOUCHING = 1e-9  # bars side by side


def alike(picture):
    """Return the labels of lines of a panel that look the same."""
    found = []
    for ax in picture.figure.axes:
        named = [one for one in ax.lines if not one.get_label().startswith("_")]
        looks = [(one.get_color(), one.get_linestyle(), one.get_marker(), one.get_linewidth()) for one in named]
        found += [one.get_label() for one, look in zip(named, looks, strict=True) if looks.count(look) > 1]
    return found


def _draw(figure):
    FigureCanvasAgg(figure)
    figure.draw_without_rendering()
