"""The templates' budget: they arrange what pages have decided."""

import datetime
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.template import Context, Template

from config.templates import flat
from tests.plugins import missing_names

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"
LONGEST_LINE = 120
MOST_CHOICES = 12
CHOICE = re.compile(r"\{%-?\s*(?:if|elif|else)\b")
NAMED_PAGES = ("nights", "turnout", "money", "online")
POURS = re.compile(r"\bvars\(|__dict__")
SVG = re.compile(r"<(?:svg|path|pattern|polyline)\b")


def lines() -> list[tuple[str, str]]:
    """Each line of a template with where it stands."""
    return [
        (f"{path.relative_to(TEMPLATES)}:{number}", line)
        for path in sorted(TEMPLATES.rglob("*.html"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    ]


EDITED = """
import pathlib, sys, django
from django.template import engines
django.setup()
page, engine = pathlib.Path(sys.argv[1], "page.html"), engines["django"].engine
engine.dirs = [page.parent]
for words in ("before", "after"):
    page.write_text(words)
    print(engine.render_to_string("page.html"))
"""


@pytest.mark.parametrize(("debug", "seen"), [("1", "after"), ("0", "before")])
def test_an_edited_template_is_seen_at_the_next_look_with_debug_alone(tmp_path, debug, seen):
    command = [sys.executable, "-c", EDITED, str(tmp_path)]
    chosen = os.environ | {"DEBUG": debug, "DJANGO_SETTINGS_MODULE": "config.settings"}
    told = subprocess.run(command, env=chosen, capture_output=True, text=True, check=True).stdout
    assert told.split() == ["before", seen]


def test_no_line_is_long():
    """A drawing may be as long as it is."""
    long = [where for where, line in lines() if len(line) > LONGEST_LINE and not SVG.search(line)]
    assert long == []


def test_pages_are_given_by_name():
    """What is poured into a context with its attributes may lack one, and nobody is told."""
    league = TEMPLATES.parent / "league"
    views = [path for name in NAMED_PAGES for path in (league / name / "views").rglob("*.py")]
    assert len(views) > 25
    assert [path.name for path in views if POURS.search(path.read_text(encoding="utf-8"))] == []


def test_templates_decide_little():
    found = lines()
    choices = sum(len(CHOICE.findall(line)) for _where, line in found)
    assert choices <= MOST_CHOICES * len(found) / 100


def test_one_frame_says_where_a_page_is():
    """Its bar has the only h1; a surface has no bar, and neither have pages without templates."""
    surfaces = ("lesson", "qr", "table", "wall_inside")
    alone = ("offline", "500", "503", "away", "embed")
    own = sorted(
        path.stem
        for path in TEMPLATES.rglob("*.html")
        if "<h1" in path.read_text(encoding="utf-8") and path.stem != "base"
    )
    assert own == sorted(surfaces + alone)
    words = [
        where for where, line in lines() if re.search(r"breadcrumb|block trail|page-head", line)
    ]
    assert words == []


def test_what_is_sent_has_no_indentation_and_words_stay_apart():
    source = """<p>
  {% if a %}
    one {{ two }}
    <b>three</b>
  {% endif %}
  {% trans "four" %}
</p>
"""
    assert flat(source) == (
        '<p>\n{% if a %}one {{ two }}\n<b>three</b>\n{% endif %}{% trans "four" %}\n</p>\n'
    )


@pytest.mark.parametrize(
    ("template", "is_seen"),
    [
        ("{% if day.fortnight %}{% endif %}", True),
        ("{% for one in day.fortnights %}{% endfor %}", True),
        ("{{ day.fortnight|default:1 }}", True),
        ("{{ day.year }}{{ nothing.year }}{{ rows.3 }}{{ names.An }}{{ none.year }}", False),
    ],
)
def test_a_missing_attribute_of_what_is_there_is_seen(template, is_seen):
    context = {"day": datetime.date.min, "rows": [], "names": {}, "none": None}
    Template(template).render(Context(context))
    found = {**missing_names._found}
    missing_names._found.clear()  # Else this test would fail by them.
    assert bool(found) == is_seen
