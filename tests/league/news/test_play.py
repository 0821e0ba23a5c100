"""News of online tables: an invitation, a friend who waits, a turn, a tournament that begins."""

import datetime
from itertools import count

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from engine.rules import ruleset
from league.models import NewsItem, NewsWish
from league.news.acts import push, sending
from league.news.facts import words
from tables.base.fifo_cache import forget_all
from tables.models import Friend, Seat, Table
from tables.people.acts import friends, newcomers, sprints
from tables.people.acts.newcomers import Newcomer, Wish
from tables.play.acts import absence
from tests.factories import make_club, make_user
from tests.league.news.browser import Browser
from tests.league.news.receiver import receiver
from tests.tables import live

pytestmark = pytest.mark.django_db
SECOND = datetime.timedelta(seconds=1)
_addresses = count()


@pytest.fixture(autouse=True)
def world(settings):
    settings.WEBHOOKS_IN_LAN, settings.HAS_MAIL = True, False


def reader(address="", language="en", **wish):
    """An account whose browser gets news."""
    user, browser = make_user(), Browser()
    address = address or f"http://127.0.0.1:9/{next(_addresses)}"
    push.add_browser(user=user, address=address, **browser.keys())
    NewsWish.objects.create(user=user, language=language, **wish)
    user.browser = browser
    return user


def texts(user):
    """What the account is told, as it would be sent now."""
    items = NewsItem.objects.filter(channel__user=user).order_by("pk")
    return [(item.kind, words.message_of(item), words.address_of(item)) for item in items]


def invite(by, to):
    Friend.objects.get_or_create(owner=by, user=to, defaults={"name": "Bình"})
    friend = Friend.objects.get(owner=by, user=to)
    return friends.invite(
        by=by, name="An", ruleset=ruleset.preset("mien-nam"), players=4, move_seconds=30,
        friend_id=friend.pk,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "An asks you to a table"), ("vi", "An mời bạn vào bàn")],
)
def test_an_invitation_leads_to_its_table_until_that_is_closed(language, said):
    an, binh = make_user(), reader(language=language)
    table = invite(an, binh)
    invite(an, binh)  # The same table: told once.
    ((kind, text, address),) = texts(binh)
    assert (kind, text.subject) == ("invited", said)
    assert address.endswith(reverse("tables:table", args=[table.key]))
    Table.objects.filter(pk=table.pk).update(status="closed", closed_at=timezone.now(), due_at=None)
    assert [text for _kind, text, _address in texts(binh)] == [None]


def waits(user):
    wish = Wish(
        ruleset=ruleset.preset("mien-nam"), players=4, move_seconds=30, bot="greedy", rated=False
    )
    return newcomers.seat_newcomer(wish=wish, who=Newcomer(name="An", user=user))[0]


def test_friends_of_both_sides_hear_that_one_waits_and_nobody_else():
    an, both, admirer, listed = make_user(), reader(), reader(), reader()
    for owner, user in ((an, both), (both, an), (admirer, an), (an, listed)):
        Friend.objects.create(owner=owner, user=user, name="x")
    table = waits(an)
    ((kind, text, address),) = texts(both)
    assert (kind, text.subject) == ("company", "An waits for players")
    assert address.endswith(reverse("tables:table", args=[table.key]))
    assert (texts(admirer), texts(listed)) == ([], [])
    waits(make_user())  # Somebody has come.
    assert [text for _kind, text, _address in texts(both)] == [None]


def on_turn(user, *, gone=30, left=25):
    """A running table where this account, which looked away so long ago, is on turn."""
    table = live.dealt("penguin", people=4, hands=live.HANDS)
    Seat.objects.filter(table=table, no=0).update(
        user=user, token_hash="", gone_at=timezone.now() - gone * SECOND
    )
    live.hurry_to(table, left * SECOND)
    forget_all()
    return Table.objects.get(pk=table.pk)


def test_a_turn_is_told_once_with_the_time_that_is_left_and_is_gone_with_its_clock():
    with receiver() as service, time_machine.travel(timezone.now(), tick=False):
        user = reader(service.address)
        table = on_turn(user)
        absence.tell_unseen()
        absence.tell_unseen()
        (item,) = NewsItem.objects.all()
        assert item.expires_at == table.due_at
        assert sending.send_lane("push-127.0.0.1") == 1
        ((headers, body),) = service.got
        shown = user.browser.opened(body)
        assert shown["title"] == "Your turn"
        assert shown["body"] == "Tieng Len (Penguin), 25 seconds left"
        assert shown["tag"] == headers["topic"] == f"table-{table.pk}"
        assert headers["ttl"] == "25"
        assert headers["urgency"] == "high"
    # A worker that was away until the clock had ended sends nothing.
    NewsItem.objects.update(state="waiting", sent_at=None)
    assert sending.send_lane("push-127.0.0.1", table.due_at + SECOND) == 0
    assert NewsItem.objects.get().state == "dropped"


def test_the_next_turn_at_a_table_takes_the_place_of_the_last():
    table = on_turn(reader())
    absence.tell_unseen()
    Table.objects.filter(pk=table.pk).update(moved_version=table.moved_version + 1)
    absence.tell_unseen()
    old, new = NewsItem.objects.order_by("pk")
    assert old.data["tag"] == new.data["tag"]
    assert words.message_of(old) is None
    assert words.message_of(new).subject == "Your turn"


@pytest.mark.parametrize(
    ("gone", "left"),
    [(5, 25), (30, 5)],
    ids=["who has just looked away", "a clock that is nearly over"],
)
def test_no_turn_is_told_to(gone, left):
    user = reader()
    on_turn(user, gone=gone, left=left)
    absence.tell_unseen()
    assert texts(user) == []


def test_quiet_hours_and_a_switch_drop_a_turn_and_never_postpone_it():
    now = timezone.now()
    quiet = {"quiet_from": (now - 60 * SECOND).time(), "quiet_to": (now + 600 * SECOND).time()}
    for user in (reader(**quiet), reader(off=["turn"])):
        user.time_zone = "UTC"
        user.save()
        on_turn(user)
        absence.tell_unseen()
        assert texts(user) == []


def test_who_is_on_another_players_turn_hears_nothing():
    user = reader()
    live.act(on_turn(user), 0, "play", "3S")
    absence.tell_unseen()
    assert texts(user) == []


def test_a_tournaments_players_hear_five_minutes_before_and_once():
    comes, left, elsewhere = reader(), reader(), reader()
    now = timezone.now()
    sprint = sprints.open_sprint(
        starts_at=now + 400 * SECOND, ruleset=ruleset.preset("mien-nam"), home="x"
    )
    for user in (comes, left):
        sprints.enter(sprint_id=sprint.pk, who=sprints.SprintPlayer(user=user), name="An")
    sprints.leave(sprint_id=sprint.pk, who=sprints.SprintPlayer(user=left))
    sprints.tell_soon()
    assert texts(comes) == []
    type(sprint).objects.filter(pk=sprint.pk).update(starts_at=now + 290 * SECOND)
    sprints.tell_soon()
    sprints.tell_soon()
    ((kind, text, address),) = texts(comes)
    assert (kind, text.subject) == ("sprint_soon", "The half-hour tournament begins soon")
    assert address.endswith(reverse("tables:sprint", args=[sprint.key]))
    assert (texts(left), texts(elsewhere)) == ([], [])


def test_other_kinds_without_a_club_are_refused():
    item = {"key": "x", "channel": reader().channels.get()}
    with pytest.raises(IntegrityError), transaction.atomic():
        NewsItem.objects.create(kind="night_result", club=None, **item)
    assert NewsItem.objects.create(kind="turn", club=None, **item).club is None
    assert NewsItem.objects.create(kind="night_result", club=make_club(), **item | {"key": "y"}).pk
