"""What is kept about somebody, and that nothing of it stays when he asks to be forgotten."""

import datetime
import json
import uuid
from collections import Counter
from io import StringIO
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from engine.rules import ruleset
from launcher import erasures
from league.base.acts import audit, tokens
from league.clubs.acts import account_data as service
from league.clubs.acts import clubs, forgetting, invitations, merges, players
from league.clubs.pages import account_data
from league.models import (
    Audit,
    CalendarFeed,
    Channel,
    Club,
    Erasure,
    Membership,
    Mention,
    NewsItem,
    NewsWish,
    Player,
    Posting,
    Roster,
    RosterMember,
    Sitting,
    Transfer,
)
from league.money.acts import postings
from league.money.facts import money
from league.nights.acts import disputes
from league.seasons.facts import standings
from tables.base.currencies import unit_of
from tables.chairs.acts import seats
from tables.chat.acts import chat
from tables.models import BotAccount, Challenge
from tests.factories import (
    browser_of,
    give_role,
    make_adjustment,
    make_club,
    make_night,
    make_prize,
    make_report,
    make_season,
    make_table,
    make_user,
    names_at,
    owner_of,
    path_of,
    play,
    sign_in,
    stored,
)
from tests.markers import everywhere

pytestmark = pytest.mark.django_db

NAME, NICKNAME, FORMER = "Thạch Sùng", "Sùng Béo", "Thạch Sanh Cũ"
EMAIL, OTHER_EMAIL = "thach.sung@dang-lan.example", "sung@nha-rieng.example"


@pytest.fixture
def person() -> User:
    user = make_user(EMAIL)
    user.name = NAME
    user.save()
    user.emailaddress_set.create(email=EMAIL, primary=True)
    user.emailaddress_set.create(email=OTHER_EMAIL)
    return user


@pytest.fixture
def club(person) -> Club:
    """A club in which the person plays, was renamed, merged, fined, paid, disputed and invited."""
    club = make_club()
    by = owner_of(club)
    season = make_season(club)
    sitting = make_table(make_night(season=season))
    names = names_at(sitting)
    for order in (names, names[::-1], names[1:] + names[:1]):
        play(sitting, order)
    player = players.named(club=club, name=names[0])
    players.rename_player(player=player, name=FORMER, by=by)
    players.rename_player(player=player, name=NAME, by=by)
    nickname = players.add_player(club=club, name=NICKNAME, by=by)
    merges.merge(alias=nickname, into=player, by=by)
    players.set_wishes(player=player, group=f"nhà {NAME}", together="", fixed_table=None, by=by)
    players.take_player(player=player, user=person)
    invitation = invitations.invite(club=club, role="scorer", by=by)
    invitations.accept(secret=invitation.secret, user=person)
    make_adjustment(season, player.name, reason=f"{NAME} đến muộn")
    make_prize(season, player.name, note=f"thưởng {NICKNAME}!")
    disputes.open_dispute(
        sitting_id=sitting.pk, game_no=1, note=f"hỏi {NAME.upper()}", by=by, device=""
    )
    tokens.create_token(user=person, name=f"máy của {NAME}")
    return club


def decide_all() -> None:
    """Remove the name from all texts that wait for an organiser's decision."""
    waiting = list(Mention.objects.all())
    forgetting.decide(mentions=waiting, erased=[one.pk for one in waiting], by=None)


IN_TEXTS = {
    ("league_adjustment", "reason"),
    ("league_audit", "data"),
    ("league_dispute", "note"),
    ("league_mention", "words"),
    ("league_posting", "note"),
}
"""What people wrote stays until an organiser decides."""


def sit_down(person: User) -> None:
    table = seats.open_table(ruleset=ruleset.preset("thirteen"), players=4)
    seat, _secret = seats.sit(table_id=table.pk, no=0, name=NAME, user=person)
    chat.say(seat_id=seat.pk, text=f"{NAME} chào cả nhà")
    bot = BotAccount.objects.create(user=make_user(), name="robot")
    Challenge.objects.create(table=table, bot=bot, by=NAME)
    BotAccount.objects.create(user=person, name=f"máy {NAME}")


def test_the_download_has_what_is_kept(person, club):
    sit_down(person)
    answer = browser_of(person).get(reverse("my_data"))
    assert answer["Content-Disposition"] == 'attachment; filename="my-data.json"'
    data = json.loads(answer.content)
    assert data["account"]["email"] == EMAIL
    assert {one["email"] for one in data["account"]["emails"]} == {EMAIL, OTHER_EMAIL}
    assert data["roles"] == [{"club__name": club.name, "role": "scorer"}]
    (player,) = data["players"]
    assert (player["name"], player["also"]) == (NAME, [NICKNAME])
    assert [(game["rank"], game["size"]) for game in player["games"]] == [(1, 4), (4, 4), (4, 4)]
    assert [one["points"] for one in player["adjustments"]] == ["-1.000"]
    assert [one["amount"] for one in player["received"] if one["posting__note"]] == [5]
    assert [one["name"] for one in data["live_tables"]] == [NAME]
    secrets = Client()
    text = answer.content.decode()
    assert person.password not in text
    assert person.api_tokens.get().digest not in text
    assert secrets.get(reverse("my_data")).status_code == 302


def test_who_has_no_account_gets_the_file_from_an_organiser(person, club):
    player, by = club.players.get(user=person), owner_of(club)
    page = path_of(club, "player_edit", player.pk)
    path = path_of(club, "player_data", player.pk)
    organiser = browser_of(by)
    assert path not in organiser.get(page).content.decode()
    assert organiser.post(path).status_code == 404
    players.unlink_account(player=player, by=by)
    assert path in organiser.get(page).content.decode()
    answer = organiser.post(path)
    assert answer["Content-Disposition"] == f'attachment; filename="player-{player.pk}.json"'
    (data,) = json.loads(answer.content)["players"]
    assert (data["name"], data["also"]) == (NAME, [NICKNAME])
    assert len(data["games"]) == 3
    assert EMAIL not in answer.content.decode()
    assert Audit.objects.filter(action="player.file", data__player=player.pk).count() == 1
    assert Client().post(path).status_code == 302


def test_nothing_of_somebody_elses_is_in_the_download(person, club):
    text = json.dumps(account_data.everything(person), default=str, ensure_ascii=False)
    assert owner_of(club).email not in text


def test_after_the_erasure_no_table_has_the_name_or_the_email(
    person, club, django_capture_on_commit_callbacks
):
    sit_down(person)
    client = browser_of(person)
    client.get(reverse("me"))
    words = [NAME, NICKNAME, FORMER, EMAIL, OTHER_EMAIL]
    before = everywhere(*words)
    assert {
        ("accounts_user", "email"),
        ("account_emailaddress", "email"),
        ("league_player", "name"),
        ("league_player", "name_key"),
        ("league_player", "group"),
        ("league_audit", "data"),
        ("league_adjustment", "reason"),
        ("league_posting", "note"),
        ("league_dispute", "note"),
        ("league_apitoken", "name"),
        ("tables_seat", "name"),
        ("tables_message", "text"),
        ("tables_botaccount", "name"),
        ("tables_challenge", "by"),
    } <= set(before)
    with django_capture_on_commit_callbacks(execute=True):
        service.erase_person(user=person)
    assert set(everywhere(*words)) == IN_TEXTS
    decide_all()
    assert everywhere(*words) == []
    assert not person.memberships.exists()
    assert client.get(reverse("me")).status_code == 302


def test_a_restored_database_forgets_again_whom_it_brought_back(person, club):
    """Seen: after a restore the email was on a public page and the old password worked."""
    words = (NAME, NICKNAME, FORMER, EMAIL, OTHER_EMAIL)
    other = players.add_player(club=club, name="Lý Thông", by=owner_of(club))
    unknown = {"id": str(uuid.uuid4()), "kind": "moon", "key": 1, "made_at": "2015-01-01 00:00Z"}
    before = transaction.savepoint()
    service.erase_person(user=person)
    players.anonymise_player(player=other, by=owner_of(club))
    decide_all()
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_jsonb(listed)::text FROM league_erasure AS listed")
        lines = [line for (line,) in cursor] + [json.dumps(unknown)]
    transaction.savepoint_rollback(before)
    assert everywhere(*words) != []
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {erasures.WAITING} (line jsonb)")
        cursor.executemany(
            f"INSERT INTO {erasures.WAITING} VALUES (%s)", [[line] for line in lines]
        )
    out = StringIO()
    call_command("forget_again", stdout=out)
    person.refresh_from_db()
    assert everywhere(*words, other.name) == []
    assert (person.is_active, person.has_usable_password()) == (False, False)
    assert out.getvalue() == "Deleted again after the restore: 4 rows.\n"
    assert {str(key) for key in Erasure.objects.values_list("pk", flat=True)} > {
        json.loads(line)["id"] for line in lines
    }, "the next restore forgets too"
    call_command("forget_again", stdout=out)  # There is nothing left to do.


def test_whom_a_later_row_has_the_key_of_is_not_forgotten(person, club):
    """After a restore keys are given once more."""
    made_at = person.created_at - datetime.timedelta(seconds=1)
    line = {"id": str(uuid.uuid4()), "kind": "account", "key": person.pk, "made_at": str(made_at)}
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TABLE {erasures.WAITING} AS SELECT %s::jsonb AS line", [json.dumps(line)]
        )
    call_command("forget_again")
    assert stored(person).email == EMAIL


def test_who_is_needed_is_forgotten_again_all_the_same(club):
    """He had made somebody else an owner, after the backup."""
    owner = owner_of(club)
    service.erase_person(user=owner, is_again=True)
    assert not stored(owner).is_active


def test_results_standings_and_money_stay(person, club):
    season = club.seasons.get()

    def facts() -> Any:
        rows = {
            s.player.pk: (s.row.rank, s.row.shared, s.row.points, s.row.games, s.row.money)
            for s in standings.season_standings(season)
        }
        moved = Counter(Transfer.objects.values_list("payer", "payee", "amount"))
        return rows, moved, money.proof_of_all(money.of_season(season))

    before = facts()
    service.erase_person(user=person)
    assert facts() == before
    out = StringIO()
    call_command("verify", stdout=out)
    assert out.getvalue().startswith("No differences")


def test_the_log_says_that_somebody_went_and_not_who(person, club):
    service.erase_person(user=person)
    last = Audit.objects.filter(club=club, action="person.erased").get()
    assert last.data == {"user": person.pk}
    assert {entry.action for entry in Audit.objects.filter(club=club)} >= {
        "player.renamed",
        "invitation.accepted",
        "player.anonymised",
    }


def test_a_player_without_account_is_forgotten_by_an_organiser():
    club = make_club()
    by = owner_of(club)
    player = players.add_player(club=club, name=NAME, by=by)
    players.add_players(club=club, text=f"{FORMER}\n{NICKNAME}", by=by)
    players.anonymise_player(player=player, by=by)
    assert everywhere(NAME) == []
    # Who was added by the same list has asked for nothing.
    assert set(club.players.values_list("name", flat=True)) >= {FORMER, NICKNAME}


def test_of_an_old_entry_with_many_names_the_one_goes():
    club = make_club()
    by = owner_of(club)
    an = players.add_player(club=club, name="An", by=by)
    audit.log("player.added", club=club, by=by, names=["AN", "Anh", "An Na"])
    players.anonymise_player(player=an, by=by)
    assert Audit.objects.get(data__has_key="names").data["names"] == ["—", "Anh", "An Na"]


def test_the_last_owner_hands_over_first():
    club = make_club()
    owner = owner_of(club)
    with pytest.raises(ValidationError, match="only owner"):
        service.erase_person(user=owner)
    give_role(club, make_user(EMAIL), "owner")
    service.erase_person(user=owner)
    assert club.memberships.get(role=Membership.Role.OWNER).user.email == EMAIL


def test_the_installation_keeps_an_owner():
    with pytest.raises(ValidationError, match="only administrator of this server"):
        service.erase_person(user=User.objects.create_superuser(EMAIL, "x"))


def test_on_the_page_the_email_is_typed_and_the_password_asked(person, club):
    client = browser_of(person)
    answer = client.post(reverse("erase_me"), {"email": EMAIL})
    assert answer["Location"].startswith(reverse("account_reauthenticate"))
    # The form that was sent is done once the password was given.
    answer = client.post(answer["Location"], {"password": "s3cret-word"})
    assert answer["Location"] == "/"
    person.refresh_from_db()
    assert (person.is_active, person.email) == (False, f"erased-{person.pk}@account.invalid")
    assert not Player.objects.filter(user=person).exists()


def test_a_wrong_email_ends_nothing(person):
    client = browser_of(person)
    answer = client.post(reverse("erase_me"), {"email": "x"})
    told = client.post(answer["Location"], {"password": "s3cret-word"}, follow=True)
    assert "“x” is not the email of this account." in told.content.decode()
    assert stored(person).is_active


def test_the_owner_of_the_installation_ends_an_account_on_request(person):
    client = sign_in(User.objects.create_superuser("owner@club.example", "x"), "x")
    path = reverse("erase_person", args=[person.pk])
    client.post(path, {"email": "x"})
    assert User.objects.filter(email=EMAIL).exists()
    client.post(path, {"email": EMAIL})
    assert everywhere(EMAIL) == []


def test_the_logs_refuse_every_other_change(person, club):
    entry = Audit.objects.filter(club=club).first()
    posting = Posting.objects.first()
    assert entry is not None
    assert posting is not None
    for change in (
        lambda: Audit.objects.filter(pk=entry.pk).update(data={}),
        lambda: Audit.objects.filter(pk=entry.pk).delete(),
        lambda: Posting.objects.filter(pk=posting.pk).update(note="x"),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL league.forgetting = 'on'")
    for change in (
        lambda: Audit.objects.filter(pk=entry.pk).update(action="x"),
        lambda: Audit.objects.filter(pk=entry.pk).delete(),
        lambda: Posting.objects.filter(pk=posting.pk).update(kind="fee"),
        lambda: Transfer.objects.update(amount=1_000),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


def test_forgetting_closes_the_door_behind_itself(club):
    forgetting.forget_names(clubs=[club], known=["nobody"])
    with pytest.raises(DatabaseError), transaction.atomic():
        Audit.objects.filter(club=club).update(data={})


def test_the_download_lacks_nothing_that_the_club_knows_of_a_person(person, club):
    """It lacked the news, calendars, chat, attendance, face, phones, teams and former names."""
    sit_down(person)
    by, player = owner_of(club), club.players.get(user=person)
    push = Channel.objects.create(
        user=person, kind="push", address="https://push.example", lane="p"
    )
    NewsItem.objects.create(club=club, channel=push, kind="round_drawn", key="y")
    postings.doubt(posting=Posting.objects.get(), player=player, by=person, is_right=False)
    NewsWish.objects.create(user=person, language="vi")
    NewsItem.objects.create(club=club, user=person, kind="result", key="x", data={"a": 1})
    CalendarFeed.objects.create(user=person, club=club, nonce="n", secret_hash="s")
    roster = Roster.objects.create(season=club.seasons.get(), kind="team", name="Đội Sùng")
    RosterMember.objects.create(roster=roster, season=roster.season, player=player, is_team=True)
    players.choose_face(player=player, animal="pig", by=by)
    found = account_data.everything(person)
    (own,) = found["players"]
    for kept in (*found["news"].values(), found["calendars"], found["chat"], found["bot_accounts"],
                 own["teams"], own["attendance"], own["log"]):  # fmt: skip
        assert len(kept) > 0
    assert (own["face"], own["formerly"][-1]) == ("pig", FORMER)
    assert {one["kind"] for one in found["news"]["messages"]} == {"result", "round_drawn"}
    assert [one["posting__kind"] for one in own["doubts"]] == ["prize"]


def test_the_download_says_what_its_amounts_are_counted_in(person, club):
    player = club.players.get(user=person)
    make_report(club.seasons.get(), [NAME, names_at(Sitting.objects.get())[1]])
    clubs.count_in(club=club, unit=unit_of("USD"), by=owner_of(club))
    own = account_data.of_player(player)
    amounts = [*own["received"], *own["reported_payments"]]
    assert [(one["amount"], one["unit"]) for one in amounts] == [(5, "kẹo"), (5, "kẹo")]
    following = make_season(club)
    make_prize(following, NAME, 550)
    paid = account_data.of_player(player)["received"][-1]
    assert (str(paid["amount"]), paid["unit"]) == ("5.50", "$")
