"""Two at once: exactly one change counts, the other is told, and nothing is half done."""

import datetime
import threading
import uuid
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction

from engine.rules import ruleset
from engine.statistics.strengths import GameHistory
from league import seating
from league.clubs.acts import club_rules, clubs, players
from league.exchange.acts import archives, file_imports, imports
from league.models import (
    Audit,
    Club,
    ClubRulesetVersion,
    Event,
    FileImport,
    Membership,
    Player,
    Posting,
    ReportedPayment,
    Result,
    SeasonRow,
    Verification,
)
from league.money.acts import postings, reports
from league.money.facts import open_debts
from league.nights.acts import attendance, closing, draws, events, results, swaps
from league.proof.acts import verification
from league.proof.facts import verify
from league.seasons.acts import adjustments, ratings, season_cache, seasons
from league.seasons.facts import ratings as selector
from tables.base import rulesets
from tests.factories import (
    browser_of,
    make_adjustment,
    make_club,
    make_night,
    make_prize,
    make_rules,
    make_season,
    make_table,
    make_user,
    names_at,
    owner_of,
    path_of,
    play,
)
from tests.league.nights.test_final_places import cup_of_eight
from tests.races import race, wait_until_it_blocks
from tests.scripts import SCRIPT

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls: Callable[[], Any]) -> list[str]:
    """What each of the calls came to that ran at the same moment."""
    came = race(*calls, refused=(ValidationError,))
    return sorted(
        (getattr(each, "code", None) or "refused") if isinstance(each, ValidationError) else "done"
        for each in came
    )


@pytest.fixture
def sitting():
    return make_table(make_night(rules="killa", stake=3), games=1)


def season_of(sitting):
    return sitting.round.event.season


def test_two_changes_of_one_version_of_a_clubs_rules_make_one_next_version():
    own = make_rules()
    by = owner_of(own)
    rules = rulesets.thaw(own.frozen)
    one, other = (
        ruleset.with_options(rules, {"name": name, "min_players": least})
        for name, least in (("Luật nhà", 3), ("Luật mới", 2))
    )
    wanted = [
        lambda rules=rules: club_rules.change_ruleset(ruleset=own, by=by, version=1, rules=rules)
        for rules in (one, other)
    ]
    assert at_once(*wanted) == ["done", "version"]
    own.refresh_from_db()
    versions = ClubRulesetVersion.objects.filter(ruleset=own)
    assert (own.version, sorted(v.number for v in versions)) == (2, [1, 2])
    assert own.frozen_id == versions.get(number=2).frozen_id


def test_two_corrections_of_one_version_leave_one_and_its_money(sitting):
    by = owner_of(season_of(sitting))
    keys = [place.entrant_id for place in sitting.places.all()]

    def correct(groups):
        return lambda: results.correct(
            sitting_id=sitting.pk, game_no=1, version=1, groups=groups, client_id=uuid.uuid4(),
            by=by,
        )  # fmt: skip

    orders = [[[key] for key in [*keys[1:], keys[0]]], [[key] for key in reversed(keys)]]
    assert at_once(*map(correct, orders)) == ["done", "stale"]
    assert Result.objects.filter(current=True).get().version == 2
    assert (Result.objects.count(), list(verify.everything())) == (2, [])


def test_two_yeses_to_a_reported_payment_post_it_once_and_a_no_is_too_late_or_the_answer(sitting):
    season, event = season_of(sitting), sitting.round.event
    by, debt = owner_of(season), open_debts.of_night(event)[0]

    def report():
        return reports.report(
            season=season, event=event, payer=debt.payer.player, payee=debt.payee.player,
            amount=debt.amount, by=by, client_id=uuid.uuid4(),
        )  # fmt: skip

    at_once(report, report)
    (row,) = ReportedPayment.objects.all()
    assert at_once(*[lambda: reports.confirm(report=row, by=by)] * 2) == ["done", "done"]
    posting = Posting.objects.get(kind="settlement")
    postings.reverse(posting=posting, by=by, client_id=uuid.uuid4())
    row = report()
    refuse = partial(reports.end, report=row, outcome=ReportedPayment.Outcome.REFUSED, by=by)
    came = at_once(lambda: reports.confirm(report=row, by=by), refuse)
    assert came == ["done", "stale"]
    assert list(verify.everything()) == []


def test_a_correction_and_the_closing_of_the_night_wait_for_each_other(sitting):
    event, by = sitting.round.event, owner_of(season_of(sitting))
    keys = [[place.entrant_id] for place in sitting.places.all()][::-1]
    came = at_once(
        lambda: closing.close_event(event=event, by=by, despite_unfinished=True),
        lambda: results.correct(
            sitting_id=sitting.pk, game_no=1, version=1, groups=keys, client_id=uuid.uuid4(), by=by
        ),
    )
    event.refresh_from_db()
    assert (event.status, came) in (
        ("closed", ["done", "done"]),
        ("closed", ["closed", "done"]),
    )
    assert list(verify.everything()) == []


@pytest.mark.parametrize("act", ["table", "call", "extra_time", "chairs", "renew_link"])
def test_what_is_sent_while_the_draw_is_taken_back_finds_no_table(act):
    sitting = make_table(make_night(rules="killa"))
    round_, event = sitting.round, sitting.round.event
    by = owner_of(event)
    keys = [place.entrant_id for place in sitting.places.all()]
    sent = {
        "game_no": 1, "order": ",".join(map(str, keys)), "client_id": uuid.uuid4(), "minutes": 5,
        "leaves": keys[0],
    }  # fmt: skip
    came: list[str] = []

    def first_taken_back(execute, sql, *rest):
        if "advisory_xact_lock" in sql and not came:
            came.extend(at_once(lambda: draws.discard_round(round_=round_, by=by, reason="no")))
        return execute(sql, *rest)

    client = browser_of(by)
    with connection.execute_wrapper(first_taken_back):
        answer = client.post(path_of(event, act, 1, sitting.table_no), sent, headers=SCRIPT)
    assert (came, answer.status_code) == (["done"], 404 if act == "table" else 302)
    assert not Result.objects.exists()


def test_two_taps_on_draw_make_one_draft():
    event = make_night(8)
    tap = partial(draws.draw_round, event=event, by=owner_of(event), number=1, version=0)
    assert at_once(tap, tap) == ["done", "stale"]
    assert event.rounds.count() == 1
    assert Audit.objects.filter(action="draw.drafted").count() == 1


def test_entries_and_check_ins_go_on_while_a_draw_for_300_is_searched(monkeypatch):
    event = make_night(0, rounds_planned=8)
    by = owner_of(event)
    names = "\n".join(f"Người {number}" for number in range(300))
    people = players.add_players(club=event.season.club, text=names, by=by).players
    here = [one.pk for one in people]
    attendance.set_presence(event=event, player_ids=here, presence="here", by=by)
    table = make_table(event)
    is_searching, has_changed, searched = threading.Event(), threading.Event(), []
    search = seating.next_round

    def search_slowly(**asked):
        is_searching.set()
        assert has_changed.wait(60)
        searched.append(len(asked["present"]))
        return search(**asked)

    def change():
        assert is_searching.wait(60)
        play(table)
        attendance.set_presence(event=event, player_ids=here[:1], presence="left", by=by)
        has_changed.set()

    monkeypatch.setattr(seating, "next_round", search_slowly)
    drawn, _none = race(
        partial(draws.draw_round, event=event, by=by, anyway=True), change, refused=()
    )
    assert searched == [300, 299]
    assert Result.objects.get().sitting == table
    assert not drawn.sittings.filter(places__entrant__player=here[0]).exists()


def test_a_draft_is_released_as_it_was_seen_or_drawn_again():
    event = make_night(8)
    by = owner_of(event)
    seen = draws.draw_round(event=event, by=by)
    came = at_once(
        partial(draws.release_round, round_=seen, by=by, version=seen.version),
        partial(draws.draw_round, event=event, by=by, number=1, version=seen.version),
    )
    assert came == ["done", "stale"]
    left = event.rounds.get()
    assert (left.pk == seen.pk) == (left.status == "released")


def test_of_a_release_a_swap_and_a_discard_of_one_draft_the_first_counts():
    event = make_night(8)
    by = owner_of(event)
    seen = draws.draw_round(event=event, by=by)
    a, b = (table.places.first().entrant_id for table in seen.sittings.all())
    act = {"round_": seen, "by": by, "version": seen.version}
    came = at_once(
        partial(draws.release_round, **act),
        partial(draws.discard_round, **act),
        partial(swaps.swap, a=a, b=b, **act),
    )
    assert came == ["done", "stale", "stale"]
    assert Audit.objects.filter(action__startswith="draw.").count() == 2


def first_another(table, act):
    """Let this act come first, before the next lock of a row of the table."""
    came: list[str] = []

    def before(execute, sql, *rest):
        if f'FROM "{table}"' in sql and "FOR NO KEY UPDATE" in sql and not came:
            came.append("waits")
            came[:] = at_once(act)
        return execute(sql, *rest)

    return connection.execute_wrapper(before)


def test_two_programs_that_change_one_season_at_once_change_what_each_named():
    season = make_season(rules="killa")
    client, path = browser_of(owner_of(season)), path_of(season, "api:season")
    scoring = season.scoring | {"best_of": 3}

    def change(**values):
        return client.patch(path, values, content_type="application/json")

    with first_another("league_season", lambda: change(scoring=scoring)):
        changed = change(tie_breaks=["points"]).json()
    assert (changed["scoring"]["best_of"], changed["tie_breaks"]) == (3, ["points"])


def test_a_program_that_renames_a_club_does_not_publish_what_was_just_hidden():
    club = make_club()
    by = owner_of(club)
    path = path_of(club, "api:club")
    with first_another("league_club", lambda: clubs.set_public(club=club, by=by, is_public=False)):
        renamed = browser_of(by).patch(path, {"name": "Hội"}, content_type="application/json")
    assert renamed.json()["name"] == "Hội"
    club.refresh_from_db()
    assert not club.is_public


def test_of_two_penalties_that_were_seen_at_once_one_is_given():
    event, people = cup_of_eight()
    season, by = event.season, owner_of(event)
    penalty = {"season": season, "event": event, "points": Decimal(-4), "reason": "late", "by": by,
               "player": event.entrants.get(player__name=people[5]).player}  # fmt: skip
    seen = adjustments.preview_points(**penalty).key
    give = partial(adjustments.adjust_as_seen, seen=seen, **penalty)
    given, refused = sorted(race(give, give, refused=()), key=bool)
    assert given is None
    assert refused.key != seen
    assert season.adjustments.count() == 1


def test_a_penalty_is_revoked_and_a_posting_taken_back_once(sitting):
    season = season_of(sitting)
    by = owner_of(season)
    penalty, prize = make_adjustment(season, "An"), make_prize(season, "An")
    revoke = [lambda: adjustments.revoke(adjustment=penalty, by=by)] * 2
    assert at_once(*revoke) == ["done", "stale"]
    back = [lambda: postings.reverse(posting=prize, by=by, client_id=uuid.uuid4())] * 2
    assert at_once(*back) == ["done", "stale"]
    assert (Posting.objects.count(), list(verify.everything())) == (2, [])


def test_a_form_of_money_that_comes_twice_at_once_counts_once(sitting):
    season = season_of(sitting)
    by, an = owner_of(season), season.club.players.get(name="An")
    form, back = uuid.uuid4(), uuid.uuid4()
    award = [
        lambda: postings.award_prize(season=season, player=an, amount=5, by=by, client_id=form)
    ] * 3
    assert at_once(*award) == ["done"] * 3
    prize = Posting.objects.get()
    reverse = [lambda: postings.reverse(posting=prize, by=by, client_id=back)] * 3
    assert at_once(*reverse) == ["done"] * 3
    assert (Posting.objects.count(), list(verify.everything())) == (2, [])


def test_a_season_is_not_closed_while_a_night_is_opened():
    season = make_season()
    by = owner_of(season)

    came = at_once(
        lambda: seasons.set_status(season=season, status="closed", by=by),
        lambda: events.create_event(season=season, by=by, name="Đêm", date=season.starts_on),
    )
    season.refresh_from_db()
    assert came == ["done", "refused"]
    assert (season.status == "closed") == (not Event.objects.exists())


def test_two_clubs_of_one_name_get_addresses_of_their_own():
    by = make_user()
    make = [lambda: make_club(owner=by)] * 3
    assert at_once(*make) == ["done"] * 3
    found = Club.objects.order_by("slug").values_list("slug", flat=True)
    assert list(found) == ["hoi-ban", "hoi-ban-2", "hoi-ban-3"]


def test_two_seasons_of_one_name_are_one_and_a_refusal():
    season = make_season()
    values = {"name": "Mùa xuân", "ruleset": ruleset.preset("killa"), "by": owner_of(season)}
    values |= {"scoring": season.scoring, "tie_breaks": season.tie_breaks}
    make = [
        lambda: seasons.create_season(club=season.club, starts_on=season.starts_on, **values)
    ] * 3
    assert at_once(*make) == ["done", "refused", "refused"]
    assert season.club.seasons.filter(name="Mùa xuân").count() == 1


def test_one_file_sent_twice_at_once_is_saved_once():
    season = make_season()
    by = owner_of(season)
    text = "night,date,round,table,game,1,2,3,4\nN,2026-01-31,1,1,1,Lan,Hùng,Mai,Bảo\n"

    other = make_user()
    Membership.objects.create(club=season.club, user=other, role="organiser")
    kind, keys = FileImport.Kind.RESULTS, []
    for who in (by, other):
        file = file_imports.receive(
            kind=kind, by=who, club=season.club, season=season, pieces=[text.encode()]
        )
        file_imports.work(key=file.pk)
        file_imports.confirm(file=file)
        keys.append(file.pk)
    assert at_once(*(partial(file_imports.work, key=key) for key in keys)) == ["done", "done"]
    for key in keys:
        file_imports.work(key=key)  # One that met the other waits for its turn.
    assert set(FileImport.objects.values_list("state", flat=True)) == {"done"}
    assert (Event.objects.count(), Player.objects.count()) == (1, 4)
    added = [lambda: imports.save_players(club=season.club, rows=[["name"], ["Nga"]], by=by)] * 2
    assert at_once(*added) == ["done", "done"]
    assert Player.objects.filter(name="Nga").count() == 1


def test_an_archive_is_of_one_moment_while_games_come_in(sitting):
    club = season_of(sitting).club
    came: list[str] = []

    def meanwhile(execute, sql, *rest):
        if 'FROM "league_placing"' in sql and not came:
            came.extend(at_once(lambda: play(sitting)))
        return execute(sql, *rest)

    with connection.execute_wrapper(meanwhile):
        data = archives.write_archive(club=club, by=owner_of(club))
    made = archives.read_archive(data=data, by=owner_of(club))
    assert came == ["done"]
    games = Result.objects.filter(sitting__round__event__season__club=made)
    assert (games.count(), sitting.results.count()) == (1, 2)


def test_two_who_count_one_season_at_once_keep_its_rows_once(sitting):
    season = season_of(sitting)
    assert at_once(*[lambda: season_cache.prepare(season=season)] * 3) == ["done"] * 3
    assert SeasonRow.objects.filter(season=season).count() == 4


def test_two_who_rate_one_season_at_once_rate_every_game_once(sitting):
    season = season_of(sitting)

    def rate():
        ratings.rate(club=season.club, season=season)

    assert at_once(rate, rate) == ["done", "done"]
    assert set(season.strengths.values_list("games", flat=True)) == {1}


@pytest.mark.parametrize("is_counted_too", [False, True])
def test_a_correction_during_a_count_ends_in_one_true_state(sitting, monkeypatch, is_counted_too):
    """The count that began first may end last: it must not put the old figures back."""
    season, order = season_of(sitting), names_at(sitting)
    fit, meanwhile = GameHistory.fit, threading.Event()

    def correct():
        result = sitting.results.get(current=True)
        keys = list(result.placings.order_by("-rank").values_list("entrant", flat=True))
        results.correct(
            sitting_id=sitting.pk, game_no=1, version=1, groups=[[key] for key in keys],
            client_id=uuid.uuid4(), by=owner_of(season),
        )  # fmt: skip
        if is_counted_too:
            assert ratings.rate(club=season.club, season=season)

    def fit_slowly(history, *args):
        if not meanwhile.is_set():
            meanwhile.set()
            race(correct, refused=())
        return fit(history, *args)

    monkeypatch.setattr(GameHistory, "fit", fit_slowly)
    assert ratings.rate(club=season.club, season=season) is not is_counted_too
    ratings.rate_behind(seconds=60)
    assert selector.behind() == []
    assert list(verify.everything()) == []
    best = season.strengths.order_by("-mu").first()
    assert best.player.name == order[-1]


def test_money_that_moves_at_once_is_added_up_without_loss(sitting):
    season = season_of(sitting)
    at_once(*[lambda name=name: make_prize(season, name, 5) for name in ("An", "An", "Chi")])
    assert Posting.objects.count() == 3
    assert list(verify.stored_sums()) == []


def test_tables_that_enter_at_once_save_each_game_once_with_its_counts_and_money():
    night = make_night(12, season=make_season(rules="killa", games_per_round=2), stake=3)
    before = list(make_table(night).round.sittings.all())
    for sitting in before:
        play(sitting)
    tables = [*before, *make_table(night).round.sittings.all()]
    version = Event.objects.get().version
    saves = [lambda sitting=sitting: play(sitting) for sitting in tables]
    race(*saves, refused=())
    assert Result.objects.filter(current=True).count() == 9
    assert Event.objects.get().version == version + 6
    assert list(verify.everything()) == []


def test_a_game_that_waits_for_a_players_money_leaves_the_night_to_others(sitting):
    """Who holds the money of that player asks for the night last, and must not wait for it."""
    event = Event.objects.get()

    held = threading.Event()

    def hold() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT FROM league_moneytally FOR UPDATE")
            held.set()
            wait_until_it_blocks()
            cursor.execute(
                "SELECT FROM league_event WHERE id = %s FOR NO KEY UPDATE NOWAIT", [event.pk]
            )

    def enter() -> None:
        assert held.wait(30)
        play(sitting)

    race(hold, enter, refused=())
    assert Event.objects.get().version == event.version + 1


def test_a_nightly_check_that_still_runs_is_not_begun_again(sitting, monkeypatch):
    night = datetime.datetime(2021, 1, 5, 20, 0, tzinfo=datetime.UTC)
    everything, beside = verify.everything, []

    def slow(**chosen: Any) -> Any:
        monkeypatch.setattr(verify, "everything", everything)
        beside.extend(race(lambda: verification.verify_tonight(now=night), refused=()))
        return everything(**chosen)

    monkeypatch.setattr(verify, "everything", slow)
    done = verification.verify_tonight(now=night)
    assert (beside, done) == ([None], Verification.objects.get())
