"""Time zones by the places that people call them by."""

from __future__ import annotations

import datetime
import tomllib
import zoneinfo
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import get_language

from tables.base.words import bare_shape

LIKELY = (
    "Asia/Ho_Chi_Minh",
    "America/Los_Angeles",
    "America/Chicago",
    "Europe/Paris",
    "Australia/Sydney",
)
"""The zones where most people play this game."""
SHOWN = 6


class City(NamedTuple):
    """A place with its zone; `country` is empty for a zone that is known by its raw name."""

    zone: str
    en: str
    vi: str
    countries: tuple[str, str] = ("", "")
    other: tuple[str, ...] = ()
    currency: str = ""

    @property
    def name(self) -> str:
        return self.vi if get_language() == "vi" else self.en

    @property
    def country(self) -> str:
        return self.countries[get_language() == "vi"]

    @property
    def title(self) -> str:
        """The name with its country: "Houston, USA"."""
        return f"{self.name}, {self.country}" if self.country else self.name

    @property
    def now(self) -> datetime.datetime:
        """The time there, without its zone: a template would show it by the reader's."""
        return timezone.make_naive(timezone.now(), zoneinfo.ZoneInfo(self.zone))


@cache
def places() -> list[City]:
    """Return the listed places, those of one zone in a row."""
    text = Path(__file__).with_name("places.toml").read_text()
    found = []
    for country in tomllib.loads(text)["country"]:
        both, currency = (country.pop("en"), country.pop("vi")), country.pop("currency", "")
        for zone, places in country.items():
            for place in places:
                names, _, other = place.partition(" | ")
                en, _, vi = names.partition(" = ")
                more = tuple(other.split(", ")) if other else ()
                found.append(City(zone, en, vi or en, both, more, currency))
    return found


@cache
def _renamed() -> dict[str, str]:
    """Return today's names of zones by their older ones, such as Asia/Saigon."""
    lines = (resources.files("tzdata.zoneinfo") / "tzdata.zi").read_text().splitlines()
    links = (line.split() for line in lines if line.startswith("L "))
    return {old: new for _, new, old in links}


def place_of(zone: str, name: str = "") -> City:
    """Return the place by which a zone is called: `name` if it is one there, else the first."""
    known = {place.zone for place in places()}
    today = _renamed().get(zone, zone)
    zone = zone if zone in known or today not in known else today
    alike = [place for place in places() if place.zone == zone]
    own = [place for place in alike if name and name in (place.en, place.vi)]
    city = zone.rpartition("/")[2].replace("_", " ")
    return next(iter([*own, *alike]), City(zone, city, city))


@cache
def _by_name() -> dict[str, City]:
    found: dict[str, City] = {}
    for zone in sorted(zoneinfo.available_timezones()):
        place = place_of(zone)
        for name in (zone, zone.rpartition("/")[2].replace("_", " ")):
            found[bare_shape(name)] = place
    for place in reversed(places()):
        for name in (place.en, place.vi, *place.other):
            for said in (name, *(f"{name}, {country}" for country in place.countries)):
                found[bare_shape(said)] = place
    return found


def find(text: str) -> City | None:
    """Return the place that a text names, in either language, or by a raw name of a zone."""
    return _by_name().get(bare_shape(text))


def likely(zones: Iterable[str]) -> list[City]:
    """Return the likely places, those of the given zones first, each once."""
    return list(dict.fromkeys(map(place_of, (*zones, *LIKELY))))[:SHOWN]
