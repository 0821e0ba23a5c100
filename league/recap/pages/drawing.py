"""Drawing of pictures to post in a chat: a title, a podium and a list.

Pictures are drawn at twice their size and scaled down, because Pillow draws shapes without
anti-aliasing.
"""

from __future__ import annotations

import io
import pathlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

SHAPES = {"wide": (1200, 630), "square": (1080, 1080)}
PODIUM = 3
STEPS = {1: 112.0, 2: 76.0, 3: 56.0}
MOST_ROWS = 5

RED, DEEP, GOLD, BRIGHT = "#a3191b", "#650d0f", "#c9962c", "#f0cd7a"
LIGHT, SOFT, PAPER, INK, MUTED, LINE = (
    "#fff6e6", "#f3d9b4", "#fffdf8", "#251b16", "#655648", "#e4d8c4"
)  # fmt: skip
TWICE = 2
FONTS = pathlib.Path(settings.BASE_DIR) / "static/vendor/be-vietnam-pro"
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class PictureRow:
    """One row of a picture: a rank, a name and the points as text."""

    rank: int
    name: str
    worth: str


@dataclass(frozen=True)
class Figure:
    """A number in a picture, and a label for what it counts."""

    figure: str
    counts: str


@dataclass(frozen=True)
class Picture:
    """The content of a picture: the first three rows go on a podium, the others in a list.

    A picture about one player or a chop has facts instead of rows.
    """

    title: str
    subtitle: str
    rows: tuple[PictureRow, ...] = ()
    foot: str = ""
    facts: tuple[Figure, ...] = ()


def draw(picture: Picture, shape: str) -> bytes:
    """Draw the picture in one of `SHAPES` and return it as a PNG."""
    from PIL import Image, ImageDraw  # Imported late: only drawing needs it.

    width, height = SHAPES[shape]
    size = width * TWICE, height * TWICE
    shade = Image.linear_gradient("L").resize(size)
    image = Image.composite(Image.new("RGB", size, DEEP), Image.new("RGB", size, RED), shade)
    pen = _Pen(ImageDraw.Draw(image))
    pen.box((5, 5, width - 5, height - 5), outline=GOLD, width=10)
    pen.box((20, 20, width - 20, height - 20), outline=BRIGHT, width=3)
    if picture.rows or picture.facts:
        pen.text(54, 52, picture.title, 46, LIGHT, bold=True, most=width - 108)
        pen.text(54, 116, picture.subtitle, 26, SOFT, most=width - 108)
    else:
        middle = height / 2 - 40
        pen.text(width / 2, middle, picture.title, 84, BRIGHT, bold=True, most=width - 140,
                 anchor="mb")  # fmt: skip
        pen.text(width / 2, middle + 24, picture.subtitle, 36, LIGHT, most=width - 140, anchor="ma")
    first, rest = picture.rows[:PODIUM], picture.rows[PODIUM : PODIUM + MOST_ROWS]
    if len(first) < PODIUM:
        first, rest = (), picture.rows
    wide = shape == "wide"
    _facts(pen, picture.facts, (54, 190, width - 54, height - 128), 3 if wide else 2)
    beside = wide and bool(rest) and bool(first)
    floor = (height - 128) if wide else 600 if rest else height - 160
    if first:
        tall = 1 if wide else 2.2
        _podium(pen, first, (54, 630 if beside else width - 54, floor), tall)
    if rest:
        left, top = (666 if beside else 54), (176 if wide else 640 if first else 190)
        _list(pen, rest, (left, top, width - 54, height - 128))
    pen.text(54, height - 96, "Tiến Lên League", 24, LIGHT, bold=True, most=500)
    pen.text(width - 54, height - 96, picture.foot, 24, SOFT, most=560, anchor="ra")
    found = io.BytesIO()
    image.resize((width, height), Image.Resampling.LANCZOS).save(found, "PNG", compress_level=6)
    return found.getvalue()


def _podium(
    pen: _Pen, first: tuple[PictureRow, ...], place: tuple[float, float, float], tall: float
) -> None:
    """Draw the second, first and third row side by side, each on the step of its rank."""
    left, right, floor = place
    step = (right - left) / PODIUM
    for index, row in enumerate((first[1], first[0], first[2])):
        high = STEPS[row.rank] * tall
        begins, middle = left + index * step, left + (index + 0.5) * step
        winner = row.rank == 1
        box = (begins + 7, floor - high, begins + step - 7, floor)
        pen.box(box, fill=BRIGHT if winner else DEEP, outline=GOLD, width=3, radius=12)
        pen.text(middle, floor - high + 6, str(row.rank), 48 if winner else 36,
                 "#4a3208" if winner else BRIGHT, bold=True, anchor="ma")  # fmt: skip
        size = 40 if winner else 32
        colour = BRIGHT if winner else LIGHT
        pen.text(middle, floor - high - 58 - size, row.name, size, colour, bold=True,
                 most=step - 14, anchor="ma")  # fmt: skip
        pen.text(middle, floor - high - 44, row.worth, 26, LIGHT, most=step - 14, anchor="ma")


def _facts(pen: _Pen, facts: tuple[Figure, ...], box: Box, columns: int) -> None:
    """Draw each figure with its label on a card, the first one golden.

    The last card fills the rest of its line.
    """
    left, top, right, bottom = box
    column, high = (right - left) / columns, (bottom - top) / max(1, -(-len(facts) // columns))
    for index, fact in enumerate(facts):
        x, y = left + index % columns * column, top + index // columns * high
        wide = right - x if index == len(facts) - 1 else column
        golden = index == 0
        pen.box((x + 7, y + 7, x + wide - 7, y + high - 7), fill=BRIGHT if golden else PAPER,
                radius=20)  # fmt: skip
        middle, centre = x + wide / 2, y + high / 2
        pen.text(middle, centre + 10, fact.figure, 64, "#4a3208" if golden else RED, bold=True,
                 most=wide - 50, anchor="ms")  # fmt: skip
        pen.text(middle, centre + 26, fact.counts, 26, INK, most=wide - 50, anchor="ma")


def _list(pen: _Pen, rows: tuple[PictureRow, ...], box: Box) -> None:
    """Draw rows below each other on a light card."""
    left, top, right, lowest = box
    high = min((lowest - top - 16) / len(rows), 78)
    bottom = top + 16 + high * len(rows)
    pen.box((left, top, right, bottom), fill=PAPER, radius=20)
    for index, row in enumerate(rows):
        middle = top + 8 + (index + 0.5) * high
        pen.text(left + 22, middle, str(row.rank), 26, MUTED, anchor="lm")
        worth = pen.text(right - 22, middle, row.worth, 26, INK, bold=True, anchor="rm")
        pen.text(left + 84, middle, row.name, 28, INK, most=right - left - 130 - worth, anchor="lm")
        if index < len(rows) - 1:
            pen.line(left + 22, middle + high / 2, right - 22, LINE)


class _Pen:
    """A drawing tool that takes the units of the finished picture."""

    def __init__(self, on: ImageDraw) -> None:
        self._on = on

    def box(
        self,
        box: Box,
        *,
        radius: float = 0,
        width: int = 0,
        fill: str | None = None,
        outline: str | None = None,
    ) -> None:
        place = [each * TWICE for each in box]
        self._on.rounded_rectangle(place, radius * TWICE, fill, outline, width * TWICE)

    def line(self, left: float, y: float, right: float, colour: str) -> None:
        self._on.line([left * TWICE, y * TWICE, right * TWICE, y * TWICE], colour, TWICE)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: int,
        colour: str,
        *,
        bold: bool = False,
        most: float = 600,
        anchor: str = "la",
    ) -> float:
        """Draw the text, shrunk and then truncated to the width `most`; return its width."""
        least = size * 2 // 3
        while size > least and _font(bold, size * TWICE).getlength(text) > most * TWICE:
            size -= 2
        font = _font(bold, size * TWICE)
        text = _cut(text, font, most * TWICE)
        self._on.text((x * TWICE, y * TWICE), text, colour, font, anchor)
        return font.getlength(text) / TWICE


def _cut(text: str, font: FreeTypeFont, most: float) -> str:
    if font.getlength(text) <= most:
        return text
    while text and font.getlength(text + "…") > most:
        text = text[:-1].rstrip()
    return text + "…"


@cache
def _font(bold: bool, size: int) -> FreeTypeFont:
    from PIL import ImageFont

    path = FONTS / f"be-vietnam-pro-{700 if bold else 400}.woff2"
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
