"""A bot tournament's page: what is believed of it, what went wrong, and what organisers can do."""

import json
import re
import shutil
import subprocess

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.test import AsyncClient, Client
from django.urls import reverse

from engine import records
from league.arena.acts import bots
from league.arena.facts.run_effects import RunEffects
from league.arena.pages.run_summary import Comparison, summary
from league.base.facts.interval_rows import drawn
from league.models import Audit, Event, Player
from league.nights.acts import closing
from league.proof.facts import verify
from league.tasks import sweep_runs
from league.templatetags.league import figure
from tables.models import Run, Unit, Upload
from tables.runs import runs
from tests.factories import browser_of, make_member, make_season, make_tournament, owner_of, path_of
from tests.loops import run
from tests.shares import share
from tests.worlds import made_once

pytestmark = pytest.mark.django_db

QUERIES = 15
MIXED = ("greedy", "random", "random", "greedy")


def tournament(deals: int = 4, *, names: tuple[str, ...] = ("greedy", "random"), **more) -> Event:
    return make_tournament(make_season(rules="thirteen"), *names, deals=deals, **more)


@made_once
def event():
    return tournament(2)


def work(event: Event) -> None:
    while runs.play_next(event.run_id):
        runs.finish_if_done(run_id=event.run_id)
    event.run.refresh_from_db()
    if event.run.status != "running":
        bots.close_finished(run=event.run)


def test_too_few_bots_are_refused_with_the_name_of_the_rules():
    with pytest.raises(ValidationError) as refused:
        tournament(names=("greedy",))
    assert refused.value.messages == ["Thirteen is for 2 to 4 players: choose that many bots."]


def test_a_tournament_may_be_closed_by_hand_once_its_bots_have_ended():
    event = tournament()
    by = owner_of(event)
    with pytest.raises(ValidationError, match="still playing"):
        closing.close_event(event=event, by=by)
    work(event)
    event.refresh_from_db()
    assert not event.is_open
    closing.reopen_event(event=event, by=by)
    assert not closing.close_event(event=event, by=by).is_open


def test_a_run_that_cannot_be_counted_stops_no_other(caplog):
    broken, sound = tournament(), tournament()
    for event in (broken, sound):
        while runs.play_next(event.run_id):
            runs.finish_if_done(run_id=event.run_id)
    Unit.objects.filter(run=broken.run).update(tally={"counts": [["x"]]})
    sweep_runs()
    status = dict(Event.objects.values_list("pk", "status"))
    assert (status[broken.pk], status[sound.pk]) == ("open", "closed")
    assert str(broken.run_id) in caplog.text


def test_a_batch_that_ends_in_a_pause_counts_in_the_standings():
    event = tournament(200)
    unit = runs.lease(event.run_id)
    assert unit is not None
    change(event, "pause")
    block = runs.play(unit)
    runs.submit(unit_id=unit.pk, tally=block.tally, games=block.games, digest=block.digest)
    sweep_runs()
    page = show(event).context["page"]
    assert [row.row.games for row in page.standings] == [page.progress.games] * 2
    assert (page.progress.games, state(event)) == (200, ("open", "paused"))


def client_of(event: Event, role: str = "organiser") -> Client:
    return browser_of(make_member(event.season.club, role))


def show(event: Event, client: Client | None = None):
    return (client or Client()).get(path_of(event, "event"))


def change(event: Event, what: str, **more: str):
    return client_of(event).post(path_of(event, "run_change"), {"change": what} | more, follow=True)


def state(event: Event) -> tuple[str, str]:
    event = Event.objects.select_related("run").get(pk=event.pk)
    return event.status, event.run.status


def test_strength_is_shown_with_its_interval_the_strongest_first():
    event = tournament(20, names=MIXED)
    work(event)
    page = show(event)
    rows = page.context["stats"].strengths
    assert {row.name for row in rows[:2]} == {"greedy", "greedy 2"}
    assert all(row.low < row.mean < row.high for row in rows)
    assert sum(row.mean for row in rows) == pytest.approx(200)
    for row in rows:
        mean, low, high = (figure(value, 1) for value in (row.mean, row.low, row.high))
        assert f"{mean}% ({low} to {high})" in page.content.decode()


def test_bots_that_are_first_equally_often_share_a_place():
    event = tournament(names=("greedy", "greedy"))
    work(event)
    firsts = show(event).context["stats"].firsts
    assert [(bot.place, bot.row.mean) for bot in firsts] == [(1, 50), (1, 50)]


def test_bots_lead_to_their_players_whatever_these_are_called():
    event = tournament(names=("greedy", "greedy"))
    work(event)
    Player.objects.filter(name="greedy 2 (bot)").update(name="Sói")
    one, two = (entrant.player_id for entrant in event.entrants.order_by("pk"))
    page = show(event)
    assert page.context["page"].players == {"greedy": one, "greedy 2": two}
    at = reverse("league:player", args=[event.season.club.slug, two])
    assert f'<a href="{at}">greedy 2</a>' in page.content.decode()


def test_a_plot_stays_in_its_box_and_keeps_the_order_of_its_values():
    event = tournament(10, names=MIXED)
    work(event)
    for row in show(event).context["stats"].strengths:
        assert 0 <= row.plot.low < row.plot.middle < row.plot.high <= 100
        assert 0 <= row.plot.reference <= 100


def test_no_interval_of_a_share_goes_beyond_nothing_or_all():
    event = tournament(3)
    work(event)
    rows = show(event).context["stats"].strengths
    assert all(0 <= row.low <= row.high <= 100 for row in rows)


def test_the_page_opens_with_who_won_and_how_sure_that_is():
    event = tournament(60, names=("planner", "greedy", "lowest"), design="rotations")
    work(event)
    stats = show(event).context["stats"]
    assert stats.summary.title == "planner has won, for sure."
    best, second = (f"{bot.row.mean:.0f}%" for bot in stats.firsts[:2])
    assert stats.summary.text == f"First in {best} of the games, greedy in {second}."
    assert sum(bot.row.mean for bot in stats.firsts) == pytest.approx(100)
    for one, row in enumerate(stats.heat):
        for other, cell in enumerate(row.cells):
            assert (cell is None) == (one == other)
            assert cell is None or 99 <= cell.percent + stats.heat[other].cells[one].percent <= 101
    wide, narrow = stats.convergence
    assert [curve.name for curve in wide.curves] == [bot.row.name for bot in stats.firsts]
    assert (wide.width, narrow.width) == (560, 332)
    counted, shared = stats.luck
    assert shared.margin < 2 * counted.margin


def test_a_run_with_few_deals_says_that_it_is_too_early_to_tell():
    def told(low: float, high: float, **shares: float) -> str:
        [gap] = drawn([""], [(10.0, low, high)], 0.0)
        pair = Comparison("one", "other", gap, 0.99, "99", "", of_one_bot=False)
        found = summary(Run(), [pair], RunEffects([]), [], shares)
        assert found.title == f"one {'leads, for sure' if high < 20 else 'leads, probably'}."
        return found.text

    assert "too early to tell" in told(-100.0, 100.0)
    assert "10.0 percentage points more opponents than other, give or take 5.0" in told(5.0, 15.0)
    assert told(5.0, 15.0, one=46.2, other=43.1) == "First in 46% of the games, other in 43%."
    assert "percentage points" in told(5.0, 15.0, one=40.0, other=43.1)


def test_a_finished_tournament_says_in_a_line_that_all_games_were_played():
    event = tournament(4)
    assert "<progress" in show(event).content.decode()
    work(event)
    page = show(event).content.decode()
    assert ("<progress" in page, page.count("All games played.")) == (False, 1)


def test_two_that_play_alike_are_called_alike():
    event = tournament(6, names=("random", "random"), design="versus")
    work(event)
    (pair,) = show(event).context["stats"].comparisons
    assert (pair.gap.mean, pair.superiority, pair.sure) == (0.0, 0.5, "50.0")
    assert "equal on every deal" in pair.words


def test_nothing_is_called_quite_certain():
    event = tournament(50)
    work(event)
    (pair,) = show(event).context["stats"].comparisons
    assert (pair.sure, pair.words) == ("> 99.9", "stronger, almost certainly")


def test_intervals_are_wider_as_long_as_somebody_may_stop_at_what_is_seen():
    event = tournament(60, names=("greedy", "lowest"), design="versus")
    runs.play_next(event.run_id)
    assert show(event).context["stats"].anytime
    work(event)
    pages = [show(event)]
    Run.objects.update(extended=True)
    pages.append(show(event))
    planned, extended = (page.context["stats"] for page in pages)
    assert [planned.anytime, extended.anytime] == [False, True]
    for name in ("strengths", "money"):
        for one, other in zip(getattr(planned, name), getattr(extended, name), strict=True):
            assert other.low < one.low < one.mean == other.mean < one.high < other.high
    sure = [stats.comparisons[0].superiority for stats in (planned, extended)]
    assert 0.5 < sure[1] < sure[0]
    assert "set at the start" in pages[0].content.decode()
    assert "however often you look" in pages[1].content.decode()


def test_ratings_come_when_the_tournament_is_over():
    event = tournament(40)
    assert "ratings" not in show(event).context
    work(event)
    ratings = show(event).context["stats"].ratings
    assert [row.name for row in ratings] == ["greedy", "random"]
    assert sum(row.mean for row in ratings) == pytest.approx(0, abs=0.2)


def test_before_two_deals_are_played_no_statistics_are_shown():
    assert "strengths" not in show(tournament(4)).context


def test_the_verdict_of_a_duel_is_said_in_words():
    event = tournament(400, design="versus", effect=0.05)
    work(event)
    assert "greedy is stronger than random" in show(event).content.decode()
    assert "after 100 deals" in show(event).content.decode()
    assert "games per second" not in show(event).content.decode()


def test_rate_and_time_left_are_shown_while_it_runs():
    place = 1 + Run.objects.filter(status=Run.Status.RUNNING).count()
    event = tournament(200)
    assert f"Waiting for a worker: place {place}." in show(event).content.decode()
    unit = runs.lease(event.run_id)
    assert "Waiting for a worker" not in show(event).content.decode()
    assert "A batch is being played." in show(event).content.decode()
    Unit.objects.filter(pk=unit.pk).update(state="waiting")
    runs.play_next(event.run_id)
    page = show(event)
    assert "games per second" in page.content.decode()
    assert page.context["page"].pace.seconds_left == pytest.approx(
        200 / page.context["page"].pace.rate
    )


def test_all_tables_of_four_count_into_the_standings():
    event = tournament(1, names=("greedy", "random", "random", "random", "greedy"), design="tables")
    work(event)
    standings = show(event).context["page"].standings
    assert [standing.row.games for standing in standings] == [16] * 5


@pytest.mark.parametrize(
    ("design", "names"),
    [("rotations", MIXED[:3]), ("versus", MIXED[:2]), ("tables", (*MIXED, "random"))],
)
def test_what_is_counted_is_what_the_units_say_in_every_design(design, names):
    work(tournament(2, names=names, design=design))
    assert list(verify.stored_tallies()) == []


def test_a_tournament_is_paused_and_goes_on():
    event = tournament()
    change(event, "pause")
    assert state(event) == ("open", "paused")
    assert runs.play_next(event.run_id) is False
    assert "Paused." in show(event).content.decode()
    change(event, "resume")
    assert state(event) == ("open", "running")


def test_a_tournament_that_was_closed_opens_again_when_it_is_extended(event):
    work(event)
    assert state(event) == ("closed", "done")
    change(event, "extend", deals="3")
    assert state(event) == ("open", "running")
    work(event)
    assert state(event) == ("closed", "done")
    assert [s.row.games for s in show(event).context["page"].standings] == [10, 10]


@pytest.mark.parametrize(
    ("what", "more", "message"),
    [
        ("extend", {"deals": "0"}, "Enter how many deals"),
        ("extend", {"deals": "many"}, "Enter how many deals"),
        ("extend", {"deals": "999999"}, "Add fewer"),
        ("explode", {}, "form is incomplete"),
    ],
)
def test_a_wrong_change_says_what_to_do_and_changes_nothing(event, what, more, message):
    Run.objects.filter(pk=event.run_id).update(deals=10)
    assert message in change(event, what, **more).content.decode()
    assert Run.objects.get(pk=event.run_id).deals == 10


@pytest.mark.parametrize("what", ["pause", "resume", "cancel"])
def test_a_tournament_that_has_ended_meanwhile_is_not_said_to_be_changed(event, what):
    work(event)
    assert "This tournament is over." in change(event, what).content.decode()
    assert state(event) == ("closed", "done")
    assert not Audit.objects.filter(action=f"run.{what}").exists()


def test_a_cancelled_tournament_cannot_be_extended(event):
    change(event, "cancel")
    assert "This tournament is over." in change(event, "extend", deals="5").content.decode()


def test_what_went_wrong_is_shown_to_organisers_alone(event):
    Unit.objects.filter(run=event.run_id).update(state="dead", trace="ValueError: no such card")
    assert "no such card" in show(event, client_of(event)).content.decode()
    assert "no such card" not in show(event, client_of(event, "player")).content.decode()
    assert "1 batch could not be played" in show(event).content.decode()
    change(event, "retry")
    assert Unit.objects.get(run=event.run_id).state == "waiting"


def test_a_tournament_whose_batches_failed_does_not_say_that_all_was_played(event):
    Unit.objects.filter(run=event.run_id).update(state="dead")
    runs.finish_if_done(run_id=event.run_id)
    page = show(event).content.decode()
    assert "Over: no game could be played." in page
    assert "1 batch could not be played" in page
    assert "All games played" not in page


def test_records_come_as_json_lines_that_replay():
    event = tournament(3)
    work(event)
    answer = client_of(event, "player").get(path_of(event, "run_records"), {"deal": "2"})
    *lines, last = [json.loads(line) for line in b"".join(answer).splitlines()]
    assert [(line["event"]["deal"], line["event"]["game"]) for line in lines] == [
        (2, 1), (2, 2), (3, 1), (3, 2),
    ]  # fmt: skip
    assert last == {"next_deal": None}
    assert all(records.replay(line)["finished"] for line in lines)


def test_a_replay_leads_to_the_games_with_the_same_cards_and_names_who_moved():
    event = tournament(1)
    work(event)
    first, second = (path_of(event, "replay", 1, rotation) for rotation in (1, 2))
    shown = Client().get(first, {"step": "1"})
    text = shown.content.decode()
    assert re.findall(r'<a href="([^"?]*/games/1/\d+/)"', text) == [first, second]
    assert text.count('aria-current="page">1</a>') == 1
    mover, current = shown.context["mover"], shown.context["current"]
    assert (mover.name, current.number) == (current.name, 1)
    lit = re.search(r'<li class="turn">.*?<b>\s*(.*?)\s*<', text, re.DOTALL)
    assert lit
    assert lit[1] == mover.name
    assert Client().get(first).context["mover"] is None


@pytest.mark.parametrize("deal", [0, 2, 2**31, int("1" * 19)])
def test_a_deal_that_the_tournament_has_not_is_not_found(deal):
    event = tournament(1)
    work(event)
    at = path_of(event, "replay", 1, 1).replace("/games/1/", f"/games/{deal}/")
    assert Client().get(at).status_code == 404


SEED_CHECK = """
const fs = require("fs");
global.window = {};
const told = JSON.parse(fs.readFileSync(0));
const place = {};
const form = { dataset: { good: "good", bad: "bad", seed: "seed", none: "none" }, querySelector: () => place };
let check;
global.document = {
  addEventListener: (_name, listener) => { check = listener; },
  getElementById: () => ({ textContent: JSON.stringify(told.facts) }),
};
for (const file of ["hash", "seed"]) (0, eval)(fs.readFileSync(`static/js/${file}.js`, "utf8"));
const file = { text: async () => told.text };
check({ target: { closest: () => form, files: [file] } }).then(() => console.log(place.textContent));
"""  # noqa: E501


@pytest.mark.skipif(shutil.which("node") is None, reason="There is no Node.js here.")
def test_a_browser_deals_the_cards_again_from_the_seed():
    event = tournament(3, names=("greedy", "random", "lowest"))
    assert show(event).context["page"].cards is None
    work(event)
    facts = show(event).context["page"].cards
    text = b"".join(client_of(event, "player").get(path_of(event, "run_records"))).decode()
    first, *rest = text.splitlines()
    record = json.loads(first)
    swapped = json.dumps(record | {"hands": record["hands"][::-1]})

    def said(facts: dict, text: str) -> str:
        told = json.dumps({"facts": facts, "text": text})
        done = subprocess.run(
            ["node", "-e", SEED_CHECK], input=told, capture_output=True, text=True, check=True,
            cwd=settings.BASE_DIR,
        )  # fmt: skip
        return done.stdout.strip()

    assert said(facts, text) == "good 9"
    assert said(facts, "\n".join([swapped, *rest])) == "bad 1"
    assert said(facts | {"seed": "another"}, text) == "seed"
    assert said(facts, "{}") == "none"
    other = json.dumps(json.loads(swapped) | {"event": record["event"] | {"run": "another"}})
    assert said(facts, other) == "none"
    assert said(facts, "\n".join([other, *text.splitlines()])) == "good 9"


def test_two_versions_of_a_bot_are_compared_before_all_else():
    event = tournament(4, names=("greedy", "lowest", "random"))
    work(event)
    assert show(event).context["stats"].versions == []
    Upload.objects.bulk_create(
        Upload(name=name, base="mine", number=number, digest=name, language="python", state="sound")
        for number, name in enumerate(("lowest", "random"), start=1)
    )
    page = show(event)
    first, *others = page.context["stats"].comparisons
    assert {first.one, first.other} == {"lowest", "random"}
    assert [first.of_one_bot, *(pair.of_one_bot for pair in others)] == [True, False, False]
    assert page.content.index(b'id="versions"') < page.content.index(b'id="strength"')


def test_a_download_is_bounded_and_says_where_to_go_on():
    event = tournament(203)
    work(event)
    answer = client_of(event, "player").get(path_of(event, "run_records"))
    lines = b"".join(answer).splitlines()
    assert (len(lines), json.loads(lines[-1])) == (401, {"next_deal": 201})


@pytest.mark.django_db(transaction=True)  # Read in a thread of its own.
def test_the_server_streams_the_same_lines():
    event = tournament(3)
    work(event)
    member = make_member(event.season.club, "player")
    path = path_of(event, "run_records")
    browser, plain = AsyncClient(), Client()
    browser.force_login(member)
    plain.force_login(member)

    async def fetch() -> bytes:
        answer = await browser.get(path)
        return b"".join([part async for part in answer.streaming_content])

    assert run(fetch()) == b"".join(plain.get(path))


@pytest.mark.parametrize("units", share([1, 3], 1, of=2))
def test_the_page_takes_the_same_queries_with_one_unit_or_three(units, django_assert_num_queries):
    event = tournament(100 * units)
    work(event)
    show(event)
    with django_assert_num_queries(QUERIES):
        show(event)
