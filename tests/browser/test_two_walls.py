"""Two clubs' walls beside each other: each fits its half of the screen and names its club."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from league.models import Event
from league.nights.acts import clock
from tests import factories
from tests.browser.conftest import check_page, comes_to, open_page, shot, sign_in
from tests.factories import (
    make_club,
    make_night,
    make_round,
    make_season,
    make_user,
    names_at,
    owner_of,
    path_of,
    play,
)
from tests.league.nights.test_wall import chopped

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CLUBS = ("Hội Sông Hồng", "Hội Bến Nghé")


@pytest.mark.parametrize(("height", "people"), [(1040, 16), (950, 16), (1040, 9)])
def test_a_wall_fits_half_a_screen_beside_another(browser, live_server, height, people):
    organiser = make_user()
    for name in CLUBS:
        night = make_night(people, season=make_season(make_club(owner=organiser, name=name)))
        Event.objects.filter(pk=night.pk).update(name="Buổi 1, 25/11")
        for table in make_round(night).sittings.all():
            play(table)
    half = {"width": 960, "height": height}
    for night in Event.objects.select_related("season__club").order_by("pk"):
        club = night.season.club
        with open_page(browser, live_server.url, size=half, language="vi-VN") as page:
            sign_in(page, organiser)
            page.goto(path_of(night, "wall"))
            assert page.locator("h1").inner_text() == f"Buổi 1, 25/11 · {club.name}"
            check_page(page)
            assert page.evaluate("document.documentElement.scrollHeight") == height
            tables = page.locator(".wall-table")
            boxes = [tables.nth(n).bounding_box() for n in range(tables.count())]
            ends = page.locator(".wall-side").bounding_box()
            assert all(box["y"] + box["height"] <= ends["y"] for box in boxes)
            assert ends["y"] + ends["height"] <= height
            shot(page, f"half-wall-{club.pk}-{people}-{height}", whole=False)


def test_an_upright_screen_shows_five_tables_and_ten_ranks_at_once(
    browser, live_server, monkeypatch
):
    monkeypatch.setattr(factories, "NAMES", [f"Người {n:02}" for n in range(20)])
    night = make_night(20, games_per_round=4)
    for table in make_round(night).sittings.all():
        play(table)
    with open_page(browser, live_server.url, size={"width": 720, "height": 1280}) as page:
        sign_in(page, owner_of(night))
        page.goto(path_of(night, "wall"))
        assert page.locator(".wall-oval").count() == 5
        assert page.locator(".wall-side li").count() == 10
        assert page.locator(".wall-more li").count() == 10, "where the sixth table would be"
        assert page.evaluate("document.documentElement.scrollHeight") == 1280


@pytest.mark.parametrize(("people", "face"), [(4, 100), (8, 60), (12, 50)])
def test_an_upright_screen_is_filled_by_a_few_tables(browser, live_server, people, face):
    night = make_night(people, games_per_round=4)
    for table in make_round(night).sittings.all():
        play(table)
    with open_page(browser, live_server.url, size={"width": 720, "height": 1280}) as page:
        sign_in(page, owner_of(night))
        page.goto(path_of(night, "wall"))
        check_page(page)
        tables, faces = page.locator(".wall-table"), page.locator(".wall-oval .ava")
        boxes = [tables.nth(n).bounding_box() for n in range(tables.count())]
        ends = page.locator(".wall-side").bounding_box()
        assert 0 <= ends["y"] - max(box["y"] + box["height"] for box in boxes) < 20
        assert page.evaluate("document.documentElement.scrollHeight") == 1280
        assert faces.first.bounding_box()["width"] > face


@pytest.mark.parametrize("people", [4, 8])
def test_the_last_chop_is_a_strip_above_a_few_tables(browser, live_server, people):
    night = make_night(people, games_per_round=4)
    for table in make_round(night).sittings.all():
        chopped(table, names_at(table)[0])
    with open_page(browser, live_server.url, size={"width": 720, "height": 1280}) as page:
        sign_in(page, owner_of(night))
        page.goto(path_of(night, "wall"))
        check_page(page)
        strip = page.locator(".wall-chop").bounding_box()
        tables = page.locator(".wall-table:not(.wall-chop)")
        boxes = [tables.nth(n).bounding_box() for n in range(tables.count())]
        assert strip["height"] < 110
        assert all(box["y"] > strip["y"] and box["height"] > 300 for box in boxes)
        assert {box["width"] for box in boxes} == {strip["width"]}
        assert page.evaluate("document.documentElement.scrollHeight") == 1280
        page.set_viewport_size({"width": 1920, "height": 1080})
        strip = page.locator(".wall-chop").bounding_box()
        boxes = [tables.nth(n).bounding_box() for n in range(tables.count())]
        assert strip["height"] < 110
        assert {box["y"] for box in boxes} == {boxes[0]["y"]}
        assert boxes[0]["y"] > strip["y"]
        assert sum(box["width"] for box in boxes) > strip["width"] - 40


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (720, 1280)])
def test_medals_are_as_round_and_large_as_faces_and_push_none(browser, live_server, width, height):
    night = make_night(4, games_per_round=2)
    play(make_round(night).sittings.get())
    with open_page(browser, live_server.url, size={"width": width, "height": height}) as page:
        sign_in(page, owner_of(night))
        page.goto(path_of(night, "wall"))
        faces, medals = (page.locator(f".wall-side {one}") for one in (".ava", ".medal"))
        assert (faces.count(), medals.count()) == (4, 3)
        boxes = [one.bounding_box() for one in faces.all()]
        assert len({round(box["x"]) for box in boxes}) == 1
        for medal in medals.all():
            box = medal.bounding_box()
            assert box["width"] == pytest.approx(box["height"], abs=0.1)
            assert box["height"] == pytest.approx(boxes[0]["height"], abs=0.1)


INK = """clock => {
    const end = document.createElement("i");
    end.style.display = "inline-block";
    clock.querySelector("[data-time]").append(end);
    const paint = document.createElement("canvas").getContext("2d");
    const { fontFamily, fontSize, fontWeight } = getComputedStyle(clock);
    paint.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    const ink = paint.measureText(clock.innerText.trim());
    const head = clock.closest(".wall-head");
    const top = head.getBoundingClientRect().top + head.clientTop;
    const base = end.getBoundingClientRect().bottom;
    return [base - ink.actualBoundingBoxAscent - top,
            top + head.clientHeight - base - ink.actualBoundingBoxDescent];
}"""
"""The room above and below the letters of the clock, in the bar without its edge."""


@pytest.mark.parametrize("width", [1920, 1440, 1280])
def test_no_letter_of_a_time_that_is_over_lies_on_the_edge_of_the_bar(browser, live_server, width):
    night = make_night(4)
    clock.start(round_=make_round(night), minutes=40, by=owner_of(night))
    night.rounds.update(clock_started_at=timezone.now() - timedelta(minutes=42))
    size = {"width": width, "height": width * 9 // 16}
    with open_page(browser, live_server.url, size=size, language="vi-VN") as page:
        sign_in(page, owner_of(night))
        page.goto(path_of(night, "wall"))
        over = page.locator(".wall-head .clock-over")
        assert over.inner_text().startswith("quá ")
        assert all(room > 1 for room in over.evaluate(INK))


def test_a_wall_longer_than_its_screen_shows_each_part_in_turns(browser, live_server):
    night = make_night(20)
    for table in make_round(night).sittings.all():
        play(table)
    with open_page(browser, live_server.url, size={"width": 720, "height": 450}) as page:
        sign_in(page, owner_of(night))
        page.goto(path_of(night, "wall"))
        look = """async () => {
            await htmx.ajax("GET", location.pathname, { target: "#screen", swap: "outerHTML" });
            return [Math.round(scrollY + innerHeight), document.documentElement.scrollHeight];
        }"""
        seen = [page.evaluate(look) for _ in range(3)]
        whole = seen[0][1]
        assert 900 < whole < 1350
        assert [end for end, _whole in seen] == [900, whole, 450]
        page.mouse.wheel(0, 200)
        comes_to(page, lambda: page.evaluate("scrollY"), 200)
        assert page.evaluate(look)[0] == 650, "it stays with who reads it by hand"


@pytest.mark.parametrize(("people", "face"), [(12, 100), (20, 70)])
def test_who_comes_is_seen_by_their_faces_before_the_first_round(
    browser, live_server, monkeypatch, people, face
):
    monkeypatch.setattr(factories, "NAMES", [f"Người chơi số {n:03}" for n in range(people)])
    night = make_night(people)
    size = {"width": 1920, "height": 1080}
    with open_page(browser, live_server.url, size=size) as page:
        sign_in(page, owner_of(night))
        page.goto(path_of(night, "wall"))
        faces = page.locator(".wall-arrivals .ava")
        assert faces.count() == people
        assert faces.first.bounding_box()["height"] >= face
        assert page.evaluate("document.documentElement.scrollHeight") == size["height"]
        shot(page, f"wall-before-{people}", whole=False)
