"""Imports of uploaded files: stored as sent, read by a worker, confirmed, saved by a worker.

No request parses a file. An account has one file at a time and the server works on two. If a worker
dies, its work is rolled back and started again.
"""

import datetime
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict

from celery.exceptions import SoftTimeLimitExceeded
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import F, Sum
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from league.base.domain.csv_text import read_cells, read_text
from league.base.rights import Right, highest
from league.clubs.acts import players
from league.exchange.acts import archives, imports, notebooks, uploads
from league.exchange.domain.looks import (
    MOST_NAMED,
    MOST_SHOWN,
    DoubtLook,
    FreshPlayer,
    NightLook,
    NotebookLook,
    PlayersLook,
    SheetLook,
)
from league.exchange.domain.notebooks import ReadNight, shown
from league.exchange.domain.sheet_columns import ReadSheet, turned
from league.exchange.domain.stages import Stage, Tell
from league.exchange.facts import file_imports as facts
from league.exchange.facts import workbooks
from league.exchange.signals import file_waits
from league.models import Club, FileImport, FilePiece, Notebook, Season
from tables.refusals import Refusal

Kind, State = FileImport.Kind, FileImport.State

STAYS = datetime.timedelta(hours=24)
STAYS_WHEN_OVER = datetime.timedelta(hours=1)
MOST_WAITING = 500_000_000
"""Maximum bytes of waiting files, over all accounts."""
MOST_TRIES = 3
AGAIN = datetime.timedelta(seconds=4)
"""Waiting time after which a file's task message is considered lost."""
MOST_LEFT, MOST_WAITS = 100, 10
MOST_ROWS = 8
"""Rows of a sheet that its preview shows."""
_EVERY = 0.5
# Advisory lock classes of imports.
OF_AN_ACCOUNT, AT_ONCE, OF_A_SEASON = 0x7469_6501, 0x7469_6502, 0x7469_6503
MOST_READ = 2  # On the whole server; more than one, so that one file cannot block the others.


class _GoneError(Exception):
    """The uploader cancelled the file during the work, which is rolled back."""


@transaction.atomic
def receive(
    *,
    kind: FileImport.Kind,
    by: User,
    pieces: Iterable[bytes],
    club: Club | None = None,
    season: Season | None = None,
) -> FileImport:
    """Store a file for a worker, in place of the account's previous one.

    Refusal while another file of the account is being read or saved, or if too many bytes wait.
    """
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    mine = FileImport.objects.filter(owner=by)
    if mine.filter(state__in=FileImport.AT_WORK).exists():
        raise Refusal(_("Another file of yours is still being imported. Wait, or cancel it."))
    waiting = FileImport.objects.filter(state=State.WAITING).aggregate(size=Sum("size"))
    if (waiting["size"] or 0) > MOST_WAITING:
        raise Refusal(_("Too many files are waiting. Try again in a few minutes."), status=503)
    mine.delete()
    now = timezone.now()
    file = FileImport.objects.create(
        owner=by, kind=kind, club=club, season=season, size=0, since=now,
        expires_at=now + STAYS, language=translation.get_language() or "en",
    )  # fmt: skip
    for number, piece in enumerate(pieces):
        FilePiece.objects.create(file=file, number=number, body=piece)
        file.size += len(piece)
    file.save(update_fields=["size"])
    file_waits.send(FileImport, key=file.pk)
    return file


@transaction.atomic
def confirm(*, file: FileImport | None, leaves_out: bool = False) -> None:
    """Queue a previewed table for saving; a second call changes nothing.

    Refusal if the table has problems, nothing to save, or columns that are not read unless
    `leaves_out` says that they may be.
    """
    if file is not None:
        file = FileImport.objects.select_for_update().filter(pk=file.pk).first()
    if file and file.state in (State.SAVING, State.DONE):
        return
    look = facts.look_of(file) if file else None
    if file is None or look is None or not look.saves:
        raise Refusal(_("There is nothing to save. Send the file again."), status=409)
    if isinstance(look, PlayersLook) and look.unread and not leaves_out:
        raise Refusal(_("Some columns are not read. Say whether that is right."), status=409)
    _queue(file, State.SAVING)


@transaction.atomic
def answer(
    *, file: FileImport | None, chosen: Mapping[str, str], answers: Mapping[str, bool]
) -> None:
    """Have sheets read again with other meanings of columns and other answers."""
    if file is not None:
        file = FileImport.objects.select_for_update().filter(pk=file.pk, state=State.READ).first()
    if file is None:
        raise Refusal(_("There is nothing to save. Send the file again."), status=409)
    file.told = {
        "chosen": file.told["chosen"] | dict(chosen),
        "answers": file.told["answers"] | dict(answers),
    }
    _queue(file, State.WAITING)


def _queue(file: FileImport, state: FileImport.State) -> None:
    file.state, file.tries, file.since = state, 0, timezone.now()
    file.save(update_fields=["state", "tries", "since", "told"])
    file_waits.send(FileImport, key=file.pk)


def cancel(*, file: FileImport) -> bool:
    """Delete the file; return False if it is already imported.

    A worker's unfinished work on it is rolled back.
    """
    return bool(FileImport.objects.filter(pk=file.pk).exclude(state=State.DONE).delete()[0])


def forget(*, notebook: int) -> None:
    """Delete what tells that this notebook was imported: it was undone."""
    FileImport.objects.filter(state=State.DONE, told__notebook=notebook).delete()


def work(*, key: int) -> None:
    """Read or save a file, unless its account or the server is at its limit of files at work."""
    file = FileImport.objects.filter(pk=key, state__in=FileImport.AT_WORK).first()
    if file is None:
        return
    with _turn(file) as is_ours:
        if is_ours and _is_tried(file):
            with translation.override(file.language):
                _work(file)


def sweep() -> list[int]:
    """Delete expired files; return the keys of files that wait or have lost their worker."""
    now = timezone.now()
    FileImport.objects.filter(expires_at__lt=now).delete()
    waiting = FileImport.objects.filter(state__in=FileImport.AT_WORK, since__lt=now - AGAIN)
    return list(waiting.order_by("since").values_list("pk", flat=True)[:20])


@contextmanager
def _turn(file: FileImport) -> Iterator[bool]:
    """Hold the locks for work on a file; yield whether both were free.

    They end with the holder.
    """
    locks = [[(OF_AN_ACCOUNT, file.owner_id % 2**31)], [(AT_ONCE, at) for at in range(MOST_READ)]]
    if file.season_id is not None and file.state == State.SAVING:
        locks.append([(OF_A_SEASON, file.season_id % 2**31)])  # The same file twice is saved once.
    own = connection.copy()  # Its transaction holds them, behind a pooler too.
    try:
        own.set_autocommit(False)
        with own.cursor() as cursor:
            yield all(any(_is_free(cursor, lock) for lock in those) for those in locks)
    finally:
        own.rollback()
        own.close()


def _is_free(cursor: CursorWrapper, lock: tuple[int, int]) -> bool:
    """Take a lock until the transaction ends; return False if another holds it."""
    cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", lock)
    return bool(cursor.fetchone()[0])


def _is_tried(file: FileImport) -> bool:
    """Count an attempt before it starts; after `MOST_TRIES`, fail the file and return False."""
    same = FileImport.objects.filter(pk=file.pk, state=file.state)
    if same.filter(tries__lt=MOST_TRIES).update(tries=F("tries") + 1):
        return True
    if (Kind(file.kind), State(file.state)) == _IN_TURN:
        _undo_begun(file)
    with translation.override(file.language):
        _fail(file, [_("Importing this file failed three times. Nothing was saved.")])
    return False


def _work(file: FileImport) -> None:
    try:
        kind, state = Kind(file.kind), State(file.state)
        # Nights are saved in turn, so that nobody in the club waits for the whole.
        with nullcontext() if (kind, state) == _IN_TURN else transaction.atomic():
            _WORK[kind, state](file, _teller(file))
    except ValidationError as error:
        _fail(file, error.messages)
    except SoftTimeLimitExceeded:
        _fail(file, [_("Reading this file took too long. Nothing was saved.")])
    except _GoneError:
        return


def _fail(file: FileImport, problems: list[str]) -> None:
    try:
        _settle(file, State.FAILED, told={"problems": problems})
    except _GoneError:
        return


@transaction.atomic
def _settle(file: FileImport, state: FileImport.State, **values: object) -> None:
    """Store the outcome of the work and delete the uploaded bytes."""
    now = timezone.now()
    stays = STAYS if state == State.READ else STAYS_WHEN_OVER
    same = FileImport.objects.filter(pk=file.pk, state=file.state)
    if not same.update(state=state, since=now, expires_at=now + stays, **values):
        raise _GoneError
    FilePiece.objects.filter(file=file.pk).delete()


def _teller(file: FileImport) -> Tell:
    """Return a progress callback that raises `_GoneError` once the file is cancelled."""
    last = -_EVERY

    def tell(stage: Stage, done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last < _EVERY:
            return
        last = time.monotonic()
        if not FileImport.objects.filter(pk=file.pk, state=file.state).exists():
            raise _GoneError
        cache.set(facts.progress_key(file), [stage, done, total], facts.PROGRESS_SECONDS)

    return tell


def _data(file: FileImport) -> bytes:
    found = FilePiece.objects.filter(file=file.pk).order_by("number")
    return b"".join(found.values_list("body", flat=True).iterator(1))


def _import_archive(file: FileImport, tell: Tell) -> None:
    left_out: Counter[str] = Counter()
    club = archives.read_archive(data=_data(file), by=file.owner, tell=tell, left_out=left_out)
    _settle(file, State.DONE, club=club, told={"left_out": sorted(left_out.items())})


def _read_players(file: FileImport, tell: Tell) -> None:
    first, *others = _sheets(file, tell)
    found = imports.preview_players(club=_club(file), rows=first.rows)
    look = PlayersLook(
        [FreshPlayer(one.name, one.group, one.fixed_table) for one in found.fresh[:MOST_SHOWN]],
        len(found.fresh),
        found.there[:MOST_NAMED],
        len(found.there),
        found.bots,
        found.problems,
        _first(found.alike),
        [
            *(f"{head} ({count})" for head, count in found.unread.items()),
            *(f"{one.name} ({len(one.rows)})" for one in others),
        ],
    )
    _settle(file, State.READ, text=json.dumps([first]), told=asdict(look))


def _sheets(file: FileImport, tell: Tell) -> list[ReadSheet]:
    """Return the file's sheets: of its bytes the first time, later as they were read then."""
    if file.text:
        return [ReadSheet(*one) for one in json.loads(file.text)]
    data = _data(file)
    try:
        if workbooks.is_workbook(data):
            return uploads.workbook_sheets(data, tell) or [ReadSheet("", [])]
        return [ReadSheet("", read_cells(read_text(data)))]
    except ValueError as error:
        raise Refusal(_(str(error))) from error


def _read_results(file: FileImport, tell: Tell) -> None:
    sheets = list(map(turned, _sheets(file, tell)))
    chosen, answers = file.told.get("chosen", {}), file.told.get("answers", {})
    found = notebooks.look(season=_season(file), sheets=sheets, chosen=chosen, answers=answers)
    read = found.read
    look = NotebookLook(
        sheets=[
            SheetLook(
                sheet.name, columns.heads, columns.meanings,
                sheet.rows[columns.head + 1 :][:MOST_ROWS],
                [" ".join(filter(None, row)) for row in sheet.rows[: max(columns.head, 0)]],
                len(sheet.rows), columns.doubled, columns.unknown,
            )
            for sheet, columns in zip(sheets, read.columns, strict=True)
        ],
        doubts=[
            DoubtLook(one.kind, one.about, list(one.facts), answers.get(one.key, one.likely))
            for one in read.doubts
        ],
        totals=[
            (one.name, shown(one.theirs), shown(one.ours))
            for one in sorted(read.totals, key=lambda total: total.theirs == total.ours)
        ],
        fresh=[_night(night) for night in found.fresh],
        there=len(found.there),
        waiting=[_night(night) for night in found.waiting],
        left=_first([notebooks.at_row(one) for one in read.left], MOST_LEFT),
        people=len(read.names),
        new_names=found.new_names,
        problems=found.problems,
        alike=_first(players.warn_of_similar(club=_club(file), new=found.new_names)),
        told=found.told,
        left_count=len(read.left),
        chosen=chosen,
        answers=answers,
    )  # fmt: skip
    _settle(file, State.READ, text=json.dumps(sheets), told=asdict(look))


def _first(told: Sequence[str], most: int = MOST_NAMED) -> list[str]:
    """Return the first messages, and how many there are beyond."""
    beyond = len(told) - most
    if beyond <= 0:
        return list(told)
    more = ngettext("%(n)s more like this.", "%(n)s more like these.", beyond) % {"n": beyond}
    return [*told[:most], more]


def _night(night: ReadNight) -> NightLook:
    """Return a night as the preview shows it."""
    games = [
        " · ".join([f"{number}.{table}.{at}", *(" = ".join(group) for group in game.groups)])
        + (" · " + " ".join(map(shown, game.money.values())) if game.money else "")
        for number, tables in night.rounds.items()
        for table, games in tables.items()
        for at, game in enumerate(games, start=1)
    ]
    waits = _first([notebooks.at_row(one) for one in night.waits], MOST_WAITS)
    return NightLook(night.name or night.written, night.date, games, waits)


def _save_players(file: FileImport, tell: Tell) -> None:
    tell(Stage.SAVING, 0, 0)
    [sheet] = _sheets(file, tell)
    count = len(imports.save_players(club=_club(file), rows=sheet.rows, by=file.owner))
    text = ngettext("%(count)s player added.", "%(count)s players added.", count)
    _settle(file, State.DONE, text="", told={"done": text % {"count": count}})


def _save_results(file: FileImport, tell: Tell) -> None:
    season = _season(file)
    _undo_begun(file)
    looked = notebooks.look(
        season=season,
        sheets=_sheets(file, tell),
        chosen=file.told["chosen"],
        answers=file.told["answers"],
    )
    made = notebooks.save(season=season, looked=looked, by=file.owner, tell=tell)
    count, people = len(looked.fresh), made.players.count()
    parts = [ngettext("%(n)s night added.", "%(n)s nights added.", count) % {"n": count}]
    if people:
        text = ngettext("%(count)s player added.", "%(count)s players added.", people)
        parts.append(text % {"count": people})
    try:
        _settle(file, State.DONE, text="", told={"done": " ".join(parts), "notebook": made.pk})
    except _GoneError:
        notebooks.remove(notebook=made, by=file.owner)
        raise


def _undo_begun(file: FileImport) -> None:
    """Undo what a worker saved of the file's nights before it died."""
    for begun in Notebook.objects.filter(season=file.season, by=file.owner, at__gte=file.since):
        notebooks.remove(notebook=begun, by=file.owner)


def _club(file: FileImport) -> Club:
    """Return the file's club; Refusal if the uploader is no longer an organiser."""
    club = file.club
    held = highest(file.owner, club) if club else None
    if club is None or held is None or held < Right.ORGANISE:
        raise Refusal(_("You are no longer an organiser of this club."))
    return club


def _season(file: FileImport) -> Season:
    season = file.season
    if season is None or season.club_id != _club(file).pk:
        raise Refusal(_("This season no longer exists."))
    return season


_IN_TURN = (Kind.RESULTS, State.SAVING)
_WORK: dict[tuple[FileImport.Kind, FileImport.State], Callable[[FileImport, Tell], None]] = {
    (Kind.ARCHIVE, State.WAITING): _import_archive,
    (Kind.PLAYERS, State.WAITING): _read_players,
    (Kind.PLAYERS, State.SAVING): _save_players,
    (Kind.RESULTS, State.WAITING): _read_results,
    (Kind.RESULTS, State.SAVING): _save_results,
}
