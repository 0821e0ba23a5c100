"""The first page, the manifest, the service worker and the page without a connection."""

import json
import re
import struct
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.test import Client

from league.models import Event
from tests.factories import make_club, make_night, make_season, make_user
from tests.league.arena.test_records import GAME

STATIC = Path(settings.BASE_DIR) / "static"
pytestmark = pytest.mark.django_db


def test_the_first_page_has_one_thing_to_do_and_leads_on_to_the_others(
    client, django_assert_num_queries
):
    with django_assert_num_queries(1):
        page = client.get("/").content.decode()
    main = page[page.index("<main") :]
    assert page.count("btn-gold") == 1
    for address in ("/tables/", "/bots/", "/learn/"):
        assert f'href="{address}"' in main


def test_the_bots_to_watch_are_those_of_a_public_club(client):
    hidden, public = make_club(is_public=False), make_club()
    for club in (public, hidden):
        event = make_night(4, season=make_season(club))
        Event.objects.filter(pk=event.pk).update(kind="bots")
    assert client.get("/bots/").url == f"/clubs/{public.slug}/arena/"


@pytest.mark.parametrize(
    ("language", "shortcuts"),
    [("en", ["Tonight", "Score tonight", "Play"]), ("vi", ["Tối nay", "Ghi điểm tối nay", "Chơi"])],
)
def test_the_manifest_speaks_the_language_of_the_page(client, language, shortcuts):
    answer = client.get(f"/manifest.webmanifest?language={language}")
    body = json.loads(answer.content)
    assert answer["Content-Type"] == "application/manifest+json"
    assert body["lang"] == language
    assert [s["name"] for s in body["shortcuts"]] == shortcuts
    for shortcut in body["shortcuts"]:
        assert client.get(shortcut["url"]).status_code == 200


def test_the_icons_of_the_manifest_are_there_and_as_large_as_it_says(client):
    for icon in json.loads(client.get("/manifest.webmanifest").content)["icons"]:
        path = finders.find(icon["src"].removeprefix("/static/"))
        assert path is not None
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", Path(path).read_bytes()[16:24])
            assert f"{width}x{height}" == icon["sizes"]


def test_the_worker_keeps_the_offline_page_and_its_files_from_the_start(client):
    answer = client.get("/sw.js?language=vi")
    code = answer.content.decode()
    assert answer["Content-Type"].startswith("text/javascript")
    assert r'const PAGE = "/offline/?language\u003Dvi"' in code
    assert code.count("caches.open(CACHE)") == 1
    assert 'credentials: "omit"' in code
    kept = re.search(r"const FILES = \[(.*)\];", code)[1].replace(r"\u002D", "-")
    page = client.get("/offline/?language=vi").content.decode()
    used = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', page))
    assert used <= set(re.findall(r'"([^"]+)"', kept))


def test_the_offline_page_is_the_same_for_everybody(client):
    page = client.get("/offline/?language=en").content
    client.force_login(make_user("lan@club.example"))
    assert client.get("/offline/?language=en").content == page
    assert b"csrf" not in page


@pytest.mark.parametrize("path", ["/sw.js", "/manifest.webmanifest", "/offline/"])
def test_a_language_that_is_not_spoken_is_not_found(client, path):
    assert client.get(f"{path}?language=xx").status_code == 404


def test_colours_do_not_need_what_old_browsers_lack():
    """A colour of the day has its twin of the night, without light-dark()."""
    css = {path.name: path.read_text(encoding="utf-8") for path in STATIC.glob("css/*.css")}
    assert [
        name
        for name, text in css.items()
        if "light-dark(" in re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    ] == []
    for text in css.values():
        assert text.count("var(--day,") == text.count("var(--night,")


def test_everything_that_moves_stands_still_for_who_asks_for_it():
    """One rule in base.css stops all of it, and nothing else claims to be more important."""
    base = (STATIC / "css/base.css").read_text(encoding="utf-8")
    rule = re.search(r"@media \(prefers-reduced-motion: reduce\) \{(.*?)\n\}", base, re.S)[1]
    assert "*, *::before, *::after" in rule
    stopped = {"animation-duration", "animation-iteration-count", "transition"}
    assert stopped | {"scroll-behavior"} <= set(re.findall(r"([a-z-]+): [^;]*!important", rule))
    for path in STATIC.glob("css/*.css"):
        rest = path.read_text(encoding="utf-8").replace(rule, "")
        assert re.findall(r"(?:animation|transition)[^;{}]*!important", rest) == []


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def darkened(colour: str, share: float) -> str:
    parts = (round(int(colour[i : i + 2], 16) * (1 - share)) for i in (1, 3, 5))
    return "#" + "".join(f"{part:02x}" for part in parts)


@pytest.mark.parametrize("time", ["day", "night"])
def test_what_is_written_on_the_felt_can_be_read(time):
    """axe says "incomplete" of text on a gradient: here is its contrast on both ends of it.

    Plates and notes lie on the felt under one of the veils.
    """
    tokens = (STATIC / "css/tokens.css").read_text(encoding="utf-8")
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", tokens))
    pairs = re.findall(r"--([\w-]+): var\(--day, (#\w+)\) var\(--night, (#\w+)\);", tokens)
    colours |= {name: day if time == "day" else night for name, day, night in pairs}
    shades = {float(share) for share in re.findall(r": rgb\(0 0 0 / (0\.\d+)\);", tokens)}
    weak = {}
    for felt in ("felt", "felt-deep"):
        for shade in {0.0, *shades}:
            under = darkened(colours[felt], shade)
            for text in ("on-felt", "on-felt-muted", "gold-bright"):
                found = contrast(colours[text], under)
                if found < 4.5:
                    weak[felt, shade, text] = round(found, 2)
    assert weak == {}


def test_no_words_on_the_felt_are_made_paler_than_their_colour():
    """Opacity would take the contrast from the text that it touches; cards and marks may fade."""
    paler = []
    for name in ("cards", "live", "learn"):
        css = (STATIC / f"css/{name}.css").read_text(encoding="utf-8")
        css = re.sub(r"@keyframes [^{]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", css)
        for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", css):
            faded = re.search(r"opacity: 0\.\d", body)
            if faded and not re.search(r"\.(hand|card|icon|lifted)\b[^ ]*$", selector.strip()):
                paler.append(selector.strip())
    assert paler == []


def test_a_text_shared_from_a_chat_opens_what_it_is_for(client):
    target = json.loads(client.get("/manifest.webmanifest?language=en").content)["share_target"]
    strict = Client(enforce_csrf_checks=True)  # A share sheet knows no token.

    def share(text: str) -> HttpResponse:
        assert target["method"] == "POST"
        return strict.post(target["action"], {target["params"]["text"]: text})

    names = share("An\nBình\nChi\nDũng")
    assert names.status_code == 200
    assert re.findall(r'name="text" value="([^"]+)"', names.content.decode()) == [
        "An", "Bình", "Chi", "Dũng"
    ]  # fmt: skip
    assert share(json.dumps(GAME)).context["text"]
    assert "not valid" in share("{").content.decode()
    for other in ("", "https://chat.example/a/b", "hm", "x" * 20_000, "\x00"):
        answer = share(other)
        assert (answer.status_code, "neither a list" in answer.content.decode()) == (422, True)
    assert not Event.objects.exists()
