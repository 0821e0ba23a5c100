"""What an operator sees: log lines with the work they belong to, and figures for Prometheus."""

import io
import json
import logging
import os
import queue
import socket
import subprocess
import sys
import threading
import time

import pytest
from django.conf import settings

from config import collector, environment, logs, metrics
from engine.rules import ruleset
from tables.live import stream
from tables.models import Run
from tables.runs import runs
from tests.factories import make_table, secret_of
from tests.league.news.receiver import receiver
from tests.tables import live

pytestmark = pytest.mark.django_db


@pytest.fixture
def lines():
    """Everything that is logged, as it is written with LOG_FORMAT=json."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(logs.JsonLines())
    handler.addFilter(logs.Context())
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    root.removeHandler(handler)
    root.setLevel(before)


def test_every_answer_has_an_id_that_its_log_lines_have_too(client, lines):
    answer = client.get("/clubs/no-such-club/")
    found = [line for line in lines() if line["logger"] in ("requests", "django.request")]
    assert {line["work"] for line in found} == {answer["X-Request-ID"]}
    (own,) = [line for line in found if line["logger"] == "requests"]
    assert own | {"seconds": 0, "time": "", "message": ""} == {
        "time": "", "level": "INFO", "logger": "requests", "work": answer["X-Request-ID"],
        "message": "", "method": "GET", "route": "/clubs/<slug:slug>/", "status": 404, "seconds": 0,
    }  # fmt: skip


def test_an_id_is_taken_over_from_a_trusted_proxy_alone(client, settings):
    given = {"X-Request-ID": "from-the-proxy-1"}
    settings.TRUSTED_PROXIES = 0
    assert client.get("/health/", headers=given)["X-Request-ID"] != "from-the-proxy-1"
    settings.TRUSTED_PROXIES = 1
    assert client.get("/health/", headers=given)["X-Request-ID"] == "from-the-proxy-1"
    odd = {"X-Request-ID": "<script>\n"}
    assert client.get("/health/", headers=odd)["X-Request-ID"].isalnum()


def test_no_log_line_has_a_secret_link_or_a_guests_chair(client, lines):
    secret = secret_of(make_table())
    table = live.open_table(people=1)
    for address in (f"/t/{secret}/", f"/clubs/t/{secret}/", f"/tables/{table.key}/chair/{secret}/"):
        client.get(address)
        client.post(address, {"nonsense": "1"})
    assert secret not in json.dumps(lines())
    assert len(lines()) >= 6


def test_an_error_is_logged_in_one_line_with_its_trace(lines):
    try:
        raise RuntimeError("broken\nin two lines")
    except RuntimeError:
        logging.getLogger("x").exception("Table %s cannot go on", 7, extra={"table": 7})
    (line,) = lines()
    assert (line["message"], line["table"]) == ("Table 7 cannot go on", 7)
    assert line["error"].endswith("RuntimeError: broken\nin two lines")


@pytest.mark.parametrize("given", ["", "Bearer ", "Bearer wrong", "Bearer \ud800"])
def test_metrics_are_there_for_who_brings_the_token_alone(client, settings, given):
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics/", headers={"Authorization": given}).status_code == 404
    settings.METRICS_TOKEN = "long enough"
    assert client.get("/metrics/", headers={"Authorization": given}).status_code == 404


def figures(client, settings) -> dict[str, float]:
    settings.METRICS_TOKEN = "long enough"
    answer = client.get("/metrics/", headers={"Authorization": "Bearer long enough"})
    assert answer.status_code == 200
    lines = [line for line in answer.content.decode().splitlines() if line[:1] != "#"]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def test_metrics_count_what_people_do(client, settings):
    table = live.dealt(people=4)
    before = figures(client, settings)
    live.play_on(table, moves=5)
    client.get("/")
    after = figures(client, settings)
    assert after["tienlen_actions_total"] - before["tienlen_actions_total"] >= 5
    assert after['tienlen_tables{status="playing"}'] >= 1
    home = 'tienlen_request_seconds_count{method="GET",route="/",status="200"}'
    assert after[home] == before.get(home, 0) + 1
    assert after["tienlen_database_up"] == after["tienlen_broker_up"] == 1
    assert {name for name in after if "queue" in name} == {
        f'tienlen_queue_messages{{queue="{queue}"}}'
        for queue in ("live", "default", "mail", "quick", "sim", "slow")
    }


def test_metrics_tell_how_many_seconds_of_work_wait(client, settings):
    """By it workers scale: twelve blocks of four seconds, then eleven as long as the one took."""
    run = runs.start_run(
        ruleset=ruleset.preset("thirteen"), bots=["lowest", "random"], deals=12, deals_per_unit=1
    )
    assert figures(client, settings)["tienlen_work_waiting_seconds"] == 12 * 4
    while not run.units.filter(state="done").exists():
        assert runs.play_next()
    waiting = run.units.filter(state="waiting").count()
    Run.objects.update(spent=30_000)
    assert figures(client, settings)["tienlen_work_waiting_seconds"] == waiting * 30 > 0
    runs.cancel_run(run_id=run.pk)
    assert figures(client, settings)["tienlen_work_waiting_seconds"] == 0


def test_metrics_say_that_the_broker_is_away(client, settings):
    settings.REDIS_URL = "unix:///nowhere.sock"
    assert figures(client, settings)["tienlen_broker_up"] == 0


def test_metrics_cost_a_fixed_number_of_queries(client, settings, django_assert_num_queries):
    with django_assert_num_queries(9):
        figures(client, settings)


def test_no_address_becomes_a_label(client, settings):
    client.get("/clubs/some-club-nobody-has/")
    client.get("/nowhere/at/all/")
    assert not [name for name in figures(client, settings) if "nobody" in name or "nowhere" in name]
    assert metrics.METHODS[0] == "GET"


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (lambda: environment.flag("SETTING"), "maybe"),
        (lambda: environment.number("SETTING", 1, 1, 10), "11"),
        (lambda: environment.number("SETTING", 1, 1, 10), "-1"),
        (lambda: environment.number("SETTING", 1, 1, 10), "9" * 5000),
        (lambda: environment.choice("SETTING", "line", "json"), "xml"),
        (lambda: environment.address("SETTING", "postgres"), "mysql://u:secret@h/x"),
        (lambda: environment.address("SETTING", "postgres"), "postgres://u:secret@h:port/x"),
        (lambda: environment.address("SETTING", "postgres"), "secret"),
    ],
)
def test_a_setting_that_cannot_be_used_ends_the_start_with_a_sentence(monkeypatch, read, value):
    monkeypatch.setenv("SETTING", value)
    with pytest.raises(SystemExit, match=r"^SETTING cannot be used: ") as end:
        read()
    assert "secret" not in str(end.value)


def test_settings_that_are_not_set_have_their_default(monkeypatch):
    monkeypatch.setenv("SETTING", " ")
    assert environment.number("SETTING", 8, 2, 100) == 8
    assert environment.choice("SETTING", "line", "json") == "line"
    assert (environment.flag("SETTING"), environment.address("SETTING", "redis")) == (False, "")


def test_who_listens_may_have_a_line_of_its_own(settings):
    settings.DATABASE_LISTEN_URL = "postgres://u@direct:5432/club"
    assert stream.conninfo() == "postgres://u@direct:5432/club"
    settings.DATABASE_LISTEN_URL = ""
    assert "direct" not in stream.conninfo()


def test_metrics_tell_the_age_and_size_of_the_newest_backup(client, settings, tmp_path):
    settings.BACKUPS = tmp_path / "none"
    assert not [name for name in figures(client, settings) if "backup" in name]
    settings.BACKUPS = tmp_path
    for age, size in ((7200, 10), (600, 20)):
        file = tmp_path / f"nightly-{size}.dump"
        file.write_bytes(b"x" * size)
        os.utime(file, (time.time() - age, time.time() - age))
    (tmp_path / "lost.dump").symlink_to("lost.dump")
    found = figures(client, settings)
    assert 600 <= found["tienlen_backup_age_seconds"] < 700
    assert found["tienlen_backup_bytes"] == 20
    assert "tienlen_backup_proof_failed" not in found
    proof = {"file": "nightly-20.dump", "at": "2015-11-20T18:00:00+00:00", "seconds": 1.5}
    (tmp_path / "proof.json").write_text(json.dumps(proof | {"problem": "verify found it wrong"}))
    found = figures(client, settings)
    assert found["tienlen_backup_proof_failed"] == 1
    assert found["tienlen_backup_proof_age_seconds"] > 0


def test_errors_reach_a_collector_and_take_nobodys_words_along():
    """OTLP over http, as a local receiver gets it; one that answers no more delays nobody."""
    own = logging.Logger("league.odd")
    with receiver() as collects:
        address = collects.address.partition("hook")[0] + "otlp/"
        own.addHandler(handler := collector.Collector(address, ["Authorization=Bearer x=1"]))
        own.warning("nothing is wrong with %s", "Lan")
        try:
            raise ValueError("Lan owes Hùng")
        except ValueError:
            own.exception("Entry of %s failed.", "Lan")
        assert collects.came.wait(20)
    [(headers, body)] = collects.got
    (logs_of,) = json.loads(body)["resourceLogs"]
    (record,) = logs_of["scopeLogs"][0]["logRecords"]
    details = {one["key"]: one["value"]["stringValue"] for one in record["attributes"]}
    assert (headers["path"], headers["authorization"]) == ("/otlp/v1/logs", "Bearer x=1")
    assert record["body"] == {"stringValue": "Entry of %s failed."}
    assert details["exception.type"] == "builtins.ValueError"
    assert "test_operations.py" in details["exception.stacktrace"]
    assert "Lan" not in body.decode()
    for _more in range(collector.MOST_WAITING + 60):
        own.error("nobody listens")
    handler._waiting = queue.Queue()


def test_a_collector_that_speaks_no_http_is_asked_again():
    """The port of OTLP's other protocol ended the thread that sends."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            with listening.accept()[0] as line:
                line.recv(65536)
                line.sendall(b"\0\0\0\4\0 is no line of http\r\n\r\n")

        answering = threading.Thread(target=answer, daemon=True)
        answering.start()
        port = listening.getsockname()[1]
        assert not collector.Collector(f"http://127.0.0.1:{port}", [])._send([])
        answering.join()


def test_there_is_a_collector_only_where_one_is_named():
    """As each start of Django sets up its log, without the rest of the start."""
    program = "import logging; from django.conf import settings; from django.utils import log;"
    program += "log.configure_logging(settings.LOGGING_CONFIG, settings.LOGGING);"
    program += "print([type(h).__name__ for h in logging.getLogger().handlers])"
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    for more, handlers in (
        ({}, ["StreamHandler"]),
        ({"OTLP_URL": "http://127.0.0.1:4318"}, ["StreamHandler", "Collector"]),
    ):
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=settings.BASE_DIR, env=environment | more,
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stdout.strip() == str(handlers)


def test_sweeps_that_were_quick_and_went_well_stand_in_no_log(lines):
    """Celery's own lines, with the arguments that it gives them."""
    swept = {"name": "league.sweep_news", "id": "1", "return_value": "None"}
    played = {"name": "tables.play_unit", "id": "2", "return_value": "None"}
    done = "Task %(name)s[%(id)s] succeeded in %(runtime)ss: %(return_value)s"
    worker, received = (logging.getLogger(f"celery.{n}") for n in ("app.trace", "worker.strategy"))
    received.info("Task %(name)s[%(id)s] received", swept)
    worker.info(done, swept | {"runtime": 0.2})
    worker.info(done, swept | {"runtime": 12.0})
    worker.info(done, played | {"runtime": 0.2})
    worker.error("Task %(name)s[%(id)s] raised", swept)
    found = [line["message"] for line in lines()]
    assert found == [
        "Task league.sweep_news[1] succeeded in 12.0s: None",
        "Task tables.play_unit[2] succeeded in 0.2s: None",
        "Task league.sweep_news[1] raised",
    ]
