"""Export of a club as one file, and import as a new club on this or another server.

Rows are exported as stored and get new keys on import. Data of accounts is left out: the accounts
themselves, roles, links, tokens and the log. Online tables are left out too; their games are
exported as results. Schedules arrive paused. What a newer release has beyond this one is named and
left out. An import is refused as a whole unless its standings
and money follow from its results.
"""

import io
import json
import uuid
import zipfile
from collections import Counter
from collections.abc import Container, Iterator
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, connection, models, transaction
from django.db.models.expressions import RawSQL
from django.utils.translation import gettext as _

from accounts.models import User
from engine.rules import ruleset as engine_ruleset
from engine.rules.errors import EngineError
from engine.sim import designs
from league import models as m
from league.base import texts
from league.base.acts import audit
from league.base.acts.snapshots import snapshot
from league.base.domain import names, stored_specials
from league.clubs.acts import clubs
from league.exchange.acts import uploads
from league.exchange.domain import club_file
from league.exchange.domain.club_file import FILE, ClubFileError, Row, TooLargeError
from league.exchange.domain.stages import Stage, Tell, tell_nobody
from league.proof.facts import verify
from league.schedules.acts import schedules
from league.schedules.domain.recurrence import Recurrence
from league.seasons.acts import places
from league.seasons.domain.scoring import Scoring
from league.seasons.domain.standings.tie_breaks import check_tie_breaks
from tables.base import rulesets
from tables.base.currencies import MARK, currency_of
from tables.models import FrozenRuleset, Game, KeptGames, Run, Unit
from tables.refusals import Refusal
from tables.runs import verdicts

FORMAT = "tien-len-club/1"
CHUNK = 5_000
_MOST_CHUNK = 4_000_000
_MOST_LEFT_OUT = 1_000
NOTHING: tuple[Any, ...] = (None, "", [], {})
"""Values of which nothing is lost."""

Model = type[models.Model]

# In insertion order, each with the query path to its club.
TABLES: list[tuple[Model, str]] = [
    (m.Player, "club"),
    (m.ClubRuleset, "club"),
    (m.ClubRulesetVersion, "ruleset__club"),
    (m.Season, "club"),
    (m.Roster, "season__club"),
    (m.RosterMember, "season__club"),
    (Run, "event__season__club"),
    (Unit, "run__event__season__club"),
    (KeptGames, "unit__run__event__season__club"),
    (m.Event, "season__club"),
    (m.LivePlan, "event__season__club"),
    (m.Schedule, "season__club"),
    (m.Occurrence, "schedule__season__club"),
    (m.BotLeague, "season__club"),
    (m.Matchday, "league__season__club"),
    (m.LeagueSeat, "matchday__league__season__club"),
    (m.Entrant, "event__season__club"),
    (m.Round, "event__season__club"),
    (m.Sitting, "round__event__season__club"),
    (m.Place, "round__event__season__club"),
    (m.Bye, "round__event__season__club"),
    (m.Result, "sitting__round__event__season__club"),
    (m.LiveResult, "result__sitting__round__event__season__club"),
    (m.Placing, "result__sitting__round__event__season__club"),
    (m.Confirmation, "result__sitting__round__event__season__club"),
    (m.Dispute, "sitting__round__event__season__club"),
    (m.Tally, "event__season__club"),
    (m.Account, "club"),
    (m.Posting, "season__club"),
    (m.EntryDoubt, "posting__season__club"),
    (m.ReportedPayment, "season__club"),
    (m.Transfer, "payer__club"),
    (m.Adjustment, "season__club"),
]

LEFT_BEHIND: dict[Model, str] = {
    m.Membership: "accounts of this installation",
    m.RoleOffer: "accounts of this installation",
    m.ApiToken: "accounts of this installation",
    m.Link: "secrets of this installation",
    m.Claim: "phones that this installation knows",
    m.Audit: "the log names accounts",
    m.AuditMark: "made anew by the database",
    m.HiddenName: "names that are removed",
    m.FormerName: "names that people had",
    m.Mention: "names that are removed",
    m.Erasure: "rows of this installation",
    m.Webhook: "secrets of this installation",
    m.NewsItem: "messages of this installation",
    m.PaymentWay: "accounts of this installation",
    m.FormerWay: "accounts of this installation",
    m.WayAtTable: "tables of this installation",
    m.NewsWish: "accounts of this installation",
    m.Channel: "accounts of this installation",
    m.NewsLane: "messages of this installation",
    m.Alarm: "messages of this installation",
    m.CalendarFeed: "accounts of this installation",
    m.FileImport: "files of accounts of this installation",
    m.Notebook: "what can be undone on this installation",
    m.FilePiece: "files of accounts of this installation",
    m.SignUp: "who signs up is of use before the night alone",
    m.WaitingName: "who signs up is of use before the night alone",
    m.SignUpAnswer: "who signs up is of use before the night alone",
    m.LiveTable: "tables of this installation; their games are results",
    m.StakeOffer: "what a table was asked is of use until its game; games have their stake",
    m.NightDeals: "cards of this installation; what was played with them are results",
    m.ClubTable: "tables of this installation; their games are postings",
    m.ClubSeat: "accounts of this installation",
    m.OldRows: "counts of this installation",
    m.Verification: "proofs of this installation",
    m.MoneyTally: "made anew by the database",
    m.SeasonTable: "made anew from results",
    m.SeasonRow: "made anew from results",
    m.Rating: "made anew from results",
    m.RatingPoint: "made anew from results",
    m.RatingState: "made anew from results",
    m.Strength: "made anew from results",
    m.StrengthPoint: "made anew from results",
    m.StrengthState: "made anew from results",
}
"""The models that an archive leaves out, each with the reason."""

_MODELS = {model._meta.db_table: model for model, _path in TABLES}

# The settings of a draw that hold entrants' keys: as values or lists, or as dictionary keys.
_LISTS = {
    "here",
    "waiting",
    "bots",
    "members",
    "through",
    "by_lot",
    "absent",
    "planned",
    "apart",
    "together",
    "swaps",
}
_KEYED = {"groups", "fixed_tables"}


UNREADABLE = (
    ClubFileError,
    DatabaseError,
    EngineError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
"""The errors that an invalid value in an archive can cause, wherever it is first read."""


def write_archive(*, club: m.Club, by: User) -> bytes:
    """Return the club as a ZIP file with one JSON text, without accounts or email addresses."""
    with snapshot():
        body = _body(club)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(FILE, json.dumps(body, cls=DjangoJSONEncoder, ensure_ascii=False))
    audit.log("club.exported", club=club, by=by)
    return out.getvalue()


@transaction.atomic
def read_archive(
    *, data: bytes, by: User, tell: Tell = tell_nobody, left_out: Counter[str] | None = None
) -> m.Club:
    """Create a club from an archive, with `by` as its owner.

    `left_out` gets the tables and columns of a newer release, which this one cannot store, each
    with the number of its rows. Refusal, with nothing saved, if the file is no archive, is too
    large, lacks what this release needs, or does not add up.
    """
    try:
        with transaction.atomic():
            club = _Import(data, by, tell, Counter() if left_out is None else left_out).run()
            tell(Stage.CHECKING, 0, 0)
            wrong = list(verify.everything(club))
    except TooLargeError as error:
        raise Refusal(
            _("The archive is too large: at most %(megabytes)s MB and %(rows)s rows can be read."),
            params={
                "megabytes": club_file.MOST_BYTES // 1_000_000,
                "rows": intcomma(club_file.MOST_ROWS),
            },
        ) from error
    except UNREADABLE as error:
        raise Refusal(
            _("This version can't read the archive: %(why)s"),
            params={"why": str(error).splitlines()[0][:200] if str(error) else ""},
        ) from error
    if wrong:
        raise Refusal(
            _("The archive does not add up: %(why)s"),
            params={"why": "; ".join(wrong[:5])},
        )
    audit.log("club.imported", club=club, by=by)
    return club


def _refuse_address(name: Any) -> None:
    """Refuse in words, unlike a file that cannot be read, a name that nobody may give."""
    try:
        names.refuse_address(str(name))
    except names.AddressInName as problem:
        raise texts.refused(problem) from problem


def _body(club: m.Club) -> Row:
    tables = {model._meta.db_table: list(_rows(model, {path: club})) for model, path in TABLES}
    digests = {
        row[column]
        for model, _path in TABLES
        for column, field in _columns(model).items()
        if field.related_model is FrozenRuleset
        for row in tables[model._meta.db_table]
    }
    return {
        "format": FORMAT,
        "club": next(_rows(m.Club, {"pk": club.pk})),
        "rulesets": [
            frozen.body for frozen in FrozenRuleset.objects.filter(pk__in=digests).order_by("pk")
        ],
        "tables": tables,
    }


def _rows(model: Model, where: dict[str, Any]) -> Iterator[Row]:
    """Yield a table's rows as JSON values by column, ordered by primary key."""
    fields = model._meta.concrete_fields
    whole = RawSQL(
        f'to_jsonb("{model._meta.db_table}") - %s::text[]',
        ([str(field.column) for field in fields if field.generated],),
        output_field=models.JSONField(),
    )
    found = model._base_manager.filter(**where).order_by("pk")
    yield from found.annotate(whole=whole).values_list("whole", flat=True).iterator(CHUNK)


def _columns(model: Model) -> dict[str, Any]:
    """Return the model's fields by column name, without generated columns."""
    fields = model._meta.concrete_fields
    return {str(field.column): field for field in fields if not field.generated}


class _Import:
    """One import, which inserts the archive's rows under new keys, table by table."""

    def __init__(self, data: bytes, by: User, tell: Tell, left_out: Counter[str]) -> None:
        self.data, self.by, self.tell, self.left_out = data, by, tell, left_out
        self.keys: dict[Model, dict[Any, Any]] = {}
        self.total = 0

    def run(self) -> m.Club:
        body, old = self._looked_through()
        for rules in body["rulesets"]:
            rulesets.freeze(engine_ruleset.from_json(rules))
        club = self._club(body["club"])
        for model, keys in old.items():
            self._number(model, keys)
        saved = 0
        for model, rows in self._chunks():
            self.tell(Stage.SAVING, saved, self.total)
            self._insert(model, [self._arrived(model, row) for row in rows])
            saved += len(rows)
        self._check(club)
        for event in places.withheld(club):
            places.keep_withheld(event)
        return club

    def _looked_through(self) -> tuple[Row, dict[Model, list[Any]]]:
        """Return the archive's top-level values, and the old keys of each table's rows."""
        body: Row = {}
        old: dict[Model, list[Any]] = {model: [] for model, _path in TABLES}
        try:
            for part in uploads.archive_values(self.data):
                if part.is_row:
                    self.tell(Stage.READING, self.total, 0)
                    model = _MODELS.get(part.name)
                    self.total += model is not None
                    if model is None:
                        self._leave_out("", {part.name: part.value})
                    elif "id" in self._full(model, part.value):
                        old[model].append(part.value["id"])
                        self._leave_out(f"{part.name}.", part.value, _columns(model))
                else:
                    body[part.name] = part.value
        except TooLargeError:
            raise
        except ClubFileError as error:
            raise ClubFileError(str(error) or _("it is not a ZIP file of a club.")) from error
        if body.get("format") != FORMAT or "tables" not in body:
            raise ClubFileError(_("it is not in the format %(format)s.") % {"format": FORMAT})
        self._leave_out("", body, ("format", "club", "rulesets", "tables"))
        self._leave_out("league_club.", body["club"], _columns(m.Club))
        return body, old

    def _leave_out(self, where: str, values: Row, known: Container[str] = ()) -> None:
        """Note the names that are not known and have a value."""
        for name, value in values.items():
            if name not in known and value not in NOTHING and len(self.left_out) < _MOST_LEFT_OUT:
                self.left_out[f"{where}{name}"[:80]] += 1

    def _chunks(self) -> Iterator[tuple[Model, list[Row]]]:
        """Yield batches of one table's rows, each small enough for one statement."""
        model: Model | None = None
        rows: list[Row] = []
        size = 0
        for part in uploads.archive_values(self.data):
            found = _MODELS.get(part.name) if part.is_row else None
            if found is None:
                continue
            full = len(rows) == CHUNK or size > _MOST_CHUNK
            if model is not None and (full or found is not model):
                yield model, rows
                rows, size = [], 0
            model = found
            rows.append(part.value)
            size += part.size
        if model is not None:
            yield model, rows

    def _club(self, row: Row) -> m.Club:
        language, unit = str(row.get("language", "")), str(row["unit"])[:20]
        club = clubs.create_club(
            name=str(row["name"])[:80],
            by=self.by,
            time_zone=str(row["time_zone"]),
            unit=unit,
            place=str(row.get("place", ""))[:40],
            language=language if language in dict(settings.LANGUAGES) else "",
        )
        if currency_of(unit) is None:  # Whole dollars of before there were cents stay whole.
            club.unit = unit.strip().replace(MARK, "")
        hosts = filter(clubs.HOST.fullmatch, str(row.get("embed_hosts", "")).split())
        club.embed_hosts = " ".join(hosts)
        club.save(update_fields=["unit", "embed_hosts"])
        names_shown = str(row.get("shows_names", ""))
        with suppress(Refusal):  # A copy stays private beside the public club of its name.
            club = clubs.set_public(club=club, by=self.by, is_public=None, shows_names=names_shown)
            if row["is_public"] is True:
                club = clubs.set_public(club=club, by=self.by, is_public=True)
        club.accounts.all().delete()  # The archive contains the club's own ledger account.
        self.keys[m.Club] = {row["id"]: club.pk}
        return club

    def _number(self, model: Model, keys: list[Any]) -> None:
        """Allocate new keys for a table's rows, in the order of the old keys."""
        if model._meta.pk is None or model._meta.pk.is_relation:
            return
        old = sorted(keys)
        if len(set(old)) < len(old):
            raise ClubFileError(f"{model._meta.db_table} has a key twice")
        if isinstance(model._meta.pk, models.UUIDField):
            new: list[Any] = [str(uuid.uuid4()) for _key in old]
        else:
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
                    [model._meta.db_table, len(old)],
                )
                new = [key for (key,) in cursor.fetchall()]
        self.keys[model] = dict(zip(old, new, strict=True))

    def _full(self, model: Model, row: Row) -> Row:
        """Return the row with exactly the model's columns; raise ClubFileError if it lacks one."""
        columns = _columns(model)
        # An archive of an older version lacks newer columns, which then get their defaults.
        known = columns.items()
        usual = {n: f.get_default() for n, f in known if f.null or f.has_db_default()}
        row = usual | row
        if lacking := columns.keys() - row.keys():
            odd = ", ".join(sorted(lacking))[:200]
            raise ClubFileError(f"{model._meta.db_table} lacks columns: {odd}")
        return {name: row[name] for name in columns}

    def _arrived(self, model: Model, row: Row) -> Row:
        """Return the row with its own new key and those of the rows it refers to."""
        columns = _columns(model)
        row = self._full(model, row)
        made = {name: self._value(field, row[name]) for name, field in columns.items()}
        if "id" in made:
            made["id"] = self.keys[model][row["id"]]
        if model in (m.Player, m.Season, m.Event, m.Schedule):
            _refuse_address(row["name"])
        if model is m.Player:
            clean = names.clean_name(row["name"])
            made |= {"name": clean, "name_key": names.identity(clean),
                     "sort_key": names.sort_key(clean)}  # fmt: skip
        if model is m.Result:
            made["specials"] = self._specials(row["specials"])
        if model is m.LiveResult:
            made["payments"] = [
                paid | {"from": self._entrant(paid["from"]), "to": self._entrant(paid["to"])}
                for paid in row["payments"]
            ]
        if model is m.Round:
            made["settings"] = self._settings(row["settings"])
        if model is m.Schedule:
            made |= {"by_id": self.by.pk, "paused": True, "next_at": None}
        if model is Unit and row["state"] == Unit.State.LEASED:
            made |= {"state": Unit.State.WAITING, "lease_until": None}
        return made

    def _value(self, field: Any, value: Any) -> Any:
        if _is_odd(field, value):
            raise ClubFileError(f"{field.model._meta.db_table} has an odd {field.column}")
        if field.related_model in (User, Game):
            return None
        if field.name == "client_id":
            return str(uuid.uuid4())
        if value is None or not field.related_model or field.related_model is FrozenRuleset:
            return value
        return self.keys[field.related_model][value]

    def _entrant(self, key: Any) -> int:
        return int(self.keys[m.Entrant][key])

    def _settings(self, value: Any, name: str = "") -> Any:
        """Return the settings of a draw with the entrants' new keys."""
        if isinstance(value, dict):
            if name in _KEYED:
                return {str(self._entrant(int(key))): own for key, own in value.items()}
            return {key: self._settings(own, key) for key, own in value.items()}
        if isinstance(value, list):
            return [self._settings(own, name) for own in value]
        return self._entrant(value) if name in _LISTS and value is not None else value

    def _specials(self, specials: list[Row]) -> list[Row]:
        entrants = self.keys[m.Entrant]
        found = [
            special._replace(
                by=None if special.by is None else entrants[special.by],
                of=None if special.of is None else entrants[special.of],
            )
            for special in stored_specials.from_json(specials)
        ]
        return stored_specials.to_json(found)

    def _insert(self, model: Model, rows: list[Row]) -> None:
        table = connection.ops.quote_name(model._meta.db_table)
        columns = ", ".join(map(connection.ops.quote_name, _columns(model)))
        with connection.cursor() as cursor:
            for start in range(0, len(rows), CHUNK):
                cursor.execute(
                    f"INSERT INTO {table} ({columns}) SELECT {columns} FROM"
                    f" jsonb_populate_recordset(NULL::{table}, %s::jsonb)",
                    [json.dumps(rows[start : start + CHUNK])],
                )

    def _check(self, club: m.Club) -> None:
        """Raise an error for values that the database accepts but pages and sweeps cannot read.

        Create the club's own ledger account if the archive lacks it.
        """
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        events = m.Event.objects.filter(season__club=club)
        one: Any
        for one in (*club.seasons.all(), *events):
            Scoring.from_json(one.scoring)
            check_tie_breaks(one.tie_breaks)
        for event in events:
            assert event.plan
            assert event.zone
        for schedule in m.Schedule.objects.filter(season__club=club):
            if schedule.rule is not None:
                Recurrence.from_json(schedule.rule)
            schedules.check_plan(schedule.kind, schedule.plan)
        for run in Run.objects.filter(event__season__club=club):
            _check_run(run)
        if not club.accounts.filter(player=None).exists():
            m.Account.objects.create(club=club)


def _is_odd(field: Any, value: Any) -> bool:
    """Return whether a value is none of the field's choices, or JSON not of its default's type."""
    if field.choices:
        return value not in (None, "") and value not in dict(field.flatchoices)
    usual = isinstance(field, models.JSONField) and field.has_default()
    return usual and type(value) is not type(field.get_default())


def _check_run(run: Run) -> None:
    """Raise an error if the run's page could not add up its counts."""
    names = designs.entry_names([str(bot["name"]) for bot in run.bots])
    size = designs.table_size(len(names), run.design)
    verdicts.totals(run)
    done: Any = run.units.filter(state=Unit.State.DONE)
    for lines in done.values_list("tally__counts", flat=True).iterator():
        for bot, rank, tied, games in lines:
            if not (0 <= bot < len(names) and 1 <= rank <= size and tied > 0 and games > 0):
                raise ClubFileError(f"a unit has odd counts: {bot}, {rank}, {tied}, {games}")
