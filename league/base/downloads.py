"""Downloads of many game records, each replayed when it is sent."""

import json
import time
from collections.abc import AsyncIterator, Iterator

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse

from engine.sim import designs
from tables.models import Run
from tables.runs import run_records

MOST_GAMES = 400
MOST_SECONDS = 20.0


def attached(name: str) -> dict[str, str]:
    """Return the headers by which a browser saves an answer under this name."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def json_lines(request: HttpRequest, run: Run, deal: int, name: str) -> StreamingHttpResponse:
    """Return the game records from that deal (counted from 1) on, one per line.

    The response ends after some hundred games or twenty seconds. Its last line has `next_deal`,
    the deal to continue from, or null at the end. Raises `OtherVersion` for a run that cannot be
    replayed.
    """
    count = max(1, MOST_GAMES // designs.games_of_deal(len(run.bots), run.design))
    deals = run_records.finished_deals(run, first_deal=deal - 1, deals=run.deals)[: count + 1]
    # From here on no query is needed, so any thread may continue.
    lines = _lines(run_records.RunGames(run, deals), deals, count)
    content = _in_threads(lines) if isinstance(request, ASGIRequest) else lines
    kind = "application/x-ndjson"
    return StreamingHttpResponse(content, content_type=kind, headers=attached(name))


def _lines(games: run_records.RunGames, deals: list[int], count: int) -> Iterator[bytes]:
    end = time.monotonic() + MOST_SECONDS
    sent = 0
    while sent < min(count, len(deals)) and (not sent or time.monotonic() < end):
        for record in games.of_deal(deals[sent]):
            yield _line(record)
        sent += 1
    yield _line({"next_deal": deals[sent] + 1 if sent < len(deals) else None})


def _line(value: dict[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


async def _in_threads(lines: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the lines, each computed in a thread, so that the server can answer others."""

    def following() -> bytes:
        return next(lines, b"")

    while line := await sync_to_async(following, thread_sensitive=False)():
        yield line
