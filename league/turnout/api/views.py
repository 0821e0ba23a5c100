"""API of sign-up lists."""

from django.db.models import Prefetch
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.base.api.filters import example
from league.base.api.views import ClubView
from league.base.facts.next_nights import coming_at
from league.base.lookup import find_event, find_person, first_or_404
from league.base.rights import Right
from league.models import Event, SignUp, SignUpAnswer
from league.turnout.acts import sign_ups
from league.turnout.api import serializers as s


def _found(event: Event) -> SignUp:
    answers = Prefetch("answers", SignUpAnswer.objects.select_related("player"))
    found = first_or_404(SignUp.objects.filter(event=event).prefetch_related(answers))
    found.coming = coming_at([event])[event.pk]  # type: ignore[attr-defined]
    return found


class SignUps(ClubView):
    needs = Right.BELONG

    @extend_schema(responses=s.SignUpOut)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the night's sign-up list with its answers."""
        return Response(s.SignUpOut(_found(find_event(self.club, pk))).data)

    @extend_schema(
        request=s.SignUpIn,
        responses=s.SignUpOut,
        examples=[example("Sixteen places", {"places": 16})],
    )
    def put(self, request: Request, slug: str, pk: int) -> Response:
        """Open the list, or change its limit and deadline."""
        event = find_event(self.club, pk)
        sign_ups.open_list(event=event, by=self.user, **self.checked(s.SignUpIn))
        return Response(s.SignUpOut(_found(event)).data)


class Answers(ClubView):
    @extend_schema(
        request=s.SignUpAnswerIn,
        responses=s.SignUpAnswerOut,
        examples=[example("With a guest", {"player": 3, "reply": "yes", "guests": 1})],
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Store a player's answer, as an organiser; `is_in` says whether there is a place."""
        data = self.checked(s.SignUpAnswerIn)
        found = _found(find_event(self.club, pk))
        player = find_person(self.club, data.pop("player"))
        said = sign_ups.answer(sign_up=found, player=player, by=self.user, organises=True, **data)
        return Response(s.SignUpAnswerOut(said).data)
