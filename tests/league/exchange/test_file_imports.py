"""A file on its way in: kept, read by a worker, confirmed, saved; cancelled, forgotten, killed."""

import datetime
import os
import signal
import subprocess
import sys
import time
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league import tasks
from league.exchange.acts import archives, file_imports, imports, uploads
from league.exchange.domain.stages import Stage
from league.models import Club, FileImport, FilePiece, Membership
from tables.refusals import Refusal
from tests.factories import browser_of, make_club, make_season, make_user, owner_of, path_of, stored
from tests.league.exchange.test_archives import BOMBS
from tests.league.exchange.test_uploads import packed

PLAYERS = "name\nLan\nHùng\n"
PLACE = ("host", "port", "dbname", "user", "password")


@pytest.fixture
def club(db: Any) -> Club:
    return make_club()


@pytest.fixture
def page(club: Club) -> str:
    return path_of(club, "import_players")


@pytest.fixture
def client(club: Club) -> Client:
    return browser_of(owner_of(club))


def other_connection() -> psycopg.Connection:
    parameters = connection.get_connection_params()
    return psycopg.connect(**{key: parameters[key] for key in PLACE if key in parameters})


def look(client: Client, page: str, text: str = PLAYERS) -> FileImport:
    assert client.post(page, {"text": text}).status_code == 302
    return FileImport.objects.get()


def test_from_the_form_to_players_with_progress_on_the_way(
    client, club, page, monkeypatch, django_capture_on_commit_callbacks
):
    """The page asks again by itself, with JavaScript or without, until there is more to say."""
    sent: list[int] = []
    monkeypatch.setattr(tasks.read_file, "delay", sent.append)
    file = SimpleUploadedFile("players.csv", PLAYERS.encode())
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(page, {"file": file, "act": "look"})["Location"] == page
    assert sent == [FileImport.objects.get().pk]
    waiting = client.get(page).content.decode()
    assert "has arrived" in waiting
    assert 'http-equiv="refresh"' in waiting
    assert f'hx-get="{page}"' in waiting
    assert 'type="file"' not in waiting
    told = file_imports._teller(FileImport.objects.get())
    told(Stage.READING, 1234, 0)
    assert "1,234 rows" in client.get(page, headers={"HX-Request": "true"}).content.decode()
    tasks.read_file(*sent)
    seen = client.get(page, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in seen
    assert "hx-get" not in seen
    assert "Hùng" in seen
    assert (club.players.count(), FilePiece.objects.count()) == (0, 0)
    for _twice in range(2):
        assert client.post(page, {"act": "save"}).status_code == 302
    assert "will be read shortly" in client.get(page).content.decode()
    tasks.read_file(*sent)
    tasks.read_file(*sent)
    assert "2 players added." in client.get(page).content.decode()
    assert sorted(club.players.values_list("name", flat=True)) == ["Hùng", "Lan"]


def test_a_bomb_costs_the_page_nothing_and_is_refused_by_the_worker(client, club, monkeypatch):
    def opened(*_all: object) -> None:
        raise AssertionError("A page has read a stranger's file.")

    for module, name in ((uploads, "archive_values"), (uploads, "workbook_sheets"),
                         (imports, "preview_players"), (archives, "read_archive")):  # fmt: skip
        monkeypatch.setattr(module, name, opened)
    page = reverse("league:club_import")
    bomb = SimpleUploadedFile("club.zip", packed(BOMBS["one text"]().decode()))
    assert client.post(page, {"file": bomb}).status_code == 302
    assert "has arrived" in client.get(page).content.decode()
    monkeypatch.undo()
    file_imports.work(key=FileImport.objects.get().pk)
    told = client.get(page).content.decode()
    assert "too large" in told
    assert 'type="file"' in told
    assert FilePiece.objects.count() == 0


def test_one_at_a_time_for_an_account_and_two_in_all(client, club, page, monkeypatch):
    file = look(client, page)
    assert client.post(page, {"text": PLAYERS}).status_code == 422
    account, places = (file_imports.OF_AN_ACCOUNT, file.owner_id), range(file_imports.MOST_READ)
    for locks in [account], [(file_imports.AT_ONCE, number) for number in places]:
        with other_connection() as other:
            for lock in locks:
                taken = other.execute("SELECT pg_try_advisory_lock(%s, %s)", lock)
                assert taken.fetchone() == (True,)
            file_imports.work(key=file.pk)
            file.refresh_from_db()
            assert (file.state, file.tries) == ("waiting", 0)
    monkeypatch.setattr(file_imports, "MOST_WAITING", 1)
    with pytest.raises(Refusal, match="Too many files"):
        file_imports.receive(kind=FileImport.Kind.ARCHIVE, by=make_user(), pieces=[b"x"])
    file_imports.work(key=file.pk)
    look(client, page, "name\nMai\n")  # In place of the one that was only looked at.


def test_what_is_cancelled_or_forgotten_leaves_nothing(client, club, page):
    told = file_imports._teller(look(client, page))
    assert client.post(page, {"act": "cancel"}).status_code == 302
    assert FilePiece.objects.count() == 0
    with pytest.raises(file_imports._GoneError):
        told(Stage.READING, 1, 0)
    file = look(client, page)
    later = timezone.now() + file_imports.AGAIN
    assert file_imports.sweep() == []
    FileImport.objects.update(since=timezone.now() - 2 * file_imports.AGAIN)
    assert file_imports.sweep() == [file.pk]
    FileImport.objects.update(expires_at=later - datetime.timedelta(days=1))
    assert file_imports.sweep() == []
    assert (FileImport.objects.count(), FilePiece.objects.count()) == (0, 0)


def test_who_cancels_while_it_is_saved_saves_nothing(client, club, page, monkeypatch):
    file = look(client, page)
    file_imports.work(key=file.pk)
    client.post(page, {"act": "save"})
    save = imports.save_players

    def saved(**more: Any) -> Any:
        made = save(**more)
        client.post(page, {"act": "cancel"})
        return made

    monkeypatch.setattr(imports, "save_players", saved)
    file_imports.work(key=file.pk)  # The test's one connection undoes the cancelling with it.
    assert club.players.count() == 0


def test_who_lost_the_role_meanwhile_saves_nothing(client, club, page):
    file = look(client, page)
    file_imports.work(key=file.pk)
    client.post(page, {"act": "save"})
    Membership.objects.filter(club=club).update(role="player")
    file_imports.work(key=file.pk)
    assert (stored(file).state, club.players.count()) == ("failed", 0)


def test_a_file_that_kills_each_worker_is_given_up(client, club, page):
    file = look(client, page)
    FileImport.objects.update(tries=file_imports.MOST_TRIES)
    file_imports.work(key=file.pk)
    assert "failed three times" in client.get(page).content.decode()


def is_free(lock):
    with transaction.atomic(), connection.cursor() as cursor:
        return file_imports._is_free(cursor, lock)


WORKER = "import django, sys; django.setup(); from league.tasks import read_file; read_file({key})"


@pytest.mark.django_db(transaction=True)
def test_a_killed_workers_file_is_taken_up_again_and_saved_once():
    season = make_season()
    club, by = season.club, owner_of(season)
    client = browser_of(by)
    page = path_of(club, "import_players")
    account = (file_imports.OF_AN_ACCOUNT, by.pk)
    file = look(client, page)
    file_imports.work(key=file.pk)
    client.post(page, {"act": "save"})
    environment = os.environ | {
        "TEST_DATABASE": connection.settings_dict["NAME"],
        "DJANGO_SETTINGS_MODULE": "tests.settings",
    }
    with other_connection() as other:
        # The worker has begun to save when it waits for the club.
        other.execute("SELECT FROM league_club WHERE id = %s FOR UPDATE", [club.pk])
        command = [sys.executable, "-c", WORKER.format(key=file.pk)]
        worker = subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment)
        try:
            waits(lambda: FileImport.objects.get().tries == 1)
            assert not is_free(account)
        finally:
            os.kill(worker.pid, signal.SIGKILL)
            worker.wait()
    waits(lambda: is_free(account))
    assert club.players.count() == 0
    FileImport.objects.update(since=timezone.now() - 2 * file_imports.AGAIN)
    for key in file_imports.sweep():
        file_imports.work(key=key)
    assert "2 players added." in client.get(page).content.decode()
    assert club.players.count() == 2


def waits(until: Any) -> None:
    for _time in range(2400):
        if until():
            return
        time.sleep(0.05)
    raise AssertionError("It did not come.")
