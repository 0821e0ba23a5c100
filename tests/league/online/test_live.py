"""Rounds that are played online: seats, results that come by themselves, money, ends."""

import uuid
from collections import Counter

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import translation

from league.base.domain import stored_specials
from league.clubs.acts import hidden_names, members, merges, players
from league.models import LiveResult, LiveTable, Result, Tally, Transfer
from league.nights.acts import attendance, clock, closing, draws, events, results, seat_changes
from league.nights.facts import online_tables, sittings
from league.nights.facts.online_tables import secret_of
from league.online.acts import results_in
from league.online.facts import online_rounds as selector
from league.proof.facts import verify
from league.seasons.facts.standings import season_standings
from tables.chairs.acts import arrangements
from tables.live import tokens
from tables.models import Game, Seat, Table
from tables.play.facts import positions, standings
from tests.factories import correct, make_user, names_at, owner_of, play
from tests.league.online.helpers import (
    deal,
    everybody_leaves,
    hurry_to_the_end,
    make_online_night,
    online,
    play_game,
    release,
    step,
    take_game,
)
from tests.refusals import refuses
from tests.tables import live as tables
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def event():
    return make_online_night(4)


def names(live_table: LiveTable) -> list[str]:
    seats = Seat.objects.filter(table=live_table.table_id, left_at=None).order_by("no")
    return list(seats.values_list("name", flat=True))


def entrant_of(event, name):
    return event.entrants.get(player__name=name)


# --- Seating ----------------------------------------------------------------------------------


def test_a_released_round_seats_the_drawn_players_in_the_drawn_seats():
    round_ = release(make_online_night(8, rules="killa", stake=5))
    found = LiveTable.objects.filter(sitting__round=round_).order_by("sitting__table_no")
    assert [names(one) for one in found] == [names_at(s) for s in round_.sittings.all()]
    terms = found[0].table.arrangement
    dealer = round_.sittings.first().first_dealer
    assert (terms.stake, terms.unit, terms.games) == (5, "kẹo", 4)
    assert (terms.first_dealer, found[0].table.move_seconds) == (dealer, 40)


def test_with_real_cards_nothing_is_opened_and_mixed_waits_for_the_organiser():
    for played in ("", "mixed"):
        event = make_online_night(4, played=played)
        sitting = release(event).sittings.get()
        assert not sitting.live_tables.exists()
        opened = results_in.open_table(sitting_id=sitting.pk, by=owner_of(event))
        assert names(opened) == names_at(sitting)


def test_an_account_holds_its_chair_and_everybody_else_has_a_personal_link(event):
    user = make_user("an@club.example")
    players.take_player(player=event.season.club.players.get(name="An"), user=user)
    release(event)
    table = online(event).table
    assert table.seats.get(name="An").user == user
    assert online_tables.key_of_user(event, user) == table.key
    [(live_table, place)] = online_tables.seats_of(
        event, [event.season.club.players.get(name="Bình").pk]
    )
    seat = positions.of(table).find(token=secret_of(live_table, place.entrant_id))
    assert seat.name == "Bình"


@pytest.mark.parametrize("is_dealt", [True, False])
@pytest.mark.parametrize("end", ["unlink", "leave", "anonymise"])
def test_an_account_that_is_unlinked_gives_its_seat_to_the_personal_link(event, end, is_dealt):
    club, user = event.season.club, make_user("an@club.example")
    by, player = owner_of(club), club.players.get(name="An")
    players.take_player(player=player, user=user)
    release(event)
    if is_dealt:
        deal(online(event))
    live = online(event)
    secret = secret_of(live, entrant_of(event, "An").pk)
    assert positions.of(live.table).find(user=user).name == "An"
    if end == "unlink":
        players.unlink_account(player=player, by=by)
    elif end == "leave":
        members.leave_club(member=club.memberships.get(user=user))
    else:
        players.anonymise_player(player=player, by=by)
    table = online(event).table
    assert positions.of(table).find(user=user) is None
    assert positions.of(table).find(token=secret) is not None
    assert online_tables.key_of_user(event, user) == ""
    assert table.access_version > live.table.access_version
    play_game(live)
    assert results_in.take_games(table_id=table.pk) == 1


def test_a_corrected_name_stands_at_the_table_and_in_its_games_too(event):
    sitting, by = release(event).sittings.get(), owner_of(event)
    game = play_game(online(event))
    chi = event.season.club.players.get(name="Chi")
    players.rename_player(player=chi, name="Chị Chi", by=by)
    assert "Chị Chi" in names(online(event))
    assert sorted(names(online(event))) == sorted(names_at(sitting))
    game.refresh_from_db()
    assert "Chị Chi" in standings.holder_names(game)


def test_a_hidden_name_leaves_the_seats_of_another_who_had_it_before_a_merge(event):
    club, by = event.season.club, owner_of(event)
    release(event)
    full = players.add_player(club=club, name="Nguyễn Thị Chi", by=by)
    merges.merge(alias=club.players.get(name="Chi"), into=full, by=by)
    hidden_names.hide_name(player=players.add_player(club=club, name="Chi", by=by), by=by)
    assert "Nguyễn Thị Chi" in names(online(event))


def test_a_seat_has_the_name_of_the_person_after_a_merge_and_its_own_once_they_are_parted(event):
    club, by = event.season.club, owner_of(event)
    release(event)
    alias = club.players.get(name="Chi")
    full = players.add_player(club=club, name="Nguyễn Thị Chi", by=by)
    merges.merge(alias=alias, into=full, by=by)
    assert "Nguyễn Thị Chi" in names(online(event))
    players.rename_player(player=full, name="Chị Chi", by=by)
    assert "Chị Chi" in names(online(event))
    merges.unmerge(alias=alias, by=by)
    assert "Chi" in names(online(event))


def test_a_long_name_is_removed_from_the_table_too(event):
    club, by = event.season.club, owner_of(event)
    chi, name = club.players.get(name="Chi"), f"{'Nguyễn ' * 6}Thị Chi"
    players.rename_player(player=chi, name=name, by=by)
    release(event)
    assert name[:40] in names(online(event))
    players.anonymise_player(player=chi, by=by)
    assert sorted(names(online(event))) == ["An", "Bình", "Dũng", "—"]


def test_a_removed_name_leaves_the_seat_of_who_has_a_former_one_of_it(event):
    club, by = event.season.club, owner_of(event)
    other = players.add_player(club=club, name="Chi B", by=by)
    for name in ("Chi C", "Chi D"):
        players.rename_player(player=other, name=name, by=by)
    players.rename_player(player=club.players.get(name="Chi"), name="Chi B", by=by)
    release(event)
    players.anonymise_player(player=other, by=by)
    assert "Chi B" in names(online(event))


def test_a_replaced_personal_link_opens_nothing_any_more(event):
    sitting = release(event).sittings.get()
    entrant = entrant_of(event, "Chi").pk
    old = secret_of(online(event), entrant)
    results_in.renew_chair(sitting_id=sitting.pk, entrant_id=entrant, by=owner_of(event))
    new = secret_of(online(event), entrant)
    table = online(event).table
    assert table.access_version == 2, "An open page of the old link is no player's."
    position = positions.of(table)
    assert position.find(token=old) is None
    assert position.find(token=new).name == "Chi"


def substitute(event, leaver: str, comer: str) -> tuple[int, int]:
    """Have one come for the other at the night's table; return the entrants of both."""
    by, known = owner_of(event), event.entrants.filter(player__name=comer)
    out = entrant_of(event, leaver).pk
    into = (known.first() or attendance.add_guest(event=event, name=comer, by=by)).pk
    sitting_id = online(event).sitting_id
    seat_changes.leave(sitting_id=sitting_id, entrant_id=out, substitute_id=into, by=by)
    return out, into


def test_a_link_replaced_before_a_substitute_comes_leaves_the_substitutes_link(event):
    sitting = release(event).sittings.get()
    deal(online(event))
    chi, heir = substitute(event, "Chi", "Muộn")
    results_in.renew_chair(sitting_id=sitting.pk, entrant_id=chi, by=owner_of(event))
    play_game(online(event))
    position = positions.of(Table.objects.get(pk=online(event).table_id))
    assert position.find(token=secret_of(online(event), heir)).name == "Muộn"
    assert position.find(token=secret_of(online(event), chi)) is None


def test_a_player_who_is_let_back_in_before_the_substitute_came_plays_on(event):
    release(event)
    deal(online(event))
    substitute(event, "Chi", "Muộn")
    _heir, chi = substitute(event, "Muộn", "Chi")
    play_game(online(event))
    position = positions.of(Table.objects.get(pk=online(event).table_id))
    assert position.find(token=secret_of(online(event), chi)).name == "Chi"


def test_a_player_who_left_comes_back_for_the_substitute(event):
    sitting = release(event).sittings.get()
    for names_of_two in (("Chi", "Muộn"), ("Muộn", "Chi")):
        chi = substitute(event, *names_of_two)[1]
        play_game(online(event))
    results_in.sweep()
    position = positions.of(Table.objects.get(pk=online(event).table_id))
    assert position.find(token=secret_of(online(event), chi)).name == "Chi"
    assert sorted(names_at(sitting, 2)) == sorted(names(online(event)))
    assert Result.objects.filter(source="live").count() == 2


def test_a_bot_of_the_club_is_drawn_and_plays_like_everybody():
    event = make_online_night(3, games_per_round=1)
    results_in.add_bot(event=event, bot="greedy", by=owner_of(event))
    release(event)
    assert online(event).table.seats.get(bot="greedy").name == "greedy (bot)"
    take_game(event)
    assert "greedy (bot)" in [s.player.name for s in season_standings(event.season)]
    assert Result.objects.get().placings.count() == 4


def test_a_bot_that_is_here_already_gets_a_twin_with_a_number():
    event = make_online_night(2)
    by = owner_of(event)
    names = [results_in.add_bot(event=event, bot="sage", by=by).player.name for _ in range(3)]
    assert names == ["sage (bot)", "sage 2 (bot)", "sage 3 (bot)"]


def test_a_table_of_bots_alone_plays_all_its_games_by_itself():
    event = make_online_night(0, games_per_round=2)
    by = owner_of(event)
    for _ in range(4):
        results_in.add_bot(event=event, bot="greedy", by=by)
    release(event)
    tables.hurry_to_its_end(online(event).table)
    results_in.sweep()
    assert Result.objects.filter(source="live").count() == 2


# --- Results ----------------------------------------------------------------------------------


def test_a_finished_game_becomes_the_rounds_result_once_however_often_it_is_taken(event):
    release(event)
    game = play_game(online(event))
    taken = [results_in.take_games(table_id=game.table_id) for _ in range(3)]
    assert (taken, results_in.sweep()) == ([1, 0, 0], 0)
    result = Result.objects.get()
    assert (result.source, result.live.game, result.game_no) == ("live", game, 1)
    order = [p.entrant.player.name for p in result.placings.order_by("rank", "seat")]
    seats = dict(Seat.objects.filter(pk__in=game.holders).values_list("pk", "name"))
    chairs_in_order = [no for group in game.outcome["placings"] for no in sorted(group)]
    assert order == [seats[game.holders[no]] for no in chairs_in_order]
    assert Tally.objects.filter(event=event).count() == 4


def test_the_match_ends_after_the_games_of_the_round_and_standings_have_all():
    event = make_online_night(4, games_per_round=2)
    sitting = release(event).sittings.get()
    live_table = online(event)
    for _ in range(2):
        play_game(live_table)
    assert results_in.sweep() == 2
    live_table.refresh_from_db()
    assert (live_table.table.status, live_table.ended_at is not None) == ("closed", True)
    assert [s.row.games for s in season_standings(event.season)] == [2] * 4
    assert list(sitting.results.values_list("game_no", flat=True)) == [1, 2]
    assert list(verify.everything(event.season.club)) == []


@pytest.mark.parametrize(("rules", "stake"), [("mien-nam", 1000), ("killa", 5), ("killa", 0)])
def test_the_engines_own_payments_are_posted_with_their_reasons(rules, stake):
    event = make_online_night(4, rules=rules, stake=stake, games_per_round=3)
    release(event)
    live_table = online(event)
    for _ in range(3):
        game = play_game(live_table)
        results_in.take_games(table_id=game.table_id)
        result = Result.objects.get(live__game=game)
        places = sittings.places_at(result.sitting, result.game_no)
        accounts = [place.entrant.player_id for place in places]
        paid = Counter(
            (accounts[p["from"]], accounts[p["to"]], p["amount"], p["reason"])
            for p in game.outcome["payments"]
        )
        posted = Counter(
            result.transfers.values_list("payer__player_id", "payee__player_id", "amount", "reason")
        )
        assert posted == paid
        assert bool(paid) == bool(stake)
    assert list(verify.everything(event.season.club)) == []


def test_specials_of_a_live_game_can_be_corrected_like_entered_ones():
    event = make_online_night(4, rules="mien-nam", stake=10)
    release(event)
    results_in.take_games(table_id=play_game(online(event)).table_id)
    result = Result.objects.get()
    before = Transfer.objects.count()
    corrected = correct(result)
    assert (corrected.source, corrected.version) == ("entered", 2)
    assert Transfer.objects.filter(result=result, reverses__isnull=False).count() == before
    assert results_in.sweep() == 0
    assert LiveResult.objects.count() == 1
    assert list(verify.everything(event.season.club)) == []


def test_specials_name_entrants():
    event = make_online_night(4, rules="mien-nam", stake=10, games_per_round=20)
    release(event)
    for _ in range(20):
        play_game(online(event))
    results_in.sweep()
    told = [s for r in Result.objects.all() for s in stored_specials.from_json(r.specials)]
    entrants = set(event.entrants.filter(presence="here").values_list("pk", flat=True))
    assert told
    assert {who for s in told for who in (s.by, s.of) if who} <= entrants


def test_while_a_table_plays_online_nobody_enters_its_games_by_hand(event):
    sitting = release(event).sittings.get()
    entrants = [p.entrant_id for p in sitting.places.all()]
    values = {
        "sitting_id": sitting.pk,
        "game_no": 1,
        "groups": [[key] for key in entrants],
        "client_id": uuid.uuid4(),
        "by": None,
    }
    with refuses("live"):
        results.record(**values)
    results_in.end_table(sitting_id=sitting.pk, by=owner_of(event), now=True)
    assert results.record(**values).source == "entered"


def test_after_two_games_with_real_cards_the_live_table_goes_on_with_the_third():
    event = make_online_night(4, played="", games_per_round=3)
    sitting = release(event).sittings.get()
    order = names_at(sitting)
    for _ in range(2):
        play(sitting, order)
    results_in.open_table(sitting_id=sitting.pk, by=owner_of(event))
    game = play_game(online(event))
    results_in.sweep()
    assert (game.no, Result.objects.get(source="live").game_no) == (1, 3)
    assert Table.objects.get(pk=game.table_id).status == Table.Status.CLOSED


def test_a_correction_while_the_table_plays_on_stays():
    event = make_online_night(4, games_per_round=2)
    release(event)
    take_game(event)
    correct(Result.objects.get(), by=None)
    take_game(event)
    assert [(r.game_no, r.version, r.source) for r in Result.objects.filter(current=True)] == [
        (1, 2, "entered"),
        (2, 1, "live"),
    ]


# --- Ends -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("abandoned", "games"), [("count", 1), ("void", 0), ("finish", 3)])
def test_an_abandoned_table_ends_as_the_event_says(abandoned, games):
    event = make_online_night(4, abandoned=abandoned, games_per_round=3)
    release(event)
    live_table = online(event)
    deal(live_table)
    everybody_leaves(live_table)
    hurry_to_the_end(live_table.table)
    results_in.sweep()
    live_table.refresh_from_db()
    assert Result.objects.count() == games
    assert (live_table.ended_at is not None, live_table.abandoned) == (True, True)
    assert results_in.sweep() == 0
    assert say_it_does_not_count(live_table) == [abandoned == "void"] * 3


def say_it_does_not_count(live_table: LiveTable) -> list[bool]:
    """Whether the table, the table in words and the review of game 1 say so to a spectator."""
    key = live_table.table.key
    table, review = reverse("tables:table", args=[key]), reverse("tables:replay", args=[key, 1])
    pages = [Client().get(path) for path in (table, f"{table}?look=plain", review)]
    return ["This game does not count" in page.content.decode() for page in pages]


def test_a_game_that_is_voided_counts_on_no_page_of_its_table(event):
    release(event)
    live_table = online(event)
    take_game(event)
    assert say_it_does_not_count(live_table) == [False] * 3
    assert len(positions.of(positions.rows().get(pk=live_table.table_id)).standings) == 4
    correct(Result.objects.get(), [], void=True)
    assert say_it_does_not_count(live_table) == [True] * 3
    assert positions.of(positions.rows().get(pk=live_table.table_id)).standings == []


def test_another_rule_for_abandoned_tables_leaves_those_that_are_open_as_they_are():
    event = make_online_night(4, abandoned="finish", games_per_round=3)
    release(event)
    deal(online(event))
    everybody_leaves(online(event))
    take_game(event)
    results_in.set_plan(
        event=event, by=owner_of(event), played="live", move_seconds=40,
        abandoned="void",
    )  # fmt: skip
    Seat.objects.update(autopilot=False)
    play_game(online(event))
    take_game(event)
    assert Result.objects.count() == 3


def test_ending_a_table_now_voids_the_game_that_is_on_and_keeps_the_others(event):
    sitting = release(event).sittings.get()
    live_table = online(event)
    play_game(live_table)
    deal(live_table)
    step(live_table.table)
    results_in.end_table(sitting_id=sitting.pk, by=owner_of(event), now=True)
    assert Result.objects.count() == 1
    assert Game.objects.filter(table=live_table.table_id, over_at__isnull=False).count() == 1
    assert not sitting.live_tables.filter(ended_at=None).exists()


def test_the_secret_of_a_void_game_is_open_and_its_replay_is_not(event, client):
    sitting = release(event).sittings.get()
    game = deal(online(event))
    pages = [reverse(f"tables:{name}", args=[game.table.key, 1]) for name in ("fair", "replay")]
    assert [client.get(page).status_code for page in pages] == [404, 404]
    results_in.end_table(sitting_id=sitting.pk, by=owner_of(event), now=True)
    assert [client.get(page).status_code for page in pages] == [200, 404]
    assert game.secret in client.get(pages[0]).content.decode()
    for look in ("felt", "plain"):
        page = client.get(reverse("tables:table", args=[game.table.key]) + f"?look={look}")
        assert "does not count" in page.content.decode()


def test_the_last_game_call_lets_the_game_be_played_and_deals_no_other():
    event = make_online_night(4, counting="average")
    round_ = release(event)
    live_table = online(event)
    play_game(live_table)
    deal(live_table)
    clock.call_last_game(round_=round_, by=owner_of(event))
    play_game(live_table)
    results_in.sweep()
    assert Result.objects.count() == 2
    assert Table.objects.get(pk=live_table.table_id).status == Table.Status.CLOSED


def test_taking_a_draw_back_closes_its_tables_and_a_played_one_cannot_be_taken_back(event):
    by = owner_of(event)
    round_ = release(event)
    table = online(event).table
    draws.discard_round(round_=round_, by=by, reason="wrong list")
    assert Table.objects.get(pk=table.pk).status == Table.Status.CLOSED
    assert not LiveTable.objects.exists()
    round_ = release(event)
    play_game(online(event))
    with pytest.raises(ValidationError, match="already has results"):
        draws.discard_round(round_=round_, by=by, reason="wrong list")


def test_games_that_ended_with_a_closed_night_come_in_when_it_is_opened_again(event):
    by = owner_of(event)
    release(event)
    live_table = online(event)
    play_game(live_table)
    closing.close_event(event=event, by=by, despite_unfinished=True)
    assert (results_in.sweep(), Table.objects.get(pk=live_table.table_id).status) == (0, "closed")
    closing.reopen_event(event=event, by=by)
    assert results_in.sweep() == 1


def test_again_next_week_is_played_in_the_same_way():
    event = make_online_night(4, abandoned="void")
    twin = events.repeat_event(event=event, by=owner_of(event))
    assert (twin.live_plan.played, twin.live_plan.abandoned) == ("live", "void")
    assert event.live_plan.pk != twin.live_plan.pk


# --- Coming and going -------------------------------------------------------------------------


def test_a_substitute_sits_down_after_the_game_that_is_on(event):
    release(event)
    live_table = online(event)
    play_game(live_table)
    deal(live_table)
    leaver = names(live_table)[1]
    substitute(event, leaver, "Thêm")
    assert names(live_table)[1] == leaver
    play_game(live_table)
    assert names(live_table)[1] == "Thêm"
    play_game(live_table)
    results_in.sweep()
    who = [
        {p.entrant.player.name for p in result.placings.all()}
        for result in Result.objects.order_by("game_no")
    ]
    assert [leaver in w for w in who] == [True, True, False]
    assert ["Thêm" in w for w in who] == [False, False, True]


def test_a_substitute_whose_link_is_opened_during_the_game_plays_the_next_one(client):
    event = make_online_night(rules="killa", stake=5)
    release(event)
    deal(online(event))
    _leaver, late = substitute(event, names(online(event))[1], "Thêm")
    key = online(event).table.key
    link = reverse("tables:claim", args=[key, secret_of(online(event), late)])
    assert client.get(link, follow=True).status_code == 200
    play_game(online(event))
    page = client.get(reverse("tables:table", args=[key]))
    assert page.context["own"].seat.name == "Thêm"


def test_between_games_a_substitute_sits_down_at_once(event):
    release(event)
    live_table = online(event)
    substitute(event, names(live_table)[0], "Thêm")
    assert names(live_table)[0] == "Thêm"
    play_game(live_table)
    assert results_in.sweep() == 1


def test_a_substitute_before_the_first_game_is_waited_for(event):
    release(event)
    table = online(event).table
    here = {seat.no: seat for seat in table.seats.filter(left_at=None)}
    for no in (0, 1, 2):
        arrangements.say_ready(seat_id=here[no].pk)
    substitute(event, here[0].name, "Thêm")
    assert not arrangements.say_ready(seat_id=here[3].pk)
    assert arrangements.say_ready(seat_id=table.seats.get(name="Thêm").pk)


@pytest.mark.parametrize("is_on", [False, True])
def test_whom_a_substitute_replaced_sees_a_delayed_table_late(event, is_on):
    release(event)
    table = online(event).table
    Table.objects.filter(pk=table.pk).update(watch_delay=Table.WatchDelay.GAME)
    if is_on:
        deal(online(event))
    before = tokens.read(tokens.make(Table.objects.get(pk=table.pk)))
    substitute(event, "Chi", "Thêm")
    if is_on:
        play_game(online(event))
    assert before.access < Table.objects.get(pk=table.pk).access_version


def test_a_substitute_chosen_during_a_game_that_is_void_plays_it_with_real_cards(event):
    sitting = release(event).sittings.get()
    deal(online(event))
    _leaver, late = substitute(event, names(online(event))[1], "Thêm")
    results_in.end_table(sitting_id=sitting.pk, by=owner_of(event), now=True)
    assert names_at(sitting)[1] == "Thêm"
    play(sitting)
    assert Result.objects.get().placings.filter(entrant=late).exists()


def test_a_live_table_keeps_its_number_of_chairs(event):
    by = owner_of(event)
    sitting = release(event).sittings.get()
    late = attendance.add_guest(event=event, name="Thêm", by=by)
    for call in (
        lambda: seat_changes.join(sitting_id=sitting.pk, entrant_id=late.pk, by=by),
        lambda: seat_changes.leave(
            sitting_id=sitting.pk, entrant_id=sitting.places.first().entrant_id, by=by
        ),
    ):
        with refuses("live"):
            call()


# --- What is refused --------------------------------------------------------------------------


def test_a_table_is_opened_once_and_not_after_the_last_game():
    event = make_online_night(4, games_per_round=1)
    by = owner_of(event)
    sitting = release(event).sittings.get()
    codes = []
    for _ in range(2):
        with pytest.raises(ValidationError) as refused:
            results_in.open_table(sitting_id=sitting.pk, by=by)
        codes.append(refused.value.code)
        if len(codes) == 1:
            take_game(event)
    assert codes == ["live", "full"]


def test_bots_alone_need_a_number_of_games():
    event = make_online_night(0, counting="average")
    by = owner_of(event)
    for _ in range(4):
        results_in.add_bot(event=event, bot="greedy", by=by)
    draft = draws.draw_round(event=event, by=by)
    with pytest.raises(ValidationError, match="would never stop"):
        draws.release_round(round_=draft, by=by)


def test_a_game_that_cannot_be_taken_is_shown_and_taken_after_all_once_it_can(event):
    sitting = release(event).sittings.get()
    play_game(online(event))
    place = sitting.places.first()
    type(place).objects.filter(pk=place.pk).update(to_game=None, from_game=9)
    with translation.override("vi"):
        assert results_in.sweep() == 0
    with translation.override("en"):
        assert selector.progress(event)[0].problem == (
            "Game 1 was played by people other than those listed. Enter it by hand."
        )
    with translation.override("vi"):
        assert selector.progress(event)[0].problem.startswith("Người đánh ván 1 ")
    type(place).objects.filter(pk=place.pk).update(from_game=1)
    assert results_in.sweep() == 1
    assert selector.progress(event)[0].problem == ""


def test_a_table_ends_whose_last_game_cannot_be_taken_and_goes_on_with_real_cards(event):
    sitting = release(event).sittings.get()
    play_game(online(event))
    place = sitting.places.first()
    type(place).objects.filter(pk=place.pk).update(to_game=None, from_game=9)
    results_in.end_table(sitting_id=sitting.pk, by=owner_of(event))
    assert "Enter it by hand" in LiveTable.objects.get().problem
    assert results_in.sweep() == 0
    type(place).objects.filter(pk=place.pk).update(from_game=1)
    play(sitting)
    assert Result.objects.get().source == "entered"
