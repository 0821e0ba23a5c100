"""A person's luck and skill in reviewed online games: sums that anybody can recompute."""

import datetime
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from league.me.pages.insights import insights_page
from tables.models import Game, Review, Seat
from tests.factories import browser_of, make_user
from tests.tables import live
from tests.tables.reviewed import HANDS, judged

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> Any:
    return make_user()


def reviewed(user: Any, turned: int) -> Game:
    """A reviewed game in whose first seat the account sat; `turned` deals the hands on."""
    table = live.dealt("tien-len", people=4, hands=[*HANDS[turned:], *HANDS[:turned]])
    Seat.objects.filter(table=table, no=0).update(token_hash="", user=user)
    game = live.play_quickly(table)
    made = {"state": "made", "made_at": timezone.now(), "body": judged(game)}
    Review.objects.create(game=game, judge="nets", version=1, **made)
    return game


def decisions(user: Any) -> list[dict[str, Any]]:
    return [
        one
        for review in Review.objects.all()
        for one in (review.body or {})["decisions"]
        if one["seat"] == 0
    ]


def page_of(user: Any) -> str:
    return browser_of(user).get(reverse("my_insights")).content.decode()


def test_until_30_decisions_it_says_how_many_are_lacking(user):
    assert insights_page(user).lacking == 30
    reviewed(user, 0)
    count = len(decisions(user))
    assert insights_page(user).lacking == max(0, 30 - count)
    if count < 30:
        assert f"{30 - count} more decision" in page_of(user)


def test_sums_are_those_of_the_reviews(user):
    while len(decisions(user)) < 30:
        reviewed(user, Review.objects.count() % 4)
    page, made = insights_page(user), decisions(user)
    assert page.decisions == len(made)
    assert sum(row.decisions for row in page.phases) == len(made)
    assert sum(row.decisions for row in page.hands) == len(made)
    assert sum(month.games for month in page.months) == Review.objects.count()
    assert page.luck == pytest.approx(0.3 * Review.objects.count())
    assert page.accuracy.percent == 60  # Half a place of one and a quarter, each time.
    assert page.accuracy.lost == pytest.approx(0.5 * len(made))
    assert page.curves is None  # Of one month there is no curve.
    for row in [*page.phases, *page.hands]:
        assert row.lost == pytest.approx(50)  # Half a place each time.
    text = page_of(user)
    assert "Given away, by phase" in text
    assert "more decision" not in text


def test_from_two_months_on_there_are_curves_with_and_without_luck(user):
    while len(decisions(user)) < 30:
        reviewed(user, Review.objects.count() % 4)
    first = Game.objects.earliest("pk")
    Game.objects.filter(pk=first.pk).update(over_at=first.over_at - datetime.timedelta(days=40))
    page = insights_page(user)
    assert [month.games for month in page.months] == [Review.objects.count() - 1, 1]
    ends = [line.split()[-1].split(",") for line in (page.curves.real, page.curves.fair)]
    assert ends[0][0] == ends[1][0] == "312.0"
    assert float(ends[0][1]) < float(ends[1][1])  # The result stands higher: there was luck.
    assert "<polyline" in page_of(user)


def test_a_game_of_the_first_morning_is_of_the_month_that_the_reader_has(user):
    while len(decisions(user)) < 30:
        reviewed(user, Review.objects.count() % 4)
    late = datetime.datetime(2025, 5, 31, 23, 30, tzinfo=datetime.UTC)
    Game.objects.exclude(over_at=None).update(over_at=late)
    with timezone.override("Asia/Ho_Chi_Minh"):
        assert [month.first for month in insights_page(user).months] == [datetime.date(2025, 6, 1)]


def test_the_chops_made_are_told_of_those_that_were_possible(user):
    while len(decisions(user)) < 30:
        reviewed(user, Review.objects.count() % 4)
    for review in Review.objects.all():
        for one in review.body["decisions"]:
            one["chop"] = True
            one["best"] = {"seat": one["seat"], "do": "play", "cards": "3S 3C 3D 3H"}
        review.save()
    [chops] = [one for one in insights_page(user).habits if one.name == "Chops when able to"]
    assert (chops.mine, chops.judges, chops.of) == (0, 100, len(decisions(user)))


def test_the_page_takes_a_fixed_number_of_queries(user, django_assert_max_num_queries):
    for turned in range(3):
        reviewed(user, turned)
    with django_assert_max_num_queries(3):
        insights_page(user)
