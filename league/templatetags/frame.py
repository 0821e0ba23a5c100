"""Template tags of the frame that every page stands in: its doors and the faces of people."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.base.domain.help import question_of
from league.base.pages import help as questions
from league.base.pages.doors import doors_of, segments_of
from league.base.views.phones import phone_of
from league.news.acts import push
from league.nights.facts import claims
from tables.base.faces import Face

register = template.Library()


@register.inclusion_tag("components/doors.html", takes_context=True)
def doors(context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the five doors; the one of the requested page is the current one."""
    is_run = getattr(context.get("event"), "run_id", None) is not None
    is_bot = bool(getattr(context.get("player"), "bot", ""))
    return {"doors": doors_of("/bots/" if is_run or is_bot else context["request"].path)}


@register.inclusion_tag("components/back.html")
def back_to(where: str, *args: Any) -> dict[str, str]:
    """Return the arrow that leads to an address, or to the view of this name."""
    return {"address": where if where.startswith("/") else reverse(where, args=args)}


@register.simple_tag(takes_context=True)
def of_club(context: Mapping[str, Any]) -> str:
    """Begin a night's line with its club, for a visitor who is known in another club too."""
    request, club = context["request"], context["club"]
    is_needed = claims.knows_others(request.user, phone_of(request), club)
    return f"{club.name} · " if is_needed else ""


@register.simple_tag(takes_context=True)
def help_address(context: Mapping[str, Any]) -> str:
    """Return the address of the question that arises on this page, else of all questions."""
    match = context["request"].resolver_match
    club = context.get("club")
    question = question_of(match.view_name) if match else None
    return questions.address_of(question, getattr(club, "slug", "") if question else "")


@register.simple_tag
def push_key() -> str:
    """Return the key with which a browser subscribes to this server's news."""
    return push.public_key()


@register.simple_tag
def face(who: Any, size: str = "") -> SafeString:
    """Return the face of a player, or one named as "pig-3"; None is the club.

    `size` is "xs", "s", "l" or "xl".
    """
    if who is None:
        icon = render_to_string("components/icon.html", {"name": "money"})
        return format_html('<span class="ava {} club-ava">{}</span>', size, icon)
    if isinstance(who, str):
        animal, _dash, ground = who.partition("-")
        who = Face(animal, int(ground))
    return _drawn(who if isinstance(who, Face) else who.face, size)


@lru_cache(2000)
def _drawn(found: Face, size: str) -> SafeString:
    picture = format_html("{}#{}", static("faces.svg"), found.animal)
    classes = f"ava t{found.ground} {size}".rstrip()
    return format_html(
        '<span class="{}"><svg aria-hidden="true"><use href="{}"/></svg></span>', classes, picture
    )


@register.inclusion_tag("components/segments.html", takes_context=True)
def club_segments(context: Mapping[str, Any], here: str) -> dict[str, Any]:
    """Return the four segments of the context's club; `here` names the current one."""
    manages = bool(context.get("may_organise"))
    return {"label": _("Club"), "segments": segments_of(context["club"], here, manages=manages)}


@register.simple_tag
def face_at(who: Any, x: float, y: float, radius: float) -> SafeString:
    """Return the face of a player for an SVG chart, around this point."""
    found, picture = who.face, f"{static('faces.svg')}#{who.face.animal}"
    return format_html(
        '<g class="t{}"><circle class="face-edge" cx="{}" cy="{}" r="{}"/>'
        '<circle class="face-ground" cx="{}" cy="{}" r="{}"/>'
        '<svg class="face-animal" x="{}" y="{}" width="{}" height="{}"><use href="{}"/></svg></g>',
        *(found.ground, x, y, radius + 1.6, x, y, radius),
        *(x - radius, y - radius, 2 * radius, 2 * radius, picture),
    )


@register.filter
def half_of(value: float) -> float:
    """Return half of a number, as a chart's geometry needs it."""
    return round(float(value) / 2, 1)


@register.filter
def add_to(value: float, more: float) -> float:
    """Return the sum of two numbers, as a chart's geometry needs it."""
    return round(float(value) + float(more), 1)
