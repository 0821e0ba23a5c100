"""The night's one link: who comes, who is here, my table, and the result, in one page."""

import zoneinfo
from functools import partial

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control

from accounts.models import User
from league.base.acts import links
from league.base.facts import links as working
from league.base.views import guessing, phones
from league.base.views.base import asked_name, incomplete_form, speak_of, telling
from league.clubs.acts import players
from league.models import Claim, Entrant, Event, Player, SignUp, SignUpAnswer
from league.nights.acts import attendance, claims
from league.nights.facts import claims as claimed_phones
from league.nights.facts.viewer import Viewer
from league.nights.pages import my_night as own_page
from league.nights.pages.other_nights import OWED, other_nights
from league.nights.views import check_in, my_night, night_links, online_links
from league.nights.views.viewers import viewer_by_link
from league.turnout.acts import sign_ups
from league.turnout.pages import night_link as pages
from tables.base.lookup import or_raise
from tables.numbers import whole_number


def old_link(request: HttpRequest, night: str) -> HttpResponse:
    """Lead from the address of a list or of a door, as nights had, to the night's one page."""
    if guessing.too_many(request):
        return night_links.wait(request)
    link = links.find_night(night)
    if link is None or link.event is None:
        return night_links.ended(request, night)
    return night_links.to_night(link.event, preserve_request=True)


@cache_control(private=True, no_store=True)
def by_link(request: HttpRequest, night: str) -> HttpResponse:
    """Show the night as it stands, to a phone that has a name or to one that has none yet.

    With the `version` of the visible page the answer is only the part that changes, or 204 if it
    has not.
    """
    if guessing.too_many(request):
        return night_links.wait(request)
    link = links.find_night(night)
    if link is None or link.event is None:
        return night_links.ended(request, night)
    event = link.event
    speak_of(request, link.club)
    with timezone.override(zoneinfo.ZoneInfo(link.club.time_zone)):
        viewer = viewer_by_link(request, event)
        if request.method == "POST":
            with telling(request):
                return _change(request, viewer)
            return redirect(_here(request))
        version, _dash, until = request.GET.get("version", "").partition("-")
        # The time of the player's table runs out without a new version.
        is_up = 0 < (whole_number(until) or 0) <= timezone.now().timestamp()
        if version == str(event.version) and not is_up:
            return HttpResponse(status=204)
        found = _page(request, viewer)
        if "version" in request.GET:
            return render(request, "league/turnout/night.html#night", found)
        names = claimed_phones.of_nights(viewer.phone, OWED)
        found["here_too"] = _here_too(request, viewer, names)
        found["other_nights"] = other_nights(names, event)
        answer = render(request, "league/turnout/night.html", found)
        if viewer.claim is not None:
            phones.remember_night(answer, event.pk)
        return answer


def _here(request: HttpRequest) -> str:
    """Return the address of the whole page; that with a `version` is only of its changing part."""
    asked = request.GET.copy()
    asked.pop("version", None)
    return f"{request.path}?{asked.urlencode()}" if asked else request.path


def _page(request: HttpRequest, viewer: Viewer) -> dict[str, object]:
    event, player = viewer.event, viewer.player
    sign_up = SignUp.objects.select_related("event__season__club").filter(event=event).first()
    state = pages.state_of(viewer.night, sign_up)
    here, own = check_in.checked_in_here(request, event), None
    helps = player is None or "others" in request.GET
    if player is not None:
        mine = [player.pk] if player.pk in here else []
        helps = helps or here != mine
        own = own_page.my_night(
            viewer,
            request.path,
            may_arrive=state.doors_open,
            everything="all" in request.GET,
            chairs=online_links.own_addresses(request, event, mine),
            to_watch=partial(online_links.to_watch, request, event) if mine else None,
        )
    door = None
    if state.doors_open and event.is_open and helps:
        door = check_in.page_of(request, viewer, asked_name(request))
        door = door.at_table(whole_number(request.GET.get("table", "")) or 0)
    page = pages.night_by_link(
        state,
        _here(request),
        viewer=viewer,
        shared=phones.is_shared(request, event.season.club),
        own=own,
        door=door,
        asked=_player(event, request.GET.get("player")),
        wants=request.session.get(f"asks-{event.pk}"),
        query=asked_name(request),
        lies_here=phones.lies_on_table(request, event.season.club),
    )
    return {"event": event, "club": event.season.club, "unit": event.season.unit, "page": page}


def _change(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Do what was tapped: an answer, a name, or something about the player's own night."""
    here, sent, event = redirect(_here(request)), request.POST, viewer.event
    if "reply" in sent:
        return _answered(request, event)
    if "lies" in sent:
        return _lay(request, event)
    if "player" in sent or "me" in sent:
        return check_in.change(request, event)
    or_raise(viewer.player, incomplete_form())
    if "other" in sent:
        _leave(request, viewer)
    else:
        my_night.change(request, viewer)
    return here


def _here_too(request: HttpRequest, viewer: Viewer, names: list[Claim]) -> list[Entrant]:
    """Return the other nights at which this person is here too and has not said to stay.

    A night that is closed keeps nobody from another.
    """
    event, player = viewer.event, viewer.player
    is_here = player and viewer.night.presence_of(player) == Entrant.Presence.HERE
    if not (event.is_open and is_here):
        return []
    found = claimed_phones.here_elsewhere(event, request.user, names)
    return [one for one in found if not request.session.get(_both(event, one.event))]


def _both(event: Event, other: Event) -> str:
    return "stays-{}-{}".format(*sorted([event.pk, other.pk]))


def _leave(request: HttpRequest, viewer: Viewer) -> None:
    """Have the person go from another night, now or after its round, or stay in both."""
    key, when = whole_number(request.POST["other"]), request.POST.get("when")
    event, names = viewer.event, claimed_phones.of_nights(viewer.phone, OWED)
    found = claimed_phones.here_elsewhere(event, request.user, names)
    one = next((each for each in found if each.event_id == key), None)
    if one is None or when not in ("now", "round", "never"):
        raise incomplete_form()
    if when == "never":
        request.session[_both(event, one.event)] = True
        return
    attendance.leave(event=one.event, player_id=one.player_id, after_round=when == "round")
    said = _("You leave %(night)s.") if when == "now" else _("You leave %(night)s after its round.")
    messages.success(request, said % {"night": one.event.name_and_club})


def _lay(request: HttpRequest, event: Event) -> HttpResponse:
    """Lay this tablet on the table of that number, for its entry; without one, it is a person's."""
    number = whole_number(request.POST["lies"])
    link = None if number is None else working.of_tables(event).get(number)
    phones.lay_on_table(request, event.season.club if link else None)
    return redirect("league:link_table", link.secret) if link else redirect(request.path)


def _answered(request: HttpRequest, event: Event) -> HttpResponse:
    """Store an answer. A phone claims the first name for which it answers."""
    sign_up = or_raise(
        SignUp.objects.filter(event=event).select_related("event__season__club").first(),
        incomplete_form(),
    )
    name, device = phones.named(request)
    known = claimed_phones.known_player(event, device)
    if found := alike(request, sign_up):
        return ask_who(request, sign_up, found)
    said = say(request, sign_up, device=device)
    if said is None:
        messages.success(request, _("An organiser adds your name. Look again later."))
        answer = redirect(request.path)
        phones.remember(answer, name)
        return answer
    is_free = claimed_phones.held(event, device) is None
    is_shared = phones.is_shared(request, event.season.club)
    if is_free and known in (None, said.player_id) and not is_shared:
        claims.claim(event=event, player_id=said.player_id, phone=device)
    messages.success(request, sentence_of(said))
    answer = redirect(request.path)
    phones.remember(answer, name)
    return answer


def say(
    request: HttpRequest, sign_up: SignUp, *, device: str = "", organises: bool = False
) -> SignUpAnswer | None:
    """Store the form's reply for the player whom it names by key or by a typed name.

    None for a new name that waits for an organiser.
    """
    guests = or_raise(whole_number(request.POST.get("guests", "0")), incomplete_form())
    said: sign_ups.ReplyFields = {
        "sign_up": sign_up,
        "reply": request.POST.get("reply", ""),
        "guests": guests,
        "by": request.user if isinstance(request.user, User) else None,
        "device": device,
        "organises": organises,
    }
    if request.POST.get("name", "").strip() or request.POST.keys() & {"name", "player"} == {"name"}:
        return sign_ups.answer_as(name=request.POST["name"], **said)
    player = or_raise(_player(sign_up.event, request.POST.get("player")), incomplete_form())
    return sign_ups.answer(player=player, **said)


def alike(request: HttpRequest, sign_up: SignUp) -> list[Player]:
    """Return players with names like the typed one; none once it is marked as new."""
    name = request.POST.get("name", "")
    if not name.strip() or "new" in request.POST:
        return []
    return players.alike(club=sign_up.event.season.club, name=name)


def ask_who(request: HttpRequest, sign_up: SignUp, alike: list[Player]) -> HttpResponse:
    """Ask which of these players it is, or whether it is a new one; each answer is one tap."""
    event = sign_up.event
    context = {"event": event, "club": event.season.club, "alike": alike, "said": request.POST}
    return render(request, "league/turnout/who.html", context, status=409)


def _player(event: Event, key: str | None) -> Player | None:
    number = whole_number(key)
    return event.season.club.players.people().filter(pk=number).first() if number else None


def sentence_of(said: SignUpAnswer) -> str:
    """Return the stored answer in words."""
    name = {"name": said.player.name}
    if said.reply == SignUpAnswer.Reply.MAYBE:
        return _("%(name)s: maybe.") % name
    if said.reply == SignUpAnswer.Reply.NO:
        return _("%(name)s is not coming.") % name
    if said.is_in:
        return _("%(name)s is coming.") % name
    return _("%(name)s is on the waiting list and moves up automatically.") % name
