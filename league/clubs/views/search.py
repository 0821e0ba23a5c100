"""The search for players, events and clubs on every page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.sessions import account_of
from league.base.pages import help as questions
from league.clubs.facts import search as selector
from tables.refusals import TableRefusal
from tables.web import limits


@require_GET
def search(request: HttpRequest) -> HttpResponse:
    """Show the players, events and clubs that match `q` and that the visitor may see."""
    text = request.GET.get("q", "").strip()[: selector.LONGEST]
    context: dict[str, object] = {"q": text, "most": selector.MOST}
    if text:
        try:
            limits.check(request, "search")
            context["found"] = selector.search(account_of(request), text)
            context["asked"] = questions.find(text)
        except TableRefusal:
            context["wait"] = True
    partial = "#results" if request.htmx else ""  # type: ignore[attr-defined]
    status = 429 if "wait" in context else 200
    return render(request, f"search.html{partial}", context, status=status)
