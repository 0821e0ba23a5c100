"""Static files as they are collected."""

import re
from io import StringIO

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile, File
from django.core.management import call_command

from config.static import StaticFiles

STYLES = """/* What it is for:
   two lines. */
.felt {
  color: red; /* as on paper */

  content: "// no comment";
}
"""
SCRIPT = """// What it is for.
(() => {
  "use strict";
  // Why.
  fetch("https://example.test"); // Here it stays.

})();
"""


def saved(storage: StaticFiles, name: str, content: File) -> str:
    with storage.open(storage.save(name, content)) as written:
        return str(written.read().decode())


def test_our_styles_and_scripts_go_without_comments_and_indentation(tmp_path):
    storage = StaticFiles(location=tmp_path)
    assert saved(storage, "css/one.css", ContentFile(STYLES.encode())) == (
        '.felt {\ncolor: red;\ncontent: "// no comment";\n}\n'
    )
    assert saved(storage, "js/one.js", File(StringIO(SCRIPT))) == (
        '(() => {\n"use strict";\nfetch("https://example.test"); // Here it stays.\n})();\n'
    )


def test_a_sheet_that_begins_with_others_is_sent_as_one(settings, tmp_path):
    settings.STORAGES = {"staticfiles": {"BACKEND": "config.static.StaticFiles"}}
    settings.STATIC_ROOT = tmp_path
    call_command("collectstatic", interactive=False, verbosity=0)
    for name, parts in {
        "common": ("--tap:", ".btn-gold {", ".felt {"),
        "clubs": (".chop",),
    }.items():
        [sent] = tmp_path.glob(f"css/{name}.*.css")
        text = sent.read_text(encoding="utf-8")
        assert "@import" not in text
        assert [part for part in parts if part not in text] == []
        assert not re.search(r"url\(.[\w./-]*/[\w-]+\.(?:woff2|svg)", text), "files without a hash"


def test_what_others_wrote_stays_as_it_is(tmp_path):
    storage = StaticFiles(location=tmp_path)
    assert saved(storage, "vendor/one.css", ContentFile(STYLES.encode())) == STYLES


def test_every_script_has_its_statements_on_lines_of_their_own(tmp_path):
    """A text over several lines, or a comment in one, would lose what stands in it."""
    for name, _storage in finders.get_finder(
        "django.contrib.staticfiles.finders.FileSystemFinder"
    ).list([]):
        if not name.startswith("js/"):
            continue
        with open(finders.find(name)) as file:
            lines = [line for line in file if not line.lstrip().startswith("//")]
        assert not [line for line in lines if line.split("//")[0].count("`") % 2], name


def test_one_script_fetches():
    """It knows whose answer it is, and how long to wait. A sound is believed by being one."""
    scripts = (settings.BASE_DIR / "static" / "js").glob("*.js")
    fetching = {
        path.name for path in scripts
        if re.search(r"\bfetch\(|XMLHttpRequest|sendBeacon", path.read_text(encoding="utf-8"))
    }  # fmt: skip
    assert fetching == {"ask.js", "sounds.js"}


def test_a_page_waits_for_one_script():
    """It sets the theme before anything is painted; all others come after the page."""
    waited_for = {
        tag
        for path in (settings.BASE_DIR / "templates").rglob("*.html")
        for tag in re.findall(r"<script\s[^>]*src=[^>]*>", path.read_text(encoding="utf-8"))
        if not re.search(r"\bdefer\b", tag)
    }
    assert waited_for == {"""<script src="{% static 'js/app.js' %}">"""}
