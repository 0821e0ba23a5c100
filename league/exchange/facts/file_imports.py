"""An uploaded file as its page shows it: its progress and a preview of the import."""

from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from league.exchange.domain.looks import NotebookLook, PlayersLook
from league.exchange.domain.stages import Stage
from league.models import Club, FileImport, Season

PROGRESS_SECONDS = 120
MOST_LEFT_OUT = 50
Kind, State = FileImport.Kind, FileImport.State


@dataclass(frozen=True)
class FilePage:
    """An uploaded file with its progress, or its preview, result or problems.

    `stage` is empty until a worker reports progress.
    """

    file: FileImport
    is_at_work: bool
    stage: str
    done: int
    total: int
    look: PlayersLook | NotebookLook | None
    problems: list[str]

    @property
    def doing(self) -> str:
        """A sentence on the work's current stage."""
        if self.stage == Stage.READING:
            rows = number_format(self.done, force_grouping=True)
            return _("The file is being read: %(rows)s rows so far.") % {"rows": rows}
        if self.stage == Stage.SAVING:
            return _("Saving") if self.total else _("The file is being saved.")
        if self.stage == Stage.CHECKING:
            return _("The server is checking that everything in the file adds up.")
        return _("The file has arrived and will be read shortly.")

    @property
    def result(self) -> str:
        """A sentence on what was saved; empty before the file is done."""
        if self.file.state != State.DONE:
            return ""
        done = _("The club has been imported, and everything in it adds up.")
        return str(self.file.told.get("done", done))

    @property
    def left_out(self) -> list[str]:
        """What a finished archive of a newer release has that this one cannot store, in words."""
        found = self.file.told.get("left_out", []) if self.file.state == State.DONE else []
        named = [
            ngettext("%(name)s (%(n)s row)", "%(name)s (%(n)s rows)", rows)
            % {"name": name, "n": number_format(rows, force_grouping=True)}
            for name, rows in found[:MOST_LEFT_OUT]
        ]
        more = len(found) - len(named)
        return [*named, _("and %(n)s more") % {"n": more}] if more else named


def file_page(
    *, owner: User, kind: FileImport.Kind, club: Club | None = None, season: Season | None = None
) -> FilePage | None:
    """Return the account's file of this kind for the club or season, or None."""
    found = FileImport.objects.filter(owner=owner, kind=kind, season=season).defer("text")
    if kind != Kind.ARCHIVE:
        found = found.filter(club=club)
    file = found.select_related("club").first()
    if file is None:
        return None
    is_at_work = file.state in FileImport.AT_WORK
    progress: Any = cache.get(progress_key(file)) if is_at_work else None
    stage, done, total = progress or ("", 0, 0)
    return FilePage(
        file, is_at_work, stage and Stage(stage).value, done, total, look_of(file),
        file.told.get("problems", []) if file.state == State.FAILED else [],
    )  # fmt: skip


def look_of(file: FileImport) -> PlayersLook | NotebookLook | None:
    """Return the preview of a table in state `READ`; None in any other state."""
    if file.state != State.READ:
        return None
    if file.kind == Kind.PLAYERS:
        return PlayersLook.from_json(file.told)
    return NotebookLook.from_json(file.told)


def progress_key(file: FileImport) -> str:
    """Return the cache key of a worker's progress on the file in its current state."""
    return f"file-import:{file.pk}:{file.state}"
