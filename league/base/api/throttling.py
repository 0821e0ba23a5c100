"""The rate limit of anonymous callers."""

from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle

from accounts.addresses import network_of


class StrangersThrottle(AnonRateThrottle):
    """A rate limit that anonymous callers of one network share."""

    def get_ident(self, request: Request) -> str:
        return network_of(super().get_ident(request))
