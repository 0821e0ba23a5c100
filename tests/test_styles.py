"""The style sheets: what has a token is taken from it, so that a page cannot look like another."""

import re
from pathlib import Path

from django.conf import settings

CSS = Path(settings.BASE_DIR) / "static" / "css"
DECLARATION = re.compile(r"(?<=[{;\s])([a-z-]+):\s*([^;{}]+)")
COLOUR = re.compile(
    r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch)a?\(|\b(?:white|black|red|gr[ae]y)\b", re.I
)
SIZE = re.compile(r"--text-\w+|--name|inherit|0|calc\(--w \* [\d.]+\)")
FONT = re.compile(r"inherit|.*(?:--text-\w+|100%)/.*")
RADIUS = re.compile(r"(?:--radius[\w-]*|--pill|inherit|0|[\d.]+%|calc\(--w \* [\d.]+\)|/|\s)+")
LENGTH = r"-?[\d.]+(?:px|r?em)?"
SHADOW = re.compile(
    rf"--(?:shadow[\w-]*|ring|glow)|none|(?:inset )?{LENGTH} {LENGTH} (?:0 (?:{LENGTH} )?)?[c-].*"
)
"""A token, or what has no blur: a line in the colour of a token."""


def values(*names: str) -> list[tuple[str, str]]:
    """Sheet and value of each declaration outside the tokens, of these properties or of all."""
    return [
        (path.name, re.sub(r"var\((--[\w-]+)[^()]*\)|url\(.*?\)", r"\1", value.strip()))
        for path in sorted(CSS.glob("*.css"))
        if path.name != "tokens.css"
        for name, value in DECLARATION.findall(
            re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
        )
        if not names or name.endswith(names)
    ]


def strange(
    names: tuple[str, ...], allowed: re.Pattern, *, each: str = ""
) -> list[tuple[str, str]]:
    return [
        (sheet, value)
        for sheet, value in values(*names)
        if not all(allowed.fullmatch(v) for v in (re.split(each, value) if each else [value]))
    ]


def test_colours_come_from_the_tokens():
    assert [one for one in values() if COLOUR.search(re.sub(r"--[\w-]+|in srgb", "", one[1]))] == []


def test_words_have_one_of_the_sizes_of_the_tokens():
    assert strange(("font-size",), SIZE) + strange(("font",), FONT) == []


def test_corners_and_shadows_come_from_the_tokens():
    assert strange(("-radius",), RADIUS) == []
    assert strange(("-shadow",), SHADOW, each=r",\s*(?![^()]*\))") == []


def test_there_are_few_sizes_corners_and_shadows():
    """The tokens themselves: another one would be one that nobody chose."""
    tokens = (CSS / "tokens.css").read_text(encoding="utf-8")
    kinds = {"sizes": "text-.*", "corners": "radius.*|pill", "shadows": "shadow.*|ring|glow"}
    names = set(re.findall(r"--([\w-]+):", tokens))
    found = {kind: sum(1 for n in names if re.fullmatch(one, n)) for kind, one in kinds.items()}
    assert found == {"sizes": 8, "corners": 4, "shadows": 7}
