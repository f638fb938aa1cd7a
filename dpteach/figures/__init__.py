"""Static figures: the house style, and a file of pictures for each lecture."""

from ..tools import extras

with extras.told():
    from .style import (
        COLOURS,
        DASHES,
        DPI,
        FONT,
        LINE,
        Picture,
        arc,
        axes,
        balanced_error,
        letters,
        line_style,
        lower_boundary,
        panels,
        privacy_regions,
    )

__all__ = [
    "COLOURS",
    "DASHES",
    "DPI",
    "FONT",
    "LINE",
    "Picture",
    "arc",
    "axes",
    "balanced_error",
    "letters",
    "line_style",
    "lower_boundary",
    "panels",
    "privacy_regions",
]
