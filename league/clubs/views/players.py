"""Views of a club's players: the list, and the page to edit one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.db.models import Q
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.base.lookup import find_player
from league.base.page_parts import MenuRow
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    asked_name,
    atomic_post,
    club_view,
    form_status,
    page,
    telling,
)
from league.clubs.acts import forgetting, hidden_names, invitations, members, merges, players
from league.clubs.facts import attendance, search
from league.clubs.facts.two_names import teams_apart
from league.clubs.forms.players import (
    AccountForm,
    FaceForm,
    MergeForm,
    PlayerForm,
    PlayerListForm,
    WishesForm,
)
from league.clubs.pages.mentions import texts_of
from league.models import Club, HiddenName, Placing, Player, RoleOffer
from tables.base.faces import face_of
from tables.base.lookup import or_raise
from tables.base.row_locks import take
from tables.numbers import whole_number
from tables.refusals import Refusal
from tables.web.addresses import address_of


@club_view(Right.SEE, to_post=Right.ORGANISE)
def player_list(request: ClubRequest) -> HttpResponse:
    """List all players; organisers can add one or many."""
    form, status = PlayerListForm(request.POST or None), 200
    asked: list[str] = []
    if request.method == "POST":
        added = _add(request, form.cleaned_data["text"]) if form.is_valid() else None
        if added and not (added.refused or added.asked):
            return redirect("league:players", slug=request.club.slug)
        status = 422
        if added:
            form, asked = PlayerListForm(initial={"text": "\n".join(added.refused)}), added.asked
    query = asked_name(request)
    came = attendance.of_club(request.club)
    by_name = request.GET.get("by") == "name" or not came.nights
    everyone = request.club.players.filter(merged_into=None).alias(
        is_bot=~Q(bot=""), came=came.counted()
    )
    order = ["is_bot", *([] if by_name else ["-came"]), "sort_key", "pk"]
    found = search.named(everyone.order_by(*order), query)
    may_change = request.right >= Right.ORGANISE
    is_new = may_change and not request.club.seasons.exists()
    listed = Paginator(found, 60).get_page(request.GET.get("page"))
    nobody = not query and not listed.object_list
    context = {
        "form": form if may_change else None,
        "is_new": is_new,
        "unfolds": is_new or form.errors or form.initial.get("text") or asked or nobody,
        "asked": asked,
        "adds": "add" in request.GET,
        "by_name": by_name,
        "rows": [(one, came.ticks_of(one.pk), came.times(one.pk)) for one in listed],
        "mentions": may_change and request.club.mentions.exists(),
        "menu": _menu(request.club, may_change=may_change, by_name=by_name),
        "query": query,
        "page_obj": listed,
        "people": found.filter(bot="").count(),
    }
    return page(request, "league/clubs/players.html", context, status)


def _menu(club: Club, *, may_change: bool, by_name: bool) -> list[MenuRow]:
    """Return the rare acts on a club's list of players."""
    people = reverse("league:players", args=[club.slug])
    file = reverse("league:club_csv", args=[club.slug, "players"])
    add = [
        MenuRow("plus", _("Add players"), f"{people}?add=1"),
        MenuRow(
            "link", _("Import players (CSV)"), reverse("league:import_players", args=[club.slug])
        ),
    ]
    return [
        *(add if may_change else []),
        MenuRow("people", _("By attendance"), people)
        if by_name
        else MenuRow("list", _("By name"), f"{people}?by=name"),
        MenuRow("download", "Excel", f"{file}?as=xlsx"),
        MenuRow("download", _("Download CSV"), file),
    ]


@club_view(Right.ORGANISE, of=find_player)
@atomic_post
def player_edit(request: ClubRequest, found: Player) -> HttpResponse:
    """Edit a player: rename, merge, link an account, anonymise and others."""
    if found.merged_into_id:
        return redirect("league:player_edit", slug=request.club.slug, pk=found.merged_into_id)
    act = request.POST.get("act", "")
    if act == "wishes":
        found = take(Player.objects.select_related("club"), found.pk)
    forms: dict[str, Form] = {
        "face": FaceForm(initial={"animal": found.animal}),
        "rename": PlayerForm(initial={"name": found.name}),
        "merge": MergeForm(),
        "account": AccountForm(),
        "wishes": WishesForm(
            initial={
                "group": found.group,
                "together": found.together,
                "fixed_table": found.fixed_table,
            }
        ),
    }
    if request.method == "POST":
        if act in forms:
            forms[act] = type(forms[act])(request.POST, initial=forms[act].initial)
        if act == "merge":
            forms[act] = _merge_form(request, found)
        if _done(request, found, act, forms.get(act)):
            if act in ("anonymise", "rename") and request.club.mentions.exists():
                return redirect("league:mentions", slug=request.club.slug)
            return redirect("league:player_edit", slug=request.club.slug, pk=found.pk)
    if request.method != "POST" and "forget" in request.GET and not found.bot:
        own = Q(entrant__player=found) | Q(entrant__player__merged_into=found)
        games = Placing.objects.filter(own, result__current=True, result__void=False).count()
        return page(request, "league/clubs/forget_name.html", {"player": found, "games": games})
    names = request.club.players.people().exclude(pk=found.pk)
    link = found.invitations.alive().first()
    radios = forms["face"]["animal"]
    context = {
        "player": found,
        "faces": [
            (radio, face_of(found.pk, radio.data["value"], found.ground)) for radio in radios
        ],
        "offer": RoleOffer.objects.waiting().filter(player__in=found.names).first(),
        "plays": request.club.players.filter(user=request.user, merged_into=None).exists(),
        "invitation": link and address_of(request, reverse("league:link_join", args=[link.secret])),
        "aliases": list(found.aliases.all()),
        "former": found.former_names.filter(until__gt=timezone.now()).last(),
        "hidden": HiddenName.objects.filter(player=found).first(),
        "names": list(names.values_list("name", flat=True)[:500]),
        **forms,
    }
    status = form_status(forms[act]) if act in forms else 200
    return page(request, "league/clubs/player_edit.html", context, status)


@club_view(Right.ORGANISE)
def mentions(request: ClubRequest) -> HttpResponse:
    """Show the texts that name someone whose name was removed, and take the decisions."""
    texts = texts_of(request.club)
    if request.method == "POST":
        decided = [text for text in texts if str(text.key) in request.POST]
        erased = {
            one.pk
            for text in decided
            for one in text.mentions
            if request.POST[str(text.key)] == "erase"
        }
        found = {one.pk: one for text in decided for one in text.mentions}
        forgetting.decide(mentions=found.values(), erased=erased, by=request.user)
        messages.success(request, _("Decisions saved."))
        return redirect("league:players", slug=request.club.slug)
    return page(request, "league/clubs/mentions.html", {"texts": texts})


def _merge_form(request: ClubRequest, player: Player) -> MergeForm:
    form = MergeForm(request.POST)
    with suppress(ValidationError):  # The form says so itself.
        other = players.named(club=request.club, name=request.POST.get("player", ""))
        form.ask(teams_apart(other, player))
    return form


def _bring_back(request: ClubRequest, player: Player) -> None:
    if request.right < Right.OWN:
        raise PermissionDenied
    hidden_names.bring_back(player=player, by=request.user)


def _undo_forgetting(request: ClubRequest, player: Player) -> None:
    if request.right < Right.OWN:
        raise PermissionDenied
    players.undo_forgetting(player=player, by=request.user)


def _done(request: ClubRequest, player: Player, act: str, form: Form | None) -> bool:
    """Apply the submitted action; return False if the form has errors to show."""
    if form is not None and not form.is_valid():
        return False
    data = form.cleaned_data if form is not None else {}
    acts: dict[str, tuple[Callable[[], object], str]] = {
        "rename": (
            lambda: players.rename_player(
                player=player,
                name=data["name"],
                by=request.user,
                was=request.POST.get("was"),
                forgets_old=data["forgets_old"],
            ),
            _("Renamed."),
        ),
        "merge": (
            lambda: merges.merge(
                alias=players.named(club=request.club, name=data["player"]),
                into=player,
                by=request.user,
                teams=data["teams"],
            ),
            _("Merged. Their results now count together."),
        ),
        "unmerge": (lambda: _unmerge(request, player), _("They are two players again.")),
        "account": (
            lambda: members.offer_player(player=player, email=data["email"], by=request.user),
            _("Asked. The player is linked once the answer is yes."),
        ),
        "mine": (
            lambda: players.take_player(player=player, user=request.user),
            _("You play here as %(name)s.") % {"name": player.name},
        ),
        "withdraw": (
            lambda: members.withdraw_player(player=player, by=request.user),
            _("Offer withdrawn."),
        ),
        "wishes": (
            lambda: players.set_wishes(
                player=player,
                group=data["group"],
                together=data["together"],
                fixed_table=data["fixed_table"],
                by=request.user,
            ),
            _("Saved. It applies from the next draw."),
        ),
        "face": (
            lambda: players.choose_face(player=player, animal=data["animal"], by=request.user),
            _("Saved."),
        ),
        "regular": (
            lambda: players.set_regular(
                player=player,
                is_regular=request.POST.get("regular", str(int(not player.is_regular))) == "1",
                by=request.user,
            ),
            _("Saved. It applies from the next sign-up list."),
        ),
        "shown": (
            lambda: players.show_name(
                player=player, shown=request.POST.get("shown", ""), by=request.user
            ),
            _("Saved. Strangers' pages follow within ten minutes."),
        ),
        "invite": (
            lambda: invitations.invite_player(player=player, by=request.user),
            _("The link is ready. Send it, or let people scan it."),
        ),
        "unlink": (
            lambda: players.unlink_account(player=player, by=request.user),
            _("Account unlinked."),
        ),
        "anonymise": (
            lambda: hidden_names.remove_name(player=player, by=request.user),
            _("Name removed. Results stay."),
        ),
        "hide": (
            lambda: hidden_names.hide_name(player=player, by=request.user),
            _("Name hidden. It is removed in a week."),
        ),
        "undo_forgetting": (lambda: _undo_forgetting(request, player), _("The name is back.")),
        "bring_back": (lambda: _bring_back(request, player), _("The name is back.")),
    }
    if act not in acts:
        messages.error(request, _("This form is incomplete. Reload the page."))
        return True
    perform, text = acts[act]
    with telling(request, form=form):
        perform()
        messages.success(request, text)
        if act == "rename":
            for warning in players.looks_like(player):
                messages.warning(request, warning)
        return True
    return form is None


def _unmerge(request: ClubRequest, player: Player) -> None:
    alias = or_raise(
        player.aliases.filter(pk=whole_number(request.POST.get("alias")) or 0).first(),
        Refusal(_("These two are already separate. Reload the page.")),
    )
    merges.unmerge(alias=alias, by=request.user)


def _add(request: ClubRequest, text: str) -> players.Added:
    """Add the players of a list, and the lines asked about that are names."""
    plays = request.POST.getlist("plays")
    text = "\n".join([text, *plays])
    added = players.add_players(club=request.club, text=text, by=request.user, plays=plays)
    count = len(added.players)
    if count:
        text = ngettext("%(count)s player added.", "%(count)s players added.", count)
        messages.success(request, text % {"count": count})
    for problem in added.problems[:20]:
        messages.warning(request, problem)
    if not (count or added.problems or added.asked):
        messages.warning(request, _("This list has no names."))
    return added
