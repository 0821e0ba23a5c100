"""Who looks at a night: what is read of a person, and when; and what no person may change."""

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from league.base.rights import Right
from league.clubs.acts import merges, players
from league.nights.acts import claims
from league.nights.facts.night import Night
from league.nights.facts.viewer import Viewer
from league.nights.views import cached
from tests.factories import (
    browser_of,
    make_member,
    make_night,
    make_round,
    night_link,
    owner_of,
    path_of,
    play,
)

pytestmark = pytest.mark.django_db
PHONE = "a" * 64


class Kept(dict[str, object]):
    """What is kept for all, by its key."""

    def set(self, key, value, _seconds):
        self[key] = value


@pytest.mark.parametrize("stake", [0, 1000])
@time_machine.travel("2026-11-26 19:30+07:00", tick=False)
def test_what_is_kept_for_all_is_alike_whoever_drew_it_first(monkeypatch, stake):
    event = make_night(8, stake=stake)
    first, _second = make_round(event).sittings.all()
    play(first)
    club, phone, member = event.season.club, Client(), make_member(event.season.club, "player")
    players.take_player(player=first.seated[0].entrant.player, user=member)
    phone.post(night_link(event), {"me": first.seated[1].entrant.player_id})
    people = {
        "organiser": browser_of(owner_of(club)),
        "player": browser_of(member),
        "phone of a player": phone,
        "stranger": Client(),
    }
    page, wall = (path_of(event, name) for name in ("event", "wall"))
    drawn: dict[str, object] = {}
    for who, client in people.items():
        monkeypatch.setattr(cached, "cache", kept := Kept())
        own = client.get(page).content.decode()
        assert ("my-table" in own) == (who in ("player", "phone of a player")), who
        for screen in range(3):
            client.get(wall, {"screen": screen})
            client.get(wall, {"screen": screen, "money": ""})
        [shared] = [key for key in kept if key.startswith("night:")]
        assert shared.endswith(str(stake > 0 and who != "stranger")), who
        assert len(kept) > 3, "the wall too"
        assert {key: drawn.setdefault(key, value) for key, value in kept.items()} == kept, who


def asked_once(viewer):
    """What the pages of a night ask of a person."""
    return viewer.sees_money, viewer.claim, viewer.own, viewer.device, viewer.sees_money


def test_a_person_is_read_when_a_page_asks_and_then_once(django_assert_num_queries):
    event = make_night(4)
    player = event.entrants.first().player
    claim = claims.claim(event=event, player_id=player.pk, phone=PHONE)
    member = players.take_player(
        player=event.entrants.last().player, user=make_member(event.season.club, "player")
    )
    nobody = AnonymousUser()
    with django_assert_num_queries(0):
        stranger = Viewer(Night(event), Right.SEE, nobody)
        assert asked_once(stranger) == (False, None, [], "", False)
        assert (stranger.player, stranger.organises, stranger.by) == (None, False, None)
    phone = Viewer(Night(event), None, nobody, PHONE)
    with django_assert_num_queries(1):
        assert asked_once(phone)[:3] == (True, claim, [player.pk])
        assert phone.me == player
    account = Viewer(Night(event), Right.BELONG, member.user)
    with django_assert_num_queries(1):
        assert asked_once(account) == (True, None, [member.pk], "", True)
    with django_assert_num_queries(1):
        assert account.me == account.player == member


def test_an_account_is_nobody_at_the_door_nor_where_the_club_is_closed_to_it():
    event = make_night(4)
    user = make_member(event.season.club, "player")
    player = players.take_player(player=event.entrants.first().player, user=user)
    assert Viewer(Night(event), Right.BELONG, user).player == player
    assert Viewer(Night(event), Right.BELONG, user, at_door=True).player is None
    assert Viewer(Night(event), None, user).player is None


def test_a_phone_with_a_name_that_was_merged_is_the_player_of_now():
    event = make_night(4)
    alias, into = (one.player for one in event.entrants.order_by("pk")[:2])
    claims.claim(event=event, player_id=alias.pk, phone=PHONE)
    event.entrants.get(player=into).delete()
    merges.merge(alias=alias, into=into, by=owner_of(event))
    viewer = Viewer(Night(event), Right.SEE, AnonymousUser(), PHONE)
    assert (viewer.own, viewer.me) == ([into.pk], into)
