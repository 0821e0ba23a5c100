"""Of games that were dealt once, the luck of cards and seats is taken out by imagined ones."""

import pytest
from django.urls import reverse

from engine.rules.ruleset import preset
from engine.sim import simulation
from engine.statistics import Estimate, Moments
from tables.runs import verdicts
from tests.league.arena.test_run_pages import browser_of, owner_of, show, tournament, work

KNOWN = ["greedy", "lowest", "random", "greedy"]
DEALS, OF_A_RUN = 600, 20
FULL = 6  # The score for all three opponents.


@pytest.fixture(scope="module")
def played() -> dict[str, list[str]]:
    """The games of a run that plays each deal once, and the imagined ones."""
    dealt = (preset("tien-len"), KNOWN, "luck", 0, DEALS)
    real = simulation.play_block(*dealt, design="single").tally
    return {"deal_orders": real["deal_orders"], "imagined": simulation.imagined(*dealt)}


def run_of(tally: dict[str, list[str]], deals: range) -> Moments:
    part = {what: [rows[at] for at in deals] for what, rows in tally.items()}
    return Moments.from_json(verdicts._luck_of(part, len(KNOWN))["luck"])


def both(run: Moments, bot: int) -> tuple[Estimate, Estimate]:
    return run.mean(bot, FULL), run.adjusted(bot, len(KNOWN) + bot, FULL)


@pytest.mark.parametrize("bot", range(len(KNOWN)))
def test_where_all_choices_are_known_half_the_error_is_left_of_the_same_games(played, bot):
    raw, adjusted = both(run_of(played, range(DEALS)), bot)
    assert adjusted.error <= 0.55 * raw.error
    assert abs(adjusted.mean - raw.mean) < 3 * raw.error


@pytest.mark.parametrize("bot", range(len(KNOWN)))
def test_means_stay_the_same_over_many_short_runs_and_intervals_hold(played, bot):
    """The truth is known from all games, each imagined in every seat as well."""
    whole = both(run_of(played, range(DEALS)), bot)[1]
    starts = range(0, DEALS, OF_A_RUN)
    runs = [run_of(played, range(start, start + OF_A_RUN)) for start in starts]
    found = [both(run, bot)[1] for run in runs]
    mean = sum(one.mean for one in found) / len(found)
    assert abs(mean - whole.mean) < whole.error
    assert sum(one.low <= whole.mean <= one.high for one in found) >= 0.8 * len(found)


def test_nothing_is_taken_out_where_the_seats_brought_no_luck():
    rows = [(score, 0) for score in (1, 2, 4)]
    assert Moments.of(rows, 2).adjusted(0, 1) == Moments.of(rows, 2).mean(0)


def test_an_error_is_that_of_what_luck_does_not_explain():
    """The scores are twice the luck, and 1 more or less besides."""
    rows = [(5 + 2 * luck + rest, luck) for luck in (-1, 1) for rest in (-1, 1)]
    found = Moments.of(rows, 2).adjusted(0, 1)
    assert (found.mean, found.error) == (5.0, pytest.approx((4 / 2 / 4) ** 0.5))


@pytest.mark.django_db
@pytest.mark.parametrize(("design", "rows"), [("single", 4), ("rotations", 0)])
def test_page_and_api_tell_it_where_the_design_leaves_luck_in(design, rows):
    event = tournament(40, names=tuple(KNOWN), design=design)
    work(event)
    stats = show(event).context["stats"]
    assert len(stats.adjusted) == rows
    counted, less = stats.luck
    assert less.text == ("Cards and seat taken out" if rows else "Duplicate: all seats")
    assert less.margin < counted.margin
    club = event.season.club
    told = browser_of(owner_of(club)).get(reverse("api:run_tables", args=[club.slug, event.pk]))
    assert len(told.json()["adjusted"]) == rows
