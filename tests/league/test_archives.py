"""A whole club as a file: what comes along, what stays behind, what is refused."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from engine import ruleset
from league.models import Audit, Club, Player, Result
from league.selectors import honours, money, standings, verify
from league.services import archives, bots, merges, players
from tables.services import runs
from tests.factories import (
    make_adjustment,
    make_member,
    make_night,
    make_prize,
    make_rules,
    make_season,
    make_table,
    make_user,
    names_at,
    owner_of,
    play,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    """A club with two nights for money, a chop, a correction, an alias, a prize and bots."""
    season = make_season(rules="mien-nam", best_of=2)
    club, by = season.club, owner_of(season.club)
    for _ in range(2):
        sitting = make_table(make_night(season=season, stake=3))
        play(sitting, names_at(sitting))
    make_adjustment(season, "An", "-1.5", event=sitting.round.event)
    make_prize(season, "Chi", 7)
    alias = players.named(club=club, name="Dũng")
    into = players.add_player(club=club, name="Cô Ba", by=by)
    merges.merge(alias=alias, into=into, by=by)
    make_rules(club)
    event = bots.create_bot_event(
        season=season, by=by, name="Bots", date=sitting.round.event.date,
        ruleset=ruleset.preset("thirteen"), bots=["greedy", "random"], deals=1,
    )  # fmt: skip
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


def test_specials_point_to_the_new_entrants():
    season = make_season(rules="mien-nam")
    sitting = make_table(make_night(season=season))
    play(sitting, names_at(sitting))
    by_name = {p.entrant.player.name: p.entrant_id for p in Result.objects.get().placings.all()}
    chop = {"kind": "chop", "by": by_name["An"], "of": by_name["Chi"], "what": "R"}
    Result.objects.update(specials=[chop])
    data = archives.write_archive(club=season.club, by=owner_of(season.club))
    made = archives.read_archive(data=data, by=make_user())
    told = {s.name: s.chops for s in honours.season_specials(made.seasons.get())}
    assert told == {"An": 1, "Chi": 0}


def test_nobodys_account_travels(club):
    user = make_user("secret@club.example")
    players.link_account(player=players.named(club=club, name="An"), email=user.email,
                         by=owner_of(club))  # fmt: skip
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
    "another column": lambda b: b["tables"]["league_player"][0].update(odd=1),
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


@pytest.mark.parametrize("body", ["{", "[]", "null", "1"])
def test_what_is_no_archive_is_refused(body):
    for data in (packed(body), b"", b"x"):
        with pytest.raises(ValidationError):
            archives.read_archive(data=data, by=make_user())


def test_an_owner_saves_and_somebody_else_imports_on_the_page(client, club):
    client.force_login(owner_of(club))
    saved = client.post(reverse("league:club_archive", args=[club.slug]))
    client.force_login(make_member(club, "player"))
    file = SimpleUploadedFile("club.zip", saved.content)
    response = client.post(reverse("league:club_import"), {"file": file})
    assert (response.status_code, Club.objects.filter(name=club.name).count()) == (302, 2)
    wrong = client.post(reverse("league:club_import"), {"file": SimpleUploadedFile("x", b"x")})
    assert wrong.status_code == 422
