"""Drawing of pictures to post in a chat: a title, a podium and a list.

Pictures are drawn at twice their size and scaled down, because Pillow draws shapes without
anti-aliasing.
"""

from __future__ import annotations

import io
import pathlib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from anyascii import anyascii
from django.conf import settings

from tables.base.faces import ANIMALS, Face

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

SHAPES = {"wide": (1200, 630), "square": (1080, 1080)}
ROWS_WIDE, ROWS_SQUARE, MOST_FACES = 7, 5, 3
LARGEST_NAME, LEAST_NAME = 96, 40
MEDALS = {2: "#d3d7db", 3: "#e3b48e"}
GROUNDS = (
    "#a3191b", "#1f4e8c", "#5b3a86", "#0d6468", "#7a4a1c", "#8a2457", "#55611a", "#3d4a5c"
)  # fmt: skip
FACES = pathlib.Path(__file__).resolve().parents[1] / "faces.png"
"""The animals of static/faces.svg side by side, in the order of `ANIMALS`: light on dark."""

RED, DEEP, GOLD, BRIGHT = "#a3191b", "#650d0f", "#c9962c", "#f0cd7a"
LIGHT, SOFT, PAPER, INK, MUTED, LINE = (
    "#fff6e6", "#f3d9b4", "#fffdf8", "#251b16", "#655648", "#e4d8c4"
)  # fmt: skip
TWICE = 2
NOBODY = "\U0010ffff"
"""A character that no font has."""
FONTS = pathlib.Path(settings.BASE_DIR) / "static/vendor/be-vietnam-pro"
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class PictureRow:
    """One row of a picture: rank, name, points, face; `worth` is a champion's line in words."""

    rank: int
    name: str
    points: str
    face: Face = Face("cat", 1)  # noqa: RUF009
    worth: str = ""


@dataclass(frozen=True)
class Figure:
    """A number in a picture, and a label for what it counts."""

    figure: str
    counts: str


@dataclass(frozen=True)
class Picture:
    """The content of a picture: the champion alone and largest, the others in a list.

    A picture about one player or a chop has facts instead of rows. `note` is a line below the
    champion's.
    """

    title: str
    subtitle: str
    rows: tuple[PictureRow, ...] = ()
    foot: str = ""
    facts: tuple[Figure, ...] = ()
    note: str = ""

    @property
    def champions(self) -> tuple[PictureRow, ...]:
        """The rows that share first place, as many as have room; others are in the list."""
        return tuple(row for row in self.rows[:MOST_FACES] if row.rank == self.rows[0].rank)


def draw(picture: Picture, shape: str) -> bytes:
    """Draw the picture in one of `SHAPES` and return it as a PNG."""
    from PIL import Image, ImageDraw  # Imported late: only drawing needs it.

    width, height = SHAPES[shape]
    size = width * TWICE, height * TWICE
    shade = Image.linear_gradient("L").resize(size)
    image = Image.composite(Image.new("RGB", size, DEEP), Image.new("RGB", size, RED), shade)
    pen = _Pen(ImageDraw.Draw(image), image)
    pen.box((5, 5, width - 5, height - 5), outline=GOLD, width=10)
    pen.box((20, 20, width - 20, height - 20), outline=BRIGHT, width=3)
    wide = shape == "wide"
    if picture.rows:
        half = width / 2 if wide else width - 54
        rest = picture.rows[len(picture.champions) :]
        bottom = height - 128 if wide or not rest else 610
        _champion(pen, picture, (54, 54, half - 20 if rest and wide else width - 54, bottom))
        if rest:
            left, top = (half + 20, 54) if wide else (54, 620)
            most = ROWS_WIDE if wide else ROWS_SQUARE
            _list(pen, rest[:most], (left, top, width - 54, height - 118))
    elif picture.facts:
        pen.text(54, 52, picture.title, 46, LIGHT, bold=True, most=width - 108)
        pen.text(54, 116, picture.subtitle, 26, SOFT, most=width - 108)
        _facts(pen, picture.facts, (54, 190, width - 54, height - 128), 3 if wide else 2)
    else:
        middle = height / 2 - 40
        pen.text(width / 2, middle, picture.title, 84, BRIGHT, bold=True, most=width - 140,
                 anchor="mb")  # fmt: skip
        pen.text(width / 2, middle + 24, picture.subtitle, 36, LIGHT, most=width - 140, anchor="ma")
    pen.text(54, height - 90, "Tiến Lên League", 24, LIGHT, bold=True, most=500)
    pen.text(width - 54, height - 90, picture.foot, 24, SOFT, most=560, anchor="ra")
    found = io.BytesIO()
    image.resize((width, height), Image.Resampling.LANCZOS).save(found, "PNG", compress_level=6)
    return found.getvalue()


def _champion(pen: _Pen, picture: Picture, place: Box) -> None:
    """Draw the champion, alone and largest: the face, the name on up to two lines, points."""
    left, top, right, bottom = place
    middle, room = (left + right) / 2, right - left
    size, lines = name_lines(", ".join(drawable(row.name) for row in picture.champions), room)
    told = (picture.champions[0].worth, picture.subtitle, picture.note)
    below = [line for line in told if line]
    text = 52 + size * 1.15 * len(lines) + 34 * len(below) + 20
    radius = min(90.0, max(40.0, (bottom - top - text) / 2))
    y = top + max(0.0, (bottom - top - text - 2 * radius) / 2)
    pen.text(middle, y, picture.title, 28, SOFT, most=room, anchor="ma")
    faces = picture.champions
    for index, row in enumerate(faces):
        x = middle + (index - (len(faces) - 1) / 2) * radius * 2.1
        pen.face(x, y + 52 + radius, radius, row.face, BRIGHT)
    y += 52 + 2 * radius + 10
    for line in lines:
        pen.text(middle, y, line, size, BRIGHT, bold=True, most=room, anchor="ma")
        y += size * 1.15
    y += 10
    for line in below:
        colour = BRIGHT if line == picture.note else LIGHT
        pen.text(middle, y, line, 27, colour, most=room, anchor="ma")
        y += 34


def name_lines(name: str, room: float) -> tuple[int, list[str]]:
    """Return the largest font size at which a name fits on two lines of this width, and them."""
    for size in range(LARGEST_NAME, LEAST_NAME, -2):
        font = _font(True, size * TWICE)
        for line in _splits(name):
            if all(font.getlength(part) <= room * TWICE for part in line):
                return size, line
    return LEAST_NAME, [name[: len(name) // 2], name[len(name) // 2 :]]


def _splits(name: str) -> list[list[str]]:
    """Return a name on one line, then on two, the evenest first."""
    words = name.split()
    twos = [[" ".join(words[:n]), " ".join(words[n:])] for n in range(1, len(words))]
    return [[name], *sorted(twos, key=lambda two: max(map(len, two)))]


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


def _list(pen: _Pen, rows: Sequence[PictureRow], box: Box) -> None:
    """Draw rows below each other on a light card, each with its face."""
    left, top, right, lowest = box
    high = min((lowest - top - 16) / len(rows), 78)
    pen.box((left, top, right, top + 16 + high * len(rows)), fill=PAPER, radius=20)
    for index, row in enumerate(rows):
        middle = top + 8 + (index + 0.5) * high
        if colour := MEDALS.get(row.rank):
            pen.box((left + 20, middle - 19, left + 58, middle + 19), fill=colour, radius=19)
        pen.text(left + 39, middle, str(row.rank), 24, INK if colour else MUTED, bold=bool(colour),
                 anchor="mm")  # fmt: skip
        pen.face(left + 92, middle, 20, row.face)
        worth = pen.text(right - 22, middle, row.points, 28, INK, bold=True, anchor="rm")
        pen.text(left + 126, middle, row.name, 28, INK, bold=bool(colour),
                 most=right - left - 170 - worth, anchor="lm")  # fmt: skip
        if index < len(rows) - 1:
            pen.line(left + 22, middle + high / 2, right - 22, LINE)


class _Pen:
    """A drawing tool that takes the units of the finished picture."""

    def __init__(self, on: ImageDraw, image: Image) -> None:
        self._on, self._image = on, image

    def face(self, x: float, y: float, radius: float, face: Face, edge: str = LIGHT) -> None:
        """Draw a face around this point."""
        for wider, colour in ((radius + max(2, radius / 14), edge), (radius, None)):
            ground = colour or GROUNDS[face.ground - 1]
            self.box((x - wider, y - wider, x + wider, y + wider), fill=ground, radius=wider)
        side = round(2 * radius * TWICE)
        mask = _animal(face.animal).resize((side, side))
        at = round((x - radius) * TWICE), round((y - radius) * TWICE)
        self._image.paste(LIGHT, at, mask)

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
        text, least = drawable(text), size * 2 // 3
        while size > least and _font(bold, size * TWICE).getlength(text) > most * TWICE:
            size -= 2
        font = _font(bold, size * TWICE)
        text = _cut(text, font, most * TWICE)
        self._on.text((x * TWICE, y * TWICE), text, colour, font, anchor)
        return font.getlength(text) / TWICE


def drawable(text: str) -> str:
    """Return the text with Latin letters for those that the font lacks, and without its emoji.

    A text of emoji alone becomes their English names.
    """
    known = [c if _has(c) else "" if _is_mark(c) else anyascii(c) for c in text]
    return " ".join("".join(known).split()) or " ".join(anyascii(text).replace(":", " ").split())


@lru_cache(maxsize=4096)
def _has(char: str) -> bool:
    """Return whether the font draws this character as itself."""
    glyph, missing = (_font(False, 32).getmask(each) for each in (char, NOBODY))
    return char.isspace() or (glyph.size, bytes(glyph)) != (missing.size, bytes(missing))


def _is_mark(char: str) -> bool:
    """Return whether it is an emoji, or a mark or sign that only changes another character."""
    return unicodedata.category(char) in {"So", "Sk", "Mn", "Me", "Mc", "Cf"}


@cache
def _animal(name: str) -> Image:
    from PIL import Image

    with Image.open(FACES) as faces:
        side, at = faces.height, ANIMALS.index(name) * faces.height
        return faces.convert("L").crop((at, 0, at + side, side))


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
