"""A name that somebody else removes lies a week, and its owners hear of it."""

import datetime
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone, translation

from league.clubs.acts import account_data, bins, hidden_names, merges, players, removals
from league.models import Audit, HiddenName, NewsItem, Player
from league.news.facts.words import message_of
from tables.models import Table
from tables.refusals import Refusal
from tests.factories import (
    NAMES,
    browser_of,
    confirmed,
    make_club,
    make_member,
    make_night,
    make_table,
    make_user,
    names_at,
    owner_of,
    path_of,
    stored,
)
from tests.league.online.stake_tables import table_of_four
from tests.races import race
from tests.worlds import made_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("with_mail")]


@made_once
def club():
    """A club of six with an organiser gone bad."""
    club = make_club()
    club.owner, club.bad = confirmed(owner_of(club)), make_member(club, "organiser")
    club.owner.language = "en"
    club.owner.save()
    players.add_players(club=club, text="Lan\nMai\nNga\nOanh\nPhúc\nQuý", by=club.owner)
    return club


def edit(club, user, player, act):
    return browser_of(user).post(path_of(club, "player_edit", player.pk), {"act": act})


def told(club):
    found = NewsItem.objects.filter(kind="name_removed", user=club.owner)
    return [message_of(item) for item in found]


def test_a_hidden_name_is_a_number_until_an_owner_brings_it_back(club):
    lan = club.players.get(name="Lan")
    lan.user = member = make_user()
    lan.save()
    edit(club, club.bad, lan, "hide")
    lan.refresh_from_db()
    assert (lan.name, lan.user) == (f"Player {lan.pk}", member)  # The link stays for the week.
    (text,) = told(club)
    assert "Lan" not in " ".join(text.all_lines)
    assert "bring it back" in text.lines[-1]
    address = path_of(club, "player_edit", lan.pk)
    assert "Lan" not in browser_of(club.bad).get(address).content.decode()
    assert "Bring back Lan" in browser_of(club.owner).get(address).content.decode()
    assert edit(club, club.bad, lan, "bring_back").status_code == 403
    with pytest.raises(ValidationError, match="hidden"):
        players.rename_player(player=lan, name="Lan", by=club.bad)
    edit(club, club.owner, lan, "bring_back")
    assert (stored(lan).name, HiddenName.objects.count()) == ("Lan", 0)


def test_the_number_stands_for_other_names_and_at_online_tables_too(club):
    live, people = table_of_four()
    club, lan = people[0].club, people[0]
    bad, by = make_member(club, "organiser"), owner_of(club)
    players.rename_player(player=lan, name="Lan", by=by)
    lan.refresh_from_db()
    alias = players.add_player(club=club, name="Lan béo", by=by)
    merges.merge(alias=alias, into=lan, by=by)
    edit_page = path_of(club, "player_edit", lan.pk)
    log = path_of(club, "audit")

    def changes():
        lines = browser_of(bad).get(log).context["page"].lines
        return [(change.old, change.new) for line in lines for change in line.changes]

    assert (NAMES[0], "Lan") in changes()
    named = [club.players.filter(pk__in=[lan.pk, alias.pk]), live.table.seats.filter(no=0)]
    before = Table.objects.get(pk=live.table_id).version
    hidden_names.hide_name(player=lan, by=bad)
    assert [[one.name for one in found] for found in named] == [
        [f"Player {lan.pk}", f"Player {alias.pk}"], [f"Player {lan.pk}"],
    ]  # fmt: skip
    assert Table.objects.get(pk=live.table_id).version > before
    assert "Lan" not in browser_of(bad).get(edit_page).content.decode()
    assert NAMES[0] not in [old for old, _new in changes()]
    with translation.override("vi"):
        hidden_names.bring_back(player=lan, by=by)
    assert [sorted(one.name for one in found.all()) for found in named] == [
        ["Lan", "Lan béo"], ["Lan"],
    ]  # fmt: skip
    hidden_names.hide_name(player=lan, by=bad)
    hidden_names.sweep(timezone.now() + hidden_names.HIDDEN_FOR)
    assert not HiddenName.objects.exists()


def test_another_name_that_is_separated_while_hidden_is_removed_too(club):
    lan, mai = club.players.filter(name__in=["Lan", "Mai"]).order_by("name")
    merges.merge(alias=mai, into=lan, by=club.owner)
    hidden_names.hide_name(player=lan, by=club.bad)
    mai.refresh_from_db()
    merges.unmerge(alias=mai, by=club.bad)
    assert club.players.get(pk=mai.pk).name == f"Player {mai.pk}"
    hidden_names.sweep(timezone.now() + hidden_names.HIDDEN_FOR)
    assert not HiddenName.objects.exists()


def test_after_a_week_the_name_is_gone(club):
    lan = club.players.get(name="Lan")
    hidden_names.hide_name(player=lan, by=club.bad)
    hidden_names.sweep(timezone.now() + datetime.timedelta(days=6))
    assert HiddenName.objects.exists()
    hidden_names.sweep(timezone.now() + hidden_names.HIDDEN_FOR)
    assert not HiddenName.objects.exists()
    with pytest.raises(ValidationError, match="no longer hidden"):
        hidden_names.bring_back(player=lan, by=club.owner)
    assert "Lan" not in str(list(Audit.objects.filter(club=club).values_list("data", flat=True)))


def test_one_name_that_cannot_be_removed_stops_no_other(club, caplog):
    lan, mai = club.players.filter(name__in=["Lan", "Mai"]).order_by("name")
    for player in (lan, mai):
        hidden_names.hide_name(player=player, by=club.bad)
    Player.objects.filter(pk=lan.pk).update(binned_at=timezone.now())
    hidden_names.sweep(timezone.now() + hidden_names.HIDDEN_FOR)
    assert HiddenName.objects.get().player_id == lan.pk
    assert f"player {lan.pk}" in caplog.text


def test_a_player_whose_name_is_hidden_is_neither_merged_nor_put_in_the_bin(club):
    lan, mai = club.players.filter(name__in=["Lan", "Mai"]).order_by("name")
    hidden_names.hide_name(player=lan, by=club.bad)
    for refused in (
        lambda: merges.merge(alias=lan, into=mai, by=club.owner),
        lambda: merges.merge(alias=mai, into=lan, by=club.owner),
        lambda: bins.bin_player(player=lan, by=club.owner),
    ):
        with pytest.raises(ValidationError, match="bring it back, or wait"):
            refused()
    hidden_names.bring_back(player=lan, by=club.owner)
    assert merges.merge(alias=lan, into=mai, by=club.owner).merged_into == mai


def test_more_than_three_names_a_day_need_an_owner(club):
    for number, player in enumerate(club.players.people()):
        edit(club, club.bad, player, "hide" if number % 2 else "anonymise")
    gone = Player.objects.filter(club=club, name__startswith="Player ").count()
    assert gone == removals.A_DAY
    assert len(told(club)) == removals.A_DAY
    for player in club.players.exclude(name__startswith="Player "):
        edit(club, club.owner, player, "hide")
    assert HiddenName.objects.count() == 4  # One by the organiser, three by the owner.


@pytest.mark.django_db(transaction=True)
def test_names_that_are_removed_at_the_same_moment_are_counted():
    club = make_club()
    bad = make_member(club, "organiser")
    for name in ("Lan", "Mai", "Nga", "Oanh"):
        players.add_player(club=club, name=name, by=bad)
    calls = (partial(hidden_names.remove_name, player=one, by=bad) for one in club.players.all())
    answers = race(*calls, refused=(Refusal,))
    assert sorted(map(type, answers), key=str) == [type(None)] * removals.A_DAY + [Refusal]
    assert club.players.filter(name__startswith="Player ").count() == removals.A_DAY


def test_the_sweep_counts_for_nobody(club):
    for player in club.players.people()[: removals.A_DAY]:
        hidden_names.hide_name(player=player, by=club.owner)
    HiddenName.objects.update(by=club.bad)  # In whose week the log has nothing of today.
    hidden_names.sweep(timezone.now() + hidden_names.HIDDEN_FOR)
    edit(club, club.bad, club.players.exclude(name__startswith="Player ").first(), "hide")
    assert HiddenName.objects.exists()
    log = browser_of(club.owner).get(path_of(club, "audit")).content.decode()
    assert "The server removed the name of" in log


def test_a_new_name_that_forgets_the_old_one_counts_and_is_told(club):
    address = path_of(club, "player_edit", 0)
    for player in club.players.people():
        asked = {"act": "rename", "name": f"X{player.pk}", "was": player.name, "forgets_old": "on"}
        browser_of(club.bad).post(address.replace("/0/", f"/{player.pk}/"), asked)
    renamed = club.players.filter(name__startswith="X")
    assert renamed.count() == len(told(club)) == removals.A_DAY
    assert all("bring it back" in text.lines[-1] for text in told(club))
    lan = club.players.exclude(name__startswith="X").first()
    players.rename_player(player=lan, name="Xuân", by=club.bad)  # The log keeps the old one.
    assert len(told(club)) == removals.A_DAY


def test_at_her_own_wish_it_is_at_once_and_the_owners_read_who_says_so(club):
    lan = club.players.get(name="Lan")
    edit(club, club.bad, lan, "anonymise")
    lan.refresh_from_db()
    assert lan.name == f"Player {lan.pk}"
    assert not HiddenName.objects.exists()
    (text,) = told(club)
    assert "the person asked" in text.lines[-1]


def test_a_name_that_another_took_meanwhile_is_not_brought_back(club):
    lan = club.players.get(name="Lan")
    hidden_names.hide_name(player=lan, by=club.bad)
    players.add_player(club=club, name="Lan", by=club.bad)
    with pytest.raises(ValidationError, match="already a player"):
        hidden_names.bring_back(player=lan, by=club.owner)


def test_what_goes_and_what_stays_is_said_before_a_name_is_removed():
    sitting = make_table(make_night(), games=1)
    club = sitting.round.event.season.club
    player = club.players.get(name=names_at(sitting)[0])
    address = path_of(club, "player_edit", player.pk)
    client = browser_of(owner_of(club))
    assert 'href="?forget=1"' in client.get(address).content.decode()
    page = client.get(f"{address}?forget=1").content.decode()
    for said in (
        f"Remove {player.name}'s name", f"Player {player.pk}", "1 game:", "former names too",
        "adds up to 0", "you decide on each text", "Rename instead",
    ):  # fmt: skip
        assert said in page, said
    assert not stored(player).name.startswith("Player")  # A look removes nothing.
    client.post(address, {"act": "anonymise"})
    player.refresh_from_db()
    assert player.name == f"Player {player.pk}"


REMOVALS = {
    "hidden": lambda player, by: hidden_names.hide_name(player=player, by=by),
    "removed": lambda player, by: players.anonymise_player(player=player, by=by),
    "lost": lambda player, _by: players.lose_name(player),
    "deleted": lambda player, _by: account_data.erase_person(user=player.user, is_again=True),
}


@pytest.mark.parametrize("way", REMOVALS)
def test_a_name_goes_though_another_is_called_by_the_number(club, way):
    """As one whose name was removed on the server from which the club came."""
    lan = players.take_player(player=club.players.get(name="Lan"), user=make_user())
    other = players.add_player(club=club, name=f"Player {lan.pk}", by=club.owner)
    REMOVALS[way](lan, club.owner)
    lan.refresh_from_db()
    assert lan.name == f"Player {lan.pk} {lan.pk}"
    bins.bin_player(player=other, by=club.owner)
