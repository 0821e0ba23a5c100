"""A season of every kind of night, in which organisers and scorers change their minds at random."""

from __future__ import annotations

import contextlib
import random
import uuid
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError

from engine.rules import ruleset
from engine.rules.specials import Special
from league.arena.acts import bots
from league.clubs.acts import merges, players
from league.models import (
    Entrant,
    Event,
    LiveTable,
    Player,
    Result,
    Sitting,
    Strength,
    StrengthPoint,
)
from league.nights.acts import attendance, results, seat_changes
from league.nights.facts import sittings
from league.online.acts import results_in
from league.proof.facts import rebuilt_standings, verify
from league.seasons.acts import adjustments, ratings, season_cache, seasons
from league.seasons.domain.standings.tie_breaks import DEFAULT
from league.seasons.facts import honours, standings
from tables.models import Run
from tables.runs import runs
from tests.factories import (
    make_night,
    make_round,
    make_season,
    make_tournament,
    names_at,
    owner_of,
    play,
)
from tests.league.nights.waitlist_helpers import open_floor
from tests.league.online.helpers import make_online_night, online, play_game, release

ROUNDS = ("fixed", "average", "table_ranking")
"""How nights in rounds count."""
FLOORS = ({"kind": "loser_leaves", "tables": 1, "cap": 3}, {"kind": "open", "tables": 2})
KINDS = [form["kind"] for form in FLOORS]


class Chaos:
    """The season with its dice; `act` changes something, `check` compares all with a rebuild."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        scoring = {"best_of": 4, "head_count_bonus": "1/10", "minimum_games": 1}
        self.season = make_season(rules="killa", **scoring)
        self.club = self.season.club
        self.by = owner_of(self.club)
        for counting in ROUNDS:
            night = make_night(8, season=self.season, counting=counting, stake=3)
            for _ in range(2):
                self.play_round(night)
        text = "\n".join(f"Khách {number}" for number in range(30))
        players.add_players(club=self.club, text=text, by=self.by)
        self.acts = [self.correct] * 6 + [self.void] * 2 + [self.adjust, self.revoke]
        self.acts += [self.merge, self.unmerge, self.withdraw, self.weigh, self.recount]

    def with_all_formats(self) -> Chaos:
        """The same with open tables, a live one where a bot plays too, and a bot tournament."""
        for form in FLOORS:
            open_floor(make_night(6, season=self.season, format=form, stake=2))
        night = make_online_night(3, season=self.season, stake=3, games_per_round=200)
        results_in.add_bot(event=night, bot="greedy", by=self.by)
        release(night)
        self.live = online(night)
        tournament = make_tournament(self.season, deals=3, ruleset=ruleset.preset("killa"))
        runs.play_next(tournament.run_id)
        bots.record_run(run=Run.objects.get(pk=tournament.run_id))
        self.acts += [self.play] * 3 + [self.play_live, self.come, self.change_chairs]
        return self

    def play_round(self, night: Event) -> None:
        for sitting in make_round(night).sittings.all():
            for _ in range(2):
                order = names_at(sitting)
                self.dice.shuffle(order)
                play(sitting, order)

    # --- What happens ------------------------------------------------------------------------

    def act(self) -> None:
        # Refusing is right too: the rows shown must follow from what was taken.
        with contextlib.suppress(ValidationError):
            self.dice.choice(self.acts)()

    def one(self, rows: Any) -> Any:
        return self.dice.choice(list(rows.order_by("pk")))

    def correct(self, *, void: bool = False) -> None:
        result = self.one(Result.objects.filter(current=True))
        keys = [p.entrant_id for p in sittings.places_at(result.sitting, result.game_no)]
        self.dice.shuffle(keys)
        results.correct(
            sitting_id=result.sitting_id,
            game_no=result.game_no,
            version=result.version,
            groups=[[key] for key in keys],
            specials=self.specials(keys),
            client_id=uuid.UUID(int=self.dice.getrandbits(128)),
            by=self.by,
            void=void,
        )

    def specials(self, keys: list[int]) -> list[Special]:
        return [Special("chop", keys[0], keys[-1], "2")] if self.dice.random() < 0.3 else []

    def void(self) -> None:
        self.correct(void=True)

    def somebody(self) -> Player:
        found: Player = self.one(self.club.players.filter(merged_into=None))
        return found

    def adjust(self) -> None:
        adjustments.adjust_points(
            season=self.season,
            player=self.somebody(),
            points=Decimal(self.dice.randint(-30, 30)) / 4,
            reason="chance",
            event=self.dice.choice([None, *self.season.events.order_by("pk")]),
            by=self.by,
        )

    def revoke(self) -> None:
        if self.season.adjustments.in_force():
            adjustments.revoke(adjustment=self.one(self.season.adjustments.in_force()), by=self.by)

    def merge(self) -> None:
        merges.merge(alias=self.somebody(), into=self.somebody(), by=self.by)

    def unmerge(self) -> None:
        if aliases := self.club.players.exclude(merged_into=None):
            merges.unmerge(alias=self.one(aliases), by=self.by)

    def withdraw(self) -> None:
        entrant = self.one(Entrant.objects.filter(event__season=self.season))
        attendance.set_presence(
            event=entrant.event,
            player_ids=[entrant.player_id],
            presence=self.dice.choice(["left", "here"]),
            by=self.by,
        )

    def weigh(self) -> None:
        weight = self.dice.choice(["1", "2", "3/2"])
        seasons.set_worth(event=self.one(self.season.events), weight=weight, by=self.by)

    def recount(self) -> None:
        self.season.refresh_from_db()
        table = self.dice.choice(["3-2-1-0", "10-5-minus", "percentage", "winner_takes_all"])
        seasons.change_scoring(
            season=self.season,
            scoring=self.season.scoring
            | {"points_table": table, "drop_worst": self.dice.randint(0, 2)},
            tie_breaks=self.dice.sample(DEFAULT, 6),
            recount_all=True,
            by=self.by,
        )

    def play(self) -> None:
        sitting = self.one(Sitting.objects.filter(round__event__format__kind__in=KINDS))
        number = sittings.next_number(sitting)
        keys = [place.entrant_id for place in sittings.places_at(sitting, number)]
        if len(keys) > 2:
            self.dice.shuffle(keys)
            results.record(
                sitting_id=sitting.pk,
                game_no=number,
                groups=[[key] for key in keys],
                specials=self.specials(keys),
                client_id=uuid.UUID(int=self.dice.getrandbits(128)),
                by=None,
            )

    def play_live(self) -> None:
        if LiveTable.objects.filter(pk=self.live.pk, ended_at=None):
            play_game(self.live)
            results_in.sweep()

    def come(self) -> None:
        night = self.one(self.season.events.filter(format__kind__in=KINDS))
        keys = [self.somebody().pk]
        attendance.set_presence(event=night, player_ids=keys, presence="here", by=self.by)

    def change_chairs(self) -> None:
        """Somebody who is here sits down at an open table, or makes room at one."""
        here = Entrant.objects.filter(event__season=self.season, presence="here")
        entrant = self.one(here.filter(event__kind=Event.Kind.NIGHT))
        sitting = self.one(Sitting.objects.filter(round__event=entrant.event_id))
        change = self.dice.choice([seat_changes.join, seat_changes.leave])
        change(sitting_id=sitting.pk, entrant_id=entrant.pk, by=self.by)

    # --- What must hold ----------------------------------------------------------------------

    def check_rows(self) -> None:
        """The rows that pages read are those of the whole season, and say what a rebuild says."""
        self.season.refresh_from_db()
        full = standings.season_standings(self.season)
        shown = season_cache.standings_of(season=self.season).rows
        assert [(s.player, s.row, s.nights) for s in shown] == [
            (s.player, replace(s.row, nights=()), s.nights) for s in full
        ]
        assert [s.row for s in full] == rebuilt_standings.Rebuilt(self.season).season_rows()
        specials = honours.season_specials(self.season)
        here = {standing.player.pk for standing in full}
        assert set(shown.specials()) == {own for own in specials if own.player in here}
        assert set(shown.honours()) == {
            honour for honour in honours.season_honours(specials, full) if honour.player in here
        }

    def check(self) -> None:
        self.check_rows()
        ratings.rate_behind(seconds=600)
        assert (problems := list(verify.everything())) == [], problems
        for scope in (self.season, None):
            rated = _rated(scope)
            ratings.rebuild_ratings(club=self.club, season=scope)
            assert rated == _rated(scope)


def _rated(season: Any) -> list[Any]:
    strength = ("player", "mu", "sigma", "games")
    points = StrengthPoint.objects.filter(season=season).order_by("event", "player")
    shown = Strength.objects.filter(season=season).order_by("player")
    return [*points.values_list("event", *strength), *shown.values_list(*strength)]
