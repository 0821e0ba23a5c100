"""The menus of a night's pages: what is rare stands there, and every row leads somewhere."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from league.base.acts import links
from league.models import Entrant, Place
from league.nights.acts import closing
from league.turnout.acts import sign_ups
from tests.factories import browser_of, make_night, make_round, owner_of, path_of, play
from tests.league.nights.test_acts import before, cup, gathering, over, playing

pytestmark = pytest.mark.django_db


def menu_of(browser, path):
    """Return the rows of a page's menu, those behind another after it."""
    rows = browser.get(path).context["menu"]
    return [one for row in rows for one in (row.rows or [row])]


def walk(browser, rows):
    """Follow all rows of a menu: pages are there, and what posts leads back to one."""
    for row in rows:
        answer = browser.get(row.address) if not row.posts else _post(browser, row)
        assert (row.text, answer.status_code) == (row.text, 200)
    return [row.text for row in rows]


def _post(browser, row):
    fields: dict[str, list[str]] = {}
    for name, value in row.hidden:
        fields.setdefault(name, []).append(value)
    return browser.post(row.address, fields, follow=True)


def test_check_in_keeps_the_code_the_tablet_and_badges_in_its_menu():
    event = make_night(7)
    by = owner_of(event)
    links.keep_for_night(event=event, by=by)
    browser, path = browser_of(by), path_of(event, "check_in")
    pages = ["QR code and link", "Tablet at the door", "Sign-up", "Name badges"]
    assert walk(browser, menu_of(browser, path)) == pages


def test_once_a_round_is_drawn_everyone_is_here_by_the_menu():
    event = make_night(7)
    make_round(event)
    late = event.entrants.order_by("pk")[:2]
    event.entrants.filter(pk__in=[one.pk for one in late]).update(presence="expected")
    browser, path = browser_of(owner_of(event)), path_of(event, "check_in")
    everyone, *draws = (row for row in menu_of(browser, path) if row.posts)
    others = [row for row in menu_of(browser, path) if not row.posts]
    assert walk(browser, [everyone, *others])[0] == "Everyone is here"
    assert [(draw.text, _post(browser, draw).status_code) for draw in draws] == [
        ("Draw round 2", 409), ("Draw by standings", 409),
    ]  # fmt: skip
    assert not event.entrants.exclude(presence=Entrant.Presence.HERE).exists()


def test_the_money_of_a_season_keeps_its_lists_and_entries_in_its_menu():
    event = make_night(7, stake=10_000)
    at = [event.season.club.slug, event.season_id]
    browser, path = browser_of(owner_of(event)), reverse("league:season_money", args=at)
    lists = ["Player by player", "Zero-sum check", "Payments and other entries"]
    rows = menu_of(browser, path)
    assert walk(browser, rows)[:3] == lists
    assert [row.address.split("/new/")[1] for row in rows if "/new/" in row.address] == [
        "cost/", "fee/", "prize/", "settlement/",
    ]  # fmt: skip
    assert 'as=xlsx">Balances (Excel)' in browser.get(path).content.decode()


def test_the_money_of_a_night_keeps_its_other_lists_in_its_menu():
    event = make_night(7, stake=10_000)
    at = [event.season.club.slug, event.pk]
    browser, path = browser_of(owner_of(event)), reverse("league:event_money", args=at)
    assert walk(browser, menu_of(browser, path)) == [
        "Sheet to share", "Pair by pair", "By table and game, with totals", "Season money",
        "Shared cost", "Entry fee", "Prize", "Payment",
    ]  # fmt: skip
    fee = browser.get(menu_of(browser, path)[5].address).context["form"]
    assert (fee["event"].value(), fee["bearers"].value()) == (str(event.pk), None)
    whole = browser.get(menu_of(browser, path)[5].address.partition("?")[0]).context["form"]
    assert (whole["event"].value(), whole["bearers"].value()) == ("", "named")


def test_before_a_night_an_organiser_answers_and_takes_its_calendar_by_the_menu():
    event = make_night(0)
    by = owner_of(event)
    sign_ups.open_list(event=event, by=by)
    browser, path = browser_of(by), path_of(event, "event")
    rows = menu_of(browser, path)[:2]
    assert walk(browser, rows) == ["Say if you're coming", "Add to calendar"]


def test_the_results_of_a_running_night_are_shared_by_its_menu():
    event = make_night(7)
    make_round(event)
    browser, path = browser_of(owner_of(event)), path_of(event, "event")
    rows = [row for row in menu_of(browser, path) if row.text == "Share results"]
    assert walk(browser, rows) == ["Share results"]


@pytest.mark.parametrize("moment", [before, gathering, playing, over, cup])
def test_eight_rows_of_a_nights_menu_stand_open_and_the_rest_behind_one(moment):
    event = moment()
    browser, path = browser_of(owner_of(event)), path_of(event, "event")
    menu = browser.get(path).content.decode().split('id="night-menu"')[1].split("<main")[0]
    [fold] = re.findall(r"<details>.*?</details>", menu, re.DOTALL)
    behind = [row.text for row in browser.get(path).context["menu"] if row.rows for row in row.rows]
    assert [f"<b>{text}</b>" in fold for text in behind] == [True] * len(behind)
    assert {"Rules", "Log"} <= {*behind}
    assert menu.replace(fold, "").count("<li") <= 8
    assert walk(browser, [row for row in menu_of(browser, path) if not row.posts])


def test_who_only_looks_finds_all_rows_of_a_nights_menu_open():
    rows = Client().get(path_of(playing(), "event")).context["menu"]
    assert [row.text for row in rows] == ["Share results", "Big screen", "Rules"]


def test_a_closed_night_reads_who_played_and_its_menu_opens_it_again():
    event = make_night(5, games_per_round=1, rounds_planned=1)
    by, client = owner_of(event), browser_of(owner_of(event))
    for sitting in make_round(event).sittings.all():
        play(sitting)
    sat = {place.entrant.player.name for place in Place.objects.all()}
    assert len(sat) < 5
    people = path_of(event, "check_in")
    assert client.get(people).content.decode().count('name="player"') == 5
    closing.close_event(event=event, by=by)
    page = client.get(people)
    read, names = page.content.decode(), [one.name for one in page.context["sat"]]
    assert (set(names), names) == (sat, sorted(names))
    assert all(f"</svg></span> {name}</a>" in read for name in sat)
    assert not [one for one in ('name="player"', 'id="guest"', 'class="chips"') if one in read]
    [row] = page.context["menu"]
    assert (row.text, row.note) == ("Reopen the night", "to change who was here")
    refused = client.post(people, {"presence": "left", "player": 1}, follow=True)
    assert "This event is closed." in refused.content.decode()
    assert not event.entrants.exclude(presence="here").exists()
    client.post(row.address, dict(row.hidden))
    assert client.get(people).content.decode().count('name="player"') == 5
