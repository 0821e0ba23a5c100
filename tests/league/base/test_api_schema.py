"""Every method of the API with cases made from its own description: it keeps what it promises.

The cases are the same in every run; `script/test --long` tries many more.
"""

import functools
import json
import re
from typing import Any

import pytest
import requests
import schemathesis
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from schemathesis.checks import load_all_checks, not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from league.base.acts import tokens

pytestmark = pytest.mark.django_db

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
DESCRIBED = ("If-Match", "Idempotency-Key")


@functools.cache
def schema() -> Any:
    load_all_checks()
    return schemathesis.openapi.from_dict(SchemaGenerator().get_schema(public=True))


@functools.cache
def operations() -> dict[str, Any]:
    """Return the methods by their labels."""
    return {found.ok().label: found.ok() for found in schema().get_all_operations()}


def real(world: dict[str, Any], label: str, name: str) -> Any:
    """A value for that place of the address at which there is something."""
    kind = next(k for k in ("players", "seasons", "events", "tokens", "") if k in label)
    keys = {"players": world["player"].pk, "seasons": world["season"].pk, "": 1}
    return world["club"].slug if name == "slug" else keys.get(kind, world["event"].pk)


class Answer:
    """A request by Django's test client, whose answer schemathesis checks."""

    def __init__(self, headers: dict[str, str]) -> None:
        self.cases = 0
        self.client = Client(headers=headers)
        self.client.raise_request_exception = False

    def to(self, case: Any) -> Any:
        self.cases += 1
        sent = requests.Request(**case.as_transport_kwargs(base_url="http://testserver")).prepare()
        assert sent.path_url.startswith("/api/")
        body = sent.body if sent.body is not None else b""
        response = self.client.generic(
            sent.method,
            sent.path_url,
            body.encode() if isinstance(body, str) else body,
            content_type=sent.headers.get("Content-Type", "application/octet-stream"),
            headers={name: sent.headers[name] for name in DESCRIBED if name in sent.headers},
        )
        return schemathesis.Response(
            status_code=response.status_code,
            headers={name.lower(): [value] for name, value in response.headers.items()},
            content=response.getvalue(),
            request=sent,
            elapsed=0.0,
            verify=False,
        )


@pytest.mark.limit(3600, reason="tens of thousands of requests with --long")
@pytest.mark.parametrize("who", ["stranger", "token of an organiser"])
def test_every_method_keeps_its_description(world, who, request, capsys):
    is_long = request.config.getoption("--long")
    examples = 100 if is_long else 2
    headers = {}
    if who != "stranger":
        examples *= 2  # A stranger is refused before most of it is read.
        _token, secret = tokens.create_token(user=world["visitors"]["organiser"], name="x")
        headers["Authorization"] = f"Bearer {secret}"
    client, problems = Answer(headers), []
    for label in operations():
        try:
            _try_out(client, world, label, examples, same=not is_long)
        except (Exception, BaseExceptionGroup) as error:
            problems.append(f"{label}: {_said(error)}")
    with capsys.disabled():
        print(f"\nAPI as {who}: {client.cases} cases of {len(operations())} methods")
    assert problems == []


def _try_out(
    client: Answer, world: dict[str, Any], label: str, examples: int, *, same: bool
) -> None:
    """Send so many requests to a method, the `same` each time or new ones."""

    @settings(
        max_examples=examples,
        derandomize=same,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operations()[label].as_strategy(), there=st.booleans())
    def run(case: Any, there: bool) -> None:
        if there and case.path_parameters:
            for name in case.path_parameters:
                case.path_parameters[name] = real(world, label, name)
        cache.clear()
        with transaction.atomic():
            response = client.to(case)
            connection.check_constraints()
            transaction.set_rollback(True)
        case.validate_response(response, checks=CHECKS)

    run()


def _said(error: BaseException) -> str:
    """The innermost messages of what was found."""
    if isinstance(error, BaseExceptionGroup):
        return " | ".join(_said(inner) for inner in error.exceptions)
    return f"{type(error).__name__}: {error}"[:600]


def parts(part: Any) -> list[dict[str, Any]]:
    """Return every object within a schema, the outer ones first."""
    if isinstance(part, list):
        return [found for one in part for found in parts(one)]
    if not isinstance(part, dict):
        return []
    return [part, *(found for one in part.values() for found in parts(one))]


def wrong_values(whole: dict[str, Any]) -> list[str]:
    """Return the defaults and the examples of requests that their own schemas refuse."""
    said = [(part["default"], part) for part in parts(whole) if {"default", "type"} <= part.keys()]
    for part in parts(whole):
        for body in part.get("requestBody", {}).get("content", {}).values():
            shown = body.get("examples", {}).values()
            said += [(example["value"], body["schema"]) for example in shown]
    rules = {"components": strict(whole["components"])}
    return [
        f"{value!r}: {error.message}"
        for value, part in said
        for error in Draft202012Validator(strict(part) | rules).iter_errors(value)
    ]


def strict(part: Any) -> Any:
    """Return a schema of OpenAPI 3.0 as one of JSON, in which null is a type."""
    if isinstance(part, list):
        return [strict(one) for one in part]
    if not isinstance(part, dict):
        return part
    found = {name: strict(one) for name, one in part.items()}
    return {"anyOf": [found, {"type": "null"}]} if part.get("nullable") is True else found


def test_a_strict_validator_accepts_the_schema():
    whole = SchemaGenerator().get_schema(request=None, public=True)
    validate_schema(whole)
    assert wrong_values(json.loads(json.dumps(whole, default=str))) == []


@pytest.mark.parametrize("size", ["-5", "0", "true", "abc", "1.5", "²"])
def test_page_sizes_that_make_no_sense_are_refused(world, size):
    _token, secret = tokens.create_token(user=world["visitors"]["organiser"], name="x")
    client = Client(headers={"Authorization": f"Bearer {secret}"})
    path = f"/api/v1/clubs/{world['club'].slug}/players/"
    answer = client.get(path, {"page_size": size})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "#/page_size")
    assert client.get(path, {"page_size": "1000"}).status_code == 200


def test_the_schema_says_that_unknown_fields_are_refused():
    whole = SchemaGenerator().get_schema(request=None, public=True)
    schemas = whole["components"]["schemas"]
    bodies = [
        body["schema"]["$ref"].rpartition("/")[2]
        for methods in whole["paths"].values()
        for operation in methods.values()
        for body in operation.get("requestBody", {}).get("content", {}).values()
        if "$ref" in body["schema"]
    ]
    wide = {name for name in bodies if schemas[name].get("additionalProperties") is not False}
    assert wide == set()
    assert len(bodies) > 20


def test_the_schema_says_what_a_filter_and_a_field_take():
    whole = SchemaGenerator().get_schema(request=None, public=True)
    schemas, events = whole["components"]["schemas"], "/api/v1/clubs/{slug}/events/"
    asked = {one["name"]: one["schema"] for one in whole["paths"][events]["get"]["parameters"]}
    assert (asked["season"]["minimum"], asked["season"]["maximum"]) == (1, 2**31 - 1)
    assert (asked["page_size"]["minimum"], asked["page_size"]["maximum"]) == (1, 200)
    sent = whole["paths"]["/api/v1/clubs/"]["post"]["parameters"]
    assert {one["in"] for one in sent} == {"header"}
    assert schemas["EventIn"]["properties"]["name"]["minLength"] == 1
    clock = schemas["EventIn"]["properties"]["starts_at"]["pattern"]
    assert [bool(re.search(clock, text)) for text in ("19:30", "19:30:00", "", "24:00")] == [
        True, True, False, False,
    ]  # fmt: skip
