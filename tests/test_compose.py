"""docker-compose.yml: there is no engine here, so its text is checked."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.urls import reverse

ROOT = Path(settings.BASE_DIR)
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
OURS = ("migrate", "web", "worker", "simulations", "beat", "backup")


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
    assert service["deploy"]["resources"]["limits"]["memory"]


@pytest.mark.parametrize("name", OURS)
def test_our_processes_have_no_rights_and_write_nowhere(name):
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert re.search(r"^\s*USER 10001:10001$", service["build"]["dockerfile_inline"], re.M)


def test_images_are_pinned_to_a_version_and_only_the_proxy_has_open_ports():
    images = [service["image"] for service in SERVICES.values() if "build" not in service]
    assert [image for image in images if not re.search(r":\d+\.\d+", image)] == []
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]


def test_databases_ask_for_a_password_and_only_our_processes_reach_them():
    assert "--requirepass" in SERVICES["valkey"]["command"]
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


def test_every_variable_that_the_product_gets_is_documented():
    documented = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
    missing = [name for name in SERVICES["web"]["environment"] if f"`{name}`" not in documented]
    assert missing == []


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
