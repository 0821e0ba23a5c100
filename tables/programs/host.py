"""``host.py ENGINE MODULE:CLASS [FOLDER...]``: plays a jailed class over the protocol.

It runs in the jail and sees the engine, the folders and the standard library. Questions arrive as
pickles from the worker; answers are text, which the worker reads like any program's.
"""

import base64
import importlib
import importlib.util
import json
import operator
import pickle
import sys
from typing import Any


def main(engine: str, entry: str, *folders: str) -> None:
    """Answer the worker until its input ends; an exception of the class ends the process."""
    answers, sys.stdout = sys.stdout, sys.stderr  # The class's prints are no answers.
    _import_package("engine", engine)
    sys.path += folders
    # Loaded now, so that the first question's time does not include it.
    importlib.import_module("engine.rules.observation")
    from engine.sim.faults import own_words

    try:
        _answer(entry, answers)
    except Exception as error:
        print(own_words(error, __file__), file=sys.stderr)
        sys.exit(1)


def _answer(entry: str, answers: Any) -> None:
    from engine.rules.actions import action_text

    module, _, name = entry.partition(":")
    made: Any = None
    bot: Any = None
    seed = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            made = operator.attrgetter(name)(importlib.import_module(module))
            answer = {"type": "ready"}
        elif message["type"] == "game":
            seed, bot = message["seed"], None
            continue
        elif message["type"] == "turn":
            bot = made(seed) if bot is None else bot
            choice = bot.choose(*pickle.loads(base64.b64decode(message["pickled"])))
            answer = {"action": action_text(choice) if hasattr(choice, "do") else str(choice)[:200]}
        else:
            continue
        print(json.dumps(answer), file=answers, flush=True)


def _import_package(name: str, folder: str) -> None:
    """Import a package from its folder, since its parent folder cannot be listed."""
    spec = importlib.util.spec_from_file_location(
        name, f"{folder}/__init__.py", submodule_search_locations=[folder]
    )
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])


if __name__ == "__main__":
    main(*sys.argv[1:])
