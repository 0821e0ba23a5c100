"""Score tonight: names, tables, a code to scan. It needs no account and saves nothing before."""

from dataclasses import replace

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from league.base.facts import links
from league.base.lookup import find_event
from league.base.pages.address import address
from league.base.rights import Right
from league.base.views import phones
from league.base.views.base import ClubRequest, add_errors, club_view, page
from league.clubs.acts import clubs, players
from league.models import Club, Event, Membership, Round
from league.nights.acts import tonight as service
from league.nights.facts import claims
from league.nights.facts import events as facts
from league.nights.forms.tonight import USUAL, TonightForm
from league.nights.pages.first_night import FirstNames, first_names
from tables.base import places
from tables.numbers import whole_number
from tables.refusals import TableRefusal
from tables.web import limits
from tables.web.addresses import address_of


def tonight(request: HttpRequest) -> HttpResponse:
    """Ask for names, show the tables that they would have, and start the night."""
    user = request.user if isinstance(request.user, User) else None
    if user is None and settings.SIGN_UP != "open":
        return redirect_to_login(request.path)
    place = places.find(request.POST.get("place", "")) or _here(request)
    sent = request.POST.copy()
    sent["place"] = sent.get("place") or place.title
    for name in ("ruleset", "games"):  # Another page sends only the names and its rules.
        sent.setdefault(name, USUAL[name])
    form = TonightForm(
        sent if request.POST else None,
        unit=clubs.usual_unit(place.zone),
        clubs=_clubs(user),
        initial={"place": place.title},
    )
    typed = sent.get("edit", "")
    text = "\n".join(line for line in sent.getlist("text") if line != typed)
    looks = request.method != "POST" or bool(typed) or request.POST.get("do") in ("look", "names")
    read = first_names(text, sent.getlist("asked"), sent.getlist("plays"), waits=looks)
    if looks:
        return _ask(request, form, read)
    if not (form.is_valid() and read.is_ready):
        return _ask(request, form, read, status=422)
    try:
        return _go_on(request, form, read, user)
    except TableRefusal as error:
        add_errors(form, error)
        return _ask(request, form, read, status=429)
    except ValidationError as error:
        add_errors(form, error)
        return _ask(request, form, read, status=422)


def _here(request: HttpRequest) -> places.City:
    """Return the place of the browser's clock; the first likely one if it has told none."""
    zone = timezone.get_current_timezone_name()
    return places.place_of(zone if request.has_zone else places.LIKELY[0])  # type: ignore[attr-defined]


def _clubs(user: User | None) -> list[Club]:
    """Return the open clubs in which the account may begin a night."""
    if user is None:
        return []
    held = Membership.objects.filter(
        user=user, role__in=Membership.ORGANISERS, club__binned_at=None
    )
    found = list(Club.objects.filter(memberships__in=held, closed_at=None)[:20])
    for club in found:
        club.shows_money = True  # Its organiser asks.
    return found


def _ask(
    request: HttpRequest, form: TonightForm, read: FirstNames, status: int = 200
) -> HttpResponse:
    """Return the first step with what has been read so far."""
    context = {
        "form": form,
        "read": read,
        "alike": _alike(request, form, read),
        "typed": request.POST.get("edit", ""),
        "sentence": form.sentence(len(read.names)),
    }
    return render(request, "league/nights/start/names.html", context, status=status)


def _go_on(
    request: HttpRequest, form: TonightForm, read: FirstNames, user: User | None
) -> HttpResponse:
    """Show the tables, with two people exchanged or drawn again, or start the night."""
    night, do = form.night(read.names), request.POST.get("do")
    limits.check(request, "start" if do == "start" else "sit")
    name, phone = phones.named(request)
    if do == "start":
        event = service.start(by=user, phone=phone, night=night).event
        answer: HttpResponse = redirect("league:night_qr", event.season.club.slug, event.pk)
        phones.remember(answer, name)
        return answer
    if do == "again":
        night = replace(night, seed=(night.seed + 1) % 2**31, exchanged=())
    moved: set[int | None] = set()
    picked, other = (whole_number(request.POST.get(key)) for key in ("picked", "pick"))
    if picked is not None and other is not None and picked != other:
        night = replace(night, exchanged=[*night.exchanged, (picked, other)])
        moved, other = {picked, other}, None
    drawn = service.preview(by=user, phone=phone, night=night)
    context = {
        "form": form,
        "night": night,
        "exchanged": " ".join(f"{a}-{b}" for a, b in night.exchanged),
        "sure": [(key, value) for key, value in request.POST.items() if key.endswith("-sure")],
        "picked": other if other != picked else None,
        "drawn": drawn,
        "moved": _where(drawn, moved),
        "read": read,
        "alike": _alike(request, form, read),
    }
    answer = render(request, "league/nights/start/tables.html", context)
    phones.remember(answer, name)  # A start that is sent twice comes from one phone.
    return answer


def _alike(request: HttpRequest, form: TonightForm, read: FirstNames) -> list[str]:
    """Return messages about names that look like another, also of the chosen club."""
    club = form.clubs.get(request.POST.get("club", ""))
    return players.warn_of_similar(club=club, new=read.names)


def _where(drawn: service.FirstDraw, numbers: set[int | None]) -> list[str]:
    """Return where these people sit after an exchange, a sentence for each."""
    said = []
    for table, people in enumerate(drawn.tables, 1):
        for no, seat in enumerate(people, 1):
            if seat.number in numbers:
                values = {"name": seat.name, "table": table, "seat": no}
                said.append(_("%(name)s: table %(table)s, seat %(seat)s.") % values)
    waits = [seat.name for seat in drawn.waiting if seat.number in numbers]
    return said + [_("%(name)s waits for a turn.") % {"name": name} for name in waits]


@club_view(Right.ORGANISE, of=find_event)
def qr(request: ClubRequest, event: Event) -> HttpResponse:
    """Show the code by which all phones find the night, on the whole screen."""
    link = links.of_night(event)
    link_at = None
    if link is not None:
        link_at = address_of(request, reverse("league:link_night", args=[link.secret]))
    people = facts.people_of(event)
    claimed = {claim.player_id for claim in claims.holders(event)}
    context = {
        "event": event,
        "is_first": not Event.objects.filter(season__club=request.club)
        .exclude(pk=event.pk)
        .exists(),
        "address": link_at,
        "claimed": [player for player in people if player.pk in claimed],
        "people": len(people),
        "there": _first_page(event),
        "invitation": f"{event.name_and_club}: {link_at.url}" if link_at else "",
        "account": request.account if isinstance(request.account, User) else None,
    }
    return page(request, "league/nights/start/qr.html", context)


def _first_page(event: Event) -> str:
    """Return the address of the only table, or of the night if there are several."""
    round_ = event.rounds.filter(status=Round.Status.RELEASED).last()
    tables = list(round_.sittings.values_list("table_no", flat=True)[:2]) if round_ else []
    if round_ is not None and len(tables) == 1:
        return address(event, "table", round_.number, *tables)
    return address(event, "event")
