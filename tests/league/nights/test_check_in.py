"""Checking in by oneself, with the night's link."""

import html
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.base.acts import links
from league.clubs.acts import players
from league.models import Link
from league.models.secret import secret_of as secret_of_nonce
from league.nights.acts import attendance, clock, closing
from league.nights.facts.night import Night
from league.nights.pages import check_in_page
from tests.factories import (
    browser_of,
    make_night,
    make_round,
    make_season,
    make_user,
    night_link,
    night_secret,
    owner_of,
    path_of,
    play,
    table_link,
)
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def event():
    """A night that expects Lan and Mai."""
    season = make_season()
    players.add_players(club=season.club, text="Lan\nMai", by=owner_of(season))
    return make_night(0, season=season)


@pytest.fixture
def path(event):
    link = links.renew_for_night(event=event, by=owner_of(event))
    return reverse("league:link_night", args=[link.secret])


def key(event, name):
    return event.season.club.players.get(name=name).pk


def here(event):
    return sorted(e.player.name for e in event.entrants.filter(presence="here"))


def test_a_tap_on_ones_name_checks_in(event, path):
    Client().post(path, {"player": key(event, "Lan")})
    assert here(event) == ["Lan"]


def test_only_the_phone_that_did_it_takes_it_back(event, path):
    mine, other = Client(), Client()
    mine.post(path, {"player": key(event, "Lan")})
    other.post(path, {"player": key(event, "Lan"), "back": 1})
    assert here(event) == ["Lan"]
    mine.post(path, {"player": key(event, "Lan"), "back": 1})
    assert here(event) == []


def test_who_is_not_on_the_list_reads_which_organisers_are_here(event, path):
    def told():
        page = html.unescape(Client().get(path).content.decode())
        return re.search(r"Not on the list\?[^<]*", page)[0].strip()

    by = owner_of(event)
    for name, user in (("Lan", by), ("Mai", make_user())):
        players.take_player(player=event.season.club.players.get(name=name), user=user)
    attendance.set_presence(event=event, player_ids=[key(event, "Mai")], presence="here", by=by)
    assert told() == "Not on the list? Tell the organiser."
    attendance.set_presence(event=event, player_ids=[key(event, "Lan")], presence="here", by=by)
    assert told() == "Not on the list? Tell Lan, who can add you."


def test_a_tablet_folds_who_is_here_until_a_tap_on_it_can_be_undone(event, path):
    tablet, door = Client(), f"{path}?door=1"

    def fold():
        page = tablet.get(door).content.decode()
        return re.search(r'<details([^>]*)>\s*<summary id="arrived">', page)[1]

    Client().post(path, {"player": key(event, "Lan")})
    assert fold() == ' class="panel"'
    tablet.post(door, {"player": key(event, "Mai")})
    assert fold() == ' class="panel" open'


@pytest.mark.parametrize("odd", ["", "x", "-1", "9" * 30, "²"])
def test_odd_names_change_nothing(event, path, odd):
    assert Client().post(path, {"player": odd}).status_code == 302
    assert here(event) == []


def test_a_player_of_another_club_or_a_bot_is_not_checked_in(event, path):
    stranger = make_night(1).entrants.get().player
    bot = players.add_player(club=event.season.club, name="greedy", by=None, bot="greedy")
    for player in (stranger, bot):
        Client().post(path, {"player": player.pk})
    assert here(event) == []


def test_the_link_checks_nobody_in_after_the_night_and_ends_when_it_is_replaced(event, path):
    by = owner_of(event)
    desk = path_of(event, "check_in")
    assert "Call the missing players" in browser_of(by).get(desk).content.decode()
    closing.close_event(event=event, by=by)
    assert "Call the missing players" not in browser_of(by).get(desk).content.decode()
    Client().post(path, {"player": key(event, "Lan")})
    assert here(event) == []
    closing.reopen_event(event=event, by=by)
    Client().post(path, {"player": key(event, "Lan")})
    assert here(event) == ["Lan"]
    links.renew_for_night(event=event, by=by)
    assert Client().get(path).status_code == 404
    assert Link.objects.alive().count() == 1


def drawn(event):
    """Everybody of the club is here and sits at a table of the first round."""
    keys = set(event.season.club.players.values_list("pk", flat=True))
    by = owner_of(event)
    attendance.set_presence(event=event, player_ids=keys, presence="here", by=by)
    return make_round(event)


def test_a_phone_learns_where_its_player_sits_as_soon_as_it_is_drawn(event, path):
    players.add_players(club=event.season.club, text="An\nHà", by=owner_of(event))
    phone, other = Client(), Client()
    phone.post(path, {"player": key(event, "Lan")})
    waiting = phone.get(path).content.decode()
    assert "Your table appears here once the round is drawn." in waiting
    version = waiting.split("?version=")[1].split('"')[0]
    assert phone.get(path, {"version": version}).status_code == 204
    table = drawn(event).sittings.get()
    answer = phone.get(path, {"version": version}).content.decode()
    assert "<html" not in answer
    enter = table_link(table)
    assert enter in answer
    assert enter not in other.get(path).content.decode()
    assert phone.get(enter).status_code == 200


def test_who_arrives_late_reads_that_it_counts_and_from_which_round(event, path):
    late, by = key(event, "Lan"), owner_of(event)
    players.add_players(club=event.season.club, text="An\nHà", by=by)
    others = set(event.season.club.players.exclude(pk=late).values_list("pk", flat=True))
    attendance.set_presence(event=event, player_ids=others, presence="here", by=by)
    make_round(event)
    page = Client().post(path, {"player": late}, follow=True)
    [said] = page.context["messages"]
    assert str(said) == "This phone is Lan's. You are checked in."
    assert "You should have one in round 2; it will appear here." in page.content.decode()


def test_who_sits_out_or_left_is_told_so(event, path):
    phone = Client()
    phone.post(path, {"player": key(event, "Lan")})
    by = owner_of(event)
    attendance.set_presence(event=event, player_ids=[key(event, "Lan")], presence="left", by=by)
    assert "my-table" not in phone.get(path).content.decode()
    late = key(event, "Lan")
    players.add_players(club=event.season.club, text="An\nHà", by=by)
    others = set(event.season.club.players.exclude(pk=late).values_list("pk", flat=True))
    attendance.set_presence(event=event, player_ids=others, presence="here", by=by)
    make_round(event)
    phone.post(path, {"player": late})
    said = "You have no table in round 1. You should have one in round 2; it will appear here."
    assert said in phone.get(path).content.decode()


def test_an_account_sees_its_own_table_on_the_page_of_the_night(event):
    user = make_user("lan@club.example")
    players.take_player(player=event.season.club.players.get(name="Lan"), user=user)
    players.add_players(club=event.season.club, text="An\nHà", by=owner_of(event))
    table = drawn(event).sittings.get()
    page = path_of(event, "event")
    enter = table_link(table)
    assert enter in browser_of(user).get(page).content.decode()
    assert enter not in Client().get(page).content.decode()


def test_a_phone_page_needs_the_same_queries_for_every_number_of_people(
    event, path, django_assert_num_queries
):
    phone = Client()
    by = owner_of(event)
    for names in ("An\nHà", "Nga\nMinh\nBảo\nTâm"):
        players.add_players(club=event.season.club, text=names, by=by)
        phone.post(path, {"player": key(event, "Lan")})
        event.rounds.all().delete()
        drawn(event)
        with django_assert_num_queries(21):
            phone.get(path)


def test_ranks_are_counted_once_a_version_for_all_phones(event, path):
    """A phone that looks after another one asks less; after the next game it is counted again."""
    club = event.season.club
    players.add_players(club=club, text="An\nHà", by=owner_of(club))
    phones = {name: Client() for name in ("Lan", "Mai", "An", "Hà")}
    for name, phone in phones.items():
        phone.post(path, {"player": key(event, name)})
    table = make_round(event).sittings.get()
    event.refresh_from_db()
    for _game in range(2):
        play(table)
        read = []
        for name in ("Lan", "Mai"):
            with CaptureQueriesContext(connection) as asked:
                body = phones[name].get(path).content.decode()
            read.append(len(asked))
            assert "Rank" in body
        assert read[0] > read[1]


def test_a_code_on_paper_of_before_leads_to_the_nights_page():
    event = make_night(4)
    player = event.entrants.first().player
    code = secret_of_nonce("league.links.personal", f"{night_secret(event)}:{player.pk}")
    there = reverse("league:link_personal", args=[event.pk, player.pk, code])
    assert Client().get(there)["Location"] == night_link(event)
    assert Client().get(there.replace(code, "a" * 26)).status_code == 404


def test_a_new_night_says_whom_its_sign_up_asks():
    season = make_season()
    client = browser_of(owner_of(season))
    page = client.get(path_of(season, "event_create"))
    sheet = page.content.decode().partition("Who is asked?")[2].partition("</details>")[0]
    assert "The whole club is asked." in sheet
    assert "of-nights" not in sheet  # No other night has players to choose from.
    make_round(make_night(4, season=season))
    page = client.get(path_of(season, "event_create"))
    sheet = page.content.decode().partition("Who is asked?")[2].partition("</details>")[0]
    assert "Only the best of other nights" in sheet
    assert "of-nights" in sheet


def test_the_bar_of_the_check_in_has_the_clock_while_it_runs():
    night = make_night(4)
    host, path = browser_of(owner_of(night)), path_of(night, "check_in")
    drawn = make_round(night)
    assert 'role="timer"' not in host.get(path).content.decode()
    clock.start(round_=drawn, minutes=40, by=owner_of(night))
    shown = host.get(path).content.decode()
    assert shown.index('role="timer"') < shown.index("<main")


def test_the_names_of_who_is_here_tell_organisers_at_which_table_each_plays():
    night = make_night(8)
    host, path = browser_of(owner_of(night)), path_of(night, "check_in")
    notes = '<span class="small">Table '
    assert notes not in " ".join(host.get(path).content.decode().split())
    first, second = make_round(night).sittings.all()
    gone = first.seated[0].entrant
    attendance.set_presence(
        event=night, player_ids=[gone.player_id], presence="left", by=owner_of(night)
    )
    page = " ".join(host.get(path).content.decode().split())
    assert [page.count(f"{notes}{table.table_no}<") for table in (first, second)] == [3, 4]
    names = re.findall(r"([^<>]+) <span class=\"small\">Table 2<", page)
    assert sorted(name.strip() for name in names) == sorted(
        place.entrant.player.name for place in second.seated
    )


@pytest.mark.parametrize(("missing", "first"), [(8, "here"), (9, "left")])
def test_few_who_are_missing_stand_before_all_who_are_here_once_tables_are_drawn(missing, first):
    night = make_night(4)
    names = "\n".join(f"Xa {number}" for number in range(10, 10 + missing))
    players.add_players(club=night.season.club, text=names, by=owner_of(night))

    def groups():
        found = Night(night)
        return check_in_page.names_to_tap(check_in_page.check_in_page(found), found.drawn)

    assert [group.presence for group in groups()] == ["left", "here"]
    make_round(night)
    assert groups()[0].presence == first
