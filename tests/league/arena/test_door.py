"""The door Bots: a hundred games of pasted code, one ranking, and the old addresses."""

import json
from dataclasses import replace

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts.models import User
from engine.bots import judge
from engine.rules.ruleset import preset
from league.arena.acts import standing_ladder
from league.arena.facts.own_bots import pool_of
from league.arena.pages import door
from league.clubs.acts import players
from league.models import Club, Player
from tables import tasks
from tables.bots.facts import member_bots
from tables.models import Ladder, Tryout, Upload
from tables.refusals import Refusal
from tables.reviews.acts import making
from tables.reviews.pages.review import walk
from tables.runs import tryouts
from tests.factories import browser_of, make_member, make_season, make_tournament, owner_of, path_of
from tests.refusals import refuses
from tests.tables.reviewed import decided
from tests.worlds import made_once

pytestmark = pytest.mark.django_db

CODE = """
class Quick:
    name, version = "quick-one", 1

    def __init__(self, seed):
        pass

    def choose(self, observation, legal):
        return legal[0]
"""


@pytest.fixture(autouse=True)
def few_deals(settings, monkeypatch):
    settings.BOT_UPLOADS = True
    monkeypatch.setattr(tryouts, "DEALS", 2)
    monkeypatch.setattr(tryouts.uploaded, "LIMITS", tryouts.uploaded.Limits(seconds=60.0))


@made_once
def club():
    return make_season(rules="thirteen").club


def tried(club, code: str, client: Client) -> tuple[str, str]:
    """Return the address of the result, and what it says once the games are played."""
    address = client.post(path_of(club, "bot_try"), {"code": code}).url
    while tryouts.play_next():
        pass
    return address, client.get(address).content.decode()


def test_pasted_code_plays_and_its_author_puts_it_on_the_ranking(club):
    stranger, member = Client(), browser_of(make_member(club, "player"))
    address, page = tried(club, CODE, stranger)
    assert "8 games · 2 deals × 4 seats" in page
    places = Tryout.objects.get().result["places"]
    assert [sum(side) for side in places] == [8, 24]
    assert "Send quick-one" not in page, "only members send bots"
    assert "Send quick-one" in member.get(address).content.decode()
    member.post(address)
    assert Upload.objects.values_list("name", "state").get() == ("quick-one-1", "waiting")


def test_a_visitor_who_can_only_paste_code_sees_no_empty_panel_of_own_bots(club):
    shown = Client().get(path_of(club, "arena")).content.decode()
    assert 'name="code"' in shown
    assert 'aria-labelledby="mine"' not in shown
    page = browser_of(make_member(club, "player")).get(path_of(club, "arena"))
    assert 'aria-labelledby="mine"' in page.content.decode()


def test_a_page_that_waits_asks_for_its_part_alone(club):
    client = Client(headers={"HX-Request": "true"})
    begun = client.post(path_of(club, "bot_try"), {"code": CODE}).content.decode()
    assert "every 0.5s" in begun
    assert "<html" not in begun
    assert "every 0.5s" not in tried(club, CODE, Client())[1]


def test_a_fault_of_pasted_code_is_told_and_its_position_opens(club):
    _address, page = tried(club, CODE.replace("legal[0]", "legal[99]"), Client())
    assert "Fault: crashed, in deal 1, game 1." in page
    assert "IndexError" in page
    assert "than greedy" not in page, "a bot that crashed was not measured"
    result = Tryout.objects.get().result
    assert 0 <= result["step"] < len(result["record"]["actions"])
    sent = {"text": json.dumps(result["record"]), "step": result["step"]}
    assert Client().post(reverse("records"), sent).status_code == 200


def test_code_that_fails_in_each_of_its_first_games_plays_no_more(club, monkeypatch):
    monkeypatch.setattr(tryouts, "DEALS", 3)
    _address, page = tried(club, CODE.replace("legal):", "legal)"), Client())
    assert "SyntaxError" in page
    assert "8 games · 2 deals × 4 seats" in page


def test_its_worst_move_in_a_game_that_it_lost_is_shown_once_judged(club, monkeypatch):
    cache.clear()
    play = tryouts.simulation.play_block

    def known_deals(rules, names, _seed, *more, **named):
        return play(rules, names, "one is lost", *more, **named)

    monkeypatch.setattr(tryouts.simulation, "play_block", known_deals)
    monkeypatch.setattr(making, "is_ready", lambda: True)
    sent: list[str] = []
    monkeypatch.setattr(tasks.review_record, "apply_async", lambda key, **_more: sent.extend(key))
    address, page = tried(club, CODE, Client())
    assert ('hx-get="?worst"' in page, "is judged next" in page) == (True, True)
    record = Tryout.objects.get().result["record"]
    mine = next(no for no, bot in enumerate(record["players"]) if bot != "greedy")
    assert walk(record).ranks[mine] == 4
    body = {"decisions": decided(record)}
    monkeypatch.setattr(judge, "review", lambda *_given: body)
    tasks.review_record(sent[0])
    part = Client(headers={"HX-Request": "true"}).get(f"{address}?worst").content.decode()
    assert "Worst move of quick-one" in part
    assert "0.50 ± 0.05 places given away" in part
    assert ("<html" in part, "?worst" in part) == (False, False)
    whole = Client().get(address).context["review_at"]
    assert "quick-one" in Client().get(whole).content.decode()


HELPER = "\nclass Helper:\n    def __init__(self, cards): pass\n    def choosers(self): pass\n"
OWN_NAME = CODE.replace("Quick", "B\u1ed1t_Nhanh")
DECOMPOSED = CODE.replace("Quick", "Bo\u0302\u0301t")
HEIR = CODE + "\nclass Heir(Quick):\n    def value(self): pass\n"


@pytest.mark.parametrize("code", [CODE + HELPER, HEIR + HELPER, OWN_NAME, DECOMPOSED])
def test_the_class_with_the_method_plays_whatever_its_name_and_its_place(club, code):
    _address, result = tried(club, code, Client())
    assert "8 games · 2 deals" in result
    assert "Fault" not in result


def test_of_two_classes_with_the_method_the_last_one_plays():
    assert [tryouts._bot_class(code) for code in (HEIR, CODE + HELPER, HELPER)] == [
        "Heir", "Quick", "Helper",
    ]  # fmt: skip


@pytest.mark.parametrize("code", ["", "x = 1", "class A: pass\n" + "#" * tryouts.MOST_CODE])
def test_what_is_no_class_is_refused_in_words(club, code):
    answer = Client().post(path_of(club, "bot_try"), {"code": code}, follow=True)
    assert "Paste a Python class" in answer.content.decode()
    assert not Tryout.objects.exists()


def test_long_empty_code_is_refused_at_once():
    """Read line by line, as each of a million empty lines could begin a method."""
    with pytest.raises(Refusal):
        tryouts.packed("class Bot:\n" + "\n" * 1_000_000)
    assert tryouts.name_of("\n" * 1_000_000 + "    name = 'nam-bo'") == "nam-bo"


def test_a_network_and_a_full_queue_are_bounded(club, settings, monkeypatch):
    monkeypatch.setattr(tryouts, "MOST_WAITING", 1)
    client = Client(headers={"HX-Request": "true"})
    client.post(path_of(club, "bot_try"), {"code": CODE})
    assert "Many bots" in client.post(path_of(club, "bot_try"), {"code": CODE}).content.decode()
    settings.TABLES_PER_ADDRESS = settings.TABLES_PER_ADDRESS | {"try": (0, 3600)}
    client.post(path_of(club, "bot_try"), {"code": CODE})
    assert Tryout.objects.count() == 1
    settings.BOT_UPLOADS = False
    refused = client.post(path_of(club, "bot_try"), {"code": CODE}).content.decode()
    assert "does not accept bots as files" in refused


def test_a_worker_that_died_gives_its_games_to_the_next_within_a_minute(club):
    Client().post(path_of(club, "bot_try"), {"code": CODE})
    held = tryouts._hold_next()
    assert held is not None
    assert tryouts.HELD.total_seconds() <= 60
    assert tryouts.play_next() is False
    Tryout.objects.update(held_until=held.created_at)
    assert tryouts.play_next() is True
    tryouts.sweep()
    assert Tryout.objects.count() == 1
    Tryout.objects.update(created_at=held.created_at - 2 * tryouts.KEPT)
    tryouts.sweep()
    assert not Tryout.objects.exists()


def test_one_ranking_shows_the_newest_version_of_each_bot(club):
    author = make_member(club, "player")
    bring(club, author, "mine", 1, 2)
    rank(club, ("greedy", 1, 90.0), ("mine-2", 2, 10.0), ("mine-1", 1, 50.0), ("lowest", 1, -90.0))
    page = browser_of(author).get(path_of(club, "arena")).context["page"]
    shown = [(bot.name, bot.rating, bot.who, bot.is_mine) for bot in page.ranking.bots]
    assert shown == [
        ("greedy", 1090, "house", False),
        ("mine", 1010, "yours · version 2", True),
        ("lowest", 910, "house", False),
    ]
    assert [bot.note for bot in page.mine] == ["rank 2"]
    assert page.free == 4


def test_without_a_ladder_tournaments_rank_the_own_bot_as_well(club, monkeypatch):
    author = make_member(club, "player")
    bring(club, author, "mine", 1)
    pool = [
        {"name": name, "version": 1, "rating": rating, "low": rating - 9, "high": rating + 9,
         "games": 400}
        for name, rating in (("greedy", 90.0), ("mine-1", 10.0), ("lowest", -90.0))
    ]  # fmt: skip
    monkeypatch.setattr(door.ratings, "stored_pools", lambda _state: [pool])
    page = browser_of(author).get(path_of(club, "arena")).context["page"]
    shown = [(bot.name, bot.who, bot.is_mine) for bot in page.ranking.bots]
    assert shown == [
        ("greedy", "", False), ("mine", "yours · version 1", True), ("lowest", "", False),
    ]  # fmt: skip
    assert [bot.note for bot in page.mine] == ["rank 2"]


def bring(club, author, base: str, *numbers: int) -> None:
    for number in numbers:
        Upload.objects.create(
            pool=pool_of(club), author=author, base=base, number=number, name=f"{base}-{number}",
            language="python", body=b"", digest=str(number), state="sound", seen_by="club",
        )  # fmt: skip


def rank(club, *rated: tuple[str, int, float]) -> None:
    """Start the club's ladder with these bots, versions and ratings."""
    standing_ladder.change_ladder(
        club=club, by=owner_of(club), is_on=True, ruleset=preset("tien-len")
    )
    rows = [
        {"name": name, "version": version, "rating": rating, "low": rating - 20, "games": 400,
         "high": rating + 20, "faults": 0}
        for name, version, rating in rated
    ]  # fmt: skip
    Ladder.objects.update(rows=rows)


def test_rules_for_five_or_more_are_refused_where_bots_would_never_meet(club):
    crowd = replace(preset("tien-len"), min_players=5, max_players=8, decks=2)
    with refuses("players"):
        standing_ladder.change_ladder(club=club, by=owner_of(club), is_on=True, ruleset=crowd)
    season = make_season(club)
    with pytest.raises(ValidationError, match="at most four"):
        make_tournament(season, "greedy", "lowest", "random", "planner", "greedy", ruleset=crowd)
    assert not Ladder.objects.exists()


def test_a_bot_has_the_same_place_for_those_who_do_not_read_its_name(club):
    author = make_member(club, "player")
    bring(club, author, "mine", 1, 2)
    bring(club, author, "other", 1)
    rank(club, ("mine-2", 2, 90.0), ("mine-1", 1, 70.0), ("other-1", 1, 50.0), ("greedy", 1, 10.0))
    named, nameless = (
        [(bot.place, bot.name, bot.rating) for bot in page.context["page"].ranking.bots]
        for page in (
            client.get(path_of(club, "arena")) for client in (browser_of(author), Client())
        )
    )
    assert named == [(1, "mine", 1090), (2, "other", 1050), (3, "greedy", 1010)]
    assert nameless == [
        (1, "A member's bot", 1090),
        (2, "A member's bot", 1050),
        (3, "greedy", 1010),
    ]


@pytest.mark.parametrize("is_on_ladder", [True, False])
def test_strangers_read_of_an_author_what_they_read_of_the_player(club, monkeypatch, is_on_ladder):
    author, helper = make_member(club, "player"), make_member(club, "scorer")
    bring(club, author, "mine", 1)
    bring(club, helper, "other", 1)
    Upload.objects.update(seen_by="everyone")
    User.objects.filter(pk=author.pk).update(name="Nguyễn Văn An")
    User.objects.filter(pk=helper.pk).update(name="Trần Thị Bình")
    player = players.add_player(club=club, name="Nguyễn An", by=owner_of(club))
    Player.objects.filter(pk=player.pk).update(user=author)
    if is_on_ladder:
        rank(club, ("mine-1", 1, 90.0), ("other-1", 1, 50.0))
    pool = [
        {"name": name, "version": 1, "rating": 9.0, "low": 1.0, "high": 20.0, "games": 400}
        for name in ("mine-1", "other-1")
    ]
    monkeypatch.setattr(door.ratings, "stored_pools", lambda _state: [pool])

    def names(client: Client = Client()) -> list[str]:  # noqa: B008
        page = client.get(path_of(club, "arena")).context["page"]
        return [bot.who.removesuffix(" · version 1") for bot in page.ranking.bots]

    assert names() == ["by Nguyễn An", "by Trần Thị Bình"]
    Club.objects.update(shows_names="first")
    assert names() == ["by An", "by ?"]
    assert names(browser_of(helper)) == ["by Nguyễn An", "yours"]
    Player.objects.filter(pk=player.pk).update(shown="hidden")
    assert names() == [f"by Player {player.pk}", "by ?"]


@pytest.mark.parametrize("name", ["ladder", "own_bots", "bot_try"])
def test_old_addresses_lead_to_the_door(club, name):
    assert browser_of(owner_of(club)).get(path_of(club, name)).url == path_of(club, "arena")


def test_a_withdrawn_or_refused_bot_frees_its_place(club):
    author = make_member(club, "player")
    for number, state in enumerate(("waiting", "sound", "refused", "withdrawn")):
        Upload.objects.create(
            pool=pool_of(club), author=author, base=f"b{number}", number=1, name=f"b{number}-1",
            language="python", body=b"", digest="d", state=state,
        )  # fmt: skip
    assert member_bots.free_places(author.pk, pool_of(club)) == 3


@pytest.mark.parametrize(
    ("states", "shown"),
    [
        (("sound", "sound"), [2]),
        (("sound", "waiting"), [2, 1]),
        (("sound", "withdrawn"), [1]),
        (("sound", "refused", "withdrawn"), [1]),
        (("withdrawn", "withdrawn"), []),
    ],
)
def test_its_author_sees_the_version_that_plays_on(club, states, shown):
    author = make_member(club, "player")
    bring(club, author, "mine", *range(1, len(states) + 1))
    for number, state in enumerate(states, start=1):
        Upload.objects.filter(number=number).update(state=state)
    page = browser_of(author).get(path_of(club, "arena")).context["page"]
    assert [bot.name for bot in page.mine] == [f"mine {number}" for number in shown]
    playing = [bot.name.replace(" ", "-") for bot in page.mine if bot.tone == "open"]
    assert member_bots.newest(pool_of(club)) == playing
