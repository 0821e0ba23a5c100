"""A whole night with people coming and going: at its end everything is there and adds up."""

import random
import uuid

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction

from league.models import Result
from league.nights.acts import attendance, draws, results, seat_changes
from league.nights.facts import sittings
from tests import factories
from tests.factories import make_night, make_season, owner_of
from tests.league.nights.played import check, some_outcome

GAMES = 2


class PowerCut(Exception):
    """The program stops in the middle of a change, before it was committed."""


class Night:
    """Plays rounds of the Southern money game by a seed's dice."""

    def __init__(self, players: int, seed: int) -> None:
        self.dice = random.Random(seed)
        season = make_season(rules="mien-nam")
        self.event = make_night(players, season=season, stake=1, games_per_round=GAMES)
        self.by = owner_of(season)
        self.guests = 0

    def play_round(self) -> None:
        draft = draws.draw_round(event=self.event, by=self.by)
        released = draws.release_round(round_=draft, by=self.by)
        for sitting in released.sittings.all():
            for game_no in range(1, GAMES + 1):
                self.play_game(sitting, game_no)
                if game_no < GAMES:
                    self.somebody_comes_or_goes(sitting)
        self.correct_some(released)

    def play_game(self, sitting, game_no) -> None:
        """Sends the game, sometimes with the power cut in between, and always twice."""
        groups, specials = self.outcome(sitting, game_no)
        values = {
            "sitting_id": sitting.pk,
            "game_no": game_no,
            "groups": groups,
            "specials": specials,
            "client_id": uuid.UUID(int=self.dice.getrandbits(128), version=4),
            "by": None,
        }
        if self.dice.random() < 0.1:
            with pytest.raises(PowerCut):
                self.record_and_lose_power(values)
        assert results.record(**values) == results.record(**values)

    @transaction.atomic
    def record_and_lose_power(self, values) -> None:
        results.record(**values)
        raise PowerCut

    def outcome(self, sitting, game_no):
        keys = [place.entrant_id for place in sittings.places_at(sitting, game_no)]
        return some_outcome(self.dice, keys)

    def somebody_comes_or_goes(self, sitting) -> None:
        chance = self.dice.random()
        if chance > 0.2:
            return
        leaver = self.dice.choice(sittings.places_at(sitting, GAMES)).entrant_id
        comer = None if chance < 0.05 else self.guest()
        try:
            if chance < 0.12:
                seat_changes.leave(
                    sitting_id=sitting.pk, entrant_id=leaver, substitute_id=comer, by=self.by
                )
            else:
                seat_changes.join(sitting_id=sitting.pk, entrant_id=comer, by=self.by)
        except ValidationError as refused:
            if refused.code not in ("too_few", "too_many"):
                raise

    def guest(self) -> int:
        self.guests += 1
        return attendance.add_guest(event=self.event, name=f"Guest {self.guests}", by=self.by).pk

    def correct_some(self, round_) -> None:
        for result in Result.objects.filter(sitting__round=round_, current=True):
            if self.dice.random() < 0.1:
                groups, specials = self.outcome(result.sitting, result.game_no)
                results.correct(
                    sitting_id=result.sitting_id,
                    game_no=result.game_no,
                    version=result.version,
                    groups=groups,
                    specials=specials,
                    client_id=uuid.UUID(int=self.dice.getrandbits(128), version=4),
                    by=self.by,
                    void=self.dice.random() < 0.1,
                )


@pytest.mark.django_db
def test_nine_players_over_three_rounds():
    night = Night(9, seed=3)
    for _ in range(3):
        night.play_round()
    check(night.event, games=GAMES)
    assert night.guests > 0


@pytest.mark.long
@pytest.mark.django_db
def test_ninety_seven_players_over_six_rounds(monkeypatch):
    monkeypatch.setattr(factories, "NAMES", [f"Player {number:02}" for number in range(97)])
    night = Night(97, seed=1)
    for _ in range(6):
        night.play_round()
    check(night.event, games=GAMES)
    assert Result.objects.filter(current=True).count() == GAMES * sum(
        round_.sittings.count() for round_ in night.event.rounds.all()
    )
