"""A pasted list of names, read line by line."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from engine.rules.texts import mark as _

from .clean import clean_name, fold, identity, refuse_address, without_phone
from .problems import NameProblem

MOST_NAMES = 2000
MOST_PROBLEMS = 200

_NUMBERING = re.compile(r"\A\s*(?:\(?\d{1,4}(?:[.):/]\s*(?!\d)|\s*\t|\s+[-–]\s)|[-–*•·]\s)\s*")
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

Kind = Literal["invalid", "duplicate", "known", "similar", "heading", "too_many", "too_wrong"]


class ListProblem(NamedTuple):
    """A problem in one line of a list.

    `kind` is `invalid` (see `cause`), `duplicate` (the same name is in line `earlier`), `known`
    (the club already has this name), `similar` (it looks like the name `other`: only a warning,
    the name is taken), `heading` (a heading or a total, which is left out), `too_many` (reading
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
        return self.kind == "similar"

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


def parse_name_list(
    text: str,
    known: Iterable[str] = (),
    *,
    look: Callable[[str], str] = fold,
    refuse: Callable[[str], None] = refuse_address,
) -> NameList:
    """Return the names of a text: one per line, or several between commas or semicolons.

    Numbering, bullets, tabs, telephone numbers and empty lines are dropped. A duplicate, in any
    case of letters, is taken once and reported with its line. A name in `known` is reported and
    not taken. A name with the same `look` as another, by default without accents, is taken with a
    warning. `refuse` raises the problem of a new name. Reading stops after 2000 names or 200
    problems, which is reported too.
    """
    seen = _Seen(known, look)
    names: list[str] = []
    problems: list[ListProblem] = []
    for line, piece in _pieces(text):
        if len(names) == MOST_NAMES or len(problems) == MOST_PROBLEMS:
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
        problem = seen.check(name, line)
        if problem:
            problems.append(problem)
        if not problem or problem.is_warning:
            names.append(name)
            seen.add(name, line)
    return NameList(names, problems)


def is_talk(name: str) -> bool:
    """Return whether a line of a chat is probably no name: "Danh sách tối nay:" or "ok"."""
    plain = fold(name)
    if len(plain.split()) > MOST_WORDS or _TALK.search(plain):
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


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        for piece in _SEPARATORS.split(line):
            bare = without_phone(_NUMBERING.sub("", piece).lstrip().removeprefix("@"))
            if bare.strip():
                yield number, bare


_TEMPLATES: dict[Kind, str] = {
    "duplicate": _("“%(text)s” is already on line %(earlier)s; we added it once."),
    "known": _("“%(text)s” is already a player; nothing to add."),
    "similar": _("“%(text)s” looks like “%(other)s”. Make sure they are two different people."),
    "heading": _("“%(text)s” is a heading or a total; left out."),
    "too_many": _("The list is too long. Add the names from line %(line)s onwards separately."),
    "too_wrong": _("Too many problems. The list was not read from line %(line)s onwards."),
}
