"""Settings from the environment; an invalid one stops the start with a one-sentence error."""

import os
from typing import NoReturn
from urllib.parse import urlsplit
from zoneinfo import available_timezones

_YES, _NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off", "")


def text(name: str, default: str = "") -> str:
    """Return the variable without surrounding spaces, or `default` if it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def listed(name: str, default: str = "") -> list[str]:
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def flag(name: str) -> bool:
    value = text(name).lower()
    if value not in _YES + _NO:
        _stop(name, "write 1 or 0")
    return value in _YES


def number(name: str, default: int, least: int, most: int) -> int:
    """Return the variable as a whole number from `least` to `most`."""
    value = text(name, str(default))
    if not (value.isascii() and value.isdigit() and least <= int(value[:10]) <= most):
        _stop(name, f"write a whole number from {least} to {most}")
    return int(value)


def choice(name: str, *names: str) -> str:
    """Return the variable, which must be one of `names`; the first if it is unset."""
    value = text(name, names[0])
    if value not in names:
        _stop(name, f"choose one of {', '.join(names)}")
    return value


def zone(name: str, default: str) -> str:
    """Return the variable, which must be the name of a time zone."""
    value = text(name, default)
    if value not in available_timezones():
        _stop(name, "write a time zone such as Asia/Ho_Chi_Minh")
    return value


def address(name: str, *schemes: str) -> str:
    """Return the variable, which must be a URL with one of the schemes; "" if it is unset."""
    value = text(name)
    if not value:
        return ""
    try:
        parts = urlsplit(value)
        usable = parts.scheme in schemes and bool(parts.netloc or parts.path.strip("/"))
        _ = parts.port
    except ValueError:
        usable = False
    if not usable:
        _stop(name, f"write an address like {schemes[0]}://USER:PASSWORD@HOST:PORT/NAME")
    return value


def _stop(name: str, what_to_do: str) -> NoReturn:
    # The message does not repeat the value, which may contain a password.
    raise SystemExit(f"{name} cannot be used: {what_to_do}. docs/hosting.md lists the variables.")
