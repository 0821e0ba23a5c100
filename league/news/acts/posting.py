"""HTTP posts to user-supplied addresses: only to the public internet, with a short time limit.

The name is resolved once and the connection goes to the checked IP, so that a second DNS answer
cannot lead elsewhere. Redirects are not followed.
"""

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tables.refusals import Refusal

SECONDS = 10.0
MOST_BYTES = 4096
LOOK_UP_SECONDS = 3.0
PORTS = (80, 443)
"""Ports below 1024 that a web server listens on."""
GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
DOCUMENTATION = ipaddress.ip_network("3fff::/20")
RELAYS = ipaddress.ip_network("192.88.99.0/24")
"""Relays of 6to4, RFC 7526: whoever answers there is not who was asked."""
PROTOCOLS = ipaddress.ip_network("192.0.0.0/24")
"""IETF protocol assignments, RFC 6890: a cloud's metadata may answer at 192.0.0.192."""
_AT_ONCE = 8
_OF_ONE = 2
_LOOK_UPS = ThreadPoolExecutor(_AT_ONCE, "look-up")
_lock = threading.Lock()
_asked: Counter[str] = Counter()


class Unreachable(Exception):
    """The address is not allowed or did not answer in time; the message gives the reason."""


@dataclass(frozen=True)
class CheckedAddress:
    """A checked address with the IP to connect to and the host name to present."""

    url: SplitResult
    host: str
    port: int
    ip: str


def check_address(address: str, *, whose: str) -> str:
    """Return the address without outer spaces; Refusal if it cannot be posted to."""
    address = address.strip()
    try:
        resolve(address, whose=whose)
    except Unreachable as error:
        raise Refusal(
            _("Nothing can be sent to this address: %(reason)s.") % {"reason": _(str(error))},
            field="address",
        ) from error
    return address


def resolve(address: str, *, whose: str) -> CheckedAddress:
    """Resolve an address; Unreachable if it is invalid or any of its IPs is not public.

    `whose` names the club or browser that gave it: slow names of one hold up no other's.
    """
    try:
        url = urlsplit(address)
        port = url.port or (443 if url.scheme == "https" else 80)
    except ValueError:
        raise Unreachable(gettext_noop("no address")) from None
    schemes = {"https", "http"} if settings.WEBHOOKS_IN_LAN else {"https"}
    if url.scheme not in schemes:
        raise Unreachable(gettext_noop("https is needed"))
    if not url.hostname or url.username or url.password or len(address) > 500:
        raise Unreachable(gettext_noop("no address"))
    if not address.isascii() or any(letter <= " " for letter in address):
        raise Unreachable(gettext_noop("no address"))
    if not settings.WEBHOOKS_IN_LAN and port not in PORTS and port < 1024:
        raise Unreachable(gettext_noop("nothing is sent to this port"))
    ips = _ips_of(url.hostname, port, whose)
    if not settings.WEBHOOKS_IN_LAN and not all(is_public(ip) for ip in ips):
        raise Unreachable(gettext_noop("it is in a private network"))
    return CheckedAddress(url, url.hostname, port, ips[0])


def _ips_of(host: str, port: int, whose: str) -> list[str]:
    """Ask the name server; a slow one holds few requests or tasks, and those not for long."""
    with _lock:
        if _asked.total() >= _AT_ONCE or _asked[whose] >= _OF_ONE:
            raise Unreachable(gettext_noop("the name server does not answer"))
        _asked[whose] += 1
    asked = _LOOK_UPS.submit(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    asked.add_done_callback(lambda _done: _has_answered(whose))
    try:
        return [str(entry[4][0]) for entry in asked.result(timeout=LOOK_UP_SECONDS)]
    except TimeoutError:
        raise Unreachable(gettext_noop("the name server does not answer")) from None
    except (OSError, UnicodeError):
        raise Unreachable(gettext_noop("the name is unknown")) from None


def _has_answered(whose: str) -> None:
    with _lock:
        _asked[whose] -= 1
        if not _asked[whose]:
            del _asked[whose]


def is_public(text: str) -> bool:
    """Return whether an IP address is public, also if it is embedded in an IPv6 address."""
    try:
        ip = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour
        if inner is None and ip in ipaddress.ip_network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        if ip.teredo is not None or ip not in GLOBAL_UNICAST or ip in DOCUMENTATION:
            return False
    return ip.is_global and not ip.is_multicast and ip not in RELAYS and ip not in PROTOCOLS


def post(address: str, body: bytes, headers: dict[str, str], *, whose: str) -> int:
    """Post the body and return the response status; Unreachable if there is none in time."""
    return ask(address, body, headers, whose=whose)[0]


def ask(
    address: str, body: bytes, headers: dict[str, str], *, whose: str, most: int = MOST_BYTES
) -> tuple[int, bytes]:
    """Post the body; return the response's status and first `most` bytes, or raise Unreachable."""
    target = resolve(address, whose=whose)
    path = (target.url.path or "/") + (f"?{target.url.query}" if target.url.query else "")
    sock: socket.socket | None = None
    try:
        sock = socket.create_connection((target.ip, target.port), timeout=SECONDS / 2)
        # The socket's timeout alone never ends a read from a server that trickles bytes. The timer
        # needs a duplicate, because TLS takes over the socket and leaves the original closed.
        raw = sock.dup()
        clock = threading.Timer(SECONDS, _end, [raw])
        clock.start()
        try:
            if target.url.scheme == "https":
                sock = ssl.create_default_context().wrap_socket(sock, server_hostname=target.host)
            connection = http.client.HTTPConnection(target.host, target.port)
            connection.sock = sock
            connection.request("POST", path, body, headers | {"Host": target.url.netloc})
            answer = connection.getresponse()
            return answer.status, answer.read(most)
        finally:
            clock.cancel()
            raw.close()
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Unreachable(type(error).__name__) from error
    finally:
        if sock is not None:
            sock.close()


def _end(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
