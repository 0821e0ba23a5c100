"""The luck of a season's online nights, below its standings and in a night's recap."""

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from league.models import Placing, Season
from league.online.acts import results_in
from league.seasons.domain.scoring import Scoring
from league.seasons.facts.luck import hands_of
from tables.chairs.acts import shared_deals
from tables.models import Arrangement, Game, Review, SharedDeals
from tests.factories import browser_of, owner_of
from tests.league.online.helpers import make_online_night, online, play_game, release

pytestmark = pytest.mark.django_db(transaction=True)


def reviewed(game: Game, worths: list[float]) -> None:
    """The judge's review of a game, with nothing but these chances of the hands dealt."""
    body = {"judge": "test", "values": [worths], "decisions": [], "terms": [], "model_error": 0.3}
    made = {"state": "made", "made_at": timezone.now(), "body": body}
    Review.objects.update_or_create(game=game, defaults={"judge": "test", "version": 1} | made)


@pytest.fixture
def night():
    """An online night of four with two games, both reviewed; the first chair had all the luck."""
    event = make_online_night(4)
    release(event)
    for _ in range(2):
        reviewed(play_game(online(event)), [2.5, 1.5, 1.0, 1.0])
    results_in.sweep(event=event)
    return event


def page_of(night, name: str, *args: object) -> str:
    cache.clear()
    browser = browser_of(owner_of(night))
    return browser.get(reverse(name, args=[night.season.club.slug, *args])).content.decode()


def test_hands_have_the_chairs_worths(night):
    hands = hands_of({night.pk: night.rules_of_scoring})
    first = {one.result_id: one for one in Placing.objects.order_by("-seat")}
    assert len(hands) == 8
    for hand in hands:
        lucky = first[hand.game].entrant.player_id == hand.player
        assert hand.worth == pytest.approx(2.5 / 3) if lucky else hand.worth <= 0.5
    assert {hand.spread for hand in hands} == {3.0}


def test_luck_is_shown_only_where_the_organiser_wants_it(night):
    season = night.season
    assert 'id="luck"' not in page_of(night, "league:season", season.pk)
    assert "Luckiest hand" not in page_of(night, "league:recap", night.pk)
    shown = Scoring.from_json(season.scoring | {"luck": True})
    Season.objects.filter(pk=season.pk).update(scoring=shown.to_json())
    text = page_of(night, "league:season", season.pk)
    # Two games by the factor 0.6 or nearly: once +1.2, three times less.
    assert 'id="luck"' in text
    assert text.count('class="num up"') == 1
    assert "worth 2.5 of 3 opponents" in page_of(night, "league:recap", night.pk)


def test_hands_that_others_still_play_are_told_nowhere(night):
    """The worth of a hand says something of those of the same deal at other tables."""
    Arrangement.objects.update(shared=shared_deals.make())
    assert hands_of({night.pk: night.rules_of_scoring}) == []
    SharedDeals.objects.update(told=1)
    assert len(hands_of({night.pk: night.rules_of_scoring})) == 4
