"""A club's webhooks in the API, for its owners."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from league.base.api.filters import example
from league.base.api.views import ClubView
from league.base.lookup import first_or_404
from league.base.rights import Right
from league.models import Webhook
from league.news.acts import outbox, wishes
from league.news.api import serializers as s


class Webhooks(ClubView):
    needs = Right.OWN
    needs_to_write = Right.OWN

    @extend_schema(responses=s.WebhookOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the club's webhooks, without their full addresses and secrets."""
        return self.pages(s.WebhookOut, self.club.webhooks.all())

    @extend_schema(
        request=s.WebhookIn,
        responses={201: s.WebhookMade},
        examples=[example("A program", {"address": "https://club.example/"})],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add a webhook for the club's news. Only this response shows its secret."""
        hook = wishes.add_webhook(club=self.club, by=self.user, **self.checked(s.WebhookIn))
        return Response(s.WebhookMade(hook).data, status=201)


class Deliveries(ClubView):
    needs = Right.OWN

    @extend_schema(responses=s.DeliveryOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the webhooks' messages of the last 30 days, the latest first."""
        return self.pages(s.DeliveryOut, self.club.news.exclude(webhook=None))


class WebhookTest(ClubView):
    needs_to_write = Right.OWN

    @extend_schema(request=None, responses={201: s.DeliveryOut})
    def post(self, request: Request, slug: str, hook: int) -> Response:
        """Send a test message to a webhook; its delivery records the outcome."""
        return Response(s.DeliveryOut(outbox.try_webhook(_found(self, hook))).data, status=201)


class WebhookRemove(ClubView):
    needs_to_write = Right.OWN

    @extend_schema(request=None, responses=s.WebhookOut)
    def post(self, request: Request, slug: str, hook: int) -> Response:
        """Remove a webhook; its waiting messages are not sent."""
        found = _found(self, hook)
        body = s.WebhookOut(found).data
        wishes.remove_webhook(hook=found, by=self.user)
        return Response(body)


def _found(view: ClubView, hook: int) -> Webhook:
    return first_or_404(view.club.webhooks.filter(pk=hook))
