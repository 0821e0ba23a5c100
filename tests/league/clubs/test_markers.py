"""After each act that forgets, its marker stands in no table, whatever the table."""

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from engine.rules.ruleset import preset
from league.base import phone_keys
from league.clubs.acts import (
    account_data,
    ending,
    forgetting,
    hidden_names,
    holding,
    members,
    merges,
    players,
)
from league.clubs.pages.mentions import texts_of
from league.me.acts import retention
from league.models import (
    CalendarFeed,
    Channel,
    Claim,
    Club,
    Erasure,
    FileImport,
    HiddenName,
    Mention,
    NewsItem,
    PaymentWay,
    Player,
    Result,
    Roster,
)
from league.nights.acts import claims
from tables.chairs.acts import seats
from tables.models import Friend, Seat, SentRequest, Upload
from tests.factories import (
    make_club,
    make_night,
    make_prize,
    make_season,
    make_table,
    make_user,
    owner_of,
    play,
    stored,
)
from tests.league.clubs.test_account_data import decide_all
from tests.league.nights.test_my_night import found, my_page
from tests.markers import everywhere, restored

pytestmark = pytest.mark.django_db

MARKER = "Qzmarker"


def make_file(club: Club, owner: User) -> None:
    now = timezone.now()
    FileImport.objects.create(
        club=club, owner=owner, kind="players", size=1, text=MARKER, since=now, expires_at=now
    )


@pytest.fixture
def sitting():
    """A table of four with a game, in a private club."""
    sitting = make_table(make_night(4, season=make_season(make_club(is_public=False)), stake=5))
    play(sitting)
    return sitting


@pytest.fixture
def player(sitting):
    """A player with the marker in every field and text that the club has of them."""
    club, season = sitting.round.event.season.club, sitting.round.event.season
    by, player = owner_of(club), sitting.seated[0].entrant.player
    for number in (1, 2):
        players.rename_player(player=player, name=f"{MARKER} {number}", by=by)
    alias = players.add_player(club=club, name=f"{MARKER} alias", by=by)
    merges.merge(alias=alias, into=player, by=by)
    players.set_wishes(
        player=player, group=f"{MARKER}a", together=f"{MARKER}b", fixed_table=1, by=by
    )
    claims.claim(event=sitting.round.event, player_id=player.pk, phone="a" * 64)
    PaymentWay.objects.create(
        player=player, bank="970436", number="12345678", holder=MARKER, words=MARKER
    )
    Roster.objects.create(season=season, kind="team", name=f"đội {MARKER} 2")
    make_prize(season, player.name, note=f"cho {MARKER.lower()}  2")
    members.offer_player(player=player, email=f"{MARKER}@club.example", by=by)
    NewsItem.objects.create(
        club=club, user=by, kind="result", key="x", data={"text": f"{MARKER} 2 thắng"}
    )
    make_file(club, by)
    return Player.objects.get(pk=player.pk)


AFTER = pytest.mark.parametrize("after", [lambda act: act(), restored], ids=["act", "restore"])
"""At once, and on a database that was restored to before the act."""


@AFTER
def test_removing_a_name_leaves_the_marker_in_no_table(player, after):
    assert len(everywhere(MARKER)) > 12

    def remove() -> None:
        hidden_names.remove_name(player=player, by=owner_of(player))
        decide_all()

    after(remove)
    assert everywhere(MARKER) == []


def test_a_hidden_name_is_in_no_table_after_its_week(player):
    hidden_names.hide_name(player=player, by=owner_of(player))
    hidden_names.sweep(timezone.now() + hidden_names.HIDDEN_FOR)
    decide_all()
    assert everywhere(MARKER) == []


def test_a_hidden_name_lies_the_rest_of_its_week_after_a_restore(player):
    restored(lambda: hidden_names.hide_name(player=player, by=owner_of(player)))
    player.refresh_from_db()
    assert player.name == f"Player {player.pk}"
    assert player.hidden.at == Erasure.objects.filter(kind="hidden", key=player.pk).latest("at").at
    hidden_names.sweep(player.hidden.at + hidden_names.HIDDEN_FOR)
    decide_all()
    assert everywhere(MARKER) == []


@pytest.mark.parametrize("hidden_before", [True, False])
def test_a_name_that_an_owner_brought_back_stays_after_a_restore(player, hidden_before):
    old, by = player.name, owner_of(player)
    if hidden_before:
        hidden_names.hide_name(player=player, by=by)

    def hide_and_bring_back() -> None:
        if not hidden_before:
            hidden_names.hide_name(player=player, by=by)
        hidden_names.bring_back(player=player, by=by)

    restored(hide_and_bring_back)
    hidden_names.sweep(timezone.now() + hidden_names.HIDDEN_FOR)
    assert stored(player).name == old


def test_a_name_that_another_has_in_the_backup_lies_one_more_week(player):
    old, by, begun = player.name, owner_of(player), timezone.now()
    hidden_names.hide_name(player=player, by=by)
    HiddenName.objects.update(at=begun - hidden_names.HIDDEN_FOR)
    other = players.add_player(club=player.club, name=old, by=by)

    def make_room_and_bring_back() -> None:
        players.rename_player(player=other, name="Mai", by=by)
        hidden_names.bring_back(player=player, by=by)

    restored(make_room_and_bring_back)
    player.refresh_from_db()
    assert (player.name, player.hidden.name) == (f"Player {player.pk}", old)
    assert player.hidden.at >= begun


@AFTER
def test_deleting_an_account_leaves_the_marker_in_no_table(player, after):
    user = make_user(f"{MARKER}@account.example".lower())
    user.name = MARKER
    user.save()
    players.take_player(player=player, user=user)
    Upload.objects.create(
        author=user, pool="x", base="ours", number=1, name="ours-1", language="python",
        body=MARKER.encode(), report=MARKER, state="sound",
    )  # fmt: skip
    SentRequest.objects.create(user=user, key="x", digest="x", answer={"email": MARKER})
    Friend.objects.create(owner=make_user(), user=user, name=MARKER)
    CalendarFeed.objects.create(user=user, nonce=MARKER, secret_hash=MARKER)
    Channel.objects.create(user=user, kind="push", address=f"https://{MARKER}.example", lane="p")
    PaymentWay.objects.create(
        user=user, bank="970436", number="12345678", holder=MARKER, words=MARKER
    )
    make_file(player.club, user)
    assert len(everywhere(MARKER)) > 18

    def erase() -> None:
        account_data.erase_person(user=user)
        decide_all()

    after(erase)
    retention.forget(timezone.now())
    assert everywhere(MARKER) == []


def test_a_player_of_a_deleted_account_that_was_unlinked_waits_for_an_organiser(player):
    user, by = make_user(), owner_of(player)
    players.take_player(player=player, user=user)
    players.unlink_account(player=player, by=by)
    account_data.erase_person(user=user)
    (waiting,) = Mention.objects.filter(kind="player.name")
    assert (waiting.words, waiting.is_sure) == ([f"{MARKER} 2"], False)
    (shown,) = (one for one in texts_of(player.club) if one.text == f"{MARKER} 2")
    assert shown.kind == "Player whose account is gone"
    forgetting.decide(mentions=[waiting], erased=[], by=by)
    assert Player.objects.get(pk=player.pk).name == f"{MARKER} 2"
    waiting.save()
    forgetting.decide(mentions=[waiting], erased=[waiting.pk], by=by)
    decide_all()
    assert everywhere(MARKER) == []


def test_an_account_number_in_a_note_waits_for_an_organiser(player):
    user = make_user()
    players.take_player(player=player, user=user)
    PaymentWay.objects.create(user=user, bank="970436", number="0071000123", holder="MAI THI BA")
    make_prize(player.club.seasons.get(), player.name, note="CK 0071000123 nhé")
    account_data.erase_person(user=user)
    assert everywhere("0071000123") != []
    decide_all()
    assert everywhere("0071000123") == []


def test_a_guest_in_a_browser_of_the_account_loses_the_name_with_it():
    user, table = make_user(), seats.open_table(ruleset=preset("thirteen"), players=4)
    own, _secret = seats.sit(table_id=table.pk, no=0, name="Mai", user=user)
    guest, _secret = seats.sit(table_id=table.pk, no=1, name=MARKER)
    other, _secret = seats.sit(table_id=table.pk, no=2, name="Lan")
    Seat.objects.filter(pk__in=[own.pk, guest.pk]).update(device="d" * 16)
    account_data.erase_person(user=user)
    assert everywhere(MARKER) == []
    assert Seat.objects.get(pk=other.pk).name == "Lan"


@AFTER
def test_forgetting_a_phone_leaves_its_keys_in_no_table(sitting, after):
    phone = found(sitting)
    phone.post(
        reverse("league:my_phone_bank", args=[sitting.round.event_id]), {"words": f"{MARKER} cash"}
    )
    club, key = sitting.round.event.season.club_id, Claim.objects.get().phone_hash
    plain = "b" * 64
    Claim.objects.update(phone_hash=phone_keys.key_of(plain, club))
    Result.objects.update(device=phone_keys.device_of(plain, club))
    assert phone.get(my_page(sitting)).status_code
    after(lambda: claims.forget_everywhere(phone=plain))
    words = [key, phone_keys.key_of(plain, club), phone_keys.device_of(plain, club), MARKER]
    assert everywhere(*words) == []


@AFTER
def test_withdrawing_an_offer_leaves_its_address_in_no_table(sitting, after):
    club = sitting.round.event.season.club
    by = owner_of(club)
    members.offer_role(club=club, email=f"{MARKER}@club.example", role="scorer", by=by)
    assert everywhere(MARKER) != []
    offer = club.role_offers.get()
    after(lambda: members.withdraw_offer(club=club, offer_id=offer.pk, by=by))
    assert everywhere(MARKER) == []


@AFTER
def test_deleting_a_club_leaves_the_marker_in_no_table_but_the_members_security_log(player, after):
    club = player.club
    Club.objects.filter(pk=club.pk).update(name=f"Hội {MARKER}")
    club.refresh_from_db()
    ending.begin(club=club, by=owner_of(club))
    Club.objects.filter(pk=club.pk).update(ends_at=timezone.now())
    after(lambda: holding.sweep(timezone.now()))
    assert everywhere(MARKER) == [("accounts_securityevent", "club")]


def test_a_new_name_forgets_the_old_one_after_a_restore_too(sitting):
    club, player = sitting.round.event.season.club, sitting.seated[0].entrant.player
    by = owner_of(club)
    for name in (f"{MARKER} Một", f"{MARKER} Hai"):
        players.rename_player(player=player, name=name, by=by)
    Roster.objects.create(season=club.seasons.get(), kind="team", name=f"đội {MARKER} Hai")
    assert len(everywhere(MARKER)) > 4

    def rename() -> None:
        players.rename_player(player=player, name="Mai", by=by, forgets_old=True)
        decide_all()

    restored(rename)
    player.refresh_from_db()
    assert player.name == f"Player {player.pk}"
    assert everywhere(MARKER) == []


def test_an_old_name_that_was_brought_back_stays_after_a_restore(player):
    old, by = player.name, owner_of(player)

    def rename_and_undo() -> None:
        players.rename_player(player=player, name="Mai", by=by, forgets_old=True)
        players.undo_forgetting(player=player, by=by)

    restored(rename_and_undo)
    assert stored(player).name == old
