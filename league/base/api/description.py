"""The parts of the OpenAPI description that all operations share."""

import re
from collections.abc import Mapping
from typing import Any

from django.urls import resolve

from tables.api.problems import MEDIA_TYPE

REFUSALS = {
    "400": "What was sent is wrong: messages by field, or as `detail`.",
    "401": "The token is not valid, or this needs one.",
    "403": "The token's account may not do this, or the token lacks the scope.",
    "404": "There is nothing there, or nothing that you may see.",
    "405": "This address does not know the method.",
    "406": "The answer comes as JSON only.",
    "409": "Somebody else changed the same thing first: read it again. Or the key was used before.",
    "412": "What is there is not what `If-Match` names.",
    "415": "Send JSON.",
    "422": "The rules, or the state of the table, do not allow it.",
    "429": "Too many requests: wait as long as `Retry-After` says.",
}
OF_CHANGES = ("409", "412", "415", "422")
PROBLEM = {
    "type": "object",
    "description": (
        "Problem details (RFC 9457). Beside its members stand messages by field; `detail` is about "
        "the whole. `type` never changes; `errors` has every message with what it points at."
    ),
    "properties": {
        "type": {"type": "string", "example": "urn:tienlen:problem:conflict"},
        "title": {"description": "The status in words."},
        "status": {"description": "The status as a number."},
        "instance": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"pointer": {"type": "string"}, "detail": {"type": "string"}},
                "required": ["pointer", "detail"],
            },
        },
    },
    "required": ["type"],
    "additionalProperties": {"description": "A text, or a list of texts, or the same by place."},
}
KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
    "description": "A key of your own: the same request again does nothing twice, for a day.",
}
MATCH = {
    "in": "header",
    "name": "If-Match",
    "schema": {"type": "string"},
    "description": "The `ETag` of what you read here: where it has changed since, nothing is done.",
}


def with_manners(result: dict[str, Any], **context: Any) -> dict[str, Any]:
    """Return the description with each operation's ID, shared headers and refusals added."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = PROBLEM
    schemas = result["components"]["schemas"]
    for path, methods in result["paths"].items():
        # A path's URL name stays the same if its view is renamed.
        found = resolve(re.sub(r"\{\w+\}", "1", path))
        name = found.url_name if found.namespace == "api" else f"{found.namespace}_{found.url_name}"
        for method, operation in methods.items():
            operation["operationId"] = f"{name}_{method}"
            own = operation.setdefault("parameters", [])
            if method == "get":
                _limit(own, found.func.cls.filters)  # type: ignore[attr-defined]
            else:  # A change takes no filters.
                own[:] = [one for one in own if one["in"] != "query"]
                own += [KEY, MATCH] if method == "post" else [MATCH]
            _refuse(operation, method)
            for body in operation.get("requestBody", {}).get("content", {}).values():
                _close(body["schema"], schemas, set())
    for schema in schemas.values():
        is_sent = schema.get("additionalProperties") is False
        for field in schema.get("properties", {}).values():
            # Fields that may not be sent blank may be blank in answers, and by default.
            if field.get("minLength") == 1 and (not is_sent or field.get("default") == ""):
                del field["minLength"]
    return result


def _limit(described: list[dict[str, Any]], filters: Mapping[str, Any]) -> None:
    """Say in the description of numeric filters how small and how large they may be."""
    for one in described:
        for word, limit in (("minimum", "min_value"), ("maximum", "max_value")):
            if (most := getattr(filters.get(one["name"]), limit, None)) is not None:
                one["schema"] = one["schema"] | {word: most}


def _close(part: Any, schemas: dict[str, Any], seen: set[str]) -> None:
    """Say in a request's schema, and in those within it, that unknown fields are refused."""
    if isinstance(part, list):
        for one in part:
            _close(one, schemas, seen)
    if not isinstance(part, dict):
        return
    name = str(part.get("$ref", "")).rpartition("/")[2]
    if name and name not in seen:
        _close(schemas[name], schemas, seen | {name})
    if "properties" in part:
        part.setdefault("additionalProperties", False)
    for one in part.values():
        _close(one, schemas, seen)


def _refuse(operation: dict[str, Any], method: str) -> None:
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for status, text in REFUSALS.items():
        if method != "get" or status not in OF_CHANGES:
            operation["responses"].setdefault(status, {"description": text, "content": content})
    for status, answer in operation["responses"].items():
        if int(status) >= 400 and "application/json" in answer.get("content", {}):
            answer["content"] = {MEDIA_TYPE: answer["content"]["application/json"]}
