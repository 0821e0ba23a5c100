"""Every address with everything that nobody should send: refused in words, never a 500.

The addresses come from the URL list and their fields from the pages themselves, so that a new
address or a new field is tried without anybody writing it down here.

The long form gives each address its share of the values, another share to the next;
HOSTILE_ALL=1 gives all to each, which takes hours. With HOSTILE_JOURNAL=FILE it writes a line for
each address that it is done with, tells what broke there at once, and goes on where it was ended.
"""

import os
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse

from league.exchange.acts import archives, file_imports
from league.models import FileImport
from tests import hostile
from tests.hostile import Body, Form
from tests.test_rights import address, parameters

pytestmark = pytest.mark.django_db

World = dict[str, Any]
# Names in the query of an address, and in a body, that no form shows.
QUERY = ["by", "deal", "event", "events", "format", "from", "game", "kind", "next", "page",
         "page_size", "player", "q", "rotation", "rules", "screen", "season", "step",
         "version"]  # fmt: skip
HIDDEN = ["answered", "back", "pass", "preview", "text", "void", "cards", "seat", "client_id",
          "declare", "order", "groups", "next", "act", "key", "credential", "code"]  # fmt: skip
HEADERS = {
    "accept": "application/\xff, */*;q=x",
    "accept-language": "x" * 300 + ",;q=9e99,\xff",
    "authorization": "Bearer \xff",
    "cookie": "django_language=\xff; messages=x; seat-x=\0; sessionid=%00",
    "hx-current-url": "http://[",
    "hx-request": "true",
    "if-modified-since": "\xff",
    "if-none-match": '"',
    "range": "bytes=9-1",
    "x-forwarded-for": "1.2.3.4, \xff",
    "x-requested-with": "fetch",
}
WRITES = re.compile(r"\b(INSERT|UPDATE|DELETE)\b")
METHODS = ["PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE"]
# Signing out would end the visit of those who come after.
KEPT_OUT = {"account_logout"}


def all_names() -> list[str]:
    """Every address of the site, those of django-allauth too."""

    def walk(patterns: list[Any], space: str) -> Iterator[str]:
        for entry in patterns:
            if isinstance(entry, URLResolver):
                inner = f"{space}{entry.namespace}:" if entry.namespace else space
                yield from walk(entry.url_patterns, inner)
            elif isinstance(entry, URLPattern) and entry.name:
                yield f"{space}{entry.name}"

    return sorted(set(walk(get_resolver().url_patterns, "")) - KEPT_OUT)


class Visit:
    """Visitors with every right, whose every request leaves the world as it was."""

    def __init__(self, world: World) -> None:
        self.world = world
        owner = world["visitors"]["owner"]
        owner.is_superuser = True
        owner.set_password("s3cret-word")
        owner.save()
        self.clients = {"owner": Client(), "player": Client(), "stranger": Client()}
        for client in self.clients.values():
            client.raise_request_exception = False
        self.clients["owner"].force_login(owner)
        self.clients["player"].force_login(world["visitors"]["player"])
        # The password was typed a moment ago, so that the guarded pages open.
        self.clients["owner"].post(reverse("account_reauthenticate"), {"password": "s3cret-word"})
        self.requests = 0
        self.has_shown_a_page = False
        self.broken: list[str] = []

    def paths(self) -> dict[str, str]:
        """The address of every name in this world."""
        found = {}
        for name in all_names():
            try:
                found[name] = self._path(name)
            except NoReverseMatch as problem:
                raise AssertionError(f"{name} has no fixture in tests/test_rights.py") from problem
        return found

    def _path(self, name: str) -> str:
        if name.startswith(("account_", "mfa_")):
            made_up = {"uidb36": "1", "key": "x-y", "pk": 1}
            return reverse(name, kwargs={key: made_up[key] for key in parameters(name)})
        return address(name, self.world)

    def send(self, who: str, method: str, path: str, body: Body | None = None, **extra: Any) -> int:
        """The answer's status; what breaks is noted with what broke it."""
        cache.clear()  # No rate limit stands in the way.
        self.requests += 1
        client = self.clients[who]
        cookies = client.cookies.copy()
        data = body or Body("", b"", "")
        asked: list[str] = []
        with transaction.atomic():
            with connection.execute_wrapper(
                lambda execute, sql, *given: asked.append(sql) or execute(sql, *given)
            ):
                response = client.generic(method, path, data.data, content_type=data.kind, **extra)
            status = response.status_code
            begins = b"" if response.streaming else response.content[:9]
            self.has_shown_a_page = status == 200 and begins == b"<!DOCTYPE"
            try:
                if any(map(WRITES.search, asked)):  # It takes as long as many a request.
                    connection.check_constraints()
            except Exception as error:
                self._note(who, method, path, data, error)
            transaction.set_rollback(True)
        client.cookies = cookies
        if status >= 500:
            self._note(who, method, path, data, getattr(response, "exc_info", [None, status])[1])
        return status

    def _note(self, who: str, method: str, path: str, body: Body, error: Any) -> None:
        self.broken.append(f"{who} {method} {path[:120]} {body.what}: {error!r:.300}")


@pytest.fixture
def visit(world: World) -> Visit:
    return Visit(world)


def who_for(name: str) -> str:
    """Who gets furthest there: at a live table who sits there, elsewhere the owner."""
    if name.startswith("tables:"):
        return "player"
    if name in ("account_login", "account_signup", "mfa_login_webauthn", "mfa_authenticate"):
        return "stranger"
    return "owner"


def forms_of(visit: Visit, paths: dict[str, str]) -> dict[str, list[Form]]:
    """The forms of all pages by the address that they are sent to."""
    found: dict[str, list[Form]] = {}
    for name, path in paths.items():
        if name.startswith(("api:", "play:")) or Path(path).suffix:
            continue  # Neither programs nor files show forms.
        with transaction.atomic():
            page = visit.clients[who_for(name)].get(path)
            transaction.set_rollback(True)
        if page.status_code == 200 and "text/html" in page.get("Content-Type", ""):
            for form in hostile.Forms(path, page.content.decode()).found:
                found.setdefault(form.action, []).append(form)
    return found


class Share:
    """How much of what there is one address is sent: one by chance, or a share that goes round."""

    def __init__(self, chance: random.Random, long: bool) -> None:
        self.chance, self.long = chance, long
        self.all = long and bool(os.environ.get("HOSTILE_ALL"))
        self._next: dict[str, int] = {}

    def of(self, what: str, values: list[Any], count: int) -> list[Any]:
        """At most so many of these; the next address gets the ones after them."""
        if self.all or not values:
            return values
        if not self.long:
            return self.chance.sample(values, min(1, len(values)))
        begin = self._next.get(what)
        if begin is None:  # Others each time: what breaks is told with what broke it.
            begin = random.SystemRandom().randrange(len(values))
        self._next[what] = begin + count
        return [values[(begin + at) % len(values)] for at in range(min(count, len(values)))]


def undone(visit: Visit, paths: Mapping[str, str], test: str, long: bool) -> Iterator[str]:
    """Yield the addresses that the journal does not have yet; write each down when it is done."""
    journal = Path(os.environ.get("HOSTILE_JOURNAL", "")) if long else Path()
    if journal == Path():
        yield from paths
        return
    done: set[str] = set()
    with suppress(FileNotFoundError):
        done = {line.rpartition(":")[0] for line in journal.read_text().splitlines()}
    for name in paths:
        if f"{test} {name}" in done:
            continue
        before, broken = visit.requests, len(visit.broken)
        yield name
        found = "; ".join(visit.broken[broken:]).replace("\n", " ").replace(":", " ")
        with journal.open("a") as lines:
            lines.write(f"{test} {name}:{visit.requests - before} {found}\n")


def report(visit: Visit, capsys: Any, what: str) -> None:
    with capsys.disabled():
        print(f"\n{what}: {visit.requests} requests, {len(visit.broken)} broken")
    assert visit.broken == []


@pytest.mark.always
@pytest.mark.limit(3600, reason="asks every address for all that is hostile with --long")
def test_no_form_and_no_body_breaks(visit, chance, request, capsys):
    long = request.config.getoption("--long")
    paths = visit.paths()
    forms = forms_of(visit, paths)
    posted = {action for action, one in forms.items() if any(f.method == "post" for f in one)}
    known = hostile.everything_in([form for one in forms.values() for form in one])
    # The ground under what follows: forms of many addresses are known with their fields.
    assert len(posted) > 30
    assert {"name", "email", "player", "client_id", "password"} <= set(known)
    share = Share(chance, long)
    for name in undone(visit, paths, "forms", long):
        path, who = paths[name], who_for(name)
        empty = Body("JSON", b"{}", "application/json")
        if long and not share.all and visit.send(who, "POST", path, empty) == 405:
            continue  # It reads no body: what is in it makes no difference.
        own = forms.get(path, [])
        fields = sorted({*(hostile.everything_in(own) or known), *HIDDEN})
        parts = [
            (4, "values", [partial(hostile.all_wrong, fields, value) for value in hostile.VALUES]),
            (2, "bodies", [partial(lambda m: m, b) for b in hostile.bodies(fields, chance)]),
            (2, "JSON", [partial(lambda m: m, b) for b in hostile.json_bodies(fields)]),
            (
                5,
                "in forms",
                [partial(hostile.twice, form.fields) for form in own]
                + [
                    partial(hostile.one_wrong, form.fields, field, value)
                    for value in hostile.VALUES
                    for form in own
                    for field in form.fields
                ],
            ),
        ]
        tries = [("POST", make()) for count, what, all_of in parts
                 for make in share.of(what, all_of, count)]  # fmt: skip
        tries += [(method, empty) for method in share.of("methods", METHODS, 2)]
        tries = tries if long else chance.sample(tries, 2)
        for method, body in tries:
            status = visit.send(who, method, path, body)
            reads_none = visit.has_shown_a_page and path not in posted and not long
            if method == "POST" and (status == 405 or reads_none):
                break
    report(visit, capsys, f"{len(paths)} addresses, {len(posted)} of them with forms")


def test_no_address_and_no_header_breaks(visit, chance, request, capsys):
    long = request.config.getoption("--long")
    paths = visit.paths()
    tried = 0
    share = Share(chance, long)
    short = [value for value in hostile.VALUES if len(value) < 8_000]
    for name in undone(visit, paths, "addresses", long):
        path, who = paths[name], who_for(name)
        for value in share.of("values", short, 3):
            query = hostile.as_query(QUERY, value)
            visit.send(
                who, "GET", f"{path}?{query}", headers=HEADERS if chance.random() < 0.5 else {}
            )
        parts = path.split("/")
        spots = [spot for spot, part in enumerate(parts) if part]
        wrong = [
            "/".join([*parts[:spot], key, *parts[spot + 1 :]])
            for spot in spots
            for key in hostile.IN_PATH
        ]
        for other in share.of("addresses", wrong, 3):
            tried += 1
            for method in ("GET", "POST") if long else [chance.choice(("GET", "POST"))]:
                visit.send(who, method, other, Body("empty form", b""))
    report(visit, capsys, f"{len(paths)} addresses, queries, headers, {tried} wrong addresses")


def upload(visit: Visit, path: str, field: str, what: str, data: bytes) -> None:
    cache.clear()
    visit.requests += 1
    with transaction.atomic():
        answer = visit.clients["owner"].post(path, {field: SimpleUploadedFile("x.zip", data)})
        try:
            for file in FileImport.objects.all():
                file_imports.work(key=file.pk)
        except Exception as error:
            visit.broken.append(f"{path} {field} {what}: {error!r}")
        transaction.set_rollback(True)
    if answer.status_code >= 500:
        visit.broken.append(f"{path} {field} {what}: {answer.exc_info}")


def test_no_upload_breaks(visit, chance, request, capsys):
    uploads = ("league:club_import", "league:import_results")
    paths = {name: path for name, path in visit.paths().items() if name in uploads}
    forms = forms_of(visit, paths)
    wrong = list(hostile.archives())
    for name in uploads:
        for what, data in wrong:
            for field in hostile.everything_in(forms[paths[name]]):
                upload(visit, paths[name], field, what, data)
    club = visit.world["club"]
    good = archives.write_archive(club=club, by=visit.world["visitors"]["owner"])
    for _time in range(500 if request.config.getoption("--long") else 15):
        what, data = hostile.spoiled(good, chance)
        upload(visit, paths["league:club_import"], "file", what, data)
    report(visit, capsys, "uploads")
