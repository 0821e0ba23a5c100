"""What the page of a night says to do next, and what is left of it when it is over."""

import datetime
import re
from dataclasses import replace

import pytest
import time_machine
from django.core.cache import cache
from django.db.models import F
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from engine.rules import ruleset
from league.clubs.acts import players
from league.models import Event, Placing, Player
from league.nights.acts import attendance, clock, closing, disputes
from league.nights.facts.night import Night
from league.nights.pages.night_page import RoundTables
from league.nights.pages.night_tables import NightTable, TableSeat, tables_of
from league.seasons.facts.standings import ahead_by, event_standings
from league.templatetags import league
from tables.base.fifo_cache import forget_all
from tests.factories import (
    browser_of,
    make_member,
    make_night,
    make_round,
    make_season,
    make_table,
    names_at,
    night_secret,
    owner_of,
    path_of,
    play,
    table_link,
)

pytestmark = pytest.mark.django_db


def page_of(event, name="event", *, by=None):
    client = Client()
    if by is not None:
        client.force_login(by)
    return client.get(path_of(event, name))


def in_one_line(answer):
    return " ".join(answer.content.decode().split())


def night(*, rules="penguin", **details):
    """A night of one round of two games at one table."""
    return make_night(4, rules=rules, rounds_planned=1, games_per_round=2, **details)


def played(event, games):
    sitting = make_round(event).sittings.get()
    for game in range(1, games + 1):
        play(sitting, game_no=game)
    return sitting


def test_the_next_step_counts_the_games_and_ends_with_closing():
    event, owner = night(), None
    owner = owner_of(event)
    sitting = played(event, 1)
    half = in_one_line(page_of(event, by=owner))
    assert "Round 1 is being played: 1 of 2 games" in half
    assert 'class="btn btn-primary" name="status"' not in half
    play(sitting, game_no=2)
    done = in_one_line(page_of(event, by=owner))
    assert "All rounds are played." in done
    assert done.count('name="status" value="closed"') == 1
    assert 'class="btn btn-primary" name="status" value="closed"' in done


def test_no_table_plays_on_when_the_night_is_over():
    event = make_night(games_per_round=3)
    table, owner = make_round(event).sittings.get(), owner_of(event)
    play(table)
    assert "game 2" in page_of(event, by=owner).content.decode()
    closing.close_event(event=event, by=owner, despite_unfinished=True)
    assert "game 2" not in page_of(event, by=owner).content.decode()


def test_a_night_that_is_over_begins_with_the_podium_and_the_way_to_share_it():
    event = night(stake=1)
    played(event, 2)
    closing.close_event(event=event, by=owner_of(event))
    text = page_of(event).content.decode().split('<main id="main"')[1]
    assert text.index("podium") < text.index("Share results") < text.index('id="standings"')
    assert text.index('id="standings"') < text.index("Round 1")


def menu_of(event, owner):
    return page_of(event, by=owner).context["menu"]


def test_what_a_night_needs_once_stands_in_its_menu_and_every_row_leads_on():
    """The page itself has the next step, the tables and who is missing."""
    event = night()
    owner = owner_of(event)
    *_often, more, end = menu_of(event, owner)
    assert [row.text for row in (*more.rows[-3:], end)] == [
        "Repeat next week",
        "Repeat automatically",
        "Move to the bin",
        "Call off the night",
    ]
    make_round(event)
    often = menu_of(event, owner)
    assert [row.text for row in often] == ["Big screen", "Settings", "More", "Close the night"]
    rows = [*often[:2], *often[2].rows, often[3]]
    assert [row.text for row in rows[2:-1]] == [
        "Share results",
        "Download",
        "Sign-up",
        "Online",
        "Rules",
        "Log",
        "Draw round 2",
        "Draw by standings",
        "Repeat next week",
        "Repeat automatically",
    ]
    header, main = page_of(event, by=owner).content.decode().split('<main id="main"')
    assert "data-ends" not in main
    assert "Copy for the group" in header
    assert "Ring when a table calls" in header
    client = browser_of(owner)
    for row in rows:
        send = client.post if row.posts else client.get
        answer = send(row.address, dict(row.hidden))
        assert answer.status_code in ((302, 409) if row.posts else (200,)), row.text
    closing.close_event(event=event, by=owner, despite_unfinished=True)
    assert "Reopen the night" in [row.text for row in menu_of(event, owner)]


def test_the_message_with_the_link_stands_beside_asking_until_the_night_s_day():
    event = make_night(0)
    by = owner_of(event)

    def parts():
        return page_of(event, by=by).content.decode().split('<main id="main"')

    header, main = parts()
    assert ("Copy for the group" in header, "Copy for the group" in main) == (True, False)
    Event.objects.update(date=event.season.club.today + datetime.timedelta(days=2))
    header, main = parts()
    assert ("Copy for the group" in header, "Copy for the group" in main) == (False, True)
    assert night_secret(event) in re.search(r'data-copy="([^"]*)"', main)[1]
    assert path_of(event, "check_in") in main


def test_a_visitor_has_no_act_in_the_menu():
    event = night()
    make_round(event)
    assert [(row.text, row.posts) for row in menu_of(event, None)] == [
        ("Share results", False),
        ("Big screen", False),
        ("Rules", False),
    ]


def test_the_text_for_the_chat_has_places_points_and_payments():
    event = night(stake=3)
    sitting = played(event, 2)
    winner = names_at(sitting)[0]
    text = page_of(event, "event_share", by=owner_of(event)).content.decode()
    assert f"1. {winner}  6  (+" in text
    assert "Who pays whom" in text
    assert f"→ {winner}: " in text
    assert f"/clubs/~night/{night_secret(event)}/\n</pre>" in text
    for_all = page_of(event, "event_share").content.decode()
    assert f"1. {winner}  6\n" in for_all
    assert f"/clubs/{event.season.club.slug}/events/{event.pk}/\n</pre>" in for_all
    assert night_secret(event) not in for_all
    assert "Who pays whom" not in for_all


def test_a_club_that_is_not_public_sends_the_nights_link_alone():
    event = night()
    played(event, 1)
    club = event.season.club
    club.is_public = False
    club.save()
    text = page_of(event, "event_share", by=owner_of(club)).content.decode()
    assert f"http://testserver/clubs/~night/{night_secret(event)}/" in text
    assert f"http://testserver/clubs/{club.slug}/" not in text


def test_a_name_cannot_leave_the_text():
    event = night()
    player = event.entrants.first().player
    players.rename_player(player=player, name='"><script>x</script>', by=owner_of(event))
    played(event, 1)
    text = page_of(event, "event_share").content.decode()
    assert "<script>x" not in text
    assert text.count("&quot;&gt;&lt;script&gt;x") >= 2


def test_nothing_is_shared_before_the_first_game():
    assert "Nothing to share yet" in page_of(night(), "event_share").content.decode()


def test_an_agreed_forfeit_stands_beside_the_places_of_night_recap_and_text():
    """Its words are the club's own, so that they may hold anything."""
    agreed = ruleset.with_options(ruleset.preset("penguin"), {"forfeit": "sings <b> & pours tea."})
    event = night(rules=agreed)
    assert event.forfeit == "sings <b> & pours tea"
    sitting = played(event, 2)
    line = "The player in last place: sings &lt;b&gt; &amp; pours tea."
    by, table = owner_of(event), [event.season.club.slug, event.pk, 1, 1]
    assert line in in_one_line(browser_of(by).get(reverse("league:table", args=table)))
    closing.close_event(event=event, by=by)
    for name in ("event", "recap"):
        assert in_one_line(page_of(event, name)).count(line) == 1
    text = page_of(event, "event_share").content.decode()
    last = names_at(sitting)[-1]
    assert text.count(line) == 3
    assert text.index(f". {last}  ") < text.index(line)
    plain = night()
    played(plain, 1)
    assert "last place" not in page_of(plain, "event_share").content.decode()


def test_money_beside_the_points_is_for_those_who_see_it_in_either_order():
    event = night(stake=1000)
    played(event, 1)
    owner = owner_of(event)
    for _again in range(2):
        assert "+3.000" not in (told := page_of(event).content.decode().replace(",", "."))
        assert "Money tonight" not in told
        shown = page_of(event, by=owner).content.decode().replace(",", ".")
        assert "Money tonight" in shown
        assert "+" in shown[shown.index('id="standings"') :]


@pytest.mark.parametrize("closed", [False, True])
def test_once_all_is_played_standings_come_first_and_once_closed_who_pays_whom(closed):
    event = night(stake=1000)
    sitting, owner = played(event, 1), owner_of(event)
    first = in_one_line(page_of(event, by=owner))
    assert 'aria-current="page"> Tables' in first
    assert 'class="podium"' not in first
    play(sitting, game_no=2)
    if closed:
        closing.close_event(event=event, by=owner)
    seen = in_one_line(page_of(event, by=owner))
    assert 'aria-current="page"> Standings' in seen
    parts = ['id="standings"', 'id="money">Who pays whom']
    order = ['class="podium"', *(reversed(parts) if closed else parts)]
    assert sorted(order, key=seen.index) == order
    assert 'id="money"' not in page_of(event).content.decode()


def test_what_the_release_before_has_kept_of_a_night_breaks_no_page():
    """During an upgrade both releases share a cache, and what they keep differs."""
    event = make_night(4)
    event.refresh_from_db()
    key = f"shared-night:{event.pk}:{event.version}:en"
    for sees_money in (False, True):
        cache.set(f"{key}:{sees_money}", {"is_long": False, "state": {}, "shared_queue": ""})
    path = path_of(event, "event")
    assert Client().get(path, headers={"accept-language": "en"}).status_code == 200


def test_who_is_expected_is_checked_in_on_the_night_s_own_page():
    event = night()
    played(event, 1)
    owner, late = owner_of(event), event.entrants.first()
    late.presence = "expected"
    late.save()
    assert "Not here yet" in page_of(event, by=owner).content.decode()
    form = {"presence": "here", "player": late.player_id, "night": "1"}
    answer = browser_of(owner).post(path_of(event, "check_in"), form)
    assert answer["Location"] == path_of(event, "event")
    late.refresh_from_db()
    assert late.presence == "here"
    assert "Not here yet" not in page_of(event, by=owner).content.decode()
    assert "Not here yet" not in page_of(event).content.decode()


def test_a_game_draws_its_own_table_again_and_no_other(monkeypatch):
    event = make_night(8)
    first, _second = make_round(event).sittings.all()
    play(first)
    page_of(event)
    drawn = []
    monkeypatch.setattr(
        league,
        "render_to_string",
        lambda name, *more: drawn.append(name) or render_to_string(name, *more),
    )
    play(first)
    assert "game 3" in in_one_line(page_of(event))
    assert drawn.count("league/nights/table_tile.html") == 1
    assert drawn.count("league/seasons/standings_row.html") == 4


def test_a_table_is_drawn_again_whatever_changes_at_it():
    event = night()
    make_round(event)
    one, other = (TableSeat(Player(pk=pk, name=f"Player {pk}")) for pk in (1, 2))
    twin = TableSeat(Player(pk=3, name="Player 1", animal=one.player.face.animal))
    at = datetime.datetime(2015, 11, 23, 12, tzinfo=datetime.UTC)
    new = NightTable(1, [one, other], 0, 3)
    begun = replace(new, played=1, times=[at], winners=[one.player])
    over = replace(begun, played=3, winners=[one.player, one.player, other.player])
    looks = [
        new,
        replace(new, table_no=2),
        replace(new, planned=0),
        replace(new, is_late=True),
        replace(new, calls=True),
        replace(new, is_closed=True),
        replace(new, seats=[]),
        replace(new, seats=[one]),
        replace(new, seats=[one, replace(other, has_left=True)]),
        replace(new, seats=[one, TableSeat(Player(pk=2, name="New name"))]),
        replace(new, seats=[one, TableSeat(Player(pk=2, name="Player 2", animal="pig"))]),
        begun,
        replace(begun, times=[at + datetime.timedelta(minutes=1)]),
        replace(begun, winners=[]),
        replace(begun, disputed=1),
        replace(begun, disputed=2),
        replace(begun, disputed=1, disputed_at=at + datetime.timedelta(minutes=2)),
        replace(begun, disputed=1, calls=True),
        over,
        replace(over, first=[one.player], told="first · 5 points"),
        replace(over, first=[twin.player], told="first · 5 points"),
        replace(over, first=[one.player], told="first · 6 points"),
        replace(over, first=[one.player, other.player], told="advance"),
    ]
    numbers = [(number, draft) for number in (1, 2) for draft in (True, False)]
    rounds = [RoundTables(number, draft, [], {}, "") for number, draft in numbers]
    drawn = [[league.table_tile(event, round_, table) for table in looks] for round_ in rounds]
    for round_, tiles in zip(rounds, drawn, strict=True):
        for table, tile in zip(looks, tiles, strict=True):
            forget_all()
            assert tile == league.table_tile(event, round_, table)


def test_a_table_that_waits_for_games_says_who_of_it_has_left():
    """A player who leaves by phone during a round is missed at the table."""
    sitting = played(night(), 1)
    event, names = sitting.round.event, names_at(sitting)
    gone = event.entrants.get(player__name=names[1]).player_id
    attendance.set_presence(event=event, player_ids=[gone], presence="left", by=None)
    said = f"{names[1]} <small>left</small>"
    page = in_one_line(page_of(event))
    assert (page.count(said), page.count("<small>left</small>")) == (1, 1)
    play(sitting, names, game_no=2)
    assert said not in in_one_line(page_of(event))


def test_a_table_says_since_when_it_is_as_it_is():
    """A game disputed since 10:20 was entered at 10:02: the complaint's time is what is told."""
    sitting = make_table(make_night(4, games_per_round=2))
    event = sitting.round.event
    entered = play(sitting).at

    def table():
        night = Night(event)
        return tables_of(event, night.released, night.played, {})[1][0]

    assert table().since == entered
    dispute = disputes.open_dispute(sitting_id=sitting.pk, game_no=1, by=None)
    assert (table().state, table().since) == ("game 1 disputed", dispute.at)
    assert replace(table(), calls=True).since is None
    assert replace(table(), is_closed=True).since is None


def test_a_night_in_groups_has_a_round_more_than_its_groups():
    groups = {"kind": "groups", "groups": 2, "group_rounds": 3}
    event = make_night(4, games_per_round=2, rounds_planned=3, format=groups)
    Event.objects.update(date=event.season.club.today + datetime.timedelta(days=2))
    assert ", 4 rounds × 2 games" in page_of(event).context["night"].frame.made_of
    form = page_of(event, "event_settings", by=owner_of(event)).context["form"]
    assert form.say_rounds().endswith(", 4 rounds × 2 games")


def test_a_night_to_come_says_when_and_what_is_played_and_to_members_for_how_much():
    event = make_night(4, stake=5, games_per_round=2, rounds_planned=3)
    Event.objects.update(date=event.season.club.today + datetime.timedelta(days=2))
    event.refresh_from_db()
    for by, made_of in (
        (owner_of(event), "3 rounds × 2 games · 5 kẹo a game"),
        (None, "3 rounds × 2 games"),
    ):
        page = page_of(event, by=by)
        assert page.context["night"].frame.made_of.partition(" · ")[2] == made_of
    assert "kẹo" not in page.content.decode()
    make_round(event)
    assert page_of(event).context["night"].frame.made_of == ""


@time_machine.travel("2025-06-10T11:00+00:00", tick=False)
def test_the_bar_tells_of_a_night_only_what_its_state_asks_for():
    event = make_night(4, games_per_round=2, starts_at=datetime.time(19, 30), venue="Quán Ba")
    season = event.season.name

    def line(by=None, **changes):
        """The facts of the line, in brackets what a phone has no room for."""
        Event.objects.filter(pk=event.pk).update(version=F("version") + 1, **changes)
        told = page_of(event, by=by).context["night"].frame.line
        return " · ".join(f"({fact.text})" if fact.is_wide else fact.text for fact in told)

    today, later = event.date, event.date + datetime.timedelta(days=3)
    there = "Tuesday, 10 Jun 2025, 19:30 at Quán Ba"
    assert line(by=owner_of(event)) == f"{there} · {season}"
    assert line() == f"4 players · {there} · ({season})"
    to_come = f"Friday 13 Jun, 19:30 · Quán Ba · ({season})"
    assert line(date=later) == f"4 players · {to_come}"
    assert line(by=owner_of(event)) == to_come
    play(make_round(event).sittings.get())
    ahead = f"round 1/3 · 1/2 games · 13 Jun 2025 · ({season})"
    assert line() == ahead
    assert line(date=today) == "round 1/3 · 1/2 games"
    closing.close_event(event=event, by=owner_of(event), despite_unfinished=True)
    assert line() == f"10 Jun 2025 · (4 players) · ({season})"


def test_standings_of_a_night_that_nobody_has_come_to_say_when_they_begin():
    said = "Results appear here after the first game."
    event = make_night(0)
    assert said in page_of(event).content.decode()
    closing.call_off(event=event, by=owner_of(event))
    assert said not in page_of(event).content.decode()


def test_who_is_ahead_of_somebody_level_has_the_reason():
    """A line below the table names both, with their numbers; the rows stay rows."""
    event = make_night(4, games_per_round=2)
    sitting = make_table(event)
    a, b, c, d = names_at(sitting)
    play(sitting, [a, b, c, d])
    play(sitting, [c, b, a, d], game_no=2)
    body = page_of(event).content.decode()
    firsts = [f"{one}, {other} ahead of {b}: first places 1–0" for one, other in ((a, c), (c, a))]
    assert [body.count(f"<li>{said}</li>") for said in firsts].count(1) == 1
    assert body.count(" ahead of ") == 1, "nobody is level with the last"


def test_who_looks_on_reads_first_who_leads():
    event = make_night(8, games_per_round=2, rounds_planned=1)
    first, second = make_round(event).sittings.all()
    a, b, c, d = names_at(first)
    said = re.compile(r'id="lead">\s*(.*?) leads.*?felt-note">(.*?)<', re.DOTALL)

    def told(by=None):
        return said.findall(page_of(event, by=by).content.decode())

    assert told() == []
    play(first, [a, b, c, d])
    assert told() == [(a, "3 points, 1 more than " + b)]
    play(second)
    assert told() == [], "two lead"
    play(first, [b, c, d, a])
    assert told() == [(b, "5 points, 2 more than " + names_at(second)[0])]
    assert told(by=owner_of(event)) == [], "an organiser has the next step there"
    play(second)
    assert told() == [], "all is played"


def test_who_looks_on_reads_why_one_of_two_with_the_same_points_leads():
    sitting = make_table(make_night(4, games_per_round=3))
    a, b, c, d = names_at(sitting)
    play(sitting, [a, b, c, d])
    play(sitting, [d, b, a, c])
    shown = in_one_line(page_of(sitting.round.event))
    assert f'{a} leads </h2> <p class="felt-note">4 points. {a} ahead of {b}: first' in shown
    rows = [one.row for one in event_standings(sitting.round.event)]
    alike = ahead_by((row, "N. A.") for row in rows)
    assert list(alike) == [rows[0].entrant], "where initials are shown, several have one name"


def test_points_after_unequal_games_say_so_until_all_are_played():
    event = make_night(8, games_per_round=2)
    first, second = make_round(event).sittings.all()
    said = re.compile(r"So far (.*) games each")
    for table, told in ((first, []), (first, []), (second, ["1 to 2"]), (second, [])):
        play(table)
        assert said.findall(page_of(event).content.decode()) == told
    play(make_round(event).sittings.first())
    assert said.findall(page_of(event).content.decode()) == ["2 to 3"]
    closing.close_event(event=event, by=owner_of(event), despite_unfinished=True)
    assert said.findall(page_of(event).content.decode()) == []


def test_the_tab_of_a_nights_page_names_its_club():
    sitting = make_table()
    event, club = sitting.round.event, sitting.round.event.season.club
    host = browser_of(owner_of(club))
    for name in ("event", "check_in", "event_settings", "wall"):
        page = host.get(path_of(event, name)).content.decode()
        assert f"· {club.name}" in page.split("</title>")[0], name
    table = table_link(sitting, 1)
    assert f"· {club.name}" in Client().get(table).content.decode().split("</title>")[0]


def test_the_readers_own_row_stands_out_to_them_alone():
    event = night()
    played(event, 1)
    season = event.season
    chi = season.club.players.get(name="Chi")
    reader = make_member(season.club, "player")
    Player.objects.filter(pk=chi.pk).update(user=reader)

    def own_rows(by):
        html = page_of(event, by=by).content.decode()
        return re.findall(r'<tr class="of-\d+ own">.*?rows/(\d+)/', html, re.DOTALL)

    assert own_rows(reader) == [str(chi.pk)], "nothing is cached yet"
    assert own_rows(None) == []
    assert own_rows(reader) == [str(chi.pk)], "what all see is cached"
    assert own_rows(owner_of(season)) == []
    Player.objects.filter(pk=chi.pk).update(user=owner_of(season))
    assert own_rows(owner_of(season)) == [str(chi.pk)], "a host's page is drawn anew"


def test_a_closed_night_counts_those_who_sat_down():
    event = night()
    played(event, 2)
    club, by = event.season.club, owner_of(event)
    gone = club.players.get(name="An").pk
    guest = attendance.add_guest(event=event, name="Khách", by=by)
    attendance.set_presence(event=event, player_ids=[gone], presence="left", by=by)
    assert "4 players" not in page_of(event).content.decode(), "its round says how far it is"
    attendance.set_presence(event=event, player_ids=[guest.player_id], presence="left", by=by)
    closing.close_event(event=event, by=by)
    shown = page_of(event, by=by)
    assert "4 players" in page_of(event).content.decode()
    assert "4 players" not in shown.content.decode(), "a tab counts them for organisers"
    (people,) = [tab for tab in shown.context["night"].frame.segments if tab.text == "People"]
    assert people.count == 4, "the guest never sat down"
    rows = shown.context["night"].rounds.standings
    assert sorted(one.player.name for one in rows) == ["An", "Bình", "Chi", "Dũng"]


def test_a_night_is_called_off_from_its_settings_until_it_begins():
    event = make_night()
    host, settings = browser_of(owner_of(event)), path_of(event, "event_settings")
    for begins in (False, True):
        if begins:
            make_round(event)
        page = host.get(settings).content.decode()
        form, apart = page.split('class="plan"')[1].split("</form>", 1)
        assert "Call off the night" not in form, "neither among its rows nor where Save will be"
        assert ("Call off the night" in apart) is not begins
        fold = apart.partition("<details")[2].partition("</details>")[0]
        asked = fold.partition("</summary>")[2]
        assert ('value="called_off"' in asked, apart.count('value="called_off"')) == (
            (False, 0) if begins else (True, 1)
        ), "the first tap says what it does"


def test_a_night_that_was_called_off_says_so():
    event = make_night(4)
    by = owner_of(event)
    closing.call_off(event=event, by=by)
    assert page_of(event, by=by).context["night"].frame.segments == []
    for reader in (by, None):
        shown = page_of(event, by=reader).content.decode()
        assert "This night was called off." in shown
        assert "Not drawn yet" not in shown


def test_what_a_calling_table_says_is_read_at_once_and_is_taken_on_where_it_is_said():
    """Once: what *Next* and the round's tables tell is in no list below them."""
    event = make_night(8, games_per_round=2)
    sitting, other = make_round(event).sittings.all()
    play(sitting)
    by = owner_of(event)
    host = browser_of(by)

    def page():
        html = in_one_line(page_of(event, by=by))
        step = html[html.index('id="next"') :]
        return html.count('id="attention"'), step[: step.index("</section>")], html

    disputes.open_dispute(sitting_id=sitting.pk, game_no=1, by=None, note="An was second")
    listed, step, html = page()
    assert (listed, 'data-needs="1"' in html, "An was second" in step) == (0, True, True)
    fields = {"table": str(sitting.pk), "game": "1"}
    for name, value in fields.items():
        assert f'name="{name}" value="{value}"' in step
    assert path_of(event, "needs") in step
    answer = host.post(path_of(event, "needs"), fields)
    assert answer["Location"] == path_of(event, "game", 1, 1, 1)
    assert "Table 1, game 1: being looked at." in page()[1], "and nothing more to take on"
    clock.call_director(sitting=other, by=None, note="A card is missing")
    listed, step, html = page()
    assert (listed, 'data-needs="2"' in html, "A card is missing" in step) == (0, True, True)
    clock.call_director(sitting=sitting, by=None, note="Who deals?")
    listed, step, html = page()
    calls = [words in step for words in ("Who deals?", "A card is missing")]
    assert (listed, sum(calls)) == (1, 1), "the words of the second call stand in the list alone"
    attention = html[html.index('id="attention"') :]
    assert [words in attention for words in ("Who deals?", "A card is missing")] == [
        not said for said in calls
    ]
    assert '<details class="panel" open> <summary id="attention"' in html


def test_a_past_round_is_told_as_past_and_leads_to_the_one_that_is_played():
    night = make_night(8)
    seat = make_round(night).sittings.last().seated[0]
    player = make_member(night.season.club, "player")
    night.season.club.players.filter(pk=seat.entrant.player_id).update(user=player)

    def told():
        page = in_one_line(browser_of(player).get(path_of(night, "round", 1)))
        words = ("You sit at", "To table", "You sat at", "This round is over.", "Being played:")
        return [word for word in words if word in page], page

    assert told()[0] == ["You sit at", "To table"]
    make_round(night)
    words, page = told()
    assert words == ["You sat at", "This round is over.", "Being played:"]
    assert f'href="{path_of(night, "round", 2)}">Being played: Round 2</a>' in page
    closing.close_event(event=night, by=owner_of(night), despite_unfinished=True)
    assert told()[0] == ["You sat at", "This round is over."]


def test_a_round_begins_with_the_table_of_who_reads_it():
    night = make_night(8)
    last = make_round(night).sittings.last()
    player, seats = make_member(night.season.club, "player"), last.seated
    night.season.club.players.filter(pk=seats[1].entrant.player_id).update(user=player)
    path = path_of(night, "round", 1)
    mine, others = (in_one_line(who.get(path)) for who in (browser_of(player), Client()))
    assert mine.index(f"You sit at table {last.table_no}") < mine.index("> Table 1 <")
    to_table = f'href="{path}tables/{last.table_no}/"> To table {last.table_no} </a>'
    assert to_table in mine
    felt = mine[: mine.index(to_table)]
    assert re.findall(r"<b> ([^<]+) </b>", felt) == [
        "You",
        *(seats[at].entrant.player.name for at in (2, 3, 0)),
    ], "seen from the own seat, in order of play"
    assert "> Table 2 <" not in mine, "drawn once"
    assert f'<li class="felt-no" aria-hidden="true">{last.table_no}</li>' in felt
    assert "You sit" not in others
    run = in_one_line(browser_of(owner_of(night)).get(path))
    opened = ['round-names open-wide" open' in page for page in (mine, run, others)]
    assert opened == [False, False, True], "who has no table here looks for a name"
    assert to_table.split(">")[1] not in others
    club = night.season.club
    club.players.filter(pk=seats[1].entrant.player_id).update(user=owner_of(club))
    host = in_one_line(browser_of(owner_of(club)).get(path))
    assert ("> Table 1 <" in host, "> Table 2 <" in host, "You sit" in host) == (True, True, True)
    assert ('class="felt-card"' in mine, 'class="felt-card"' in host) == (True, False), "drawn once"


def test_a_name_in_the_standings_of_a_night_leads_to_how_its_points_add_up():
    """And on to the player; a season's names lead there at once."""
    table = make_table(make_night(4), games=1)
    event, club = table.round.event, table.round.event.season.club
    ranks = page_of(event).content.decode().split('id="standings"')[1].split("</table>")[0]
    keys = [row.entrant.player_id for row in table.seated]
    leads = {path_of(event, "explain", key) for key in keys}
    assert set(re.findall(r'<a[^>]* href="([^"]+)"', ranks)) == leads
    opened = Client().get(path_of(event, "explain", keys[0])).content.decode()
    assert f'href="{path_of(event, "event")}?show=standings"' in opened
    assert f'href="{path_of(club, "player", keys[0])}"' in opened
    order = [one.entrant.player.name for one in Placing.objects.order_by("rank")]
    for rank, name in enumerate(order, 1):
        key = club.players.get(name=name).pk
        [(sitting, games)] = Client().get(path_of(event, "explain", key)).context["tables"]
        assert (sitting, games.places) == (table, [(rank, 4)])
        assert sorted(one.name for one in games.met) == sorted({*order} - {name})
    season = Client().get(path_of(event.season, "season")).content.decode()
    assert f'class="with-face" href="{path_of(club, "player", keys[0])}"' in season


def test_a_closed_night_tells_the_own_place_and_who_pays_before_the_standings():
    table = make_table(make_night(4, stake=10))
    event, names = table.round.event, names_at(table)
    me = make_member(event.season.club, "player")
    event.season.club.players.filter(name=names[3]).update(user=me)
    play(table, names)
    closing.close_event(event=event, by=owner_of(event), despite_unfinished=True)
    page = page_of(event, by=me).content.decode().split("<main")[1]
    order = ["podium", "You: rank 4, ", "Who pays whom", "outcome-acts", 'id="standings"']
    assert sorted(order, key=page.index) == order
    assert page.count("Who pays whom") == 1
    assert "You: rank" not in page_of(event, by=owner_of(event)).content.decode()


HEAD = re.compile(r'<th scope="col" class="num wide-only">([^<]*)<')


def figures(event):
    """What wide pages show of each player: the columns' names, and the figures by name."""
    page = in_one_line(page_of(event))
    rows = re.findall(r'<tr class="of-.*?</tr>', page)
    cells = [re.findall(r'class="num wide-only">([^<]*)<', row) for row in rows]
    named = [re.search(r"</svg></span> ([^<]*?) ?</a>", row)[1] for row in rows]
    return HEAD.findall(page), dict(zip(named, cells, strict=True))


def test_wide_standings_say_what_each_round_gave_whom():
    event = make_night(rules="penguin", games_per_round=2)
    one = make_table(event, games=2)
    assert figures(event)[0] == ["Games", "Firsts", "Seconds", "Lasts", "Average place"]
    names = names_at(one)
    other = make_round(event).sittings.get()
    assert len(figures(event)[0]) == 5  # Nothing was played in it.
    play(other, names[::-1])
    columns, rows = figures(event)
    assert columns == ["Games", "Firsts", "Round 1", "Round 2"]
    points = {one.player.name: one.row.points for one in Night(event).standings}
    assert {name: sum(map(int, row[2:])) for name, row in rows.items()} == points
    assert rows[names[0]][1:] == ["2", str(points[names[0]] - int(rows[names[0]][3])), "0"]


def test_standings_say_beside_a_name_how_many_games_it_has_where_these_differ():
    """A phone has no column for them: points stand at the edge. And what decided equal points."""
    event = make_night(8, games_per_round=2)
    tables = list(make_round(event).sittings.all())

    def notes():
        page = in_one_line(page_of(event))
        return sorted(re.findall(r'class="small muted row-note">([^<]*)<', page))

    for table in tables:
        play(table)
    assert notes() == []
    play(tables[0], game_no=2)
    told = [re.sub(r"above \w+:", "above X:", note.replace("\u2060", "")) for note in notes()]
    ahead = [f"1 game · above X: {what}" for what in ("last places 1–2", "second places 1–0")]
    assert sorted(told) == ["1 game"] * 2 + ahead + ["2 games"] * 4


@pytest.mark.parametrize(
    ("points", "counting"),
    [("3-2-1-0", "average"), ("stake_result", "fixed"), ("3-2-1-0", "table_ranking")],
)
def test_what_a_round_gave_is_not_said_where_games_do_not_count_one_by_one(points, counting):
    season = make_season(rules="killa", points_table=points)
    event = make_night(season=season, stake=1000, games_per_round=1, counting=counting)
    for _round in range(2):
        play(make_round(event).sittings.get())
    assert "Round 1" not in figures(event)[0]
