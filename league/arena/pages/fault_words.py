"""Bots' faults in the reader's language: they are stored in English, as programs meet them."""

import re
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from league.arena.facts.run_effects import KIND_NAMES

SENTENCES = (
    gettext_noop("%(rules)s, %(players)s players: game %(game)s, seat %(seat)s: %(kind)s:"),
    gettext_noop("%(rules)s, %(players)s players: and in %(n)s more seats"),
    gettext_noop("%(rules)s, %(players)s players: and in %(n)s more seat"),
    gettext_noop(
        "%(rules)s, %(players)s players: it plays the same games differently when they are played "
        "again: take all chance from random.Random(seed) and keep nothing from game to game"
    ),
    gettext_noop(
        "The server could not check this bot, and tries again. The bot did nothing wrong: %(error)s"
    ),
    gettext_noop("It gave no answer within %(seconds)s s."),
    gettext_noop("It left this position to others for %(seconds)s s."),
    gettext_noop("It asked for no positions for %(seconds)s s."),
    gettext_noop("It thought for more than %(seconds)s s."),
    gettext_noop("It used more than %(seconds)s s of processor time."),
    gettext_noop("It held more than %(memory)s MB of memory."),
    gettext_noop("It ended with %(how)s before its answer."),
    gettext_noop("It thought for more than %(seconds)s s and let nothing stop it."),
    gettext_noop("It ended its process with status %(status)s."),
    gettext_noop("Its process was ended by signal %(signal)s."),
    gettext_noop("It raised %(error)s, which ends a process."),
    gettext_noop("It closed its standard output."),
    gettext_noop("It wrote more than %(bytes)s bytes to standard error."),
    gettext_noop("It wrote without being asked: %(text)s"),
    gettext_noop("Its answer is longer than %(bytes)s bytes."),
    gettext_noop("Its answer is not JSON: %(text)s"),
    gettext_noop("Its answer is not a JSON object: %(text)s"),
    gettext_noop('Its answer has no text "action": %(text)s'),
    gettext_noop('It must answer "hello" with {"type": "ready"}.'),
    gettext_noop('It chose "%(action)s", which is not in "legal".'),
    gettext_noop("It chose %(action)s, which is not among what it may do."),
    gettext_noop("It did so %(n)s times, and is not asked any more."),
)


def in_words(text: str) -> str:
    """Return what a bot did wrong in the reader's language; what it said itself stays."""
    for sentence, pattern in _PATTERNS:
        text = pattern.sub(partial(_told, sentence), text)
    return text


def _told(sentence: str, found: re.Match[str]) -> str:
    """Return a sentence found in the reader's language; kinds of faults have their names."""
    values = found.groupdict()
    kind = values.get("kind", "")
    return _(sentence) % (values | {"kind": KIND_NAMES.get(kind, kind)})


_NUMBER = r"[\d.,]{1,20}"
_VALUES = {"rules": r"[^,\n]{1,80}"} | dict.fromkeys(
    ("players", "game", "seat", "n", "seconds", "memory", "bytes"), _NUMBER
)
# Short, as a bot may write anything: the time to look grows with the text alone.
_OTHER = ".{,200}?"


def _pattern(sentence: str) -> re.Pattern[str]:
    def value(found: re.Match[str]) -> str:
        return f"(?P<{found[1]}>{_VALUES.get(found[1], _OTHER)})"

    return re.compile(re.sub(r"%\\\((\w+)\\\)s", value, re.escape(sentence)))


_PATTERNS = [(sentence, _pattern(sentence)) for sentence in SENTENCES]
