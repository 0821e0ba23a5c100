"""What earlier releases left in the workers' queues: taken, and understood."""

import re
from inspect import signature
from itertools import chain
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings

from config.celery import app
from launcher import programs
from launcher.locations import Locations

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "0199c5a2-0000-7000-8000-000000000000"
FROM_574BD93 = {
    "league.ask_to_confirm": (), "league.clear_sessions": (), "league.close_run": (KEY,),
    "league.empty_bin": (), "league.read_file": (7,), "league.remind": (),
    "league.send_lane": ("webhook:7",), "league.send_news": (), "league.send_security_mail": (),
    "league.sweep_files": (), "league.sweep_live": (), "league.sweep_news": (),
    "league.sweep_ratings": (), "league.sweep_runs": (), "league.sweep_security_log": (),
    "league.sweep_standings": (), "league.take_chats": (), "league.take_games": (7,),
    "league.tick_schedules": (), "league.verify": (), "tables.check_uploads": (),
    "tables.plan_sprints": (), "tables.play_unit": (KEY,), "tables.rate_ladders": (),
    "tables.sweep_ratings": (), "tables.sweep_requests": (), "tables.sweep_runs": (),
    "tables.sweep_sprints": (), "tables.sweep_tables": (), "tables.tick_ladders": (),
}  # fmt: skip
FROM_1_1 = FROM_574BD93 | {
    "config.watch": (), "league.sweep_held_clubs": (), "tables.plan_puzzles": (),
    "tables.play_tryouts": (), "tables.review_game": (7, True), "tables.review_record": (KEY,),
    "tables.sweep_shard": (3,),
}  # fmt: skip
RELEASES = {"574bd93": FROM_574BD93, "1.1": FROM_1_1}
"""The name of each message, with arguments as that release sends them."""
QUEUES = {"default", "live", "quick", "sim", "slow"}
"""Where they wait: the queues of 1.1, which has those of 574bd93 too."""
EXAMPLES = sorted({*chain.from_iterable(sent.items() for sent in RELEASES.values())})
KEYED = [(name, args) for name, args in EXAMPLES if args]


@pytest.mark.parametrize("sent", RELEASES.values(), ids=RELEASES)
def test_each_message_of_an_earlier_release_finds_its_task(sent):
    app.loader.import_default_modules()
    assert sorted(set(sent) - set(app.tasks)) == []


@pytest.mark.parametrize(("name", "args"), EXAMPLES, ids=[name for name, _args in EXAMPLES])
def test_the_arguments_of_an_earlier_release_are_still_those_of_the_task(name, args):
    signature(app.tasks[name].run).bind(*args)


@pytest.mark.parametrize(("name", "args"), KEYED, ids=[name for name, _args in KEYED])
def test_a_message_whose_row_is_gone_is_done_with(name, args):
    app.tasks[name].apply(args, throw=True)


@pytest.mark.parametrize("is_roomy", [True, False])
@pytest.mark.parametrize("mail", ["", "smtp://a.example"])
def test_every_queue_in_which_messages_wait_has_a_worker(monkeypatch, is_roomy, mail):
    monkeypatch.setattr(programs, "_is_roomy", lambda: is_roomy)
    monkeypatch.setenv("EMAIL_URL", mail)
    assert set(settings.QUEUES) > QUEUES
    monkeypatch.setattr(programs, "Part", lambda _name, command, *_more, **_options: command)
    commands = programs.parts(Locations(Path("data")), SimpleNamespace(fileno=lambda: 3))
    named = [word for command in commands for word in command if word.startswith("--queues=")]
    assert {queue for word in named for queue in word[9:].split(",")} == set(settings.QUEUES)
    compose = Path(settings.BASE_DIR, "docker-compose.yml").read_text()
    found = set(",".join(re.findall(r"--queues=(\S+)", compose)).split(","))
    assert found == set(settings.QUEUES)
