"""What a chat, a search engine and a feed reader show of a club that named no language."""

import re
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from league.base.acts import links
from tests.factories import make_night, make_season, path_of
from tests.worlds import lived_from

pytestmark = pytest.mark.django_db

lived = lived_from("2026-11-20 12:00Z")

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def night():
    season = make_season()
    club = season.club
    club.is_public, club.language = True, "vi"
    club.save()
    return make_night(season=season)


@pytest.fixture
def crawler():
    client = Client()
    del client.defaults["HTTP_ACCEPT_LANGUAGE"]
    return client


def meta_of(page):
    text = page.content.decode()
    found = dict(re.findall(r'<meta (?:name|property)="([^"]+)"\s+content="([^"]*)"', text))
    return (
        found
        | {"lang": re.search(r'<html lang="(\w+)"', text)[1]}
        | dict(re.findall(r'<link rel="(canonical)"\s+href="([^"]*)"', text))
    )


def test_who_names_no_language_gets_the_clubs(crawler, night):
    path = path_of(night, "event")
    meta = meta_of(crawler.get(path))
    assert (meta["lang"], meta["og:locale"], meta["og:title"]) == ("vi", "vi_VN", night.name)
    assert meta["og:description"] == meta["description"] == meta["description"].strip()
    assert f"{night.date:%d/%m/%Y}" in meta["description"]
    assert meta["canonical"] == meta["og:url"] == f"http://testserver{path}"
    assert "language=vi" in meta["og:image"]
    assert meta_of(crawler.get(path, headers={"accept-language": "en"}))["lang"] == "en"
    assert meta_of(crawler.get(reverse("league:club_list")))["lang"] == "en"


def test_the_pages_of_a_site_have_title_text_and_picture(crawler, night):
    club = night.season.club
    paths = [reverse(name) for name in ("home", "learn", "league:club_list", "tables:lobby")]
    paths += [path_of(club, "club")]
    player = club.players.first()
    paths += [path_of(club, "player", player.pk)]
    assert meta_of(crawler.get(paths[-1]))["og:title"] == player.name
    for path in paths:
        meta = meta_of(crawler.get(path))
        names = ("title", "description", "locale", "url", "image")
        assert all(meta[f"og:{name}"] for name in names), path
        assert meta["canonical"] == f"http://testserver{path}"


def test_a_night_s_link_is_open_to_previewers_and_to_no_index(client, night):
    link = links.keep_for_night(event=night)
    path = reverse("league:link_night", args=[link.secret])
    robots = RobotFileParser()
    robots.parse(client.get("/robots.txt").content.decode().splitlines())
    for crawler in ("facebookexternalhit", "Twitterbot", "LinkedInBot"):
        assert robots.can_fetch(crawler, f"http://testserver{path}")
        assert not robots.can_fetch(crawler, "http://testserver/clubs/~join/x/")
    assert client.get(path)["X-Robots-Tag"] == "noindex, nofollow"
    assert "X-Robots-Tag" not in client.get(reverse("home"))


@pytest.mark.parametrize("form", ["atom", "rss", "json"])
def test_feeds_speak_the_clubs_language_and_know_what_changed(crawler, night, form):
    path = path_of(night.season.club, "feed", form)
    answer = crawler.get(path)
    text = answer.content.decode()
    assert f"{night.date:%m/%d/%Y}" not in text
    assert f"{night.date:%d/%m/%Y}" in text
    assert crawler.head(path)["ETag"] == answer["ETag"]
    assert crawler.get(path, headers={"if-none-match": answer["ETag"]}).status_code == 304
    assert answer["Last-Modified"]
    night.refresh_from_db()
    type(night).objects.filter(pk=night.pk).update(planned_at="2030-01-01T00:00Z")
    again = crawler.get(path)
    assert again["Last-Modified"] == "Tue, 01 Jan 2030 00:00:00 GMT"
    assert again["ETag"] != answer["ETag"]
    if form == "atom":
        feed = ElementTree.fromstring(again.content)
        assert feed.attrib["{http://www.w3.org/XML/1998/namespace}lang"] == "vi"
        assert feed.findtext(f"{ATOM}entry/{ATOM}updated").startswith("2030-01-01")


def test_calendars_answer_head_and_say_when_they_changed(client, night):
    path = path_of(night.season.club, "club_calendar")
    answer = client.head(path)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer["Last-Modified"]
    assert client.get(path, headers={"if-none-match": answer["ETag"]}).status_code == 304
