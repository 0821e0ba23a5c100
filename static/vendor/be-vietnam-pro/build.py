"""Make the two small font files of this folder from the npm package's subset files.

Needs fonttools and brotli; see README.md. The digits of Be Vietnam Pro differ in width, so a
`tnum` feature with equal widths is added: columns of points line up.
"""

import sys
from io import BytesIO
from pathlib import Path

from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.merge import Merger
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import Glyph

LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "–—‘’“”…•→−×€₫")]
VIETNAMESE = [*map(ord, "ĂăĐđĨĩŨũƠơƯư"), *range(0x1EA0, 0x1EFA), 0x20AB]
DIGITS = "zero one two three four five six seven eight nine".split()


def subset(path: Path, unicodes: list[int]) -> BytesIO:
    font = TTFont(path)
    options = Options()
    options.hinting = False
    options.layout_features = ["kern", "mark", "mkmk"]
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=unicodes)
    subsetter.subset(font)
    font.flavor = None
    out = BytesIO()
    font.save(out)
    out.seek(0)
    return out


def add_tabular_digits(font: TTFont) -> None:
    metrics, glyphs = font["hmtx"].metrics, font["glyf"]
    width = sum(metrics[d][0] for d in DIGITS[2:]) // len(DIGITS[2:])
    thickness = glyphs["hyphen"].yMax - glyphs["hyphen"].yMin
    drawn = {d: even_width(font, d, width, thickness) for d in DIGITS}
    order = font.getGlyphOrder()
    for digit, glyph in drawn.items():
        name = f"{digit}.tnum"
        order.append(name)
        glyphs.glyphs[name] = glyph
        glyph.recalcBounds(glyphs)
        metrics[name] = (width, glyph.xMin)
    font.setGlyphOrder(order)
    glyphs.glyphOrder = order
    font["maxp"].numGlyphs = len(order)
    rules = " ".join(f"sub {d} by {d}.tnum;" for d in DIGITS)
    addOpenTypeFeaturesFromString(font, f"feature tnum {{ {rules} }} tnum;", tables=["GSUB"])


def even_width(font: TTFont, digit: str, width: int, thickness: int) -> Glyph:
    """Return the digit centred in the width; the 1 gets a foot, or it would stand in a gap."""
    shift = (width - font["hmtx"].metrics[digit][0]) // 2
    pen = TTGlyphPen(None)
    font.getGlyphSet()[digit].draw(TransformPen(pen, (1, 0, 0, 1, shift, 0)))
    if digit == "one":
        left, right = width * 0.16, width * 0.88
        corners = [(left, 0), (left, thickness), (right, thickness), (right, 0)]
        pen.moveTo(corners[0])
        for corner in corners[1:]:
            pen.lineTo(corner)
        pen.closePath()
    glyph = pen.glyph()
    if digit == "one":
        glyph.flags[0] |= 0x40  # overlapping contours
    return glyph


def build(source: Path, weight: int) -> None:
    stem = source / "files" / "be-vietnam-pro-{}-{}-normal.woff2"
    latin = subset(Path(str(stem).format("latin", weight)), LATIN)
    vietnamese = subset(Path(str(stem).format("vietnamese", weight)), VIETNAMESE)
    font = Merger().merge([latin, vietnamese])
    add_tabular_digits(font)
    font.flavor = "woff2"
    font.save(Path(__file__).parent / f"be-vietnam-pro-{weight}.woff2")


if __name__ == "__main__":
    for weight in (400, 700):
        build(Path(sys.argv[1]), weight)
