"""Tables over the API: the same services, rights and refusals as the pages."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from engine.bots import BOTS
from engine.records import deals
from engine.rules import ruleset
from league.base.acts import tokens
from tables.bots.acts import challenges
from tables.chairs.acts import seats
from tables.models import Action, BotAccount, Challenge, Seat, Table
from tables.play.acts import games
from tables.programs.program import Program as TournamentProgram
from tests.factories import make_user, stored
from tests.shares import share
from tests.tables import live
from tests.tables.live import HANDS, play_quickly

pytestmark = pytest.mark.django_db


class Program:
    """An account with a token, and what it asks."""

    def __init__(self, email: str = "") -> None:
        self.user = make_user(email or None)
        _token, secret = tokens.create_token(user=self.user, name="test")
        self.headers = {"Authorization": f"Bearer {secret}"}
        self.client = Client()

    def get(self, name: str, *args: Any, **more: Any) -> Any:
        address = reverse(f"play:{name}", args=args)
        return self.client.get(address, headers=self.headers | more)

    def post(self, what: str, /, *args: Any, method: str = "post", **data: Any) -> Any:
        send = getattr(self.client, method)
        headers = self.headers | data.pop("headers", {})
        address = reverse(f"play:{what}", args=args)
        return send(address, data, content_type="application/json", headers=headers)


@pytest.fixture
def program() -> Program:
    return Program()


@pytest.fixture
def table(program) -> Table:
    """The program in chair 0 with the spades and the lead, guests in the others."""
    made = live.open_table(people=4)
    Seat.objects.filter(table=made, no=0).update(user=program.user, token_hash="")
    live.set_hands(made, HANDS)
    made.refresh_from_db()
    return made


def test_a_table_whose_bots_cannot_sit_is_not_opened(program, monkeypatch, tmp_path):
    monkeypatch.setitem(BOTS, "greedy", TournamentProgram("greedy", ("true",), tmp_path, 1))
    answer = program.post("tables", players=4, bots="greedy")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_bot")
    assert not Table.objects.exists()


def move(program: Program, table: Table, action: str, **more: Any) -> Any:
    table.refresh_from_db()
    values = {"action": action, "version": table.version, "client_id": f"move-{action}"}
    return program.post("moves", table.key, **(values | more))


# --- Reading ----------------------------------------------------------------------------------


def test_a_program_lists_its_tables_and_reads_its_own_cards(program, table):
    listed = program.get("tables").json()
    assert [(t["key"], t["seat"]) for t in listed["tables"]] == [(table.key, 0)]
    now = program.get("table", table.key).json()["now"]
    assert (now["hand"], now["acts"], now["legal"]) == (HANDS[0], True, ["3S"])


def test_somebody_without_a_chair_reads_what_everybody_sees(table):
    told = Program().get("table", table.key).json()
    assert (told["seat"], told["now"]["hand"], told["now"]["legal"]) == (None, "", [])
    assert [chair["cards"] for chair in told["chairs"]] == [13] * 4


def test_without_a_token_nobody_gets_anything(table):
    for name in ("tables", "own_stream"):
        assert Client().get(reverse(f"play:{name}")).status_code == 401
    assert Client().get(reverse("play:table", args=[table.key])).status_code == 401
    program = Program()
    program.headers = {"Authorization": "Bearer tl_made-up"}
    assert program.get("tables").status_code == 401


def test_the_stream_begins_with_the_table_as_it_is(program, table):
    answer = program.get("stream", table.key)
    assert answer["Content-Type"] == "application/x-ndjson"
    assert answer.content.decode().count("\n") == 1
    assert '"hand": "3S 4S' in answer.content.decode()


def test_hints_and_rules_are_there_for_programs_too(program, table):
    assert program.get("hints", table.key).json() == {"plays": [["3S"]]}
    assert program.get("rules", table.key).json()["key"] == "penguin"


@pytest.mark.parametrize("finished", share([1, 3], 1, of=2))
def test_a_table_of_members_takes_eight_queries_however_long_the_match(
    program, table, finished, django_assert_num_queries
):
    for _ in range(finished):
        play_quickly(table)
        live.deal(table)
    program.get("table", table.key)
    with django_assert_num_queries(8):
        program.get("table", table.key)


# --- Moves ------------------------------------------------------------------------------------


def test_a_move_answers_with_the_table_after_it(program, table):
    answer = move(program, table, "3S")
    assert answer.status_code == 200
    assert "3S" not in answer.json()["now"]["hand"]
    assert answer.json()["now"]["to_beat"] == "3S"


def test_the_same_client_id_acts_once_and_answers_again(program, table):
    version = table.version
    answers = [move(program, table, "3S", version=version) for _ in range(2)]
    assert [a.status_code for a in answers] == [200, 200]
    assert Action.objects.count() == 1


@pytest.mark.parametrize(
    ("action", "code", "status"),
    [
        ("4S", "must_include", 422),
        ("3S 4S", "no_combination", 422),
        ("3C", "not_in_hand", 422),
        ("pass", "must_lead", 422),
        ("XX", "no_action", 422),
        ("", None, 400),
        ("ask 7", "wrong_phase", 422),
        ("declare", "no_action", 422),
    ],
)
def test_what_the_rules_refuse_has_a_code_and_a_text(program, table, action, code, status):
    answer = move(program, table, action)
    assert (answer.status_code, answer.json().get("code")) == (status, code)
    assert Action.objects.count() == 0


def test_a_refusal_speaks_the_callers_language(program, table):
    answer = move(program, table, "pass", headers={"Accept-Language": "vi"})
    assert answer.json()["detail"] != "Your lead: play something."
    assert answer.json()["code"] == "must_lead"


def test_a_stale_move_is_told_so_with_the_fresh_table(program, table):
    seen = table.version
    move(program, table, "3S")
    answer = move(program, table, "4S", version=seen, client_id="late")
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert answer.json()["table"]["version"] == Table.objects.get(pk=table.pk).version


def test_nobody_moves_for_a_chair_that_is_not_his(table):
    answer = move(Program(), table, "3S")
    assert (answer.status_code, answer.json()["code"]) == (403, "not_seated")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b'{"action": ["3S"], "version": 1}',
        b'{"version": "' + b"9" * 5000 + b'"}',
        b'{"action": "\\u0000", "version": 1, "client_id": "x"}',
    ],
)
def test_odd_bodies_are_answered_and_change_nothing(program, table, body):
    for name in ("moves", "answer", "trade", "sit", "deal", "challenge"):
        answer = program.client.post(
            reverse(f"play:{name}", args=[table.key]),
            body,
            content_type="application/json",
            headers=program.headers,
        )
        assert answer.status_code in (200, 400, 403, 409, 422)
    assert Action.objects.count() == 0


def test_moves_are_throttled_apart_from_reading(program, table, monkeypatch):
    from tables.api.base import MovesThrottle

    monkeypatch.setattr(MovesThrottle, "THROTTLE_RATES", {"moves": "2/min"})
    statuses = [move(program, table, "4S").status_code for _ in range(3)]
    assert statuses == [422, 422, 429]
    assert program.get("table", table.key).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_moves_in_turn_are_not_counted(program, table, monkeypatch, django_assert_num_queries):
    """Nor do they ask the database for more than the token, and to be stored."""
    from tables.api.base import MovesThrottle

    monkeypatch.setattr(MovesThrottle, "THROTTLE_RATES", {"moves": "1/min"})
    other = Program()
    Seat.objects.filter(table=table, no=1).update(user=other.user, token_hash="")
    for who in (program, other):
        assert who.get("table", table.key).status_code == 200
    assert move(program, table, "3S").status_code == 200
    table.refresh_from_db()
    with django_assert_num_queries(2):
        answer = other.post(
            "moves", table.key, action="pass", version=table.version, client_id="second"
        )
    assert (answer.status_code, answer.json()["version"]) == (200, table.version + 1)
    refused = [other.post("moves", table.key, action="3H", version=1, client_id="x")]
    refused += [other.post("moves", "nowhere", action="3H", version=1, client_id="x")]
    assert [answer.status_code for answer in refused] == [409, 429]


# --- A whole game -----------------------------------------------------------------------------


@pytest.mark.parametrize("key", share(ruleset.preset_keys(), 2))
def test_a_program_plays_a_whole_game_of_every_ruleset(program, key):
    players = ruleset.preset(key).min_players
    opened = program.post("tables", rules=key, players=players, bots="greedy")
    assert opened.status_code == 201
    told = opened.json()
    table = Table.objects.get(key=told["key"])
    for number in range(2000):
        if told["last"]:
            break
        now = told["now"]
        if now["phase"] == "trade" and not now["ready"]:
            told = program.post("trade", table.key, do="ready").json()
        elif now.get("acts"):
            text = now["legal"][0]
            move_ = {"action": text, "version": told["version"], "client_id": f"m{number}"}
            told = program.post("moves", table.key, **move_).json()
        else:
            live.hurry(table)
            told = program.get("table", table.key).json()
    assert sorted(seat for group in told["last"]["placings"] for seat in group) == list(
        range(players)
    )


@pytest.mark.parametrize("name", ["Ban tổ chức", "sage (bot)", "www.vip.example"])
def test_who_plays_over_the_api_has_no_name_of_the_house_and_no_address(program, name):
    made = live.open_table(people=0)
    for answer in (
        program.post("sit", made.key, seat=1, name=name),
        program.post("tables", players=4, name=name),
    ):
        assert answer.json()["code"] == "house_name", answer.json()
    assert not Seat.objects.filter(user=program.user).exists()
    assert Table.objects.get() == made


def test_a_program_sits_down_gets_up_and_deals(program):
    made = seats.open_table(ruleset=ruleset.preset("penguin"), players=2)
    assert program.post("sit", made.key, seat=1, name="An").json()["seat"] == 1
    assert program.post("sit", made.key, seat=0).json()["code"] == "sits_already"
    refused = program.post("deal", made.key)
    assert (refused.status_code, refused.json()["code"]) == (422, "empty_chairs")
    assert program.post("fill", made.key).json()["status"] == "playing"
    assert program.post("leave", made.key).status_code == 200
    assert program.post("stay", made.key).json()["chairs"][1]["autopilot"] is False


def test_a_program_takes_part_in_the_deal_as_a_browser_does(program):
    made = live.open_table(players=3, people=1)
    Seat.objects.filter(table=made, no=0).update(user=program.user, token_hash="")
    BotAccount.objects.create(user=program.user, name="remote")
    live.deal(made)
    play_quickly(made)
    part = "ab" * 32
    link = deals.fingerprint(part)
    told = program.post("mix", made.key, link=link).json()
    fingerprint = made.games.get(no=2).commitment
    assert told == {"game": 2, "fingerprint": fingerprint, "links": [link, "", ""],
                    "link": link, "part": "", "following": {}}  # fmt: skip
    assert program.post("mix", made.key, game=2, part="cd" * 32).json()["part"] == ""
    assert program.post("mix", made.key, game=2, part=part).json()["part"] == part
    assert program.post("mix", made.key, link="x").status_code == 400
    assert Program().post("mix", made.key, link=link).status_code == 403
    game = live.deal(made)
    assert (game.no, game.parts) == (2, [part, "", ""])
    play_quickly(made)
    record = Client().get(reverse("tables:record", args=[made.key, 2])).json()
    assert record["deal"]["commitment"] == fingerprint
    assert deals.wrong_deal(record) == []


def test_unknown_rules_and_tables_are_not_found(program):
    assert program.post("tables", rules="bridge", players=2).json()["code"] == "no_such_rules"
    assert program.post("tables", digest="f" * 64, players=2).status_code == 404
    assert program.get("table", "nowhere").status_code == 404


# --- Bots of people's own ---------------------------------------------------------------------


def hosted() -> tuple[Program, Table]:
    """A table with one of two seats taken, and who sits there."""
    host = Program()
    made = seats.open_table(ruleset=ruleset.preset("penguin"), players=2)
    host.post("sit", made.key, seat=0, name="Chủ")
    return host, made


def test_a_bot_is_challenged_takes_a_chair_and_is_called_one(program):
    host, made = hosted()
    program.post("bot", method="put", name="minh-bot")
    assert host.get("bots").json() == [{"name": "minh-bot", "takes_challenges": True}]
    for _ in range(2):
        assert host.post("challenge", made.key, bot="minh-bot").status_code == 200
    [asked] = program.get("tables").json()["challenges"]
    assert (asked["key"], asked["by"]) == (made.key, "Chủ")
    program.post("answer_challenge", asked["id"], accept=True)
    told = program.get("table", made.key).json()
    assert (told["seat"], told["chairs"][1]["name"], told["chairs"][1]["kind"]) == (
        1,
        "minh-bot (bot)",
        "program",
    )
    assert Challenge.objects.count() == 1


def test_a_challenge_is_answered_once_and_only_by_its_bot(program):
    host, made = hosted()
    program.post("bot", method="put", name="minh-bot")
    host.post("challenge", made.key, bot="minh-bot")
    pk = Challenge.objects.get().pk
    assert host.post("answer_challenge", pk, accept=True).status_code == 404
    for _ in range(2):
        assert program.post("answer_challenge", pk, accept=False).status_code == 200
    late = program.post("answer_challenge", pk, accept=True)
    assert (late.status_code, late.json()["code"]) == (409, "challenge_answered")


@pytest.mark.parametrize("name", ["", "ab", "Ab-cd", "a b c", "é-bot", "-abc", "a" * 31])
def test_a_bots_name_is_plain(program, name):
    assert program.post("bot", method="put", name=name).status_code in (400, 422)
    assert not BotAccount.objects.exists()


def test_a_bots_name_belongs_to_one(program):
    program.post("bot", method="put", name="minh-bot")
    taken = Program().post("bot", method="put", name="minh-bot")
    assert (taken.status_code, taken.json()["code"]) == (409, "bot_name_taken")
    assert program.post("bot", method="put", name="lan-bot").json()["name"] == "lan-bot"
    assert program.post("bot", method="delete").status_code == 204
    assert program.get("bot").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_everybody_at_the_table_reads_from_when_on_a_program_plays(program, table):
    """Also the processes that keep the table as it was."""
    seen = table.version
    kinds = [kind_of(table, 0)]
    program.post("bot", method="put", name="minh-bot")
    kinds.append(kind_of(table, 0))
    assert stored(table).version == seen + 1
    program.post("bot", method="put", name="lan-bot")
    table.refresh_from_db()
    assert table.version == seen + 1
    assert move(program, table, "3S", version=seen).status_code == 200
    program.post("bot", method="delete")
    kinds.append(kind_of(table, 0))
    assert kinds == ["person", "program", "person"]


def kind_of(table: Table, no: int) -> str:
    """What a spectator reads of a chair."""
    return Program().get("table", table.key).json()["chairs"][no]["kind"]


def test_whom_nobody_may_challenge(program):
    host, made = hosted()
    challenges.register_bot(user=program.user, name="minh-bot", takes_challenges=False)
    codes = [host.post("challenge", made.key, bot="minh-bot").json()["code"]]
    challenges.register_bot(user=program.user, name="minh-bot")
    codes.append(Program().post("challenge", made.key, bot="minh-bot").json()["code"])
    seats.fill_with_bots(table_id=made.pk)
    games.deal_next(table_id=made.pk)
    codes.append(host.post("challenge", made.key, bot="minh-bot").json()["code"])
    assert codes == ["no_such_bot", "not_seated", "game_is_on"]


def test_somebody_at_a_table_asks_a_bot_from_the_page(program):
    challenges.register_bot(user=program.user, name="minh-bot")
    made = seats.open_table(ruleset=ruleset.preset("penguin"), players=2)
    _seat, secret = seats.sit(table_id=made.pk, no=0, name="Chủ")
    guest = Client()
    guest.cookies[f"seat-{made.key}"] = secret
    page = reverse("tables:challenge", args=[made.key])
    assert "minh-bot" in guest.get(page).content.decode()
    assert Client().post(page, {"bot": "minh-bot"}).status_code == 403
    assert guest.post(page, {"bot": "nobody"}).status_code == 422
    assert guest.post(page, {"bot": "minh-bot"}).status_code == 302
    assert Challenge.objects.get().by == "Chủ"
