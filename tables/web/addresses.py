"""Addresses that other devices can open, as text and as QR codes."""

import ipaddress
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.http import HttpRequest
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe


@dataclass(frozen=True)
class Address:
    """A complete URL; `reaches` is false if only this machine can open it."""

    url: str
    reaches: bool

    @property
    def short(self) -> SafeString:
        """The address as people read and type it; a narrow page breaks it at its slashes."""
        parts = self.url.partition("://")[2].split("/")
        return mark_safe("/<wbr>".join(map(escape, parts)))

    @property
    def qr(self) -> SafeString:
        """The address as a QR code."""
        return qr_of(self.url)


@lru_cache(maxsize=100)  # Drawing one took a quarter of each look of a big screen.
def qr_of(text: str) -> SafeString:
    """Return a QR code as SVG, without style attributes: the content policy forbids them."""
    code = segno.make(text, error="m", micro=False)
    drawn = code.svg_inline(omitsize=True, border=4, svgclass="qr", lineclass=None)
    return mark_safe(drawn.replace("<svg", '<svg aria-hidden="true"', 1))  # Named by its frame.


def address_of(request: HttpRequest, path: str) -> Address:
    """Return a path's URL on the host that the reader uses, or on the local network's address.

    The latter replaces what no phone can open: `localhost`, and this machine's own short name. Of
    several networks it is the one that the server names when it starts.
    """
    url = request.build_absolute_uri(path)
    host, port = urlsplit(url).hostname or "", urlsplit(url).port
    is_here = host == "localhost" or _is_ip(host, loopback=True)
    is_own_name = settings.IN_LAN and not {".", ":"} & set(host)
    known = [settings.SITE_HOST, *settings.ALLOWED_HOSTS]
    lan = next((name for name in known if _is_ip(name, loopback=False)), None)
    if lan is None or not (is_here or is_own_name):
        return Address(url, not is_here)
    where = f"{lan}:{port}" if port else lan
    return Address(f"{request.scheme}://{where}{path}", True)


def _is_ip(host: str, *, loopback: bool) -> bool:
    """Return whether this is the address of a machine: of this one for itself, or in a network."""
    try:
        return ipaddress.ip_address(host).is_loopback is loopback
    except ValueError:
        return False
