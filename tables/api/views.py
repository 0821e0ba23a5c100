"""API views of tables: the caller's tables, one table, its moves, challenges to bots."""

import json
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from engine import records
from engine.rules import ruleset as engine_ruleset
from engine.rules.actions import SeatAction
from engine.rules.errors import RecordError
from tables.api import serializers as s
from tables.api.base import NDJSON, PlayView
from tables.base import rulesets
from tables.base.lookup import or_404, or_raise
from tables.bots.acts import challenges
from tables.chairs.acts import arrangements, seats
from tables.chairs.facts import seated
from tables.models import BotAccount, Seat, Table
from tables.play.acts import fast_move, games
from tables.play.facts import positions
from tables.play.pages import chairs, feeds
from tables.refusals import Refusal, TableRefusal
from tables.reviews.acts import entered, making
from tables.reviews.facts import reviews
from tables.web import limits
from tables.web.access import must_see, name_of, place_of
from tables.web.forms import SeatNameField
from tables.web.sent import DOES, sent_action, take_trade_step

REFUSALS = {
    403: OpenApiResponse(s.RefusedOut, "You do not sit there."),
    409: OpenApiResponse(s.RefusedOut, "The table has moved on; here it is as it is now."),
    422: OpenApiResponse(s.RefusedOut, "The rules or the table refuse it, with the reason."),
}
LINES = OpenApiResponse(str, "One JSON object a line; empty lines show that the line is open.")


class OwnTables(PlayView):
    @extend_schema(responses=s.OwnOut)
    def get(self, request: Request) -> Response:
        """Return the tables where you sit and the open challenges to your bot."""
        return Response(feeds.own_tables(request.user), headers={"Cache-Control": "no-store"})

    @extend_schema(request=s.OpenIn, responses={201: s.TableOut, 422: s.RefusedOut})
    def post(self, request: Request) -> Response:
        """Open a table and take seat 0; with `bots`, fill the other seats and deal.

        It is for play money, like every table outside a club.
        """
        data = self.checked(s.OpenIn)
        limits.check(request, "open")
        name = _name(data)
        rules = _ruleset(data)
        with transaction.atomic():
            table = seats.open_table(
                ruleset=rules, players=data["players"], move_seconds=data["move_seconds"]
            )
            _sit(request, table, 0, name)
            if data["bots"]:
                seats.fill_with_bots(table_id=table.pk, bot=data["bots"])
                games.deal_next(table_id=table.pk)
        self.key = table.key
        return self.fresh(201)


class OwnStream(PlayView):
    @extend_schema(responses={(200, NDJSON): LINES})
    def get(self, request: Request) -> HttpResponse:
        """Stream your tables and challenges: a line whenever you get a seat or a challenge."""
        return _one_line(feeds.own_tables(request.user))


class TableDetail(PlayView):
    @extend_schema(responses=s.TableOut)
    def get(self, request: Request, key: str) -> Response:
        """Return the table as your seat may see it, or as a spectator if you have no seat."""
        return self.fresh()


class TableStream(PlayView):
    @extend_schema(responses={(200, NDJSON): LINES})
    def get(self, request: Request, key: str) -> HttpResponse:
        """Stream the table: a line now and after every change, until the table closes."""
        return _one_line(self.feed())


class Rules(PlayView):
    @extend_schema(responses=dict)
    def get(self, request: Request, key: str) -> Response:
        """Return the table's rules as data (docs/records.md)."""
        return Response(self.table().ruleset.body)


class Moves(PlayView):
    client_id_is_key = False  # The game's log stores the `client_id` and detects repeats.

    @extend_schema(
        request=s.MoveIn,
        responses={200: s.TableOut} | REFUSALS,
        examples=[
            OpenApiExample(
                "A pair", {"action": "3S 3C", "version": 12, "client_id": "move-1"},
                request_only=True,
            ),
            OpenApiExample(
                "A pass", {"action": "pass", "version": 14, "client_id": "move-2"},
                request_only=True,
            ),
        ],
    )  # fmt: skip
    def post(self, request: Request, key: str) -> Response:
        """Play, pass, ask, give or return; a repeated `client_id` acts once."""
        try:
            position, seat = place_of(key, user=request.user)
            move = self._move(seat)
            moved = fast_move.take(position, seat, **move)
        except Exception:
            super().check_throttles(request)
            raise
        if moved is None:
            super().check_throttles(request)
            moved = positions.of(games.act(table_id=position.table.pk, seat_id=seat.pk, **move))
        return self.fresh(position=moved)

    def check_throttles(self, request: Request) -> None:
        """Skip the throttles: turns limit moves, so `post` counts every other request itself."""

    def _move(self, seat: Seat) -> dict[str, Any]:
        data = self.checked(s.MoveIn)
        return {
            "expected": data["version"],
            "client_id": data["client_id"],
            "action": _action(data["action"], seat.no),
        }


class DeclareInstantWin(PlayView):
    @extend_schema(request=s.AnswerIn, responses={200: s.TableOut} | REFUSALS)
    def post(self, request: Request, key: str) -> Response:
        """Declare an instant win or decline, in private; no answer means no."""
        seat, data = self.seated(self.table()), self.checked(s.AnswerIn)
        games.answer(table_id=seat.table_id, seat_id=seat.pk, declare=data["declare"])
        return self.fresh()


class Trade(PlayView):
    client_id_is_key = False  # The game's log stores the `client_id` and detects repeats.

    @extend_schema(request=s.TradeIn, responses={200: s.TableOut} | REFUSALS)
    def post(self, request: Request, key: str) -> Response:
        """Offer cards, answer an offer, agree to it, end it, or finish trading."""
        table = self.table()
        who = {"table_id": table.pk, "seat_id": self.seated(table).pk}
        data = self.checked(s.TradeIn)
        take_trade_step(
            who,
            data["do"],
            data.get("offer"),
            to=data.get("to"),
            cards=data["cards"],
            want=data.get("want"),
            client_id=data["client_id"],
        )
        return self.fresh()


class Hints(PlayView):
    @extend_schema(responses=s.HintsOut)
    def get(self, request: Request, key: str) -> Response:
        """Return every play you may make now; empty when it is not your turn."""
        position = positions.of(self.table())
        seat = position.find(user=request.user)
        plays = chairs.hints(position, seat) if seat else []
        return Response({"plays": plays}, headers={"Cache-Control": "no-store"})


class GameReview(PlayView):
    @extend_schema(responses=s.ReviewOut)
    def get(self, request: Request, key: str, number: int) -> Response:
        """Return what the judge found in a finished game; the first who asks has it made."""
        table = self.table()
        must_see(table, self.seat(table), user=request.user)
        game = get_object_or_404(table.games, no=number)
        game.table = table
        found = or_404(reviews.seen_review(game, user=request.user))
        making.ask(game=game)
        return Response(s.ReviewOut(found).data, headers={"Cache-Control": "no-store"})


class RecordReview(PlayView):
    @extend_schema(request=s.RecordIn, responses={200: s.ReviewOut, 422: s.RefusedOut})
    def post(self, request: Request) -> Response:
        """Return what the judge found in a game that you have, such as your bot's; ask again."""
        data = self.checked(s.RecordIn)
        try:
            record = records.parse(json.dumps(data["record"]))
            key = entered.key_of(record, data["seat"])
        except RecordError as error:
            text = gettext(error.template)
            said = [error.at, text % error.params if error.params else text]
            raise Refusal(": ".join(filter(None, said)), "wrong_record", status=422) from None
        if entered.find(key) is None:
            limits.check(request, "import", f"user-{request.user.pk}")
            entered.ask(record=record, seat=data["seat"])
        found = or_404(entered.find(key))
        body = s.ReviewOut(reviews.seen(found.review, [found.seat])).data
        return Response(body, headers={"Cache-Control": "no-store"})


class Sit(PlayView):
    @extend_schema(request=s.SitIn, responses={200: s.TableOut} | REFUSALS)
    def post(self, request: Request, key: str) -> Response:
        """Take an empty seat, or between games a house bot's."""
        table, data = self.table(), self.checked(s.SitIn)
        if self.seat(table):
            raise TableRefusal("sits_already")
        limits.check(request, "sit")
        _sit(request, table, data["seat"], _name(data))
        return self.fresh()


class Bots(PlayView):
    @extend_schema(request=None, responses={200: s.TableOut} | REFUSALS)
    def post(self, request: Request, key: str) -> Response:
        """Fill the empty seats with house bots and deal; only the longest-seated player may."""
        seat = self.seated(self.table())
        seats.fill_with_bots(table_id=seat.table_id, by=seat.pk)
        if arrangements.say_ready(seat_id=seat.pk):
            games.deal_asked(table_id=seat.table_id)
        return self.fresh()


class Deal(PlayView):
    @extend_schema(request=s.DealIn, responses={200: s.TableOut} | REFUSALS)
    def post(self, request: Request, key: str) -> Response:
        """Ask for the next game, dealt once all have asked; before the first, say you are ready."""
        seat, data = self.seated(self.table()), self.checked(s.DealIn)
        if arrangements.say_ready(seat_id=seat.pk):
            games.deal_asked(table_id=seat.table_id, expected=data["version"])
        return self.fresh()


class TakePart(PlayView):
    @extend_schema(request=s.MixIn, responses={200: s.MixOut} | REFUSALS)
    def post(self, request: Request, key: str) -> Response:
        """Take your part in the next deal, and return its state (docs/live-tables.md)."""
        table, data = self.table(), self.checked(s.MixIn)
        found = games.take_part(
            table_id=table.pk,
            seat_id=self.seated(table).pk,
            link=data.get("link", ""),
            game_no=data["game"],
            part=data.get("part", ""),
        )
        return Response(found._asdict(), headers={"Cache-Control": "no-store"})


class Leave(PlayView):
    @extend_schema(request=None, responses={200: s.TableOut} | REFUSALS)
    def post(self, request: Request, key: str) -> Response:
        """Get up after the game; at a table of a round, a house bot plays for you."""
        table = self.table()
        games.leave(table=table, seat_id=self.seated(table).pk)
        return self.fresh()


class Stay(PlayView):
    @extend_schema(request=None, responses={200: s.TableOut} | REFUSALS)
    def post(self, request: Request, key: str) -> Response:
        """Take your seat back from the autopilot, and cancel leaving."""
        games.stay(seat_id=self.seated(self.table()).pk)
        return self.fresh()


class ChallengeBot(PlayView):
    @extend_schema(request=s.ChallengeIn, responses={200: s.TableOut} | REFUSALS)
    def post(self, request: Request, key: str) -> Response:
        """Invite someone's bot to a free seat."""
        seat, data = self.seated(self.table()), self.checked(s.ChallengeIn)
        challenges.challenge(table_id=seat.table_id, seat_id=seat.pk, name=data["bot"])
        return self.fresh()


class AnswerChallenge(PlayView):
    token_scope = "arena"

    @extend_schema(request=s.AcceptIn, responses={200: s.OwnOut, 404: s.RefusedOut})
    def post(self, request: Request, pk: int) -> Response:
        """Accept or decline a challenge to your bot; accepting takes a seat."""
        data = self.checked(s.AcceptIn)
        challenges.answer(challenge_id=pk, user=request.user, accept=data["accept"])
        return Response(feeds.own_tables(request.user))


class OwnBot(PlayView):
    token_scope = "arena"

    @extend_schema(responses={200: s.BotOut, 404: OpenApiResponse(description="A person's.")})
    def get(self, request: Request) -> Response:
        """Return the bot of this account; 404 if no program plays for it."""
        found = or_raise(
            BotAccount.objects.filter(user=request.user.pk).first(),
            TableRefusal("no_such_bot", status=404),
        )
        return Response(s.BotOut(found).data)

    @extend_schema(request=s.BotIn, responses={200: s.BotOut, 409: s.RefusedOut})
    def put(self, request: Request) -> Response:
        """Register a program as this account's player; everyone at its tables sees that."""
        data = self.checked(s.BotIn)
        return Response(s.BotOut(challenges.register_bot(user=request.user, **data)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request) -> Response:
        """Remove the bot, so that a person plays for this account again."""
        challenges.retire_bot(user=request.user)
        return Response(status=204)


class OpenBots(PlayView):
    token_scope = "arena"

    @extend_schema(responses=s.BotOut(many=True))
    def get(self, request: Request) -> Response:
        """Return the newest 200 bots that take challenges."""
        found = BotAccount.objects.filter(takes_challenges=True).order_by("-pk")[:200]
        return Response(s.BotOut(found, many=True).data)


def _ruleset(data: dict[str, Any]) -> engine_ruleset.Ruleset:
    if "digest" in data:
        return or_raise(rulesets.find(data["digest"]), TableRefusal("no_such_rules", status=404))
    if data["rules"] not in engine_ruleset.preset_keys():
        raise TableRefusal("no_such_rules", status=404)
    return engine_ruleset.preset(data["rules"])


def _name(data: dict[str, Any]) -> str:
    """Return the chosen name; raise `TableRefusal` for one of the house or an address."""
    return SeatNameField(required=False).clean(data["name"])


def _sit(request: Request, table: Table, no: int, name: str) -> None:
    """Take a seat; a program's account sits under the bot's name."""
    bot = BotAccount.objects.filter(user=request.user.pk).first()
    sits_as = seated.name_of_program(bot.name) if bot else name or name_of(request)
    seats.sit(table_id=table.pk, no=no, name=sits_as, user=request.user)


def _action(text: str, seat: int) -> SeatAction:
    """Return the action for a text of `legal`; raise `TableRefusal` for any other text."""
    first, _space, rest = text.strip().partition(" ")
    do, said = (first, rest) if first in DOES else ("play", text)
    return sent_action(seat, do, said, said.strip())


def _one_line(value: dict[str, Any]) -> HttpResponse:
    """Return the first line of a stream: the whole answer without an ASGI server in front."""
    line = json.dumps(value, ensure_ascii=False) + "\n"
    return HttpResponse(line, content_type=NDJSON, headers={"Cache-Control": "no-store"})
