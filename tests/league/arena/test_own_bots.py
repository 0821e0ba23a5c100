"""Bots that members bring: checked in the jail, kept by version, in their club's runs alone."""

import base64
import datetime
import io
import shutil
import stat
import tempfile
import zipfile
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from engine import bots as engine_bots
from engine.rules import ruleset
from engine.sim.faults import OurFault
from league.arena.facts.own_bots import pool_of
from league.base.acts import tokens
from tables.bots.acts import checks, uploads
from tables.bots.facts import member_bots
from tables.models import RemoteGame, Trial, Upload
from tables.programs import checking
from tables.runs import runs, trials
from tests.factories import browser_of, make_member, make_season, make_tournament, owner_of, path_of
from tests.league.arena.test_run_pages import work

pytestmark = pytest.mark.django_db

SOUND = """
class Bot:
    def __init__(self, seed): pass
    def choose(self, observation, legal): return legal[0]
"""
JS = """
const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const m = JSON.parse(line);
  if (m.type === "hello") console.log(JSON.stringify({ type: "ready" }));
  if (m.type === "turn") console.log(JSON.stringify({ action: m.legal[0] }));
});
"""


def packed(*files: tuple[str, str], links: tuple[str, ...] = ()) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files:
            archive.writestr(name, text)
        for name in links:
            info = zipfile.ZipInfo(name)
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, "/etc/passwd")
    return made.getvalue()


@pytest.fixture(autouse=True)
def allowed(settings, monkeypatch):
    settings.BOT_UPLOADS = True
    monkeypatch.setattr(checking, "preset_keys", lambda: ["killa"])
    monkeypatch.setattr(checking, "_rare", lambda: iter(()))
    monkeypatch.setattr(uploads.uploaded, "LIMITS", uploads.uploaded.Limits(seconds=60.0))
    member_bots.bot_of.cache_clear()


@pytest.fixture
def sound(monkeypatch):
    """Finds every bot sound without playing."""
    monkeypatch.setattr(checks, "_check_on", lambda upload: "")


@pytest.fixture
def season():
    return make_season(rules="thirteen")


def send(client: Client, club, name: str, body: bytes, point: str = ""):
    file = SimpleUploadedFile("bot.zip", body)
    address = path_of(club, "own_bots")
    return client.post(address, {"name": name, "file": file, "point": point}, follow=True)


def member(club, role: str = "player") -> Client:
    return browser_of(make_member(club, role))


def begin(season, *names: str):
    return make_tournament(season, *names, ruleset=ruleset.preset("thirteen"))


@pytest.mark.parametrize(
    ("seen_by", "plays", "stays", "is_told"),
    [
        ("club", True, True, True),
        ("author", True, True, True),
        ("everyone", True, True, False),
        ("club", False, True, False),
        ("club", True, False, False),
    ],
)
def test_a_club_whose_results_name_a_bot_for_members_is_not_made_public(
    season, sound, seen_by, plays, stays, is_told
):
    club, author = season.club, make_member(season.club, "player")
    club.is_public = False
    club.save()
    send(browser_of(author), club, "mine", packed(("bot.py", SOUND)))
    checks.check_next()
    mine = Upload.objects.get()
    uploads.show_to(upload=mine, seen_by="club")
    if plays:
        begin(season, "mine-1", "lowest")
    uploads.show_to(upload=mine, seen_by=seen_by)
    if not stays:  # Who has left can't be asked any more.
        club.memberships.filter(user=author).delete()
    owner, publish = browser_of(owner_of(club)), path_of(club, "publish")
    said = owner.post(publish, {"public": "1"}, follow=True).content.decode()
    club.refresh_from_db()
    assert ("that only members may see: mine-1" in said, club.is_public) == (is_told, not is_told)


@pytest.mark.parametrize(
    ("entry", "source", "point"),
    [
        ("mine/clever.py", SOUND.replace("Bot", "Clever"), "mine.clever:Clever"),
        pytest.param(
            "bot.js", JS, "", marks=pytest.mark.skipif(not shutil.which("node"), reason="no node")
        ),
    ],
)
def test_from_a_zip_file_to_a_tournament(season, entry, source, point, monkeypatch):
    made: list[str] = []
    monkeypatch.setattr(tempfile, "mkdtemp", lambda make=tempfile.mkdtemp, **how: (
        made.append(make(**how)) or made[-1]
    ))  # fmt: skip
    client = member(season.club)
    sent = send(client, season.club, "mine", packed((entry, source)), point)
    assert "mine-1" in sent.content.decode()
    with pytest.raises(ValidationError):
        begin(season, "mine-1", "lowest")
    assert checks.check_next() is True
    assert checks.check_next() is False
    assert Upload.objects.values_list("state", "report").get() == ("sound", "")
    assert member_bots.newest(pool_of(season.club)) == ["mine-1"]
    event = begin(season, "mine-1", "lowest", "greedy")
    work(event)
    unit = event.run.units.get()
    assert (event.run.status, unit.state, unit.faults, event.run.outside) == (
        "done",
        "done",
        0,
        True,
    )
    assert "mine-1" not in engine_bots.BOTS
    assert [folder for folder in made if "tienlen-bot-" in folder]
    assert [folder for folder in made if Path(folder).exists()] == []


def test_the_next_version_competes_and_the_older_one_is_still_found(season, sound):
    client = member(season.club)
    for number in (1, 2):
        send(client, season.club, "mine", packed(("bot.py", SOUND + f"# {number}")))
        checks.check_next()
    assert member_bots.newest(pool_of(season.club)) == ["mine-2"]
    assert engine_bots.version_of("mine-1") == 1
    again = send(client, season.club, "mine", packed(("bot.py", SOUND + "# 2")))
    assert "same code" in again.content.decode()
    stranger = send(member(season.club), season.club, "mine", packed(("bot.py", SOUND)))
    assert "already has this name" in stranger.content.decode()


def test_a_bot_that_fails_its_check_is_refused_with_what_it_said(season):
    author, other, organiser = (
        member(season.club, role) for role in ("player", "player", "organiser")
    )
    bad = SOUND.replace("return legal[0]", "raise ValueError('no idea')")
    send(author, season.club, "bad", packed(("bot.py", bad)))
    checks.check_next()
    address = path_of(season.club, "bot", Upload.objects.get().pk)
    shown = [
        "no idea" in client.get(address).content.decode() for client in (author, other, organiser)
    ]
    assert shown == [True, False, True]
    assert Upload.objects.get().state == "refused"
    assert member_bots.newest(pool_of(season.club)) == []


def test_a_bot_of_one_club_is_none_of_anothers(season, sound):
    send(member(season.club), season.club, "mine", packed(("bot.py", SOUND)))
    checks.check_next()
    with pytest.raises(ValidationError, match="no longer here"):
        begin(make_season(rules="thirteen"), "mine-1", "lowest")


def test_only_its_author_and_organisers_withdraw_a_bot(season, sound):
    author = member(season.club)
    send(author, season.club, "mine", packed(("bot.py", SOUND)))
    checks.check_next()
    address = path_of(season.club, "bot_withdraw", Upload.objects.get().pk)
    assert member(season.club).post(address).status_code == 403
    assert author.post(address).status_code == 302
    with pytest.raises(ValidationError, match="no longer here"):
        begin(season, "mine-1", "lowest")
    assert engine_bots.is_known("mine-1")  # Runs that it is in go on.


def test_a_bot_withdrawn_by_mistake_is_sent_again(season, sound):
    author, code = member(season.club), packed(("bot.py", SOUND))
    send(author, season.club, "mine", code)
    author.post(path_of(season.club, "bot_withdraw", Upload.objects.get().pk))
    send(author, season.club, "mine", code)
    states = Upload.objects.order_by("number").values_list("name", "state")
    assert list(states) == [("mine-1", "withdrawn"), ("mine-2", "waiting")]


def test_its_author_reads_what_it_did_wrong_in_a_tournament(season, sound):
    club, author, other = season.club, member(season.club), member(season.club)
    send(author, club, "mine", packed(("bot.py", SOUND)))
    checks.check_next()
    event = begin(season, "lowest", "mine-1")
    told = [[0, "slow", 0, 0, "not mine"], [1, "crashed", 0, 0, "no idea"]]
    event.run.units.update(faults=2, tally={"notes": told})
    at = path_of(club, "api:run_verdicts", event.pk)
    seen = [
        [note["text"] for note in client.get(at).json()["results"]]
        for client in (author, other, member(club, "organiser"))
    ]
    assert seen == [["no idea"], [], ["not mine", "no idea"]]
    page = path_of(club, "bot", Upload.objects.get().pk)
    shown = [client.get(page).content.decode() for client in (author, other)]
    assert ["no idea" in text for text in shown] == [True, False]
    assert "not mine" not in shown[0]


def test_its_author_says_who_sees_a_bot_and_tests_it_alone(season, sound, monkeypatch):
    club, author, other = season.club, member(season.club), member(season.club, "organiser")
    send(author, club, "mine", packed(("bot.py", SOUND)))
    checks.check_next()
    mine = Upload.objects.get()
    at = lambda name: path_of(club, name, mine.pk)  # noqa: E731
    assert other.get(at("bot")).status_code == 200
    assert other.post(at("bot"), {"seen_by": "author"}).status_code == 403
    assert author.post(at("bot"), {"seen_by": "nobody"}).status_code == 422
    assert author.post(at("bot"), {"seen_by": "author"}).status_code == 302
    assert other.get(at("bot")).status_code == 404
    lists = [path_of(club, "arena"), path_of(club, "api:bots")]
    assert not any("mine-1" in other.get(address).content.decode() for address in lists)
    assert [
        name in author.get(address).content.decode()
        for name, address in zip(("mine 1", "mine-1"), lists, strict=True)
    ] == [True, True]
    with pytest.raises(ValidationError, match="no longer here"):
        begin(season, "mine-1", "lowest")
    uploads.show_to(upload=mine, seen_by="club")
    with pytest.raises(ValidationError, match="no longer here"):
        begin(season, "mine-1", "lowest")
    club.is_public = False
    club.save()
    begin(season, "mine-1", "lowest")

    monkeypatch.setattr(trials, "DEALS", 1)
    assert author.get(at("bot_games")).status_code == 404
    for _ in range(2):
        assert author.post(at("bot_test")).status_code == 302
    asks = 'hx-trigger="every 2s"'
    assert asks in author.get(at("bot")).content.decode()
    trial = Trial.objects.get()
    while runs.play_next(trial.run_id):
        runs.finish_if_done(run_id=trial.run_id)
    shown = author.get(at("bot")).content.decode()
    assert ("Against greedy: 2 of 2 games." in shown, asks in shown) == (True, False)
    assert "Against greedy" not in other.get(at("bot")).content.decode()
    assert len(author.get(at("bot_games")).getvalue().splitlines()) == 3
    assert other.get(at("bot_games")).status_code == 403
    send(author, club, "mine", packed(("bot.py", SOUND + "\n")))
    newest = Upload.objects.get(number=2)
    assert newest.seen_by == "club"
    monkeypatch.setattr(trials, "MOST_A_DAY", 1)
    newest.state = "sound"
    newest.save()
    with pytest.raises(ValidationError, match="20 test matches"):
        trials.start_trial(upload=newest)


@pytest.mark.parametrize(
    ("name", "body", "words"),
    [
        ("Mine!", packed(("bot.py", SOUND)), "lowercase letters"),
        ("planner", packed(("bot.py", SOUND)), "already has this name"),
        ("9lives", packed(("bot.py", SOUND)), "begins with a letter"),
        ("mine", b"no zip at all", "not a ZIP file"),
        ("mine", packed(("bot.txt", SOUND)), "bot.py or bot.js is missing"),
        ("mine", packed(("bot.py", SOUND), ("../x", "x")), "points outside it"),
        ("mine", packed(("bot.py", SOUND), ("/x", "x")), "points outside it"),
        ("mine", packed(("bot.py", SOUND), ("a", "x"), ("a/b", "x")), "points outside it"),
        ("mine", packed(("bot.py", SOUND), links=("x",)), "points outside it"),
        ("mine", packed(("bot.py", SOUND), ("big", "x" * 3_000_000)), "too large"),
        ("mine", packed(*((f"f{n}", "x") for n in range(101))), "too large"),
        ("mine", packed(("bot.py", SOUND))[:-30], "not a ZIP file"),
        ("os:Bot", packed(("bot.py", SOUND)), "names no Python file"),
        ("bot.py", packed(("bot.py", SOUND)), "names no Python file"),
        (
            "bot:Bot",
            packed(("bot.py", SOUND), ("entry-point.txt", "bot:B")),
            "names no Python file",
        ),
        ("bot:Bot", b"no zip at all", "not a ZIP file"),
    ],
)
def test_what_is_no_bot_is_refused_in_words(season, name, body, words):
    point = name if "." in name or ":" in name else ""
    answer = send(member(season.club), season.club, "mine" if point else name, body, point)
    assert (answer.status_code, words in answer.content.decode()) == (422, True)
    assert not Upload.objects.exists()


def test_quotas_hold_and_nothing_is_taken_where_it_is_not_allowed(season, settings):
    client = member(season.club)
    for number in range(member_bots.MOST_BASES + 1):
        last = send(client, season.club, f"mine{number}", packed(("bot.py", f"{SOUND}# {number}")))
    assert "already have five" in last.content.decode()
    assert Upload.objects.count() == member_bots.MOST_BASES
    settings.BOT_UPLOADS = False
    refused = send(client, season.club, "more", packed(("bot.py", SOUND)))
    assert "does not accept bots as files" in refused.content.decode()
    assert checks.check_next() is False


def test_a_check_that_loses_its_worker_goes_on_later_and_refuses_nobody(season):
    send(member(season.club), season.club, "mine", packed(("bot.py", SOUND)))
    holds = []
    for _ in range(2 * checks.MOST_TRIES):
        assert checks._hold_next() is not None
        assert checks._hold_next() is None
        holds.append(Upload.objects.get().held_until - timezone.now())
        Upload.objects.update(held_until=season.created_at)
    assert holds[1] > 1.5 * holds[0], "others come first"
    assert max(holds) < datetime.timedelta(hours=1)
    assert checks.check_next() is True
    assert Upload.objects.get().state == "sound"


def test_a_server_that_cannot_start_a_bot_says_so_and_tries_again(season, monkeypatch):
    def fail(*_args):
        raise OurFault("no room")

    author = member(season.club)
    send(author, season.club, "mine", packed(("bot.py", SOUND)))
    with monkeypatch.context() as patch:
        patch.setattr(uploads.uploaded.Uploaded, "take", fail)
        assert checks.check_next() is True
        assert checks.check_next() is False, "not at once"
    at = path_of(season.club, "bot", Upload.objects.get().pk)
    assert "The bot did nothing wrong: no room" in author.get(at).content.decode()
    Upload.objects.update(held_until=season.created_at)
    checks.check_next()
    assert Upload.objects.values_list("state", "report").get() == ("sound", "")


def test_a_check_is_taken_in_steps_and_goes_on_where_it_was(season, settings):
    settings.TABLES_PLAY_SECONDS = 0
    author = member(season.club)
    for name in ("slow", "other"):
        send(author, season.club, name, packed(("bot.py", f"{SOUND}# {name}")))
    steps = []
    while checks.check_next():
        steps.append(list(Upload.objects.order_by("pk").values_list("state", "checked")))
    # One table at a time, and by turns.
    assert steps[:3] == [
        [("waiting", 1), ("waiting", 0)],
        [("waiting", 1), ("waiting", 1)],
        [("waiting", 2), ("waiting", 1)],
    ]
    assert {state for state, _tables in steps[-1]} == {"sound"}


def test_its_author_asks_for_a_check_again_by_page_and_api(season):
    """Also of the same code, and of as many versions as a day allows."""
    club, user = season.club, make_member(season.club, "player")
    author = browser_of(user)
    bad = SOUND.replace("return legal[0]", "raise ValueError('no idea')")
    send(author, club, "mine", packed(("bot.py", bad)))
    mine = Upload.objects.get()
    page = path_of(club, "bot", mine.pk)
    at = path_of(club, "api:bot_check", mine.name)
    checks.check_next()
    shown = author.get(page).content.decode()
    assert "Check again" in shown
    assert 'id="trials"' not in shown, "a bot that failed plays no test match"
    assert shown.split("<main")[1].split("<dialog")[0].count("btn-primary") == 1
    json = {"content_type": "application/json"}
    assert author.post(path_of(club, "bot_check", mine.pk)).status_code == 302
    waiting = Upload.objects.get()
    assert (waiting.state, waiting.report, waiting.number) == ("waiting", "", 1)
    assert "Check again" not in author.get(page).content.decode()
    checks.check_next()
    answer = author.post(at, **json)
    assert (answer.status_code, answer.json()["state"]) == (200, "waiting")
    refused = author.post(at, **json)
    assert (refused.status_code, "did not fail its check" in refused.content.decode()) == (
        400,
        True,
    )


def test_a_bot_on_its_authors_machine_is_named_by_page_and_api_without_any_code(season, settings):
    settings.BOT_UPLOADS = False
    user = make_member(season.club, "player")
    client = browser_of(user)
    address = path_of(season.club, "own_bots")
    page = client.post(address, {"remote": "1", "far-name": "far"}, follow=True).content.decode()
    assert "far-1 may play" in page
    assert "never seen" in page
    refused = client.post(address, {"remote": "1", "far-name": "Far!"})
    assert (refused.status_code, "lowercase letters" in refused.content.decode()) == (422, True)
    _token, secret = tokens.create_token(user=user, name="x", scopes=["read", "arena"])
    program = Client(headers={"Authorization": f"Bearer {secret}"})
    at = path_of(season.club, "api:bots")
    made = program.post(at, {"name": "far"}, content_type="application/json")
    assert (made.status_code, made.json()["name"]) == (201, "far-2")
    sent = {"name": "code", "zip": base64.b64encode(packed(("own.py", SOUND))).decode()}
    sent["entry_point"] = "own:Bot"
    assert program.post(at, sent, content_type="application/json").status_code == 400
    one, other = (path_of(season.club, "api:bot", f"far-{n}") for n in (1, 2))
    json = {"content_type": "application/json"}
    assert program.patch(one, {"seen_by": "nobody"}, **json).status_code == 400
    assert program.patch(one, {"seen_by": "author"}, **json).json()["seen_by"] == "author"
    assert program.get(other).json()["seen_by"] == "author", "all its versions"
    begun = [program.post(other + "tests/", **json) for _ in range(2)]
    assert [(each.status_code, each.json()["games_asked"]) for each in begun] == [(201, 20)] * 2
    [test] = program.get(other + "tests/").json()
    assert (test["opponent"], test["is_over"], test["faults"]) == ("greedy", False, [])
    far = Upload.objects.get(name="far-2")
    told = path_of(season.club, "bot", far.pk)
    assert "Waiting for far-2 over the network." in client.get(told).content.decode()
    Upload.objects.filter(pk=far.pk).update(seen_at=timezone.now())
    now = client.get(told).content.decode()
    assert ("Waiting for far-2" in now, "Playing" in now) == (False, True)
    else_ = member(season.club, "organiser")
    assert else_.get(other).status_code == 404
    program.patch(one, {"seen_by": "everyone"}, **json)
    assert (else_.get(other).status_code, else_.get(other + "tests/").status_code) == (200, 403)
    assert else_.patch(other, {"seen_by": "author"}, **json).status_code == 403
    assert member(season.club).delete(one).status_code == 403
    assert [else_.delete(one).json()["state"] for _ in range(2)] == ["withdrawn"] * 2
    settings.BOT_UPLOADS = True
    made = program.post(at, sent, content_type="application/json").json()
    assert (made["name"], made["state"], made["language"]) == ("code-1", "waiting", "python")
    listed = program.get(at).json()["results"]
    assert [one["name"] for one in listed] == ["code-1", "far-2", "far-1"]
    assert member_bots.newest(pool_of(season.club)) == ["far-2"]
    with pytest.raises(ValidationError, match="play each deal only once"):
        begin(season, "far-2", "lowest")
    with pytest.raises(ValidationError, match="another bot at this table"):
        begin(season, "far-2", "far-1")


def test_a_tournament_names_the_bots_over_the_network_that_it_waits_for(season):
    far, near = (
        uploads.add_remote(
            pool=pool_of(season.club), author=make_member(season.club, "player"), base=base
        ).name
        for base in ("far", "near")
    )
    event = make_tournament(
        season, far, "greedy", deals=4, design="single", ruleset=ruleset.preset("thirteen")
    )
    page = path_of(season.club, "event", event.pk)

    def says() -> str:
        return Client().get(page).context["page"].status

    assert says() == "Waiting for a worker: place 1."
    work(event)
    assert says() == "Waiting for far-1 over the network."
    asked = RemoteGame.objects.filter(question__isnull=False)
    RemoteGame.objects.filter(pk=asked[0].pk).update(bot=near)
    assert says() == "Waiting for far-1, near-1 over the network."
    asked.update(answer="pass")
    assert "over the network" not in says()
