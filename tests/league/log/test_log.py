"""The club's log: each entry is a sentence for people, and can be found again."""

import ast
import re
import threading
import uuid
from collections.abc import Iterator
from datetime import time, timedelta
from functools import partial
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client
from django.utils import translation

from engine.rules.specials import Special
from league.base.acts import audit, links
from league.base.facts import log_marks
from league.clubs.acts import invitations, members, merges, players
from league.exchange.pages import csv_tables
from league.log.pages import entries as log
from league.log.pages.words import KINDS, SENTENCES
from league.models import Audit, AuditMark, Club, Event, Membership, Posting, Season, SignUpAnswer
from league.money.acts import postings
from league.money.facts import open_debts
from league.nights.acts import attendance, clock, disputes, draws, seat_changes, stakes, swaps
from league.nights.domain.night_plans import NightPlan
from league.schedules.acts import schedules
from league.schedules.domain.recurrence import Recurrence
from league.schedules.domain.repeated import Ahead, Nights
from league.seasons.acts import adjustments, seasons
from league.seasons.domain.scoring import Scoring
from league.turnout.acts import sign_ups
from tests.factories import (
    change_night,
    correct,
    make_adjustment,
    make_club,
    make_member,
    make_night,
    make_paid_night,
    make_prize,
    make_round,
    make_schedule,
    make_season,
    make_table,
    names_at,
    owner_of,
    path_of,
    play,
)
from tests.races import race
from tests.shares import share

pytestmark = pytest.mark.django_db

PAGE_QUERIES = 15
# The keys that a service puts together, each with what can stand at its end.
MADE = {
    "posting.": Posting.Kind.values,
    "run.": ["pause", "resume", "cancel", "extend", "retry"],
    "season.": Season.Status.values,
    "sign_up.": SignUpAnswer.Reply.values,
}
NO_KEYS = {"club.json", "league.chair", "league.demo", "league.link"}


def keys_written() -> Iterator[str]:
    """Every action key in the sources that write to the log."""
    for path in sorted((Path(settings.BASE_DIR) / "league").glob("*/acts/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr) and len(node.values) == 2:
                head = node.values[0]
                if isinstance(head, ast.Constant) and is_key(f"{head.value}x"):
                    yield from (f"{head.value}{end}" for end in MADE[str(head.value)])
            elif isinstance(node, ast.Constant) and is_key(node.value):
                yield node.value


def is_key(text: object) -> bool:
    is_like_one = isinstance(text, str) and re.fullmatch(r"[a-z_]+\.[a-z_]+", text)
    return bool(is_like_one) and text not in NO_KEYS


def test_every_action_that_a_service_writes_has_a_sentence_and_a_kind():
    told = {key.split("/")[0] for key in SENTENCES}
    beginnings = {start for _label, starts in KINDS.values() for start in starts}
    keys = set(keys_written())
    assert {"result.recorded", "posting.prize", "table.seats", "season.closed"} <= keys
    assert keys - told == set()
    assert {key for key in keys if key.split(".")[0] not in beginnings} == set()


def test_every_sentence_can_be_filled_and_is_translated():
    club = make_club()
    keys = [key.partition("/") for key in SENTENCES]
    Audit.objects.bulk_create(
        Audit(club=club, by=owner_of(club), action=action, data={"to": variant})
        for action, _slash, variant in keys
    )
    for language in ("en", "vi"):
        with translation.override(language):
            assert [line for line in whole_log(club) if "%(" in line.sentence] == []
    assert [key for key in SENTENCES if in_language("vi", key) == in_language("en", key)] == []


def whole_log(club: Club) -> list[log.AuditLine]:
    """The lines of all pages."""
    first = log.log_page(club, log.Asked(), None)
    others = range(2, first.page_obj.paginator.num_pages + 1)
    pages = [first, *(log.log_page(club, log.Asked(), str(number)) for number in others)]
    lines = [line for page in pages for line in page.lines]
    assert len(lines) > len(SENTENCES)
    return lines


def in_language(language: str, key: str) -> str:
    with translation.override(language):
        return str(SENTENCES[key])


def sentences(club, **asked) -> list[str]:
    """The page's sentences, the first thing done first."""
    page = log.log_page(club, log.Asked(**asked), None)
    return [line.sentence for line in page.lines][::-1]


def last(club) -> log.AuditLine:
    return log.log_page(club, log.Asked(), None).lines[0]


def changes(line: log.AuditLine) -> list[tuple[str, str, str]]:
    return [(change.label, change.old, change.new) for change in line.changes]


def test_a_game_and_its_correction_name_everybody_before_and_after():
    sitting = make_table()
    club, event = sitting.round.event.season.club, sitting.round.event
    a, b, c, d = names_at(sitting)
    result = play(sitting, [a, b, c, d])
    assert last(club).sentence == (
        f"Someone at the table entered game 1 at table 1: {a}, {b}, {c}, {d}."
    )
    correct(result, [b, a, c, d], by=make_member(club, "scorer"), reason="wrong way round")
    line = last(club)
    assert line.sentence == "a member 2 corrected game 1 at table 1. “wrong way round”"
    assert changes(line) == [("Finishing order", f"{a}, {b}, {c}, {d}", f"{b}, {a}, {c}, {d}")]
    assert line.entry.event == event


def test_what_was_special_in_a_game_is_told():
    sitting = make_table(make_night(rules="mien-nam", stake=1))
    a, b, c, d = names_at(sitting)
    keys = [sitting.places.get(entrant__player__name=name).entrant_id for name in (a, b)]
    play(sitting, [a, b, c, d], specials=[Special("chop", *keys, "R")])
    assert changes(last(sitting.round.event.season.club)) == [
        ("Chops and penalties", "—", f"{a} chops {b}: red 2")
    ]


def test_settings_rights_wishes_and_weights_are_told_with_old_and_new(season):
    club, by = season.club, owner_of(season)
    event = make_night(season=season)
    change_night(event, by=by, rounds_planned=5, confirmed_by="organiser")
    assert set(changes(last(club))) == {
        ("Rounds", "3", "5"),
        ("Who confirms games", "nobody: games count as entered", "an organiser"),
    }
    member = make_member(club, "player")
    offer = members.offer_role(club=club, email=member.email, role="scorer", by=by)
    members.accept_offer(offer=offer, user=member)
    assert sentences(club)[-2:] == [
        "a member offered an email address a role (scorer).",
        "a member 2 accepted a role (scorer).",
    ]
    members.offer_role(club=club, email=member.email, role="player", by=by)
    assert last(club).sentence == "a member changed the role of a member 2."
    assert changes(last(club)) == [("Role", "scorer", "player")]
    player = players.named(club=club, name="An")
    players.set_wishes(player=player, group="Nguyễn", together="", fixed_table=None, by=by)
    assert changes(last(club)) == [("Keep apart from", "—", "Nguyễn")]
    players.choose_face(player=player, animal="pig", by=by)
    assert last(club).sentence == f"{by} chose another face for An."
    assert changes(last(club)) == [("Face", "as given", "Pig")]
    players.rename_player(player=player, name="Mỹ", by=by)
    assert changes(last(club)) == [("Name", "An", "Mỹ")]
    seasons.set_worth(event=event, weight="2", by=by)
    assert changes(last(club)) == [("Weight", "1", "2")]
    scoring = Scoring.from_json(season.scoring).to_json() | {
        "points_table": {"row": ["5", "7/2", "1", "0"]}, "best_of": 3, "luck": True,
        "place_points": ["5", "3/2"],
    }  # fmt: skip
    seasons.change_scoring(season=season, scoring=scoring, tie_breaks=["points", "firsts"], by=by)
    assert last(club).sentence == f"{by} changed the scoring of the season {season.name}."
    assert {
        ("Best nights counted", "—", "3"),
        ("Points by place", "3 – 2 – 1 – 0", "5 – 3.5 – 1 – 0"),
        ("Points for final places", "10 – 8 – 6 – 5 – 4 – 3 – 2 – 1", "5 – 1.5"),
        ("Show the luck in online games", "no", "yes"),
    } <= {*changes(last(club))}
    told = [new for label, _old, new in changes(last(club)) if label == "Tie-breaks"]
    assert told == ["points, more first places"]


def test_a_stake_is_told_in_the_money_of_its_season():
    club = make_club()
    club.unit = "¤USD"
    club.save()
    event = make_night(season=make_season(club, rules="mien-nam"), stake=500)
    change_night(event, stake=1000)
    assert changes(last(club)) == [("Stake per game", "$5.00", "$10.00")]
    sitting = make_round(event).sittings.get()
    stakes.offer(sitting_id=sitting.pk, stake=25, by=owner_of(club), entrant_id=None)
    assert ("$10.00", "$0.25") in [one[1:] for one in changes(last(club))]


def test_a_night_is_told_from_the_door_to_its_end():
    event = make_night(8)
    season, by = event.season, owner_of(event)
    sitting = make_round(event).sittings.first()
    clock.start(round_=sitting.round, minutes=40, by=by)
    clock.give_extra(sitting=sitting, minutes=5, by=by)
    clock.call_director(sitting=sitting, by=None, note="wrong seat")
    guest = attendance.add_guest(event=event, name="Zoe", by=by)
    first, *_others = [place.entrant for place in sitting.seated]
    seat_changes.leave(sitting_id=sitting.pk, entrant_id=first.pk, substitute_id=guest.pk, by=by)
    links.renew_for_night(event=event, by=by)
    attendance.set_presence(event=event, player_ids=[first.player_id], presence="left", by=None)
    found = sentences(season.club, event=event.pk)
    assert found[0] == f"{by} created the night {event.name}."
    assert found[1] == f"{by} checked in: {', '.join(checked_in(event))}."
    assert found[2:] == [
        f"{by} drew round 1.",
        f"{by} released round 1.",
        f"{by} started the clock of round 1.",
        f"{by} gave table 1 extra time: 5 minutes in all.",
        "Someone at the table called the organiser to table 1. “wrong seat”",
        f"{by} added the guest Zoe.",
        f"{by} replaced {first.player} with Zoe at table 1 from game 1.",
        f"{by} replaced the night's link.",
    ]


def checked_in(event: Event) -> list[str]:
    entry = Audit.objects.filter(event=event, action="event.presence").last()
    names = dict(event.season.club.players.values_list("pk", "name"))
    return [names[key] for key in entry.data["players"]]


def test_draws_disputes_money_and_people_are_told():
    sitting = make_table(make_night(8))
    event = sitting.round.event
    season, club, by = event.season, event.season.club, owner_of(event)
    a, b, c, _d = names_at(sitting)
    draft = draws.draw_round(event=event, by=by, anyway=True)
    one, other = (draft.sittings.all()[table].seated[0].entrant for table in (0, 1))
    swaps.swap(round_=draft, a=one.pk, b=other.pk, by=by)
    assert last(club).sentence == f"{by} swapped {one} and {other} in the draft of round 2."
    draws.discard_round(round_=draft, by=by)
    assert last(club).sentence == f"{by} discarded the draft of round 2."
    play(sitting)
    disputes.open_dispute(sitting_id=sitting.pk, game_no=1, by=None, note="not me")
    assert last(club).sentence == "Someone at the table disputed game 1 at table 1. “not me”"
    disputes.dismiss(sitting_id=sitting.pk, game_no=1, by=by, reason="it was")
    assert last(club).sentence == f"{by} let game 1 at table 1 stand: “it was”"
    prize = make_prize(season, a, 5)
    assert last(club).sentence == f"{by} gave {a} a prize of 5 kẹo."
    postings.reverse(posting=prize, by=by, client_id=uuid.uuid4())
    assert last(club).sentence == f"{by} reversed an entry: 5 kẹo from {club.name} to {a}."
    penalty = make_adjustment(season, b, "-2")
    assert last(club).sentence == f"{by} took points from {b} (−2): “late”"
    adjustments.revoke(adjustment=penalty, by=by)
    assert last(club).sentence == f"{by} revoked −2 points of {b}."
    into = players.add_player(club=club, name="Cả", by=by)
    merges.merge(alias=players.named(club=club, name=c), into=into, by=by)
    assert last(club).sentence == f"{by} merged {c} into Cả."
    invitations.invite(club=club, role=Membership.Role.SCORER, by=by)
    assert last(club).sentence == f"{by} created an invitation link (scorer), valid for 7 days."


def test_a_payment_is_logged_from_the_hand_that_gave_to_the_one_that_took():
    night = make_paid_night(5)
    season, club, by = night.season, night.season.club, owner_of(night)
    [debt] = open_debts.of_night(night)
    payer, payee = debt.payer.player, debt.payee.player
    entry = {"season": season, "event": night, "amount": debt.amount, "by": by}
    paid = postings.settle(payer=payer, payee=payee, client_id=uuid.uuid4(), **entry)
    assert last(club).sentence == f"{by} recorded that {payer} paid {payee} 5 kẹo."
    postings.reverse(posting=paid, by=by, client_id=uuid.uuid4())
    assert last(club).sentence == f"{by} reversed an entry: 5 kẹo from {payer} to {payee}."
    postings.settle_open(which=open_debts.Which(), client_id=uuid.uuid4(), **entry)
    assert last(club).sentence == f"{by} recorded that {payer} paid {payee} 5 kẹo."
    transfers = csv_tables.of_event(night, "transfers")
    assert transfers is not None
    assert [row[4:8] for row in transfers.rows] == [
        (str(payer), str(payee), 5, "last place"),
        (str(payer), str(payee), 5, "paid"),
        (str(payee), str(payer), 5, "reversed: paid"),
        (str(payer), str(payee), 5, "paid"),
    ]


def test_who_acted_without_hands_is_the_program(season):
    schedule = make_schedule(season)
    assert last(season.club).sentence.endswith("created the schedule Thứ sáu.")
    schedules.delete_schedule(schedule=schedule, by=owner_of(season))
    rule = Recurrence(season.club.today + timedelta(days=7), time(20), season.club.time_zone)
    nights = Nights("Night 1", NightPlan(), rule, Ahead(days_ahead=0))
    schedules.create_schedule(season=season, by=owner_of(season), repeated=nights)
    schedules.tick(season.schedules.get().next_at)
    assert last(season.club).sentence == "The server created the night Night 1."


# --- The page ---------------------------------------------------------------------------------


@pytest.fixture
def browser() -> Client:
    client = Client()
    client.event = make_night(8)
    client.club = client.event.season.club
    client.force_login(owner_of(client))
    return client


def shown(client: Client, **asked) -> list[str]:
    page = client.get(path_of(client.club, "audit"), asked)
    assert page.status_code == 200
    return [line.sentence for line in page.context["page"].lines]


def test_the_log_is_narrowed_to_a_night_a_person_and_a_kind(browser):
    by = owner_of(browser)
    other = make_night(season=browser.event.season)
    scorer = make_member(browser.club, "scorer")
    play(make_table(browser.event), by=scorer)
    assert shown(browser, event=other.pk)[-1] == f"{by} created the night {other.name}."
    assert len(shown(browser, by=scorer.pk)) == 1
    assert len(shown(browser, by=scorer.pk, kind="money")) == 0
    assert [text.split()[2] for text in shown(browser, kind="tables")] == ["released", "drew"]
    assert len(shown(browser, kind="presence")) == 2
    assert all("created the night" in text for text in shown(browser, kind="nights"))
    everything = sum(len(shown(browser, kind=kind)) for kind in KINDS)
    assert everything == browser.club.audit.count()


def test_what_many_do_alike_stands_behind_its_number_and_who_acted_has_a_face(browser):
    people = list(browser.club.players.all())
    list_ = sign_ups.open_list(event=browser.event, by=owner_of(browser))
    for player in people:
        sign_ups.answer(sign_up=list_, player=player, reply="yes", device="a" * 64)
    page = browser.get(path_of(browser.club, "audit")).context["page"]
    [day] = page.days
    assert len(day.runs[0]) == len(people) + 1  # With the list that was opened.
    assert [line.player for line in day.runs[0][:-1]] == people[::-1]
    assert sum(map(len, day.runs)) == len(page.lines)


@pytest.mark.parametrize(
    "odd", [{"event": "x"}, {"by": "9" * 40}, {"kind": "<b>"}, {"page": "0"}, {"by": "-1"}]
)
def test_odd_questions_are_answered_with_a_page(browser, odd):
    shown(browser, **odd)


def test_a_night_of_another_club_shows_nothing(browser):
    make_night(season=make_season(make_club(name="Hội khác")))
    stranger = Event.objects.exclude(season__club=browser.club).get()
    assert shown(browser, event=stranger.pk) == []


def test_pages_keep_what_was_asked_for(browser):
    make_round(browser.event)
    sitting = browser.event.rounds.get().sittings.first()
    for _ in range(log.PER_PAGE + 1):
        clock.give_extra(sitting=sitting, minutes=5, by=owner_of(browser))
    page = browser.get(path_of(browser.club, "audit"), {"kind": "nights"})
    assert "?kind=nights&amp;page=2" in page.content.decode()
    assert len(shown(browser, kind="nights", page=2)) == 2


@pytest.mark.parametrize("games", share([1, 3], 1, of=2))
def test_the_page_takes_the_same_queries_with_one_game_or_three(
    browser, games, django_assert_num_queries
):
    sitting = make_table(browser.event)
    make_prize(browser.event.season, names_at(sitting)[0])
    for _ in range(games):
        play(sitting)
    with django_assert_num_queries(PAGE_QUERIES):
        shown(browser)


def test_the_mark_of_a_message_leads_to_its_entry_or_says_that_the_log_was_changed():
    club, client = make_club(), Client()
    client.force_login(owner_of(club))
    players.add_players(club=club, by=owner_of(club), text="Mai")
    connection.check_constraints()
    mark, path = log_marks.mark_of(club), path_of(club, "audit")
    assert re.fullmatch("[0-9a-f]{4}( [0-9a-f]{4}){3}", mark)
    players.add_players(club=club, by=owner_of(club), text="Lan")
    connection.check_constraints()
    assert log_marks.mark_of(club) != mark
    found = client.get(path, {"mark": mark.upper()}).context["page"].lines
    assert ["Mai" in line.sentence for line in found] == [True]
    page = client.get(path, {"mark": "0000 0000 0000 0000"}).content.decode()
    assert "The log has no such mark" in page


@pytest.mark.django_db(transaction=True)
def test_entries_of_two_clubs_wait_for_each_other_in_no_way_and_of_one_club_at_the_commit_alone():
    one, other = make_club(), make_club()
    both_wrote = threading.Barrier(2, timeout=10)

    def write(club: Club) -> None:
        with transaction.atomic():
            audit.log("club.settings", club=club, by=None)
            both_wrote.wait()  # With a lock before the commit the second never came here.

    for second in (one, other):
        race(partial(write, one), partial(write, second), refused=())
    assert AuditMark.objects.filter(club_id=one.pk).count() == one.audit.count()
    assert list(log_marks.broken()) == []
