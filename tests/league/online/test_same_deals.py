"""Rounds whose tables all play the same deals: cards, parts, and when they are told."""

import hashlib
import secrets
from collections import Counter

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.records import deals
from league.clubs.acts import players
from league.models import LiveTable, Result
from league.nights.acts import attendance, closing, draws
from league.nights.acts.same_deals import deals_of
from league.nights.facts import same_deals, sittings
from league.nights.facts.final_places import event_places
from league.online.acts import results_in
from league.proof.facts import verify
from league.seasons.domain.same_deals import played_hands
from league.seasons.facts.same_deals import held_in
from tables.models import SharedDeals, Table
from tables.play.acts import games, mixing
from tables.play.facts import archive, positions, watched
from tests.factories import browser_of, make_season, owner_of, path_of, play
from tests.league.online.helpers import make_online_night, play_game, release
from tests.refusals import refuses
from tests.scripts import MARK
from tests.tables import live
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


def same_night(players=8, **details):
    format = {
        name: details.pop(name) for name in ("kind", "bot", "table_size") if name in details
    } | {"same_deals": True}
    details = {"games_per_round": 2, "rounds_planned": 2, "format": format} | details
    return make_online_night(players, **details)


def tables_of(event):
    found = LiveTable.objects.filter(sitting__round__event=event, ended_at=None)
    return list(found.select_related("table", "sitting__round").order_by("sitting__table_no"))


class Chained:
    """The phones of a table: each has a chain of two values, the link last."""

    def __init__(self, table):
        self.table = table
        self.seats = list(table.seats.filter(left_at=None, bot="").order_by("no"))
        self.parts = [secrets.token_hex(32) for _seat in self.seats]
        self.links = [hashlib.sha256(bytes.fromhex(part)).hexdigest() for part in self.parts]

    def say(self):
        pairs = zip(self.seats, self.links, strict=True)
        return [mixing.mix(table_id=self.table.pk, seat_id=s.pk, link=link) for s, link in pairs]

    def give(self):
        pairs = zip(self.seats, self.parts, strict=True)
        return [
            mixing.mix(table_id=self.table.pk, seat_id=s.pk, game_no=1, part=part)
            for s, part in pairs
        ]


def everyone_gives(event):
    phones = [Chained(one.table) for one in tables_of(event)]
    for phone in phones:
        phone.say()
    for phone in phones:
        phone.give()
    return phones


@made_once
def event():
    event = same_night()
    release(event)
    everyone_gives(event)
    return event


def hands_of(table, number):
    return table.games.get(no=number).dealt


# --- The deals --------------------------------------------------------------------------------


def test_all_tables_get_the_same_hands_which_turn_among_the_seats(event):
    one, two = tables_of(event)
    for number in (1, 2):
        play_game(one), play_game(two)
        assert hands_of(one.table, number) == hands_of(two.table, number)
    results_in.sweep()
    assert SharedDeals.objects.get(night__event=event).told == 2


def shared_record(table, number):
    game = table.games.get(no=number)
    game.table = Table.objects.get(pk=table.pk)
    return archive.record(game)


def test_the_deal_waits_for_the_parts_of_the_other_table():
    event = same_night()
    release(event)
    one, two = tables_of(event)
    first, second = Chained(one.table), Chained(two.table)
    assert all(told.links is None for told in first.say())
    games.deal_next(table_id=one.table_id)
    assert Table.objects.get(pk=one.table_id).status == Table.Status.WAITING
    assert second.say()[-1].links == first.links + second.links
    told = first.give()[0]
    assert told.part == first.parts[0]
    later = tables_of(event)[0].table.arrangement.shared
    assert told.following == {2: deals.fingerprint(deals.shared_secret(later.secret, 2))}
    games.deal_next(table_id=one.table_id)
    assert Table.objects.get(pk=one.table_id).status == Table.Status.WAITING
    second.give()
    games.deal_next(table_id=one.table_id)
    assert Table.objects.get(pk=one.table_id).status == Table.Status.PLAYING


def test_after_three_minutes_a_deal_waits_no_longer_and_later_parts_are_not_taken():
    event = same_night()
    release(event)
    one, two = tables_of(event)
    first, second = Chained(one.table), Chained(two.table)
    first.say()
    long_ago = timezone.now() - mixing.WAIT
    Table.objects.filter(pk__in=[one.table_id, two.table_id]).update(opened_at=long_ago)
    assert first.say()[0].links == first.links
    first.give()
    games.deal_next(table_id=one.table_id)
    second.say()
    assert [told.part for told in second.give()] == [""] * 4
    games.deal_next(table_id=two.table_id)
    assert hands_of(one.table, 1) == hands_of(two.table, 1)
    assert len(one.table.games.get(no=1).parts) == 4


def test_what_was_published_of_the_deals_stays(event):
    shared = SharedDeals.objects.get(night__event=event)
    play_game(tables_of(event)[0])
    SharedDeals.objects.filter(pk=shared.pk).update(told=1)
    for change in ({"secret": "00" * 32}, {"links": []}, {"parts": []}, {"told": 0}):
        with pytest.raises(DatabaseError), transaction.atomic():
            SharedDeals.objects.filter(pk=shared.pk).update(**change)


def test_no_game_inherits_anything_from_the_one_before(event):
    one, two = tables_of(event)
    for _number in (1, 2):
        play_game(one), play_game(two)
    assert one.table.games.get(no=2).previous is None
    assert shared_record(one.table, 2)["deal"]["standalone"] is True


def test_a_round_withdrawn_after_its_first_cards_gets_other_deals(event):
    games.deal_next(table_id=tables_of(event)[0].table_id)
    before = SharedDeals.objects.get(night__event=event)
    draws.discard_round(round_=event.rounds.get(), by=owner_of(event), reason="?")
    release(event)
    assert SharedDeals.objects.get(night__event=event) != before


def test_a_bot_in_the_fourth_chair_moves_alike_at_all_tables():
    event = same_night(6, bot="greedy")
    release(event)
    bots = [one.table.seats.filter(bot="greedy").count() for one in tables_of(event)]
    assert bots == [1, 1]


def test_who_is_too_many_sits_out_and_nobody_plays_at_three():
    round_ = release(same_night(7))
    assert round_.byes.count() == 3
    assert [len(s.seated) for s in round_.sittings.all()] == [4]


def test_all_tables_play_online_or_none():
    event = same_night(8, played="mixed")
    sitting = release(event).sittings.first()
    with refuses("same_deals"):
        results_in.open_table(sitting_id=sitting.pk, by=owner_of(event))


# --- Nothing is told before the last table -----------------------------------------------------


def seen_by(client, event, table):
    """What a stranger, or a player by the seat's secret, reads of a table's first game."""
    forms = {}
    for name in ("replay", "record", "fair"):
        forms[name] = client.get(reverse(f"tables:{name}", args=[table.key, 1])).status_code
    for name in ("table", "view"):
        forms[name] = client.get(reverse(f"tables:{name}", args=[table.key]), headers=MARK).text
    return forms


def test_nothing_is_told_of_a_deal_that_another_table_still_plays(event):
    quick, slow = tables_of(event)
    play_game(quick)
    games.deal_next(table_id=slow.table_id)
    results_in.sweep()
    assert not Result.objects.exists()  # Neither places nor specials, anywhere in the league.
    dealt = quick.table.games.get(no=1).dealt
    table = Table.objects.get(pk=quick.table_id)
    for client, replay in ((Client(), 404), (live.browser_of(table, 0), 200)):
        seen = seen_by(client, event, table)
        assert (seen["replay"], seen["record"], seen["fair"]) == (replay, 404, 404)
    says_why = client.get(reverse("tables:replay", args=[table.key, 1])).content.decode()
    assert "card-index" not in says_why
    assert says_why.count("data-card") == 0
    stranger = seen_by(Client(), event, table)
    assert "card-index" not in stranger["view"]
    assert stranger["view"].count("data-card") == 0
    position = watched.as_seen(positions.rows().get(pk=table.pk), None)
    assert position.game is None
    assert position.last is None
    running = watched.as_seen(positions.rows().get(pk=slow.table_id), None)
    assert running.replayed is None
    owner = browser_of(owner_of(event))
    for name in ("event", "wall", "deals"):
        page = owner.get(path_of(event, name)).content.decode()
        # Two cards with the space between: a token drawn at random may well hold one of them.
        assert not any(hand[:5] in page for hand in dealt)
        assert "card-index" not in page
        assert "data-card" not in page
    at = path_of(event, "deal", 1, 1)
    assert "card-index" not in owner.get(at).content.decode()
    live.play_quickly(slow.table)
    results_in.sweep()
    assert Result.objects.count() == 2
    for client in (Client(), live.browser_of(table, 0)):
        seen = seen_by(client, event, table)
        assert (seen["replay"], seen["record"], seen["fair"]) == (200, 200, 200)
    assert "card-index" in owner.get(at).content.decode()


def test_a_table_that_is_ahead_stays_open_until_its_games_are_recorded(event):
    quick, slow = tables_of(event)
    play_game(quick), play_game(quick)
    results_in.sweep()
    assert Table.objects.get(pk=quick.table_id).status == Table.Status.CLOSED
    assert not Result.objects.exists()
    play_game(slow)
    results_in.take_games(table_id=slow.table_id)
    assert Result.objects.filter(game_no=1).count() == 2
    play_game(slow)
    results_in.take_games(table_id=slow.table_id)
    assert Result.objects.filter(game_no=2).count() == 2
    assert not LiveTable.objects.filter(ended_at=None).exists()


def test_a_table_ended_early_holds_up_nobody_and_is_compared_only_in_what_it_played():
    event = same_night(12, games_per_round=3, rounds_planned=1)
    release(event)
    everyone_gives(event)
    first, *others = tables_of(event)
    by = owner_of(event)
    play_game(first), play_game(first)
    games.deal_next(table_id=first.table_id)
    results_in.end_table(sitting_id=first.sitting_id, by=by, now=True)
    assert not Result.objects.exists()  # Two other tables still play its deals.
    for number in (1, 2, 3):
        for one in others:
            play_game(one)
        results_in.sweep()
        tables = 3 if number < 3 else 2
        assert Result.objects.filter(game_no=number).count() == tables
        assert same_deals.told(event.rounds.get()) == number
    assert tables_of(event) == []
    held = held_in([event])[event.pk]
    assert Counter(one.deal[1] for one in held) == {1: 12, 2: 12, 3: 8}
    assert sum(one.share for one in played_hands(held)) * 2 == len(held)
    assert list(verify.everything(event.season.club)) == []
    with refuses("told"):
        results_in.open_table(sitting_id=first.sitting_id, by=by)


def test_what_nobody_has_played_can_still_be_dealt_after_all_tables_were_ended(event):
    by = owner_of(event)
    for one in tables_of(event):
        play_game(one)
    for one in tables_of(event):
        results_in.end_table(sitting_id=one.sitting_id, by=by)
    assert SharedDeals.objects.get(night__event=event).told == 1
    for sitting in event.rounds.get().sittings.all():
        results_in.open_table(sitting_id=sitting.pk, by=by)
    for one in tables_of(event):
        assert play_game(one).deal_no == 2
    results_in.sweep()
    assert Result.objects.filter(game_no=2).count() == 2


def test_latecomers_and_leavers_count_by_their_own_deals():
    """Eight play the first round; one leaves and two come: in the second, one of nine rests."""
    event = same_night(8, games_per_round=2, rounds_planned=2)
    club, by = event.season.club, owner_of(event)

    def play_round():
        round_ = release(event)
        everyone_gives(event)
        for one in tables_of(event):
            play_game(one), play_game(one)
        results_in.sweep()
        return round_

    play_round()
    gone = event.entrants.order_by("pk")[0]
    attendance.set_presence(event=event, player_ids=[gone.player_id], presence="left", by=by)
    new = [players.add_player(club=club, name=name, by=by) for name in ("Late", "Later")]
    attendance.set_presence(
        event=event, player_ids=[player.pk for player in new], presence="here", by=by
    )
    assert play_round().byes.count() == 1
    deals_of_each = Counter(one.entrant for one in held_in([event])[event.pk])
    assert deals_of_each[gone.player_id] == 2
    assert sum(deals_of_each.values()) == 32
    places = event_places(event)
    assert {gone.player_id} <= {place.player.pk for place in places}
    weighted = sum(place.row.points * deals_of_each[place.player.pk] for place in places)
    assert weighted == 50 * 32
    assert list(verify.everything(club)) == []


def test_a_bot_fills_up_and_plays_what_it_played_at_the_other_table():
    """The bot of two tables of three has the same hand in the same seat, and no points."""
    event = same_night(6, bot="greedy", games_per_round=2, rounds_planned=1)
    release(event)
    everyone_gives(event)
    chairs = {one.table.seats.get(bot="greedy").no for one in tables_of(event)}
    for one in tables_of(event):
        play_game(one), play_game(one)
    results_in.sweep()
    assert len(event_places(event)) == 6
    assert len(chairs) == 1


def test_closing_the_night_records_and_tells_everything(event):
    quick, _slow = tables_of(event)
    play_game(quick)
    closing.close_event(event=event, by=owner_of(event), despite_unfinished=True)
    assert Result.objects.count() == 1
    told = Client().get(reverse("tables:replay", args=[quick.table.key, 1]))
    assert told.status_code == 200


# --- What it counts ----------------------------------------------------------------------------


def test_the_night_counts_who_was_beaten_with_the_same_hand(event):
    for one in tables_of(event):
        for _game in range(2):
            play_game(one)
    results_in.sweep()
    places = event_places(event)
    assert sum(place.row.points for place in places) == 50 * len(places)
    assert [place.row.rank for place in places] == sorted(place.row.rank for place in places)
    assert list(verify.same_hands(event.season)) == []
    assert list(verify.page_rows(event.season)) == []
    assert event.rules_of_scoring.gives == "places"


def test_the_night_in_the_season_gives_points_for_its_places():
    season = make_season()
    event = same_night(season=season)
    release(event)
    everyone_gives(event)
    for one in tables_of(event):
        for _game in range(2):
            play_game(one)
    results_in.sweep()
    closing.close_event(event=event, by=owner_of(season), despite_unfinished=True)
    best = event_places(event)[0]
    assert event.entrants.get(player=best.player).place == 1


def test_a_night_needs_a_fixed_number_of_games_at_tables_of_four():
    for wrong in ({"counting": "average"}, {"table_size": 5}, {"kind": "knockout"}):
        with pytest.raises(ValidationError):
            same_night(4, **wrong)


# --- With real cards ---------------------------------------------------------------------------


def test_at_a_real_table_each_game_is_the_deal_of_its_number_and_stands_alone():
    event = same_night(8, played="")
    first, second = release(event).sittings.all()
    for sitting in (first, second):
        for number in (1, 2):
            play(sitting, game_no=number)
    following = sittings.facts_of(first, event).next
    assert (following.leader, following.owed, following.cuts) == (None, (), False)
    # The winner of a game is first with a hand that the other table's winner held too: a draw.
    assert {place.row.points for place in event_places(event)} == {50}
    owner = browser_of(owner_of(event))
    at = path_of(event, "deal", 1, 1)
    page = owner.get(at).content.decode()
    assert page.count("50%") == 4
    assert "card-index" not in page  # Nobody has had cards made for it.
    hands = same_deals.hands(event, 1, 1)
    assert hands == []
    deals_of(event=event, round_no=1)
    hands = [set(hand.split()) for hand in same_deals.hands(event, 1, 1)]
    assert len(set.union(*hands)) == 52
    assert owner.get(at).content.decode().count("card-index") == 52
