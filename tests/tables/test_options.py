"""What a visitor of a table is told and may do: decided from plain data."""

from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

from tables.play.pages.notices import TEXTS, Notice
from tables.play.pages.options import ANYBODY, GIVEN, MEMBERS, ROTATING, Options, Visit, decide

TABLE = Visit(key="abc", status="waiting", version=7)


def options(**changes: Any) -> Options:
    return decide(replace(TABLE, **changes))


def said(found: Options) -> str:
    return found.notice.code if found.notice else ""


@pytest.mark.parametrize(
    ("changes", "code", "names"),
    [
        ({"chairs": ANYBODY}, "full", ["deal", "leave"]),
        ({"chairs": MEMBERS, "full": False}, "share_with_club", ["leave"]),
        ({"chairs": MEMBERS}, "full", ["deal", "leave"]),
        ({"chairs": GIVEN}, "say_ready", ["deal"]),
        ({"chairs": GIVEN, "ready": True}, "ready", []),
        ({"chairs": GIVEN, "full": False}, "too_few", []),
        ({"chairs": ROTATING, "begun": True}, "say_ready_next", ["deal", "leave"]),
        ({"chairs": ROTATING, "begun": True, "ready": True}, "ready_next", ["leave"]),
        ({"chairs": ROTATING, "held": True}, "held", ["leave"]),
        ({"chairs": ANYBODY, "status": "between"}, "next_game", ["deal", "leave"]),
        ({"chairs": ANYBODY, "status": "between", "ready": True}, "next_ready", ["leave"]),
        ({"chairs": GIVEN, "status": "between"}, "next_game", ["deal"]),
    ],
)
def test_between_games_who_sits_there_is_told_what_brings_the_cards(changes, code, names):
    found = options(seated=True, **changes)
    assert (found.part, said(found), found.names) == ("actions", code, names)


@pytest.mark.parametrize(
    ("host", "names"), [(True, ["bots", "challenge", "leave"]), (False, ["leave"])]
)
def test_friends_are_invited_by_all_and_bots_by_the_host_alone(host, names):
    found = options(seated=True, chairs=ANYBODY, full=False, host=host)
    assert (found.part, said(found), found.names) == ("invite", "share", names)


@pytest.mark.parametrize(
    ("changes", "part", "code"),
    [
        ({"chairs": ANYBODY}, "sit", ""),
        ({"chairs": ANYBODY, "room": False}, "watching", "watches_full"),
        (
            {"chairs": ANYBODY, "status": "playing", "phase": "play", "room": False},
            "watching",
            "watches_people",
        ),
        ({"chairs": ANYBODY, "status": "between"}, "sit", ""),
        ({"chairs": ANYBODY, "status": "playing", "phase": "play"}, "watching", "watches"),
        ({"chairs": MEMBERS}, "stake", ""),
        ({"chairs": MEMBERS, "status": "between"}, "watching", "watches_club"),
        ({"chairs": GIVEN}, "watching", "watches_given"),
        (
            {"chairs": ROTATING, "status": "playing", "phase": "play"},
            "watching",
            "watches_rotation",
        ),
    ],
)
def test_who_watches_is_told_whether_a_chair_may_be_taken(changes, part, code):
    found = options(**changes)
    assert (found.part, said(found)) == (part, code)
    assert found.names == (["sit"] if part in ("sit", "stake") else [])


@pytest.mark.parametrize(
    ("phase", "part"),
    [("window", "window"), ("trade", "trade"), ("play", "play"), ("exchange", "play")],
)
def test_in_a_game_the_phase_says_what_is_shown(phase, part):
    found = options(seated=True, status="playing", phase=phase)
    assert (found.part, found.notice, found.names) == (part, None, ["away", "leave"])


def test_in_a_game_that_was_given_away_nobody_leaves():
    assert options(seated=True, status="playing", phase="play", chairs=GIVEN).names == ["away"]


def test_who_leaves_after_the_game_may_stay():
    found = options(seated=True, status="playing", phase="play", leaving=True)
    assert found.names == ["away", "stay"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"phase": "play"}, "autopilot"),
        ({"phase": "play", "away": True}, "away"),
        ({"phase": "", "status": "between"}, "away"),
    ],
)
def test_for_whom_a_bot_plays_may_take_the_chair_back(changes, code):
    found = options(seated=True, autopilot=True, **changes)
    assert found.replaced == Notice(code)
    assert [action.address for action in found.back] == ["/tables/abc/stay/"]


@pytest.mark.parametrize("seated", [True, False])
def test_from_a_closed_table_one_goes_on_elsewhere(seated):
    def leads(**changes: Any) -> list[str]:
        found = options(status="closed", seated=seated, **changes)
        return [action.address for action in found.actions]

    assert leads() == ["/tables/abc/again/", "/tables/"]
    assert leads(again="/tables/new/") == ["/tables/new/", "/tables/"]
    assert leads(chairs=GIVEN, home="/night/") == ["/night/"]
    assert leads(chairs=MEMBERS, home="/money/", again="/tables/new/") == [
        "/tables/new/",
        "/money/",
    ]


def test_a_deal_says_which_table_was_seen():
    (deal, _leave) = options(seated=True, chairs=MEMBERS).actions
    assert (deal.address, deal.version) == ("/tables/abc/deal/", 7)


def test_names_in_a_notice_are_no_markup():
    found = Notice("watches_club", {"club": "<b>Hội</b>"})
    assert "&lt;b&gt;Hội&lt;/b&gt;" in found.html


@pytest.mark.parametrize("language", ["en", "vi"])
def test_every_notice_has_its_words(language):
    names = {"name": "An", "names": "An, Bo", "other": "Bo", "club": "Hội", "ready": 2}
    with translation.override(language):
        assert all("%" not in Notice(code, names).html for code in TEXTS)
