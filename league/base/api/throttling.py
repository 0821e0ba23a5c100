"""How often strangers may ask."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle

from accounts.addresses import network_of


class StrangersThrottle(AnonRateThrottle):
    """Strangers counted together where their addresses are of one network."""

    def get_ident(self, request: Request) -> str:
        return network_of(super().get_ident(request))
