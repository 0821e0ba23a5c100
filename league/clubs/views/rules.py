"""Views of a club's rules: read, print, create, change and archive."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from engine.rules import ruleset as engine_ruleset
from engine.rules.ruleset import Ruleset
from league.base.downloads import attached
from league.base.lookup import first_or_404, seasons_to_see
from league.base.page_parts import Button
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, form_status, page, telling
from league.base.views.undo import tell_done
from league.clubs.acts import club_rules
from league.clubs.facts import club_rules as facts
from league.clubs.facts.people import names_of
from league.clubs.forms.rules_choice import RULESET_NAMES, ruleset_choices
from league.clubs.views.rule_form import RulesForm
from league.models import Club, ClubRuleset
from tables.base import rulesets
from tables.base.lookup import or_404


def _find_own(club: Club, pk: int) -> ClubRuleset:
    return first_or_404(ClubRuleset.objects.filter(club=club, pk=pk).select_related("frozen"))


@club_view(Right.SEE)
def rules_list(request: ClubRequest) -> HttpResponse:
    """List the club's own rules and the presets."""
    listed = facts.rules_of(request.club, seasons_to_see(request.club))
    digests = {rules.key: digest for rules, digest in listed.presets}
    names = {digests[key]: name for key, name in ruleset_choices()}
    presets = [(digest, name) for digest, name in names.items() if digest not in listed.played]
    return page(request, "league/clubs/rules/list.html", {"listed": listed, "presets": presets})


@club_view(Right.SEE)
def rules(request: ClubRequest, digest: str) -> HttpResponse:
    """Show one ruleset in plain words, as a card to print for the table."""
    context: dict[str, Any] = {"card": _find_card(request, digest), "digest": digest}
    if request.right >= Right.ORGANISE:
        slug, own = request.club.slug, context["card"].own
        if own is None:
            address = reverse("league:rules_create", args=[slug])
            key = context["card"].rules.key
            context["change"] = Button(_("Make a copy for our club"), f"{address}?from={key}")
        else:
            address = reverse("league:rules_edit", args=[slug, own.pk])
            context["change"] = Button(_("Edit these rules"), address)
            versions = list(own.versions.select_related("by"))
            names = names_of((request.club.pk, version.by) for version in versions)
            by = {user: name for (_club, user), name in names.items()}
            context["versions"] = [(version, by.get(version.by_id)) for version in versions]
    return page(request, "league/clubs/rules/card.html", context)


@club_view(Right.SEE)
def rules_json(request: ClubRequest, digest: str) -> HttpResponse:
    """Download one ruleset in the engine's JSON form."""
    found = _find_card(request, digest).rules
    named = attached(f"{found.key}-{found.version}.json")
    rules = engine_ruleset.to_json(found)
    return JsonResponse(rules, json_dumps_params={"indent": 1}, headers=named)


@club_view(Right.ORGANISE)
def rules_create(request: ClubRequest) -> HttpResponse:
    """Create rules, starting from the preset `from`."""
    key = request.GET.get("from", "mien-nam")
    if key not in engine_ruleset.preset_keys():
        raise Http404
    preset = engine_ruleset.preset(key)
    name = _("%(preset)s, our way") % {"preset": preset.name}
    form = RulesForm(request.POST or None, rules=preset, version=0, name=name)
    if (made := _sent(request, form)) is not None:
        with telling(request, _("Rules saved. Seasons can use them now."), form):
            own = club_rules.create_ruleset(
                club=request.club, by=request.user, based_on=key, rules=made
            )
            return redirect("league:rules", request.club.slug, own.frozen_id)
    return _edit_page(request, form, preset, None)


@club_view(Right.ORGANISE, of=_find_own)
def rules_edit(request: ClubRequest, own: ClubRuleset) -> HttpResponse:
    """Save the next version of the club's rules; existing seasons and events keep theirs."""
    present = rulesets.thaw(own.frozen)
    form = RulesForm(request.POST or None, rules=present, version=own.version, name=own.name)
    if (made := _sent(request, form)) is not None:
        with telling(request, form=form):
            changed = club_rules.change_ruleset(
                ruleset=own,
                by=request.user,
                version=form.cleaned_data["version"],
                rules=made,
            )
            messages.success(
                request,
                _("Version %(number)s saved.") % {"number": own.version}
                if changed
                else _("Nothing was changed."),
            )
            return redirect("league:rules", request.club.slug, own.frozen_id)
    return _edit_page(request, form, engine_ruleset.preset(own.based_on), own)


@require_POST
@club_view(Right.ORGANISE, of=_find_own)
def rules_archive(request: ClubRequest, own: ClubRuleset) -> HttpResponse:
    """Archive or restore the club's rules."""
    archived = request.POST.get("archived") == "yes"
    club_rules.set_archived(ruleset=own, archived=archived, by=request.user)
    if archived:
        text = _("%(name)s archived.") % {"name": own.name}
        tell_done(request, text, request.path, [("archived", "no")])
    return redirect("league:rules_list", request.club.slug)


def _sent(request: ClubRequest, form: RulesForm) -> Ruleset | None:
    """Return the rules to save; None for previews and invalid input."""
    if request.method != "POST" or "preview" in request.POST or not form.is_valid():
        return None
    return form.rules_made


def _edit_page(
    request: ClubRequest, form: RulesForm, preset: Ruleset, own: ClubRuleset | None
) -> HttpResponse:
    if form.is_bound:
        form.is_valid()
    card = facts.in_words(form.rules_made or form.before, preset)
    context = {"form": form, "own": own, "based_on": RULESET_NAMES[preset.key], "card": card}
    if request.htmx:
        return page(request, "league/clubs/rules/edit.html#preview", context)
    return page(request, "league/clubs/rules/edit.html", context, form_status(form))


def _find_card(request: ClubRequest, digest: str) -> facts.RulesInWords:
    return or_404(facts.card(request.club, digest))
