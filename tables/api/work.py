"""Work for bots over the network: batches of tournament positions, and the bots' answers."""

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from tables.api.base import PlayView
from tables.api.serializers import RefusedOut
from tables.base import rulesets
from tables.base.lookup import or_raise
from tables.refusals import TableRefusal
from tables.runs import work

SOON, LATER = 0.3, 5.0
"""Seconds after which a bot should ask again: while it plays in a run, and otherwise."""
MOST_ACTION = 200


class AnsweredIn(s.Serializer[Any]):
    """An answer: `action` is a text of the position's `legal`, unchanged."""

    position = s.CharField(max_length=40)
    action = s.CharField(allow_blank=True, trim_whitespace=False)


class WorkIn(s.Serializer[Any]):
    """A bot's answers, and its request for positions.

    `client` names one of the bot's machines: the same one gets its positions again, another gets
    others. `most` is the maximum of positions wanted; 0 asks for none.
    """

    bot = s.CharField(max_length=30)
    client = s.CharField(max_length=40, default="", allow_blank=True)
    most = s.IntegerField(min_value=0, max_value=work.MOST, default=50)
    answers = s.ListField(child=AnsweredIn(), default=list, max_length=work.MOST)


class PositionOut(s.Serializer[Any]):
    """A question to one seat, with the facts that the seat may know.

    `turn` is the message of that name in docs/bots.md. `rules` is the digest of the ruleset, and
    `seconds` is the time left to answer.
    """

    position = s.CharField(source="game.__str__")
    seconds = s.FloatField()
    rules = s.CharField()
    players = s.IntegerField(source="game.question.players")
    seat = s.IntegerField(source="game.question.seat")
    stake = s.IntegerField(source="game.question.stake")
    turn = s.DictField(source="game.question.turn")


class AnswerOut(s.Serializer[Any]):
    """The result of an answer.

    `taken`: stored; `known`: the same answer was stored before; `other`: a different answer was
    stored first; `illegal` and `late`: the bot's fault; `over`: the question is no longer open.
    """

    position = s.CharField()
    result = s.ChoiceField(work.STATES)


class WorkOut(s.Serializer[Any]):
    """Positions to answer, their rules by digest, and the results of the answers sent."""

    answers = AnswerOut(many=True)
    rules = s.DictField()
    positions = PositionOut(many=True)
    ask_again = s.FloatField(help_text="Seconds after which it is worth asking again.")


class Work(PlayView):
    token_scope = "arena"

    @extend_schema(
        request=WorkIn,
        responses={200: WorkOut, 404: RefusedOut},
        examples=[
            OpenApiExample(
                "Two answers, and more work",
                {
                    "bot": "mine-1", "client": "desk", "most": 50,
                    "answers": [
                        {"position": "812-4", "action": "3S 3C"},
                        {"position": "813-9", "action": "pass"},
                    ],
                },
                request_only=True,
            )
        ],
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        """Send answers and get positions for your bot; the request may be repeated.

        All positions of one response must be answered within 30 seconds.
        """
        data = self.checked(WorkIn)
        bot = or_raise(
            work.bot_of(request.user, data["bot"]), TableRefusal("no_such_bot", status=404)
        )
        if data["most"]:  # A bot that asks for no positions must not count as present.
            work.note_seen(bot)
        brought = [(one["position"], one["action"][:MOST_ACTION]) for one in data["answers"]]
        results = work.take_answers(bot, brought)
        given = work.hand_out(bot, client=data["client"], most=data["most"])
        rules = {one.rules: one.game.unit.run.ruleset_id for one in given}
        body = {
            "answers": [
                {"position": position, "result": result}
                for (position, _action), result in zip(brought, results, strict=True)
            ],
            "rules": {digest: rulesets.body_of(digest) for digest in rules},
            "positions": given,
            "ask_again": 0.0 if given else SOON if work.is_awaited(bot) else LATER,
        }
        return Response(WorkOut(body).data, headers={"Cache-Control": "no-store"})
