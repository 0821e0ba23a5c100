"""Client networks of requests, for limits and logs."""

import ipaddress

from allauth.account.adapter import get_adapter
from django.http import HttpRequest

PREFIXES = {4: 24, 6: 64}
"""Bits of an address, by IP version, that identify one household, hall or provider's customer."""


def prefix_of(request: HttpRequest) -> str:
    """Return the network of the client's address."""
    return network_of(get_adapter().get_client_ip(request))


def network_of(address: str) -> str:
    """Return the network of an address; any other text is returned unchanged."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    return str(ipaddress.ip_network((found, PREFIXES[found.version]), strict=False))
