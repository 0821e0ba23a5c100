"""Views of the questions that people have: the index, and one question on each page."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.base.lookup import find_club
from league.base.pages import help as questions
from league.learn.pages.answers import answer_page
from league.models import Club
from tables.base.lookup import or_404
from tables.web.addresses import address_of


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the questions asked most often, those of a topic, or the guide with all answers."""
    topic = request.GET.get("topic", "")
    if topic == "all":
        return render(request, "league/learn/guide.html", questions.guide() | _code(request))
    return render(request, "league/learn/help.html", questions.index(topic) | _code(request))


@require_safe
def question(request: HttpRequest, question: str) -> HttpResponse:
    """Show one question, with the numbers of the club that the reader comes from."""
    answer = or_404(answer_page(question, _club(request)))
    return render(request, "league/learn/answer.html", answer | _code(request))


def _code(request: HttpRequest) -> dict[str, object]:
    """Return the address of the product as a QR code, which some pictures show."""
    return {"code": address_of(request, "/").qr}


def _club(request: HttpRequest) -> Club | None:
    """Return the named club if the reader belongs to it: its stake is for members."""
    slug = request.GET.get("club", "")
    try:
        club, _right = find_club(request.user, slug)
    except Http404:
        return None
    return club if club.shows_money else None
