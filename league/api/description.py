"""What the OpenAPI description says of every address beside its own answer: how it refuses."""

from __future__ import annotations

from typing import Any

REFUSALS = {
    "400": "What was sent is wrong: messages by field, or as `detail`.",
    "401": "The token is not valid, or this needs one.",
    "403": "The token's account may not do this.",
    "404": "There is nothing there, or nothing that you may see.",
    "405": "This address does not know the method.",
    "406": "The answer comes as JSON only.",
    "409": "Somebody else changed the same thing first: read it again.",
    "415": "Send JSON.",
    "422": "The rules, or the state of the table, do not allow it.",
    "429": "Too many requests: wait as long as `Retry-After` says.",
}
PROBLEM = {
    "type": "object",
    "description": "Messages by field; `detail` is about the whole.",
    "additionalProperties": {"description": "A text, or a list of texts, or the same by place."},
}


def with_refusals(result: dict[str, Any], **context: Any) -> dict[str, Any]:
    """The description with every refusal that may come."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = PROBLEM
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for methods in result["paths"].values():
        for method, operation in methods.items():
            for status, text in REFUSALS.items():
                if method == "get" and status in ("409", "415", "422"):
                    continue
                answer = {"description": text, "content": content}
                operation["responses"].setdefault(status, answer)
    return result
