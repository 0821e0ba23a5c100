"""A hundred games of code that someone has just pasted, in the jail, before it is anyone's bot."""

import datetime
import io
import logging
import math
import re
import time
import unicodedata
import zipfile
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine import bots as engine_bots
from engine.rules.ruleset import preset
from engine.sim import simulation
from engine.sim.faults import Conditions, GameLog, OurFault
from engine.statistics import Moments
from engine.statistics.ratings import order_of
from tables.base.columns import set_columns
from tables.models import Tryout
from tables.programs import uploaded
from tables.refusals import Refusal
from tables.runs.goes import Go, TimeIsUp
from tables.signals import tryout_begun

log = logging.getLogger(__name__)

OPPONENT, RULES, DEALS, SEATS = "greedy", "tien-len", 25, 4
FIRST_DEALS = 2
"""The deals after which code that failed in each game plays no more."""
MOST_CODE = 20_000
MOST_SECONDS = 60
"""The seconds after which no other game begins: a slow bot gets fewer games, not more time."""
HELD = datetime.timedelta(minutes=1)
KEPT = datetime.timedelta(days=1)
MOST_WAITING = 20
NAME = re.compile(r"""^[ \t]+name\s*(?:,\s*version\s*)?=\s*["']([a-z][a-z0-9-]{2,25})["']""", re.M)
_CLASS = re.compile(r"^class\s+([^\W\d]\w{0,59})(?!\w)", re.M)
_CHOOSE = re.compile(r"^[ \t]+def\s+choose\b", re.M)


def name_of(code: str) -> str:
    """Return the name that the code gives its bot."""
    found = NAME.search(code)
    return found[1] if found else "bot"


def packed(code: str) -> bytes:
    """Return the code as the ZIP file of a bot; raise `Refusal` if it has no class."""
    name = _bot_class(code) if len(code) <= MOST_CODE else ""
    if not name:
        raise Refusal(_("Paste a Python class with the method choose, of at most 20 kB."), "code")
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot.py", code.encode("utf-8", "replace"))
        archive.writestr(uploaded.POINT, f"bot:{name}")
    return made.getvalue()


def _bot_class(code: str) -> str:
    """Return the last class that has the method, itself or of such a base, else the last one."""
    name, bots = "", [""]
    # As Python reads names.
    _before, *parts = _CLASS.split(unicodedata.normalize("NFKC", code))
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        bases = re.findall(r"\w+", body.partition(":")[0])
        if _CHOOSE.search(body) or not set(bots).isdisjoint(bases):
            bots.append(name)
    return bots[-1] or name


def begin_tryout(*, code: str) -> Tryout:
    """Queue a hundred games of this code; raise `Refusal` for no code, and for a full queue."""
    code = code.replace("\r\n", "\n").replace("\0", "")
    packed(code)
    if Tryout.objects.filter(result__isnull=True).count() >= MOST_WAITING:
        raise Refusal(_("Many bots are being tried right now. Try again in a minute."), "busy")
    made = Tryout.objects.create(code=code)
    transaction.on_commit(lambda: tryout_begun.send(sender=Tryout))
    return made


def place_of(tryout: Tryout) -> int:
    """Return how many others are played before this one."""
    return Tryout.objects.filter(result__isnull=True, created_at__lt=tryout.created_at).count()


def play_next() -> bool:
    """Play the games that wait longest; return False if none wait."""
    tryout = _hold_next()
    if tryout is None:
        return False
    try:
        result = _play(tryout)
    except OurFault:
        log.exception("Tried code could not be played.")
        result = {"games": 0}
    Tryout.objects.filter(pk=tryout.pk).update(result=result, games=result["games"])
    return True


def sweep() -> None:
    """Delete the code that was tried more than a day ago."""
    Tryout.objects.filter(created_at__lt=timezone.now() - KEPT).delete()


@transaction.atomic
def _hold_next() -> Tryout | None:
    free = Q(held_until__isnull=True) | Q(held_until__lt=timezone.now())
    waiting = Tryout.objects.filter(free, result__isnull=True).order_by("created_at")
    tryout = waiting.select_for_update(skip_locked=True).first()
    if tryout is not None:
        set_columns(tryout, held_until=timezone.now() + HELD)
    return tryout


def _play(tryout: Tryout) -> dict[str, Any]:
    """Return the result of the deals that were played to the end in time."""
    name = f"try-{tryout.pk.hex[:12]}"
    body = packed(tryout.code)
    bot = uploaded.uploaded(name, 1, uploaded.PYTHON, lambda: body)
    bot.memory = True  # One process for all games, since starting one takes longer than a game.
    engine_bots.BOTS[name] = bot
    played, told, began = 0, 0.0, time.monotonic()

    def alive() -> None:
        nonlocal played, told
        if time.monotonic() - told > 0.3:
            told = time.monotonic()
            held = timezone.now() + HELD
            Tryout.objects.filter(pk=tryout.pk).update(games=played, held_until=held)

    def block(go: Go, deals: int) -> simulation.Block:
        def begin(deal: int, game: int) -> GameLog:
            nonlocal played
            played = deal * SEATS + game
            return go.log(deal, game)

        conditions = Conditions(clock=time.perf_counter, keep=True, logs=begin)
        return simulation.play_block(
            preset(RULES), [name, *[OPPONENT] * (SEATS - 1)], tryout.pk.hex, 0, deals,
            conditions=conditions,
        )  # fmt: skip

    go = Go((), MOST_SECONDS, alive)
    try:
        try:
            found = block(go, FIRST_DEALS)
            failed = sum(games for _bot, _kind, games in found.tally["effects"]["faults"])
            if failed < found.games:
                go = Go(go.games(), MOST_SECONDS, alive)
                found = block(go, DEALS)
        except TimeIsUp:
            found = block(Go(go.games(), math.inf, alive), played // SEATS)
    finally:
        bot.rest()
        del engine_bots.BOTS[name]
    return _result(found, time.monotonic() - began)


def _result(block: simulation.Block, seconds: float) -> dict[str, Any]:
    """Return the places of both sides, the share of firsts with its error, and the first fault.

    The record is of the game with the fault, else of the first one that the bot lost.
    """
    places = [[0] * SEATS, [0] * SEATS]
    for bot, rank, _tied, games in block.tally["counts"]:
        places[min(bot, 1)][rank - 1] += games
    orders = [[order_of(text) for text in deal.split()] for deal in block.tally["deal_orders"]]
    firsts = [[sum(0 in order[0] for order in deal)] for deal in orders]
    first = Moments.of(firsts, 1).mean(0, SEATS / 100)
    notes = [note[1:] for note in block.tally["notes"][:1]]
    lasts = [0 in order[-1] for deal in orders for order in deal]
    at = notes[0][1] * SEATS + notes[0][2] if notes else (lasts.index(True) if any(lasts) else 0)
    return {
        "games": block.games,
        "seconds": round(seconds, 1),
        "places": places,
        "first": first.mean,
        "margin": first.margin if block.deals > 1 else None,
        "note": notes[0] if notes else None,
        "step": max(0, notes[0][4]) if notes else 0,
        "record": block.records[at] if block.records else None,
    }
