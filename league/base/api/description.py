"""The parts of the OpenAPI description that all operations share."""

import re
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
    for path, methods in result["paths"].items():
        # A path's URL name stays the same if its view is renamed.
        found = resolve(re.sub(r"\{\w+\}", "1", path))
        name = found.url_name if found.namespace == "api" else f"{found.namespace}_{found.url_name}"
        for method, operation in methods.items():
            operation["operationId"] = f"{name}_{method}"
            if method != "get":
                own = operation.setdefault("parameters", [])
                own += [KEY, MATCH] if method == "post" else [MATCH]
            _refuse(operation, method)
    return result


def _refuse(operation: dict[str, Any], method: str) -> None:
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for status, text in REFUSALS.items():
        if method != "get" or status not in OF_CHANGES:
            operation["responses"].setdefault(status, {"description": text, "content": content})
    for status, answer in operation["responses"].items():
        if int(status) >= 400 and "application/json" in answer.get("content", {}):
            answer["content"] = {MEDIA_TYPE: answer["content"]["application/json"]}
