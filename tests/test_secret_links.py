"""Who holds a secret link gets what it opens and nothing else, until it ends: docs/security.md."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import services as accounts
from accounts.models import User
from engine.rules import ruleset
from league.base.acts import links, tokens
from league.clubs.acts import account_data, clubs, invitations
from league.models import ApiToken, Club, Event, Link
from league.schedules.acts import calendars
from tables.chairs.acts import seats
from tables.models import Seat
from tests.factories import browser_of, make_user, owner_of, path_of
from tests.tables import live
from tests.test_rights import _plain_errors, ask, rows  # noqa: F401

pytestmark = pytest.mark.django_db

World = dict[str, Any]


@dataclass
class Held:
    """A link in somebody's browser: how it is opened, and whether it opens still."""

    client: Client
    open: Callable[[], Any]
    works: Callable[[Any], bool]

    def is_alive(self) -> bool:
        cache.clear()
        return self.works(self.open())


def table() -> list[dict[str, Any]]:
    """The lines of the table of links."""
    text = (Path(settings.BASE_DIR) / "docs/security.md").read_text(encoding="utf-8")
    found = []
    for line in text[text.index("| link | opens") :].splitlines()[2:]:
        if not line.startswith("|"):
            break
        link, opens, ended = (part.strip() for part in line.strip("|").split("|"))
        found.append({"link": link, "opens": opens.split(", "), "ended": ended.split(", ")})
    return found


def hold(kind: str, world: World, client: Client | None = None) -> Held:
    """A link of that kind in the browser of somebody without an account."""
    client = client or Client()
    if kind == "token":
        user = world["visitors"]["organiser"]
        world["token"], secret = tokens.create_token(user=user, name="x")
        client = Client(headers={"Authorization": f"Bearer {secret}"})
        path = path_of(world["club"], "api:players")
        new = {"name": "Người mới"}
        return Held(
            client,
            lambda: client.post(path, new, content_type="application/json"),
            lambda answer: answer.status_code in (201, 400),
        )
    if kind == "password":
        user = world["person"] = make_user()
        path = accounts.password_link(user=user)
        return Held(
            client,
            lambda: Client().get(path, follow=True),
            lambda answer: "password1" in answer.content.decode(),
        )
    if kind == "chair":
        seated = seats.open_table(ruleset=ruleset.preset("thirteen"), players=2)
        seat, secret = seats.sit(table_id=seated.pk, no=0, name="Khách")
        seats.fill_with_bots(table_id=seated.pk)
        live.deal(seated)
        world |= {"table": seated, "seat": seat}
        path = reverse("tables:claim", args=[seated.key, secret])
        page = reverse("tables:stay", args=[seated.key])
        return Held(
            client,
            lambda: (client.get(path), client.post(page))[1],
            lambda answer: answer.status_code == 302,
        )
    secrets = {
        "table": ("league:link_table", world["secret"]),
        "night": ("league:link_night", world["night"]),
        "calendar": ("league:link_calendar", world["feed"]),
        "invitation": ("league:link_join", world["invitation"].secret),
    }
    name, secret = secrets[kind]
    path = reverse(name, args=[secret])
    return Held(client, lambda: client.get(path), lambda answer: answer.status_code == 200)


def end(kind: str, way: str, world: World) -> None:
    """Ends the link in that way."""
    event = world["event"]
    by = owner_of(world["club"])
    ways: dict[tuple[str, str], Callable[[], object]] = {
        ("table", "replaced"): lambda: links.renew_for_table(
            sitting=event.rounds.get(number=1).sittings.get(), by=by
        ),
        ("table", "night deleted"): lambda: delete(event),
        ("table", "club closed"): lambda: clubs.close_club(club=world["club"], by=by),
        ("night", "replaced"): lambda: links.renew_for_night(event=event, by=by),
        ("night", "night deleted"): lambda: delete(event),
        ("night", "club closed"): lambda: clubs.close_club(club=world["club"], by=by),
        ("calendar", "replaced"): lambda: calendars.make_feed(
            user=world["visitors"]["player"], club=world["club"]
        ),
        ("calendar", "account ended"): lambda: account_data.erase_person(
            user=world["visitors"]["player"]
        ),
        ("invitation", "revoked"): lambda: invitations.revoke(
            club=world["club"], link_id=world["invitation"].pk, by=by
        ),
        ("invitation", "expired"): lambda: Link.objects.filter(purpose="invitation").update(
            expires_at=timezone.now() - datetime.timedelta(seconds=1)
        ),
        ("invitation", "used up"): lambda: use_up(world["invitation"]),
        ("chair", "chair left"): lambda: leave(world["seat"]),
        ("password", "used"): lambda: set_password(world["person"]),
        ("password", "expired"): lambda: None,  # The caller lets the time pass.
        ("password", "account ended"): lambda: account_data.erase_person(user=world["person"]),
        ("token", "revoked"): lambda: tokens.revoke_token(token=world["token"]),
        ("token", "expired"): lambda: ApiToken.objects.update(expires_at=timezone.now()),
        ("token", "password changed"): lambda: change_password(world["token"].user),
        ("token", "account ended"): lambda: account_data.erase_person(user=world["token"].user),
    }
    ways[kind, way]()


def delete(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(binned_at=timezone.now())


def use_up(link: Link) -> None:
    Link.objects.filter(pk=link.pk).update(max_uses=1)
    invitations.accept(secret=link.secret, user=make_user())


def leave(seat: Seat) -> None:
    seats.leave(seat_id=seat.pk)
    Seat.objects.filter(pk=seat.pk).update(left_at=timezone.now())


def change_password(person: User) -> None:
    client = browser_of(person)
    new = {"oldpassword": "s3cret-word", "password1": "nam-sau-bay-tam"}
    answer = client.post(reverse("account_change_password"), new | {"password2": new["password1"]})
    assert answer.status_code == 302


def set_password(person: User) -> None:
    person.set_password("nam-sau-bay-tam")
    person.save()


OPENS = {line["link"]: set(line["opens"]) for line in table()}
ENDS = [(line["link"], way) for line in table() for way in line["ended"]]


def opened(browsers: dict[bool, Client], world: World) -> dict[str, set[str]]:
    """What these browsers get and a stranger does not, by address: one asks pages, one the API."""
    found: dict[str, set[str]] = {}
    stranger = Client()
    for row in rows():
        name, method = row["address"], row["method"]
        if (browser := browsers.get(name.startswith(("api:", "play:")))) is None:
            continue
        cache.clear()
        got = ask(browser, world, name, method)
        if got in ("none", "no", "sign in"):
            continue
        if world["club"].is_public and got == row["stranger"]:
            continue  # tests/test_visitors.py asks whether that is so.
        if got != ask(stranger, world, name, method):
            found.setdefault(name, set()).add(got)
    return found


@pytest.mark.parametrize("is_public", [True, False])
def test_links_open_their_own_addresses_and_nothing_else(world, is_public):
    """One browser holds a link of each kind: what any of them opens too much is seen.

    Where it asks for pages it sends a token of the API too, which opens none.
    """
    Club.objects.update(is_public=is_public)
    world["club"].refresh_from_db()
    browser = Client()
    kinds = [kind for kind in OPENS if kind != "token"] if is_public else ["table", "night"]
    for kind in kinds:
        assert hold(kind, world, browser).is_alive()
    token = hold("token", world).client
    token.cookies = browser.cookies.copy()
    more = opened({False: token, True: browser}, world)
    # Only a chair opens to one browser what is closed to others: elsewhere the address is the key.
    assert {name for name, got in more.items() if "yes" in got} == (
        OPENS["chair"] if is_public else set()
    )
    assert {name for name in more if not name.startswith("tables:")} == set()
    for kind in OPENS.keys() - {"token", "chair"}:
        answers = {ask(Client(), world, name, "POST") for name in OPENS[kind] if ":" in name}
        assert answers <= {"yes", "sign in", "405"}  # Some are for reading alone.


def test_a_token_opens_the_api(world):
    held = hold("token", world)
    assert held.is_alive()
    yes = {name for name, got in opened({True: held.client}, world).items() if "yes" in got}
    assert yes >= OPENS["token"]


@pytest.mark.parametrize(("kind", "way"), ENDS)
def test_a_link_ends(world, kind, way, settings):
    held = hold(kind, world)
    assert held.is_alive()
    end(kind, way, world)
    if (kind, way) == ("password", "expired"):
        settings.PASSWORD_RESET_TIMEOUT = -1
    assert not held.is_alive()


def test_a_wrong_secret_is_no_link():
    for name in ("league:link_table", "league:link_night", "league:link_join"):
        assert Client().get(reverse(name, args=["a" * 26])).status_code == 404


def test_who_guesses_secrets_waits(world, empty_cache):
    guesser = Client(REMOTE_ADDR="10.1.2.3")
    names = ("league:link_table", "league:link_night", "league:link_join")
    for number in range(30):
        path = reverse(names[number % 3], args=[f"guess{number}"])
        assert guesser.get(path).status_code == 404
    path = reverse("league:link_table", args=[world["secret"]])
    assert Client(REMOTE_ADDR="10.1.2.4").get(path).status_code == 429
    assert guesser.get(path).status_code == 429
    assert Client(REMOTE_ADDR="10.1.3.4").get(path).status_code == 200
