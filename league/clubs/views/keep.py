"""The page by which a club without an account is kept."""

from urllib.parse import urlencode

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.forms import MOST_LETTERS
from accounts.models import User
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view, form_status, page, telling
from league.clubs.acts import holding
from tables.numbers import whole_number


class KeepForm(forms.Form):
    """The email of the account that keeps a club."""

    email = forms.EmailField(max_length=MOST_LETTERS)


@club_view(Right.OWN)
def keep(request: ClubRequest) -> HttpResponse:
    """Give the held club to the signed-in account, or offer it to the owner of an email.

    Without an account the next page is the sign-up; signing in on this phone accepts the offer.
    """
    club, account = request.club, request.account
    home = reverse("league:club", args=[club.slug])
    if club.held_until is None:
        return redirect(home)
    if "second" in request.POST:
        with telling(request, _("Saved.")):
            sent = request.POST["second"]
            claim = whole_number(sent) or 0 if sent else None
            holding.name_second(club=club, claim=claim, by=request.user)
        return redirect("league:keep", club.slug)
    own = account if isinstance(account, User) else None
    form = KeepForm(request.POST or None)
    if request.method == "POST" and own is not None:
        with telling(request, _("“%(club)s” is kept: it is yours now.") % {"club": club.name}):
            holding.keep(club=club, user=own, by=request.user)
        return redirect(home)
    if request.method == "POST" and form.is_valid():
        email = form.cleaned_data["email"]
        holding.offer_to_keep(club=club, email=email, by=request.user)
        return redirect(f"{reverse('account_signup')}?{urlencode({'email': email, 'next': home})}")
    context = {"form": form, "account": own, "phones": holding.phones_of(club)}
    return page(request, "league/clubs/keep.html", context, form_status(form))
