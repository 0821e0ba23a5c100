"""A whole club as a file: what comes along, what stays behind, what is refused."""

import io
import json
import sys
import tracemalloc
import zipfile
from datetime import date, timedelta

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from league.arena.acts import bots
from league.clubs.acts import merges, players
from league.exchange.acts import archives, file_imports
from league.exchange.domain import club_file
from league.models import (
    Audit,
    BotLeague,
    Bye,
    Club,
    FileImport,
    LivePlan,
    LiveResult,
    Occurrence,
    Player,
    Result,
    Round,
    Schedule,
)
from league.money.acts import postings
from league.money.facts import money
from league.nights.acts import disputes
from league.proof.facts import verify
from league.schedules.acts import schedules
from league.seasons.acts import rosters
from league.seasons.facts import honours, standings
from tables.models import Game, KeptGames, Unit
from tables.runs import runs
from tests.factories import (
    correct,
    make_adjustment,
    make_member,
    make_night,
    make_prize,
    make_report,
    make_round,
    make_rules,
    make_schedule,
    make_season,
    make_table,
    make_tournament,
    make_user,
    names_at,
    owner_of,
    path_of,
    play,
)
from tests.worlds import made_once

pytestmark = pytest.mark.django_db


@made_once
def club():
    """A club with two nights for money, a chop, a correction, an alias, a prize and bots."""
    season = make_season(rules="mien-nam", best_of=2)
    club, by = season.club, owner_of(season)
    for _ in range(2):
        sitting = make_table(make_night(season=season, stake=3), games=1)
    make_adjustment(season, "An", "-1.5", event=sitting.round.event)
    prize = make_prize(season, "Chi", 7)
    chi = season.club.players.get(name="Chi")
    postings.doubt(posting=prize, player=chi, by=None, is_right=False)
    alias = players.named(club=club, name="Dũng")
    into = players.add_player(club=club, name="Cô Ba", by=by)
    merges.merge(alias=alias, into=into, by=by)
    make_rules(club)
    event = make_tournament(season)
    runs.play_next(event.run_id)
    bots.record_run(run=event.run)
    return club


def shown(club):
    """Everything that pages of the club's only season show, by names."""
    season = club.seasons.get()
    return {
        "rows": [(s.player.name, s.row.rank, s.row.points, s.row.money, s.row.games)
                 for s in standings.season_standings(season)],
        "balances": {
            str(b.account) for b in money.money_page(money.of_season(season)).balances
        } - {club.name},
        "sums": [b.amount for b in money.money_page(money.of_season(season)).balances],
        "specials": [s[1:] for s in honours.season_specials(season)],
        "aliases": sorted(p.name for p in club.players.exclude(merged_into=None)),
        "rules": [r.name for r in club.rulesets.all()],
    }  # fmt: skip


def test_a_club_comes_back_as_it_was_under_new_keys(club):
    data = archives.write_archive(club=club, by=owner_of(club))
    other = make_user()
    for _ in range(2):  # Twice, because nothing of the first one may be in the way.
        made = archives.read_archive(data=data, by=other)
        assert shown(made) == shown(club)
        assert owner_of(made) == other
        assert made.slug != club.slug
    assert list(verify.everything()) == []


@pytest.mark.parametrize("unit", ["$", "¤USD", "kẹo"])
def test_an_amount_is_worth_as_much_in_a_club_that_comes_back(club, unit):
    """A club of before 1.2 counts whole dollars, its amounts are no cents."""
    club.unit = unit
    club.save(update_fields=["unit"])
    data = archives.write_archive(club=club, by=owner_of(club))
    made = archives.read_archive(data=data, by=make_user())
    assert Club.objects.get(pk=made.pk).unit == unit


def test_a_club_that_comes_back_shows_strangers_no_more_of_names(club):
    Club.objects.filter(pk=club.pk).update(is_public=True, shows_names="first")
    data = archives.write_archive(club=club, by=owner_of(club))
    Club.objects.filter(pk=club.pk).update(is_public=False)
    for is_public in (True, False):  # The second is beside a public club of its name.
        made = archives.read_archive(data=data, by=make_user())
        assert (made.is_public, made.shows_names) == (is_public, "first")


# --- Every table equals ----------------------------------------------------------------------


def unpacked(data):
    return json.loads(zipfile.ZipFile(io.BytesIO(data)).read(archives.FILE))


KEYED = ("groups", "fixed_tables")
LISTS = (
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
)
OWN = {"client_id", "paused", "next_at"}  # Given anew, or held until an owner resumes them.


def without_keys(body):
    """The rows of every table, with the place in its table instead of each key."""
    places = {
        table: {row["id"]: place for place, row in enumerate(rows)}
        for table, rows in body["tables"].items()
        if rows and "id" in rows[0]
    }
    places["league_club"] = {body["club"]["id"]: 0}
    entrants = places.get("league_entrant", {})

    def told(value, name=""):
        if isinstance(value, dict):
            if name in KEYED:
                return {entrants[int(key)]: own for key, own in value.items()}
            return {key: told(own, key) for key, own in value.items()}
        if isinstance(value, list):
            return [told(own, name) for own in value]
        named = name in LISTS or name in ("by", "of", "from", "to")
        return entrants[value] if named and isinstance(value, int) else value

    found = {}
    for model, _path in archives.TABLES:
        fields = {field.column: field for field in model._meta.concrete_fields}
        table = model._meta.db_table
        found[table] = [
            {
                column: places[fields[column].related_model._meta.db_table].get(value, value)
                if value is not None
                and fields[column].is_relation
                and fields[column].related_model._meta.db_table in places
                else places[table][value]
                if column == "id"
                else told(value)
                for column, value in row.items()
                if column not in OWN and fields[column].related_model not in (User, Game)
            }
            for row in body["tables"][table]
        ]
    return found


def test_every_table_of_the_league_travels_or_says_why_not():
    models = set(apps.get_app_config("league").get_models())
    travelling = {model for model, _path in archives.TABLES} | {Club}
    assert models - travelling == archives.LEFT_BEHIND.keys()
    assert travelling & archives.LEFT_BEHIND.keys() == set()


@made_once
def full(club):
    """The club with everything else that a club may have."""
    by = owner_of(club)
    season = club.seasons.get()
    night = make_night(9, season=season, confirmed_by="player")
    round_ = make_round(night)
    sitting = round_.sittings.first()
    result = play(sitting)
    scorer = make_member(club, "scorer")
    disputes.confirm(sitting_id=sitting.pk, game_no=1, version=1, by=scorer)
    disputes.open_dispute(sitting_id=sitting.pk, game_no=1, by=by, note="other order")
    keys = list(result.placings.order_by("-rank").values_list("entrant", flat=True))
    correct(result, reason="tapped wrongly")
    Round.objects.filter(pk=round_.pk).update(
        settings=round_.settings
        | {
            "cut": {"through": keys, "by_lot": [keys[:2]], "absent": []},
            "pools": [{"kind": "group", "no": 1, "members": keys, "tables": [1]}],
            "groups": {str(keys[0]): 3, str(keys[1]): None},
            "fixed_tables": {str(keys[0]): 1},
            "waiting": keys[2:],
            "swaps": [keys[:2]],
        }
    )
    Bye.objects.create(round=round_, entrant=night.entrants.exclude(presence="here")[0])
    LivePlan.objects.create(event=night)
    live = Result.objects.get(sitting=sitting, current=True)
    LiveResult.objects.create(
        result=live, payments=[{"from": keys[0], "to": keys[1], "amount": 3, "reason": "loser"}]
    )
    rosters.save_roster(
        season=season,
        kind="team",
        name="Bắc",
        members=list(club.players.filter(bot="", merged_into=None)[:2]),
        by=by,
    )
    schedule = make_schedule(season)
    Occurrence.objects.create(schedule=schedule, day=date(2021, 1, 1), event=night)
    Occurrence.objects.create(
        schedule=schedule, day=date(2021, 1, 8), problem="no %(bot)s", problem_params={"bot": "x"}
    )
    league = BotLeague.objects.create(season=season, schedule=schedule, name="x", size=4, moves=1)
    matchday = league.matchdays.create(number=1, day=date(2021, 1, 1))
    matchday.seats.create(bot="x", number=1, division=1, entry="x-1", event=night)
    make_report(season, names_at(sitting))
    KeptGames.objects.create(unit=Unit.objects.first(), body=b"\x00\xff games")
    return club


def test_every_table_is_equal_after_the_way_out_and_in(full):
    before = unpacked(archives.write_archive(club=full, by=owner_of(full)))
    Club.objects.update(is_public=False)  # A copy beside a public club is private.
    made = archives.read_archive(data=packed(before), by=make_user())
    after = unpacked(archives.write_archive(club=made, by=owner_of(made)))
    one, other = without_keys(before), without_keys(after)
    assert [table for table in one if not one[table]] == []
    for table, rows in one.items():
        assert (table, other[table]) == (table, rows)
    assert before["rulesets"] == after["rulesets"]
    for body in (before, after):
        for own in ("id", "slug", "created_at"):
            del body["club"][own]
    assert before["club"] == after["club"]
    assert list(verify.everything(made)) == []
    assert shown_rows(made) == shown_rows(full)


def test_a_clubs_language_and_the_name_of_its_clock_travel(club):
    Club.objects.filter(pk=club.pk).update(language="vi", place="Hanoi")
    body = unpacked(archives.write_archive(club=club, by=owner_of(club)))
    made = archives.read_archive(data=packed(body), by=make_user())
    assert (made.language, made.clock.en) == ("vi", "Hanoi")
    body["club"] |= {"language": ["xx"], "place": "x" * 99}
    made = archives.read_archive(data=packed(body), by=make_user())
    assert (made.language, made.clock.en) == ("en", "Saigon")
    del body["club"]["language"], body["club"]["place"]
    made = archives.read_archive(data=packed(body), by=make_user())
    assert (made.language, made.place) == ("en", "")


def test_the_sites_that_embed_a_clubs_standings_travel(club):
    Club.objects.filter(pk=club.pk).update(embed_hosts="https://club.example")
    body = unpacked(archives.write_archive(club=club, by=owner_of(club)))
    body["club"]["embed_hosts"] += " nonsense;"
    made = archives.read_archive(data=packed(body), by=make_user())
    assert made.embed_hosts == "https://club.example"


def shown_rows(club):
    season = club.seasons.get()
    balances = money.money_page(money.sums_of_season(season)).balances
    rows = [(s.player.name, s.row.rank, s.row.points) for s in standings.season_standings(season)]
    return rows, {str(b.account): b.amount for b in balances if b.account.player_id}


def test_schedules_arrive_paused_under_the_name_of_who_imports(full):
    data = archives.write_archive(club=full, by=owner_of(full))
    somebody = make_user()
    made = archives.read_archive(data=data, by=somebody)
    schedule = Schedule.objects.get(season__club=made)
    assert (schedule.by, schedule.paused, schedule.next_at) == (somebody, True, None)
    assert schedules.tick(timezone.now() + timedelta(days=9000)) == 1  # That of the old club.


def test_specials_point_to_the_new_entrants():
    season = make_season(rules="mien-nam")
    sitting = make_table(make_night(season=season), games=1)
    by_name = {p.entrant.player.name: p.entrant_id for p in sitting.results.get().placings.all()}
    chop = {"kind": "chop", "by": by_name["An"], "of": by_name["Chi"], "what": "R"}
    Result.objects.update(specials=[chop])
    data = archives.write_archive(club=season.club, by=owner_of(season))
    made = archives.read_archive(data=data, by=make_user())
    told = {s.name: s.chops for s in honours.season_specials(made.seasons.get())}
    assert told == {"An": 1, "Chi": 0}


def test_nobodys_account_travels(club):
    user = make_user("secret@club.example")
    players.take_player(player=players.named(club=club, name="An"), user=user)
    data = archives.write_archive(club=club, by=owner_of(club))
    text = zipfile.ZipFile(io.BytesIO(data)).read(archives.FILE).decode()
    assert "@club.example" not in text
    made = archives.read_archive(data=data, by=make_user())
    assert set(made.players.values_list("user", flat=True)) == {None}
    actions = Audit.objects.filter(club=made).values_list("action", flat=True)
    assert set(actions) == {"club.created", "club.imported"}


def packed(body):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr(archives.FILE, body if isinstance(body, str) else json.dumps(body))
    return out.getvalue()


def spoilt(club, change):
    data = archives.write_archive(club=club, by=owner_of(club))
    body = json.loads(zipfile.ZipFile(io.BytesIO(data)).read(archives.FILE))
    change(body)
    return packed(body)


CHANGES = {
    "another format": lambda b: b.update(format="x"),
    "no tables": lambda b: b.pop("tables"),
    "tables as a list": lambda b: b.update(tables=[]),
    "a missing column": lambda b: b["tables"]["league_player"][0].pop("name"),
    "a key twice": lambda b: b["tables"]["league_player"].append(b["tables"]["league_player"][0]),
    "a player of nobody": lambda b: b["tables"]["league_entrant"][0].update(player_id=999_999),
    "a name that is none": lambda b: b["tables"]["league_player"][0].update(name="\u0007"),
    "a scoring that is none": lambda b: b["tables"]["league_season"][0].update(scoring={"x": 1}),
    "tie-breaks that are none": lambda b: b["tables"]["league_event"][0].update(tie_breaks=[]),
    "a negative amount": lambda b: b["tables"]["league_transfer"][0].update(amount=-5),
    "another amount": lambda b: b["tables"]["league_transfer"][0].update(amount=500),
    "another place": lambda b: b["tables"]["league_placing"][0].update(rank=3),
    "another count": lambda b: b["tables"]["league_tally"][0].update(games=9),
    "rules that are none": lambda b: b["rulesets"][0].update(nonsense=1),
    "a date that is none": lambda b: b["tables"]["league_event"][0].update(date="x"),
    "specials that are none": lambda b: b["tables"]["league_result"][0].update(specials=[{"a": 1}]),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_an_archive_that_was_tampered_with_is_refused_whole(club, change):
    data = spoilt(club, change)
    clubs, people = Club.objects.count(), Player.objects.count()
    with pytest.raises(ValidationError):
        archives.read_archive(data=data, by=make_user())
    assert (Club.objects.count(), Player.objects.count()) == (clubs, people)


def test_what_a_newer_release_has_is_named_on_the_page_and_the_rest_comes_in(client, club):
    def newer(body):
        body["seal"], body["club"]["motto"] = "x", "Vui"
        body["tables"]["league_shirt"] = [{"id": 1}, {"id": 2}]
        for number, row in enumerate(body["tables"]["league_player"]):
            row |= {"shirt": number or None, "unused": None}
        body["tables"]["league_result"][0]["odd"] = "<b>"

    data, before = spoilt(club, newer), shown(club)
    somebody = make_user()
    client.force_login(somebody)
    path = reverse("league:club_import")
    client.post(path, {"file": SimpleUploadedFile("x.zip", data)})
    file_imports.work(key=FileImport.objects.get(owner=somebody).pk)
    page = client.get(path)
    players_with = club.players.count() - 1
    assert page.context["page"].left_out == [
        "league_club.motto (1 row)",
        f"league_player.shirt ({players_with} rows)",
        "league_result.odd (1 row)",
        "league_shirt (2 rows)",
        "seal (1 row)",
    ]
    assert "of a newer release" in page.content.decode()
    assert shown(FileImport.objects.get(owner=somebody).club) == before


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


WRONG_VALUES = {
    "league_event": {"format": {"kind": "chess"}},
    "league_schedule": {"rule": {"every": "never"}},
    "league_season": {"status": "ajar"},
    "league_entrant": {"presence": "dances"},
    "league_round": {"settings": 7},
    "league_sitting": {"first_dealer": float("inf")},
    "league_liveresult": {"payments": [{"from": 1}]},
    "league_occurrence": {"problem_params": []},
    "tables_run": {"bots": 10**25},
    "tables_unit": {"tally": {"counts": [["x", "y", "z", "0"]]}},
}


def test_values_that_no_page_can_read_are_refused(full):
    plans = [7, {}, {"rounds_planned": 3, "sugar": 1}]
    wrong = [*WRONG_VALUES.items(), *(("league_schedule", {"plan": plan}) for plan in plans)]
    wrong += [("league_event", {"time_zone": zone}) for zone in ("Mars/Olympus", "../zone")]
    body, by = unpacked(archives.write_archive(club=full, by=owner_of(full))), make_user()
    taken = []
    for table, values in wrong:
        row = body["tables"][table][0]
        body["tables"][table][0] = row | values
        try:
            archives.read_archive(data=packed(body), by=by)
        except ValidationError:
            pass
        else:
            taken.append((table, values))
        body["tables"][table][0] = row
    assert taken == []
    archives.read_archive(data=packed(body), by=by)


def test_an_archive_nested_deeper_than_python_reads_is_refused(club):
    deep = {"settings": {"here": nested(sys.getrecursionlimit() // 2)}}
    data = spoilt(club, lambda body: body["tables"]["league_round"][0].update(deep))
    with pytest.raises(ValidationError):
        archives.read_archive(data=data, by=make_user())


@pytest.mark.parametrize("body", ["{", "[]", "null", "1"])
def test_what_is_no_archive_is_refused(body):
    for data in (packed(body), b"", b"x"):
        with pytest.raises(ValidationError):
            archives.read_archive(data=data, by=make_user())


BEGUN = b'{"format": "tien-len-club/1", "tables": {"league_player": ['
BOMBS = {
    "objects": lambda: BEGUN + b"{}," * 3_000_000,
    "one value": lambda: b'{"club": [' + b"{}," * 3_000_000,
    "one text": lambda: b'{"club": "' + b"x" * 90_000_000,
    "nested": lambda: b'{"club": ' + b"[" * 10_000_000,
    "names": lambda: b"{" + b",".join(b'"%d": 0' % number for number in range(1_000_000)),
    "too large": lambda: b" " * 210_000_000,
}
"""Made when one is wanted: together they have 340 MB."""


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_is_refused_before_it_grows(bomb):
    """What took 27 seconds and 4.5 GB: now a few pieces of the text are in memory at a time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        file.writestr(archives.FILE, BOMBS[bomb]())
    data, user = out.getvalue(), make_user()
    tracemalloc.start()
    try:
        with pytest.raises(ValidationError):
            archives.read_archive(data=data, by=user)
        assert tracemalloc.get_traced_memory()[1] < 128_000_000
    finally:
        tracemalloc.stop()


def test_a_zip_file_of_many_entries_or_odd_methods_is_refused(club):
    data = archives.write_archive(club=club, by=owner_of(club))
    for method, entries in ((zipfile.ZIP_LZMA, 1), (zipfile.ZIP_DEFLATED, 100)):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", method) as file:
            file.writestr(archives.FILE, zipfile.ZipFile(io.BytesIO(data)).read(archives.FILE))
            for number in range(1, entries):
                file.writestr(str(number), b"")
        with pytest.raises(ValidationError):
            archives.read_archive(data=out.getvalue(), by=make_user())


def test_rows_that_a_piece_cuts_are_read_whole(monkeypatch, club):
    data = archives.write_archive(club=club, by=owner_of(club))
    whole = [part[:2] for part in club_file.parts(data)]
    for size in (1, 7, 100):
        monkeypatch.setattr(club_file, "_PIECE", size)
        assert [part[:2] for part in club_file.parts(data)] == whole


def test_an_owner_saves_and_somebody_else_imports_on_the_page(client, club):
    client.force_login(owner_of(club))
    saved = client.post(path_of(club, "club_archive"))
    somebody = make_member(club, "player")
    client.force_login(somebody)
    path = reverse("league:club_import")
    for body, clubs in ((saved.content, 2), (b"x", 2)):
        assert client.post(path, {"file": SimpleUploadedFile("x.zip", body)}).status_code == 302
        file_imports.work(key=FileImport.objects.get(owner=somebody).pk)
        assert Club.objects.filter(name=club.name).count() == clubs
        told = "adds up" if body != b"x" else "read the archive"
        assert told in client.get(path).content.decode()
