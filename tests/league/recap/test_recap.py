"""A night's recap, and the pictures that a chat shows."""

from __future__ import annotations

import datetime
import hashlib
import io
import pathlib
import re
from dataclasses import replace
from email.utils import parsedate_to_datetime
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from PIL import Image

from league.clubs.acts import players
from league.models import Club
from league.nights.acts import closing
from league.recap.pages import certificates, drawing, pictures
from league.recap.pages.drawing import Picture, PictureRow, draw
from league.seasons.acts import season_cache
from tables.base.faces import ANIMALS
from tests.factories import (
    browser_of,
    keys_at,
    make_night,
    make_round,
    make_season,
    make_table,
    names_at,
    owner_of,
    path_of,
    play,
)

pytestmark = pytest.mark.django_db

SHOWN = "Nguyễn Thị Ngọc Ẩn Ữ"


def size_of(body):
    return Image.open(io.BytesIO(body)).size


@pytest.mark.parametrize("people", [0, 2, 3, 4, 8])
@pytest.mark.parametrize(("shape", "size"), drawing.SHAPES.items())
def test_a_picture_has_its_size_whatever_it_shows(people, shape, size):
    rows = tuple(PictureRow(no + 1, f"{SHOWN} {no} " * 9, "1.200 điểm") for no in range(people))
    assert size_of(draw(Picture("Đêm " * 40, "Hội " * 60, rows, "club.example"), shape)) == size


@pytest.mark.parametrize("shape", drawing.SHAPES)
def test_a_fourth_champion_is_in_the_list(shape, monkeypatch):
    told = []
    text = drawing._Pen.text
    monkeypatch.setattr(drawing._Pen, "text", lambda pen, x, y, said, *a, **kw: told.append(said)
                        or text(pen, x, y, said, *a, **kw))  # fmt: skip
    rows = tuple(PictureRow(1, name, "3") for name in ("An", "Bi", "Cu", "Du", "Em"))
    draw(Picture("Đêm", "Hội", rows), shape)
    assert "An, Bi, Cu" in told
    assert {"Du", "Em", "1"} <= {*told}


def test_no_vietnamese_letter_is_drawn_as_a_missing_one():
    font = drawing._font(True, 40)
    missing = bytes(font.getmask("\U0010ffff"))
    letters = "ăâđêôơưĂÂĐÊÔƠƯàảãáạằẳẵắặầẩẫấậèẻẽéẹềểễếệìỉĩíịòỏõóọồổỗốộờởỡớợùủũúụừửữứựỳỷỹýỵ…·−"
    for letter in letters + letters.upper():
        assert bytes(font.getmask(letter)) != missing, letter


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("Nguyễn Văn Đạt – 50.000 ₫", "Nguyễn Văn Đạt – 50.000 ₫"),
        ("李小龙", "LiXiaoLong"),
        ("محمد علي", "mhmd `ly"),
        ("Ольга 김철수", "Ol'ga GimCheolSu"),
        ("Lan 🐯", "Lan"),
        ("👨\u200d👩\u200d👧 Bố ❤️", "Bố"),
        ("🐯🐯", "tiger tiger"),
    ],
)
def test_no_name_is_blank_in_a_picture(name, drawn):
    assert drawing.drawable(name) == drawn

    def picture(shown: str) -> bytes:
        rows = tuple(PictureRow(rank, shown, "3") for rank in (1, 1, 2))
        return draw(Picture("Đêm", shown, rows), "wide")

    assert picture(name) == picture(drawn)


def test_a_picture_of_an_older_release_is_not_shown_again(night, client, settings):
    path = path_of(night, "night_picture", "wide")
    tag = client.get(path)["ETag"]
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
    settings.RELEASE = "another"
    answer = client.get(path, headers={"If-None-Match": tag})
    assert (answer.status_code, answer["ETag"] != tag) == (200, True)


def test_a_public_night_shows_itself_in_a_chat_and_a_private_one_does_not(
    night, client, django_assert_max_num_queries
):
    club = night.season.club
    sitting = make_table(night, games=1)
    closing.close_event(event=night, by=owner_of(club), despite_unfinished=True)
    page = path_of(night, "event")
    picture = path_of(night, "night_picture", "wide")
    assert f'content="http://testserver{picture}?language=' in client.get(page).content.decode()
    answer = client.get(picture, {"language": "vi"})
    assert (answer["Content-Type"], size_of(answer.content)) == ("image/png", (1200, 630))
    again = client.get(picture, {"language": "vi"}, headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304
    assert client.get(picture, {"language": "en"})["ETag"] != answer["ETag"]
    season = path_of(night.season, "season_picture", "square")
    assert size_of(client.get(season).content) == (1080, 1080)
    winner = club.players.get(name=names_at(sitting)[0])
    own = [club.slug, night.season_id, winner.pk]
    sums = client.get(reverse("league:season_explain", args=own)).content.decode()
    of_winner = reverse("league:player_picture", args=[*own, "wide"])
    assert of_winner in sums
    assert size_of(client.get(of_winner).content) == (1200, 630)
    row = season_cache.standings_of(season=night.season).rows.cached_of(winner.pk)
    drawn = pictures.of_player(night.season, row, 4)
    assert [(fact.figure, fact.counts) for fact in drawn.facts[:2]] == [
        ("1/4", "rank"),
        ("3", "points"),
    ]
    assert not any(name in str(drawn) for name in names_at(sitting)[1:])
    with django_assert_max_num_queries(30):
        home = client.get(path_of(club, "club")).content.decode()
    podium = home[home.index('id="last-night"') :]
    leaders = home[home.index(f'aria-label="{night.season.name}"') :]
    assert all(name in podium and name in leaders for name in names_at(sitting)[:3])
    assert path_of(night, "recap") in podium
    assert client.get(picture.replace("wide", "huge")).status_code == 404
    assert client.get(picture, {"chop": "1"}).status_code == 404, "nobody was chopped"
    club.is_public = False
    club.save()
    cache.clear()
    assert Client().get(picture).status_code == 404
    assert "og:image" not in Client().get(page).content.decode()


def test_the_recap_tells_who_won_and_who_chopped_whom(night, client, django_assert_max_num_queries):
    club = night.season.club
    sitting = make_table(night)
    names = names_at(sitting)
    entrants = keys_at(sitting)
    result = play(sitting, names)
    result.specials = [{"kind": "chop", "by": entrants[names[0]], "of": entrants[names[1]]}] * 2
    result.save(update_fields=["specials"])
    chop = pictures.of_chop(night)
    assert chop is not None
    assert (names[0] in chop.title, names[1] in chop.title) == (True, True)
    assert [fact.figure for fact in chop.facts] == ["2", "2", "2"]
    square = Image.open(io.BytesIO(draw(chop, "square"))).convert("RGB")
    corners = [square.getpixel((x, 880)) for x in (100, 980)]
    assert corners[0] == corners[1], "the third figure takes the whole second line"
    path = path_of(night, "recap")
    with django_assert_max_num_queries(30):
        shown = client.get(path).content.decode()
    assert "King of chops" in shown
    running = make_night(4, season=night.season)
    make_round(running)
    assert client.get(path).context["next_night"] is None, "one that has begun is no next one"
    ahead = make_night(0, season=night.season, date=club.today + datetime.timedelta(days=7))
    assert client.get(path).context["next_night"] == ahead
    assert shown.index("Who chopped whom") < shown.index(f"<strong>{names[0]}</strong>")
    assert "picture-square.png" in shown
    assert "<b>Last chop</b>" in shown
    closing.close_event(event=night, by=owner_of(night), despite_unfinished=True)
    assert "<b>The last chop</b>" in client.get(path).content.decode()


def test_a_season_is_told_with_its_comeback_runs_and_chops(
    night, client, django_assert_max_num_queries
):
    season, club = night.season, night.season.club
    sitting = make_table(night)
    first, second, third, last = sorted(names_at(sitting))
    keys = keys_at(sitting)
    for _game in range(2):
        result = play(sitting, [second, first, third, last])
    result.specials = [{"kind": "chop", "by": keys[second], "of": keys[first], "what": "R"}]
    result.save(update_fields=["specials"])
    again = make_table(make_night(season=season))
    for _game in range(3):
        play(again, [first, third, last, second])
    make_night(0, season=season, date=club.today + datetime.timedelta(7))
    path = path_of(season, "season_recap")
    with django_assert_max_num_queries(45):
        answer = client.get(path)
    told = answer.context
    assert told["podium"][0].player.name == first
    assert (told["nights"], told["people"]) == (2, 4)
    assert told["most"][0][1] == 5
    assert told["runs"] == [[first, 3], [second, 2]]
    assert told["chops"] == [[second, first, 1]]
    comeback = told["comeback"]
    assert (comeback.name, comeback.leader, comeback.after) == (first, second, night)
    text = answer.content.decode()
    assert (f"1. {first}" in told["text"], path in told["text"]) == (True, True)
    assert f'data-copy="{told["text"]}"' in text
    panels = re.findall(r'<section class="panel" aria-labelledby="(\w+)"|(<p>)', text)
    assert panels[panels.index(("chops", "")) :][:2] == [("chops", ""), ("post", "")]
    assert path in client.get(path_of(season, "season")).content.decode()
    club.is_public = False
    club.save()
    assert Client().get(path).status_code == 404


def test_only_the_sites_that_a_public_club_names_may_frame_its_standings(night, client):
    club, by = night.season.club, owner_of(night)
    sitting = make_table(night, games=1)
    path = path_of(club, "embed")
    settings = path_of(club, "club_settings")
    assert "frame-ancestors 'none'" in client.get(path)["Content-Security-Policy"]
    host = browser_of(by)
    form = {"name": club.name, "time_zone": club.time_zone, "unit": club.unit}
    for wrong in ("https://*.example", "http://club.example", "https://a.example;script-src"):
        assert host.post(settings, form | {"embed_hosts": wrong}).status_code == 422
    host.post(settings, form | {"embed_hosts": "https://club.example  https://Quan3.example:8443"})
    answer = client.get(path, {"language": "vi"})
    allowed = "frame-ancestors https://club.example https://quan3.example:8443"
    assert allowed in answer["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer
    assert names_at(sitting)[0] in answer.content.decode()
    assert "<script" not in answer.content.decode()
    other = client.get(path_of(club, "club"))
    assert "frame-ancestors 'none'" in other["Content-Security-Policy"]
    club.refresh_from_db()
    club.is_public = False
    club.save()
    assert host.get(path).status_code == 404


def test_feeds_and_the_sitemap_show_public_clubs_alone(
    night, client, django_assert_max_num_queries
):
    club = night.season.club
    sitting = make_table(night)
    names = names_at(sitting)
    play(sitting, names)
    closing.close_event(event=night, by=owner_of(club), despite_unfinished=True)
    coming = make_night(season=night.season)
    coming.name = "Đêm <tới> & sau"
    coming.date += datetime.timedelta(days=1)  # In the club's time zone it may be tomorrow.
    coming.save()
    feed = {form: path_of(club, "feed", form) for form in ("atom", "rss", "json")}
    page = client.get(path_of(club, "club")).content.decode()
    assert f'href="{feed["atom"]}?' in page
    assert f'href="{feed["json"]}?' in page
    for form in ("atom", "rss"):
        answer = client.get(feed[form], {"language": "vi"})
        assert "xml" in answer["Content-Type"]
        root = ElementTree.fromstring(answer.content)
        text = " ".join(element.text or "" for element in root.iter())
        assert f"1. {names[0]}" in text
        assert coming.name in text
    atom, rss = (ElementTree.fromstring(client.get(feed[form]).content) for form in ("atom", "rss"))
    ns = "{http://www.w3.org/2005/Atom}"
    needed = [f"{ns}{name}" for name in ("id", "title", "updated")]  # RFC 4287, 4.1.1 and 4.1.2.
    for element in (atom, *atom.iter(f"{ns}entry")):
        assert [len(element.findall(name)) for name in needed] == [1, 1, 1]
        assert datetime.datetime.fromisoformat(element.findtext(needed[2])).tzinfo
    assert atom.findtext(f"{ns}author/{ns}name") == club.name
    assert {link.get("rel") for link in atom.findall(f"{ns}link")} == {"alternate", "self"}
    (channel,) = rss
    assert (rss.get("version"), channel.findtext("title")) == ("2.0", club.name)
    assert all(channel.findtext(name) for name in ("link", "description", "lastBuildDate"))
    for item in channel.iter("item"):
        assert all(item.findtext(name) for name in ("title", "link", "description", "guid"))
        assert parsedate_to_datetime(item.findtext("pubDate")).tzinfo
    document = client.get(feed["json"]).json()
    items = document["items"]
    assert document["version"] == "https://jsonfeed.org/version/1.1"
    assert all(item["content_text"] and item["title"] for item in items)
    assert {item["url"].rpartition("/clubs/")[0] for item in items} == {"http://testserver"}
    assert len({item["id"] for item in items}) == len(items) == 2
    with django_assert_max_num_queries(8):
        client.get(feed["atom"])
    assert client.get(path_of(club, "feed", "pdf")).status_code == 404
    address = f"http://testserver{reverse('league:club', args=[club.slug])}"
    robots = client.get("/robots.txt").content.decode()
    assert f"Sitemap: http://testserver{reverse('sitemap')}" in robots
    index = ElementTree.fromstring(client.get(reverse("sitemap")).content)
    parts = [element.text for element in index.iter() if element.tag.endswith("loc")]

    def listed():
        return "".join(client.get(part).content.decode() for part in parts)

    assert f"<loc>{address}</loc>" in listed()
    club.is_public = False
    club.save()
    assert club.slug not in listed()
    owner = browser_of(owner_of(club))
    assert "application/atom+xml" not in owner.get(address).content.decode()
    for path in feed.values():
        assert client.get(path).status_code == owner.get(path).status_code == 404


def test_a_feed_that_a_member_read_first_shows_strangers_no_full_names(night, client):
    club = night.season.club
    sitting = make_table(night)
    first = names_at(sitting)[0]
    winner = club.players.get(name=first)
    players.rename_player(player=winner, name=f"Qzhonguyen {first}", by=owner_of(club))
    play(sitting)
    closing.close_event(event=night, by=owner_of(club), despite_unfinished=True)
    Club.objects.update(shows_names="first")
    feed = path_of(club, "feed", "json")
    assert "Qzhonguyen" in browser_of(owner_of(club)).get(feed).content.decode()
    assert f"1. {first}" in client.get(feed).content.decode()


def test_a_certificate_of_a_season_without_a_last_day_has_that_of_its_last_night(night):
    play(sitting := make_table(night), names_at(sitting))
    day = night.date - datetime.timedelta(days=40)
    night.season.events.update(date=day)
    first = season_cache.standings_of(season=night.season).rows.first_who_played(3)
    assert {one.day for one in certificates.of_season(night.season, first)} == {day}


def test_certificates_and_badges_bear_the_names(night, client):
    club = night.season.club
    sitting = make_table(night)
    names = names_at(sitting)
    play(sitting, names)
    for name, key in (("night_certificates", night.pk), ("season_certificates", night.season_id)):
        page = client.get(path_of(club, name, key)).content.decode()
        assert re.findall(r'certificate-name">([^<]+)<', page) == names[:3]
    page = browser_of(owner_of(club)).get(path_of(night, "badges")).content.decode()
    assert all(f"<strong>{name}</strong>" in page for name in names)


@pytest.mark.parametrize("name", ["Khánh", "Nguyễn Thị Minh Khai Trần Đức Thịnh Vượng", "Ẩ" * 40])
def test_a_champion_s_name_stands_on_two_lines_at_most_and_is_the_largest_text(name):
    for room in (492, 972):
        size, lines = drawing.name_lines(name, room)
        assert "".join(lines).replace(" ", "") == name.replace(" ", "")
        assert len(lines) <= 2
        assert size > 28
        font = drawing._font(True, size * drawing.TWICE)
        if " " in name or len(name) < 12:
            assert all(font.getlength(line) <= room * drawing.TWICE for line in lines)


def test_the_faces_of_pictures_are_those_of_the_pages():
    with Image.open(drawing.FACES) as faces:
        drawn, animals = faces.text["drawn-from"], faces.text["animals"]
    source = pathlib.Path(settings.BASE_DIR) / "static/faces.svg"
    assert animals.split() == list(ANIMALS)
    assert drawn == hashlib.sha256(source.read_bytes()).hexdigest()


def test_a_night_whose_points_are_money_has_a_recap():
    season = make_season(points_table="stake_result")
    sitting = make_table(night := make_night(4, season=season, stake=10), games=3)
    address = path_of(season.club, "recap", night.pk)
    page = browser_of(owner_of(season)).get(address).content.decode()
    assert f"{names_at(sitting)[0]} came first" in page


def test_a_picture_for_everyone_has_no_money(client):
    night = make_night(4, stake=10_000)
    sitting = make_table(night, games=1)
    told = str(replace(pictures.of_night(night), foot=""))
    assert names_at(sitting)[0] in told
    assert not re.search(r"000|\bđ\b", told)


def test_no_line_of_a_recap_is_a_strangers_own():
    """Players without an account are not those of a visitor without one."""
    night = make_table(games=4).round.event
    Club.objects.filter(pk=night.season.club_id).update(is_public=True)
    page = Client().get(reverse("league:recap", args=[night.season.club.slug, night.pk]))
    kinds = {line.kind for line in page.context["story"].plot.lines}
    assert "own" not in kinds
    assert "first" in kinds
