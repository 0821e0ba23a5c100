"""Half-hour tournaments: who is free gets a table, its game gives points once, all see it live."""

import datetime
import re
from itertools import pairwise

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from engine.rules import ruleset
from tables.base import tokens
from tables.models import Sprint, SprintEntry, SprintTable, Table
from tables.people.acts import forgetting, sprints
from tables.people.acts.sprints import SprintPlayer
from tables.people.pages import sprints as pages
from tables.refusals import TableRefusal
from tests.factories import make_user, stored
from tests.tables import live
from tests.tables.live import hand_shown
from tests.tables.test_live_friends import after_the_wait
from tests.worlds import lived_from

pytestmark = pytest.mark.django_db

lived = lived_from("2026-11-20 12:05Z")


@pytest.fixture
def sprint() -> Sprint:
    """One that began a minute ago, by rules without instant wins."""
    began = timezone.now() - datetime.timedelta(minutes=1)
    return sprints.open_sprint(starts_at=began, ruleset=ruleset.preset("penguin"))


def enter(sprint: Sprint, name: str) -> SprintEntry:
    return sprints.enter(sprint_id=sprint.pk, who=SprintPlayer(device=name), name=name)


def waited(seconds: int) -> None:
    """Everyone has waited so long, and is still there."""
    since = timezone.now() - datetime.timedelta(seconds=seconds)
    SprintEntry.objects.update(waits_since=since)


def play(table: Table) -> None:
    after_the_wait(table)
    live.play_quickly(table)


def test_four_who_are_free_get_a_table_at_once_and_the_fifth_waits_a_moment(sprint):
    for name in "abcde":
        enter(sprint, name)
    assert sprints.sweep() == 1
    assert SprintEntry.objects.filter(table=None).count() == 1
    waited(9)
    assert sprints.sweep() == 1
    assert Table.objects.latest("pk").seats.exclude(bot="").count() == 3


def test_a_game_gives_points_once_and_then_tables_are_made_again(sprint):
    for name in "abcd":
        enter(sprint, name)
    sprints.sweep()
    first = Table.objects.get()
    play(first)
    assert Table.objects.get().status == Table.Status.CLOSED
    Table.objects.get().seats.update(autopilot=False)
    sprints.sweep()
    SprintTable.objects.filter(table=first).update(counted=True)
    sprints.sweep()
    found = sorted(SprintEntry.objects.values_list("points", "games", "firsts"))
    assert found == [(0, 1, 0), (1, 1, 0), (2, 1, 0), (4, 1, 1)]
    assert Table.objects.count() == 2
    assert SprintEntry.objects.exclude(table=None).exclude(table=first).count() == 4


def test_who_is_not_on_the_page_is_not_dealt_in_and_who_left_keeps_the_points(sprint):
    gone, stays = enter(sprint, "gone"), enter(sprint, "stays")
    SprintEntry.objects.filter(pk=gone.pk).update(
        points=3, seen_at=timezone.now() - datetime.timedelta(seconds=20)
    )
    waited(9)
    sprints.sweep()
    assert (stored(gone).table, stored(stays).table) == (None, Table.objects.get())
    sprints.leave(sprint_id=sprint.pk, who=SprintPlayer(device="gone"))
    gone.refresh_from_db()
    assert (gone.left, gone.points) == (True, 3)


def test_when_the_half_hour_is_over_games_end_and_none_begins(sprint):
    enter(sprint, "a")
    waited(9)
    sprints.sweep()
    later = timezone.now() - datetime.timedelta(seconds=1)
    Sprint.objects.update(ends_at=later)
    with pytest.raises(TableRefusal):
        enter(sprint, "late")
    play(Table.objects.get())
    sprints.sweep()
    waited(9)
    sprints.sweep()
    assert SprintEntry.objects.get().games == 1
    assert Table.objects.count() == 1
    SprintEntry.objects.update(points=3)
    page = Client().get(reverse("tables:sprint", args=[sprint.key])).content.decode()
    assert page.count('class="medal medal-1"') == 1
    own = (
        Client()
        .get(reverse("tables:view", args=[Table.objects.get().key]), headers=live.FETCH)
        .json()["own"]
    )
    assert re.search(rf'href="/tables/sprints/{sprint.key}/"\s+data-follow', own)


def test_two_taps_join_and_the_page_leads_a_guest_and_an_account_to_their_cards(sprint):
    guest, member = Client(), Client()
    member.force_login(make_user())
    page = reverse("tables:sprint", args=[sprint.key])
    for name, browser in (("Khách", guest), ("Lan", member)):
        browser.post(reverse("tables:sprint_enter", args=[sprint.key]), {"name": name})
        assert name in browser.get(page).content.decode()
    waited(9)
    sprints.sweep()
    table = Table.objects.get()
    after_the_wait(table)
    for browser in (guest, member):
        asked = browser.get(page, headers={"HX-Request": "true"})
        assert asked["HX-Redirect"] == reverse("tables:sprint_go", args=[sprint.key])
        shown = browser.get(asked["HX-Redirect"], follow=True).content.decode()
        assert len(hand_shown(shown)) == 13
    assert hand_shown(live.page_of(Client(), table)) == []
    assert "HX-Redirect" not in Client().get(page, headers={"HX-Request": "true"})


def test_one_is_always_on_and_each_is_planned_once():
    assert sprints.plan() == sprints.plan() == 3
    starts = list(Sprint.objects.order_by("starts_at").values_list("starts_at", flat=True))
    assert starts[0] <= timezone.now() < starts[1]
    assert [after - start for start, after in pairwise(starts)] == [sprints.LENGTH] * 2
    assert "/tables/sprints/" in Client().get(reverse("tables:lobby")).content.decode()


def test_a_clubs_own_is_for_its_pages_and_no_stranger_reads_its_name(sprint):
    began = sprint.starts_at - datetime.timedelta(minutes=1)
    own = sprints.open_sprint(
        starts_at=began, ruleset=ruleset.preset("penguin"), home="/h/", home_name="Hội Kín"
    )
    lobby = Client().get(reverse("tables:lobby")).content.decode()
    assert (own.key in lobby, sprint.key in lobby, "Hội Kín" in lobby) == (False, True, False)
    assert [one.key for one in pages.coming(home="/h/")] == [own.key]


def test_standings_ask_no_more_for_more_people(sprint, django_assert_num_queries):
    for people in (1, 3):
        for number in range(people):
            enter(sprint, f"P{people}{number}")
        with django_assert_num_queries(2):
            Client().get(reverse("tables:sprint", args=[sprint.key]))


def test_an_erased_account_leaves_no_name_of_a_guest_in_its_browser(sprint):
    user = make_user()
    enter(sprint, "browser")
    enter(sprint, "another")
    table = live.open_table(people=2)
    table.seats.filter(no=0).update(user=user, token_hash="", device=tokens.hash_of("browser"))
    forgetting.forget_user(user=user)
    assert sorted(SprintEntry.objects.values_list("name", flat=True)) == ["another", "—"]
