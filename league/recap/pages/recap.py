"""The recap of a night: podium, honours, chops, payments and the next night."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from league.base.facts.next_nights import coming_nights
from league.base.lookup import seasons_to_see
from league.models import Event, Player
from league.money.facts import open_debts
from league.money.facts.money import OwedPayment
from league.nights.facts.final_places import Placed, event_places, podium
from league.nights.pages.night_specials import ChopSentence, chop_of, specials_of
from league.nights.pages.wall_round import titles_of
from league.recap.pages.story import Story, story_of
from league.seasons.facts.honours import Honour
from league.seasons.facts.standings import event_standings
from league.seasons.pages.luck import LuckyHand, luckiest_hand


@dataclass(frozen=True)
class Recap:
    """The recap of a night; `chops` are the most frequent pairs of who chopped whom.

    `chop` is the last one, and `people` are the night's players by key, for their faces.
    """

    story: Story
    podium: list[Placed]
    honours: list[list[Honour]]
    chops: list[tuple[str, str, int]]
    chop: ChopSentence | None
    lucky: LuckyHand | None
    people: dict[int, Player]
    payments: Sequence[OwedPayment]
    next_night: Event | None
    has_games: bool


def recap_page(event: Event, *, with_money: bool, own: Sequence[int] = ()) -> Recap:
    """Return a night's recap; payments are included only if `with_money`.

    `own` are the keys of the visitor's players.
    """
    standings = event_standings(event)
    places = [place for place in event_places(event, standings) if place.row.games]
    specials, chops = specials_of([event])
    people = {place.player.pk: place.player for place in places}
    club = event.season.club
    coming = coming_nights(club).filter(season__in=seasons_to_see(club))
    return Recap(
        story=story_of(event, places, own=own) if places else Story("", "", None),
        podium=podium(places),
        honours=titles_of(event, standings, specials),
        chops=chops,
        chop=chop_of(event),
        lucky=luckiest_hand(event, people),
        people=people,
        payments=open_debts.of_night(event) if with_money and event.has_money else [],
        next_night=coming.exclude(pk=event.pk).first(),
        has_games=bool(places),
    )
