"""People and bots, a live table, a table with real cards and a bot tournament in one season."""

from collections import Counter
from fractions import Fraction

import pytest

from engine.rules.specials import Special
from league.models import LivePlan, LiveResult, Player, Result, Strength
from league.money.facts import money
from league.online.acts import results_in
from league.proof.facts import verify
from league.seasons.acts import season_cache
from league.tasks import sweep_ratings
from tests.factories import (
    make_season,
    make_tournament,
    names_at,
    owner_of,
    path_of,
    play,
    play_tournament,
)
from tests.league.online.helpers import make_online_night, release, take_game
from tests.worlds import made_once

pytestmark = pytest.mark.django_db
POINTS = (3, 2, 1, 0)
BOT = "greedy (bot)"


@made_once
def season():
    """Two games at each table: the live one has a bot, the other plays with real cards."""
    season = make_season(rules="mien-nam")
    by = owner_of(season)
    night = make_online_night(
        7, season=season, played=LivePlan.Played.MIXED, stake=2, games_per_round=2
    )
    results_in.add_bot(event=night, bot="greedy", by=by)
    here, there = release(night).sittings.all()
    if BOT not in names_at(here):
        here, there = there, here
    results_in.open_table(sitting_id=here.pk, by=by)
    for _ in range(2):
        take_game(night)
    for _ in range(2):
        play(there, specials=chop(there))
    play_tournament(make_tournament(season, "greedy", "random", "random", "random"))
    sweep_ratings()
    return season


def chop(sitting):
    """The first chops a red 2 of the last."""
    first, *_others, last = sitting.places.order_by("seat").values_list("entrant_id", flat=True)
    return [Special("chop", first, last, "R")]


def seen_at_tables(season) -> Counter[str]:
    """Points by name: what was typed in, and what the engine says of the live games."""
    points: Counter[str] = Counter()
    for result in Result.objects.filter(source="live"):
        [game] = [result.live.game]
        for rank, [seat] in enumerate(game.outcome["placings"]):
            points[names_at(result.sitting)[seat]] += POINTS[rank]
    for result in Result.objects.filter(source="entered"):
        points.update(dict(zip(names_at(result.sitting), POINTS, strict=True)))
    return points


def test_points_are_those_of_both_tables_and_not_of_the_tournament(season):
    assert Result.objects.filter(source="live").count() == 2
    rows = {s.player.name: s.row for s in season_cache.standings_of(season=season).rows}
    played = seen_at_tables(season)
    people = {name: row.points for name, row in rows.items() if not name.endswith("(bot)")}
    assert people == {name: Fraction(played[name]) for name in people}
    assert len(people) == 7
    assert rows[BOT].points == played[BOT]
    assert rows[BOT].games == 2
    assert [rows[name].rank for name in people] == sorted(
        row.rank for row in rows.values() if row.rank
    )
    assert rows[BOT].rank is None


def test_money_of_every_table_is_in_one_ledger_that_sums_to_zero(season):
    paid: Counter[int] = Counter()
    for result in LiveResult.objects.all():
        for payment in result.payments:
            paid[payment["from"]] -= payment["amount"]
            paid[payment["to"]] += payment["amount"]
    rows = {s.player.name: s.row for s in season_cache.standings_of(season=season).rows}
    [night] = season.events.filter(kind="night")
    for entrant in night.entrants.filter(pk__in=paid):
        assert rows[entrant.player.name].money == paid[entrant.pk]
    page = money.money_page(money.sums_of_season(season))
    assert (page.total, sum(row.money for row in rows.values())) == (0, 0)
    assert {str(b.account): b.games for b in page.balances} == {
        name: row.money for name, row in rows.items() if row.money
    }


def test_who_sat_with_people_is_rated_with_them_and_bots_among_themselves(season):
    rated = Strength.objects.filter(season=season)
    assert {(r.player.name, r.games) for r in rated} == {
        (s.player.name, 2)
        for s in season_cache.standings_of(season=season).rows
        if not s.player.bot
    }
    state = season.ratingstate
    assert [[(bot["name"], bot["games"]) for bot in pool] for pool in state.bots] in (
        [[("greedy", 4), ("random", 4)]],
        [[("random", 4), ("greedy", 4)]],
    )


def test_what_happened_at_both_tables_is_told_of_the_players(season):
    rows = season_cache.standings_of(season=season).rows
    happened = {own.name: own for own in rows.specials()}
    entered = Result.objects.filter(source="entered").first()
    first, *_others, last = names_at(entered.sitting)
    assert (happened[first].chops, happened[last].chopped) == (2, 2)
    live_chops = sum(
        special["kind"] == "chop"
        for result in Result.objects.filter(source="live")
        for special in result.specials
    )
    assert sum(own.chops for own in happened.values()) == 2 + live_chops


def test_the_pages_of_people_and_bots_open_and_nothing_differs_from_a_rebuild(season, client):
    for player in Player.objects.all():
        path = path_of(season.club, "player", player.pk)
        shown = client.get(path).content.decode()
        assert player.name in shown
        # Who played in the arena alone has no row here: its link led to a page that is not there.
        row = path_of(season, "season_explain", player.pk)
        assert (row in shown) == (player.bot != "random")
        assert client.get(row).status_code == (200 if row in shown else 404)
    for name, shown in (("season", True), ("season_pictures", False), ("season_ratings", False),
                        ("season_money", True)):  # fmt: skip
        path = path_of(season, name)
        client.force_login(owner_of(season))  # Money is for members.
        assert (BOT in client.get(path, {"show": "all"}).content.decode()) == shown
    assert list(verify.everything()) == []
