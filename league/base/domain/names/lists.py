"""A pasted list of names, read line by line."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from engine.rules.texts import mark as _

from .clean import clean_name, fold, identity, refuse_address, without_phone
from .problems import NameProblem

MOST_NAMES = 2000
MOST_PROBLEMS = 200

_NUMBERING = re.compile(r"\A\s*(?:\(?\d{1,4}(?:[.):/]\s*(?!\d)|\s*\t|\s+[-–]\s)|[-–*•·+]\s)\s*")
_MARK = (
    "(?:[\u2190-\u21ff\u23e9\u23ea\u2460-\u24ff\u25a0-\u25ff\u2610-\u2612\u261a-\u261f\u2705"
    "\u2713-\u2718\u274c\u274e\u2776-\u27be\u2b05-\u2b07\u2b1b\u2b1c\u2b55\U0001f446-\U0001f449"
    "\U0001f44c-\U0001f44e\U0001f51f\U0001f532-\U0001f53b\U0001f64b\U0001f7e0-\U0001f7eb]"
    "|[0-9#*]\ufe0f?\u20e3|\\[[ xX]?\\])"
    "[\ufe0f\u20e3\U0001f3fb-\U0001f3ff]*(?:\u200d[\u2640\u2642]\ufe0f?)?"
)
"""Ticks, crosses, arrows, boxes, hands and numbers in boxes, as lists in chats have them."""
_MARKS = re.compile(rf"\A(?:{_MARK} ?)+|(?: ?{_MARK})+\Z")
_STAMP = re.compile(
    r"\A\s*\[?\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{2,4})?,? \d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?\]?"
    r"[\s–-]*(?P<who>[^:]{1,60}):"
)
"""A line of an exported chat, with its hour and who wrote it."""
_TITLE = re.compile(r"\A(?P<title>[^\d()]{2,60}?)\s*(?:\(\d{1,4}\)\s*:?|:)\s*\Z")
_NO = re.compile(
    r"\A(?:khong|ko|k|vang|nghi|ban|co the|chua|no|not|maybe|can.?t|declined|absent|out)\b"
)
"""Titles above those who do not come, or may not."""
_ODD = re.compile(
    r"\d(?:[\s.-]?\d){7,}|(?:\A|\s)\+\s?\d+\b|\S\s*[&+]\s*[^\W\d]|\s(?:và|and)\s"
    r"|\b\d{1,3} ?(?:p|ph|phút|min)\b|\((?:[^)]* )?(?:trễ|muộn|sớm|late|early|khách|guest)\b"
)
"""A telephone number, people brought along, two in one line, or a note."""
_CHAT = re.compile(
    r"[:?!…]|https?|www\.|\d{4}|\b\d{1,2} ?(?:h|g|gio|am|pm)\d*\b|\A\W*\Z"
    r"|\A(?:ok|oke|okay|vâng|chốt)\b|\A(?:em|mình|tôi|tui|tớ) (?:đi|chơi|nghỉ|bận)\b"
    r"|\b(?:nhé|nhá|ạ|rồi|slot|(?:ha|hi){2,})\W*\Z"
)
_TALK = re.compile(
    r"\b(?:danh sach|toi nay|hom nay|ngay mai|toi mai|may gio|choi nhe|di nhe|ai choi|ai di"
    r"|moi nguoi|bao nhieu|list|tonight|today|tomorrow|players|playing|who is|anyone)\b"
    r"|\A(?:ok|oke|okay|yes|khong|choi|\+?\d+)\Z"
)
MOST_WORDS = 5
_SEPARATORS = re.compile(r"[,;，；、]")

_HEADING = re.compile(
    r"(?:stt|tt|họ(?: và)? tên|tên|điện thoại|sđt|số điện thoại|full name|name|phone|tel)"
    r"(?:[\s:]+(?:điện thoại|sđt|phone|tel))*[\s:]*|(?:tổng(?: cộng| số)?|total)[\s:]*\d*",
    re.IGNORECASE,
)
"""A row of headings or a total, pasted along with the names."""

Kind = Literal[
    "invalid", "duplicate", "known", "similar", "heading", "doubtful", "too_many", "too_wrong"
]


class ListProblem(NamedTuple):
    """A problem in one line of a list.

    `kind` is `invalid` (see `cause`), `duplicate` (the same name is in line `earlier`), `known`
    (the club already has this name), `similar` (it looks like the name `other`: only a warning,
    the name is taken), `heading` (a heading or a total, which is left out), `doubtful` (the name is
    taken, but the line is probably none), `too_many` (reading
    stopped after too many names) or `too_wrong` (reading stopped after too many problems).
    """

    line: int
    text: str
    kind: Kind
    other: str = ""
    earlier: int = 0
    cause: NameProblem | None = None

    @property
    def is_warning(self) -> bool:
        """Whether the name is taken despite the problem."""
        return self.kind in ("similar", "doubtful")

    @property
    def template(self) -> str:
        """The English sentence with named placeholders, to be translated before it is filled."""
        return self.cause.template if self.cause else _TEMPLATES[self.kind]

    @property
    def params(self) -> Mapping[str, object]:
        """The values of the placeholders of `template`."""
        return self.cause.params if self.cause else self._asdict()

    @property
    def message(self) -> str:
        """The English sentence, filled in."""
        return self.template % self.params


class NameList(NamedTuple):
    """The clean names in list order, and the problems found."""

    names: list[str]
    problems: list[ListProblem]

    @property
    def doubtful(self) -> list[str]:
        """Return the names that are probably none."""
        return [problem.text for problem in self.problems if problem.kind == "doubtful"]


def parse_name_list(
    text: str,
    known: Iterable[str] = (),
    *,
    look: Callable[[str], str] = fold,
    refuse: Callable[[str], None] = refuse_address,
) -> NameList:
    """Return the names of a text: one per line, or several between commas or semicolons.

    Numbering, bullets, tabs, marks of chats, telephone numbers and empty lines are dropped. Of a
    line of an exported chat its writer and what may be names behind it are taken, as doubtful. A
    duplicate, in any case of letters, is taken once and reported with its line. A name in `known`
    is reported and not taken. A name with the same `look` as another, by default without accents,
    is taken with a warning. `refuse` raises the problem of a new name. Reading stops after 2000
    names or 200 problems, which is reported too.
    """
    seen = _Seen(known, look)
    names: list[str] = []
    problems: list[ListProblem] = []
    doubts = 0
    for line, piece, is_doubtful in _pieces(text):
        if len(names) == MOST_NAMES or len(problems) - doubts == MOST_PROBLEMS:
            kind: Kind = "too_many" if len(names) == MOST_NAMES else "too_wrong"
            problems.append(ListProblem(line, piece.strip()[:80], kind))
            break
        if _HEADING.fullmatch(piece.strip()):
            problems.append(ListProblem(line, piece.strip()[:80], "heading"))
            continue
        try:
            name = clean_name(piece)
            if not seen.is_known(name):
                refuse(name)
        except NameProblem as cause:
            problems.append(ListProblem(line, piece.strip()[:80], "invalid", cause=cause))
            continue
        if is_doubtful and seen.has(name):
            continue
        problem = seen.check(name, line)
        if problem:
            problems.append(problem)
        if not problem or problem.is_warning:
            names.append(name)
            seen.add(name, line)
            if is_doubtful or _ODD.search(name) or _is_talk(name):
                doubts += 1
                problems.append(ListProblem(line, name, "doubtful"))
    return NameList(names, problems)


def _is_talk(name: str) -> bool:
    """Return whether a line of a chat is probably no name: "Danh sách tối nay:" or "ok"."""
    plain = fold(name)
    if _TITLE.match(name) or len(plain.split()) > MOST_WORDS or _TALK.search(plain):
        return True
    return _CHAT.search(name.casefold().replace("ờ", "o")) is not None


class _Seen:
    def __init__(self, known: Iterable[str], look: Callable[[str], str]) -> None:
        self.look = look
        self.lines: dict[str, int] = {}
        self.alike: dict[str, str] = {}
        for name in known:
            self.add(name, 0)

    def add(self, name: str, line: int) -> None:
        self.lines.setdefault(identity(name), line)
        self.alike.setdefault(self.look(name), name)

    def has(self, name: str) -> bool:
        """Return whether the club or the list has this name."""
        return identity(name) in self.lines

    def is_known(self, name: str) -> bool:
        """Return whether the club already has this name."""
        return self.lines.get(identity(name)) == 0

    def check(self, name: str, line: int) -> ListProblem | None:
        earlier = self.lines.get(identity(name))
        if earlier:
            return ListProblem(line, name, "duplicate", earlier=earlier)
        if earlier == 0:
            return ListProblem(line, name, "known")
        other = self.alike.get(self.look(name))
        return ListProblem(line, name, "similar", other=other) if other else None


def _pieces(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield the number of a line, a piece of it, and whether it is likely that nobody is meant."""
    writers, are_out = set[str](), False
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        if written := _STAMP.match(line):
            writer, line = written["who"].strip(" ~"), line[written.end() :]
            if writer not in writers:
                writers.add(writer)
                yield number, writer, True
        if title := _TITLE.match(line):
            are_out = _NO.match(fold(title["title"])) is not None
        for piece in _SEPARATORS.split(line):
            bare = _without_marks(without_phone(_without_marks(piece)))
            if bare and not (written and _is_talk(bare)):
                yield number, bare, are_out or bool(written)


def _without_marks(piece: str) -> str:
    """Return the piece without numbering, bullets and marks at its ends."""
    while True:
        bare = " ".join(_NUMBERING.sub("", piece).split())
        bare = _MARKS.sub("", bare).strip().removeprefix("@")
        if bare == piece:
            return piece
        piece = bare


_TEMPLATES: dict[Kind, str] = {
    "duplicate": _("“%(text)s” is already on line %(earlier)s; we added it once."),
    "known": _("“%(text)s” is already a player; nothing to add."),
    "similar": _("“%(text)s” looks like “%(other)s”. Make sure they are two different people."),
    "heading": _("“%(text)s” is a heading or a total; left out."),
    "doubtful": _("“%(text)s” may be no name."),
    "too_many": _("The list is too long. Add the names from line %(line)s onwards separately."),
    "too_wrong": _("Too many problems. The list was not read from line %(line)s onwards."),
}
