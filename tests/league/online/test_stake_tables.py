"""Tables for a stake: who sits down, what is posted, once, and where it is seen."""

from collections import Counter

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone, translation

from engine.rules import ruleset
from league import tasks
from league.clubs.acts import clubs, merges, players
from league.exchange.acts import archives
from league.models import ClubSeat, ClubTable, MoneyTally, Player, Posting, Season, Transfer
from league.money.acts import postings
from league.money.facts import money
from league.online.acts import stake_tables
from league.proof.facts import verify
from league.seasons.acts import seasons
from tables.chairs.acts import seats
from tables.models import Game, Seat, Table
from tables.play.facts import positions
from tables.refusals import TableRefusal
from tests.factories import make_club, make_member, make_season, make_user, owner_of, path_of
from tests.league.online.helpers import make_online_night, release
from tests.league.online.stake_tables import (
    chop_a_two,
    make_members,
    open_table,
    play_game,
    table_of_four,
)
from tests.refusals import refuses
from tests.tables import live as tables

pytestmark = pytest.mark.django_db


@pytest.fixture
def live(db: None):
    return table_of_four()[0]


@pytest.fixture
def people(live):
    return list(live.season.club.players.order_by("pk"))


def test_members_keep_the_animal_that_they_chose(live, people):
    people[0].animal = people[3].animal = "goat"
    Player.objects.bulk_update(people, ["animal"])
    shown = positions.of(live.table).faces
    assert [shown[one.name] for one in people] == [one.face for one in people]


@pytest.fixture
def opened(db: None):
    """A table at which only the first of four players sits."""
    return table_of_four(sit=False)


def moved(live: ClubTable) -> Counter[tuple[str, str, int, str]]:
    """What the postings of the table's games moved, by the names in the ledger."""
    found = Transfer.objects.filter(posting__game__table=live.table_id)
    return Counter(
        (t.payer.player.name, t.payee.player.name, t.amount, t.reason)
        for t in found.select_related("payer__player", "payee__player")
    )


def paid(game: Game) -> Counter[tuple[str, str, int, str]]:
    """What the engine paid in the game, by the names at the table."""
    names = [Seat.objects.get(pk=holder).name for holder in game.holders]
    return Counter(
        (names[p["from"]], names[p["to"]], p["amount"], p["reason"])
        for p in game.outcome["payments"]
        if p["amount"]
    )


def test_who_sat_down_for_a_stake_plays_for_it_though_the_club_counts_in_another_unit(live):
    club = live.season.club
    tables.deal(live.table)
    clubs.count_in(club=club, unit="¤USD", by=owner_of(club))
    play_game(live)
    assert stake_tables.sweep() == 1
    season = Season.objects.get(pk=live.season_id)
    assert season.unit == live.table.arrangement.unit == "kẹo"


def test_an_online_table_of_a_night_pays_in_the_unit_that_it_shows():
    event = make_online_night(rules="killa", stake=5)
    release(event)
    club = event.season.club
    clubs.count_in(club=club, unit="điểm", by=owner_of(club))
    assert Season.objects.get(pk=event.season_id).unit == "kẹo"


# --- Opening and sitting down -----------------------------------------------------------------


def test_a_player_opens_a_table_and_sits_under_the_name_of_the_ledger():
    people = make_members(make_season().club, 2)
    live = open_table(people, sit=False)
    terms = live.table.arrangement
    assert (terms.stake, terms.unit, terms.home_name, terms.games) == (5, "kẹo", "Hội Bạn", None)
    assert terms.home == path_of(people[0].club, "club_table", live.table.key)
    assert list(live.table.seats.values_list("name", flat=True)) == [people[0].name]
    assert ClubSeat.objects.get().player == people[0]


def test_who_is_no_player_of_the_club_neither_opens_nor_sits_down(opened):
    live, people = opened
    club = people[0].club
    for user in (make_user(), make_member(club, "organiser"), make_members(make_club(), 1)[0].user):
        with refuses("player"):
            stake_tables.open_table(
                season=club.seasons.get(), by=user, ruleset=ruleset.preset("killa"),
                players=4, stake=5, move_seconds=40,
            )  # fmt: skip
        with pytest.raises(TableRefusal, match="members_only"):
            seats.sit(table_id=live.table_id, no=1, name="An", user=user)
    with pytest.raises(TableRefusal, match="sign_in"):
        seats.sit(table_id=live.table_id, no=1, name="An")
    assert Table.objects.count() == 1


def test_rules_by_which_nothing_is_paid_have_no_stake():
    people, before = make_members(make_season().club, 4), Table.objects.count()
    with pytest.raises(ValidationError) as refused:
        open_table(people, rules="tien-len")
    assert refused.value.error_dict["ruleset"][0].code == "rules"
    assert Table.objects.count() == before


def test_a_closed_season_takes_no_stakes_and_one_with_open_tables_stays_open(opened):
    live, people = opened
    by = owner_of(people[0])
    with pytest.raises(ValidationError, match="End them first"):
        seasons.set_status(season=live.season, status="closed", by=by)
    stake_tables.end_table(live=live, by=by)
    seasons.set_status(season=live.season, status="closed", by=by)
    with refuses("closed"):
        open_table(people)


# --- What comes into the ledger ---------------------------------------------------------------


def test_every_finished_game_is_posted_as_the_engine_paid_it(live):
    wanted = Counter()
    for _ in range(3):
        wanted += paid(play_game(live))
    assert wanted
    assert stake_tables.sweep() == 3
    assert moved(live) == wanted
    assert list(verify.everything(live.season.club)) == []


def test_a_game_is_posted_once_however_often_the_news_comes(live):
    play_game(live)
    came = [stake_tables.take_games(table_id=live.table_id) for _ in range(3)]
    assert (came, stake_tables.sweep(), Posting.objects.count()) == ([1, 0, 0], 0, 1)


def test_news_and_the_sweep_bring_the_games(live):
    play_game(live)
    tasks.take_games(live.table_id)
    assert Posting.objects.count() == 1
    play_game(live)
    tasks.sweep_live()
    assert Posting.objects.count() == 2


def test_a_void_game_costs_nothing_and_the_table_ends(live, people):
    play_game(live)
    tables.deal(live.table)
    stake_tables.end_table(live=live, by=owner_of(people[0]), now=True)
    live.refresh_from_db()
    assert live.ended_at is not None
    assert Posting.objects.count() == 1
    assert list(verify.everything(live.season.club)) == []


def test_an_end_after_the_game_lets_it_count(live, people):
    tables.deal(live.table)
    stake_tables.end_table(live=live, by=owner_of(people[0]))
    play_game(live)
    assert stake_tables.sweep() == 1
    live.refresh_from_db()
    assert (live.ended_at is not None, Posting.objects.count()) == (True, 1)


def test_whoever_has_left_the_game_pays_for_it_all_the_same(live):
    tables.deal(live.table)
    for seat in live.table.seats.filter(left_at=None):
        seats.leave(seat_id=seat.pk)
    live.table.refresh_from_db()
    assert live.table.status == Table.Status.PLAYING
    game = play_game(live)
    assert stake_tables.sweep() == 1
    assert moved(live) == paid(game)
    assert Table.objects.get(pk=live.table_id).status == Table.Status.CLOSED


def test_the_money_is_the_players_who_sat_down_whoever_has_the_account_then(live, people):
    club, by = people[0].club, owner_of(people[0])
    tables.deal(live.table)
    user = people[1].user
    players.unlink_account(player=people[1], by=by)
    seat = live.table.seats.get(user=user)
    assert (seat.leaving, seat.left_at) == (True, None), "The game that is on is still theirs."
    other = players.add_player(club=club, name="Zung", by=by)
    players.take_player(player=other, user=user)
    game = play_game(live)
    stake_tables.sweep()
    assert moved(live) == paid(game)
    assert not Transfer.objects.filter(payer__player=other).exists()
    assert not live.table.seats.filter(user=user, left_at=None).exists()


def test_a_closed_season_waits_with_the_games_until_it_is_opened_again(live):
    play_game(live)
    Season.objects.update(status="closed")
    assert stake_tables.take_games(table_id=live.table_id) == 0
    Season.objects.update(status="open")
    assert stake_tables.sweep() == 1


def test_the_ledger_shows_them_as_games_between_two_and_with_reasons(live):
    chop_a_two(live)
    play_game(live)
    assert stake_tables.sweep() == 2
    season = live.season
    by_name = {b.account.player.name: b for b in money.money_page(money.of_season(season)).balances}
    net: Counter[str] = Counter()
    for (payer, payee, amount, _reason), times in moved(live).items():
        net[payer] -= amount * times
        net[payee] += amount * times
    assert {name: b.games for name, b in by_name.items() if b.games} == {
        name: amount for name, amount in net.items() if amount
    }
    assert {b.other for b in by_name.values()} == {0}
    kept = money.money_page(money.sums_of_season(season)).balances
    sums = {b.account.player.name: b.games for b in kept}
    assert sums == {name: b.games for name, b in by_name.items()}
    chop = Transfer.objects.get(reason="chop")
    rows = money.between(season, [chop.payer.player_id], [chop.payee.player_id])
    assert chop.pk in [row.transfer.pk for row in rows]
    assert sum(row.amount for row in rows) == rows[-1].total
    with translation.override("en"):
        [listed] = money.listed(Transfer.objects.filter(pk=chop.pk))
        assert listed.words == "chopped with a red 2 on the table"
    assert MoneyTally.objects.filter(event=None).exists()


def test_a_game_taken_back_leaves_nothing_and_is_not_posted_again(live, people):
    play_game(live)
    stake_tables.sweep()
    posting, by = Posting.objects.get(), owner_of(people[0])
    key = "6e9f0f8e-1f53-4b52-8f0c-0c5b0a1c2d3e"
    mirror = postings.reverse(posting=posting, by=by, client_id=key)
    reasons = [t.reason for t in posting.transfers.order_by("pk")]
    assert [t.reason for t in mirror.transfers.order_by("pk")] == reasons
    assert all(b.amount == 0 for b in money.money_page(money.of_season(live.season)).balances)
    assert all(b.games == 0 for b in money.money_page(money.sums_of_season(live.season)).balances)
    assert stake_tables.sweep() == 0
    assert list(verify.everything(live.season.club)) == []


def test_what_was_changed_in_the_ledger_behind_its_back_is_named(live):
    game = play_game(live)
    stake_tables.sweep()
    game.outcome["payments"][0]["amount"] += 1
    Game.objects.filter(pk=game.pk).update(outcome=game.outcome)
    [problem] = list(verify.paid_at_tables(live.season))
    assert "instead of" in problem


def test_who_played_for_money_together_are_two_people(live, people):
    by = owner_of(live)
    play_game(live)
    stake_tables.sweep()
    players.unlink_account(player=people[0], by=by)
    with refuses("met"):
        merges.merge(alias=people[0], into=people[1], by=by)


def test_merged_names_are_one_balance(live, people):
    play_game(live)
    stake_tables.sweep()
    by, club = owner_of(people[0]), people[0].club
    players.unlink_account(player=people[3], by=by)
    into = players.add_player(club=club, name="Zung", by=by)
    merges.merge(alias=people[3], into=into, by=by)
    names = {str(b.account.player) for b in money.money_page(money.of_season(live.season)).balances}
    assert "Zung" in names
    assert people[3].name not in names
    assert list(verify.everything(club)) == []


def test_an_anonymous_player_has_no_name_at_the_table_either(live, people):
    play_game(live)
    stake_tables.sweep()
    players.anonymise_player(player=people[2], by=owner_of(people[2]))
    assert not Seat.objects.filter(name=people[2].name).exists()
    assert list(verify.everything(live.season.club)) == []


def test_the_games_go_out_with_the_club_and_come_in_elsewhere(live, people):
    chop_a_two(live)
    stake_tables.sweep()
    by = owner_of(people[0])
    copy = archives.read_archive(
        data=archives.write_archive(club=people[0].club, by=by), by=make_user()
    )
    season = copy.seasons.get()
    both = [
        {str(b.account): b.games for b in money.money_page(money.of_season(one)).balances}
        for one in (live.season, season)
    ]
    assert both[0] == both[1] != {}
    assert list(season.postings.values_list("kind", "game")) == [("game", None)]
    with translation.override("en"):
        [told] = money.listed(Transfer.objects.filter(payee__club=copy, reason="chop"))
    assert told.words == "chopped with a red 2 on the table"


def test_a_table_that_nobody_comes_to_closes_and_ends(opened):
    live, _people = opened
    Table.objects.update(due_at=timezone.now())
    tables.hurry(live.table)
    assert stake_tables.sweep() == 0
    live.refresh_from_db()
    assert live.ended_at is not None
