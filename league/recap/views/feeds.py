"""Feeds of public clubs, sitemaps and robots.txt."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import translation
from django.utils.feedgenerator import Atom1Feed, Rss201rev2Feed
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from league.base.lookup import without_money_points
from league.base.rights import Right
from league.base.views.base import ClubRequest, club_view
from league.base.views.conditional import answer_if_changed
from league.clubs.facts.search import that_played
from league.models import Club, Season
from league.recap.pages.feeds import FeedEntry, entries_of

XML: dict[str, type[Atom1Feed] | type[Rss201rev2Feed]] = {"atom": Atom1Feed, "rss": Rss201rev2Feed}
FORMS = {"atom", "rss", "json"}
JSON_FEED = "https://jsonfeed.org/version/1.1"


@require_safe
@club_view(Right.SEE)
def feed(request: ClubRequest, form: str) -> HttpResponse:
    """Return a public club's results and next nights, as Atom, RSS or JSON."""
    club = request.club
    if form not in FORMS or not club.is_public or club.closed_at:
        raise Http404
    asked = request.GET.get("language", "")
    language = asked if asked in dict(settings.LANGUAGES) else club.language
    with translation.override(language or translation.get_language()):
        entries = entries_of(club)
        if form == "json":
            response: HttpResponse = JsonResponse(
                _json(club, entries, request),
                content_type="application/feed+json",
                json_dumps_params={"ensure_ascii": False},
            )
        else:
            response = _xml(request, form, entries)
    changed = max((int(entry.changed_at.timestamp()) for entry in entries), default=None)
    return answer_if_changed(request, response, changed)


def _xml(request: ClubRequest, form: str, entries: list[FeedEntry]) -> HttpResponse:
    club = request.club
    made = XML[form](
        title=club.name,
        link=request.build_absolute_uri(reverse("league:club", args=[club.slug])),
        description=club.name,
        author_name=club.name,
        language=translation.get_language(),
        feed_url=request.build_absolute_uri(),
    )
    for entry in entries:
        url = request.build_absolute_uri(entry.path)
        made.add_item(
            title=entry.title,
            link=url,
            description=entry.text,
            pubdate=entry.at,
            updateddate=entry.changed_at,
            unique_id=f"{url}#{entry.key}",
        )
    return HttpResponse(made.writeString("utf-8"), content_type=made.content_type)


def _json(club: Club, entries: list[FeedEntry], request: HttpRequest) -> dict[str, Any]:
    """Return the feed in the format JSON Feed 1.1 (jsonfeed.org)."""
    return {
        "version": JSON_FEED,
        "title": club.name,
        "home_page_url": request.build_absolute_uri(reverse("league:club", args=[club.slug])),
        "feed_url": request.build_absolute_uri(request.path),
        "language": translation.get_language(),
        "items": [
            {
                "id": request.build_absolute_uri(f"{entry.path}#{entry.key}"),
                "url": request.build_absolute_uri(entry.path),
                "title": entry.title,
                "content_text": entry.text,
                "date_published": entry.at.isoformat(),
                "date_modified": entry.changed_at.isoformat(),
            }
            for entry in entries
        ],
    }


class PublicClubs(Sitemap):  # type: ignore[type-arg]
    """The sitemap of pages of public clubs that played."""

    limit = 1000

    def items(self) -> Iterable[Club]:
        return that_played(Club.objects.public()).order_by("pk")

    def location(self, item: Club) -> str:
        return reverse("league:club", args=[item.slug])


class PublicSeasons(Sitemap):  # type: ignore[type-arg]
    """The sitemap of public clubs' seasons."""

    limit = 1000

    def items(self) -> Iterable[Season]:
        found = Season.objects.filter(club__in=that_played(Club.objects.public()))
        return without_money_points(found).select_related("club").order_by("pk")

    def location(self, item: Season) -> str:
        return reverse("league:season", args=[item.club.slug, item.pk])


class OpenPages(Sitemap):  # type: ignore[type-arg]
    """The sitemap of pages that belong to no club."""

    def items(self) -> Iterable[str]:
        return ["home", "learn", "league:club_list", "tables:lobby"]

    def location(self, item: str) -> str:
        return reverse(item)


SITEMAPS = {"pages": OpenPages, "clubs": PublicClubs, "seasons": PublicSeasons}


@require_safe
@cache_control(max_age=3600)
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt with the paths not to crawl and the URL of the sitemap."""
    private = ["/accounts/", "/people/", "/search/", "/clubs/~", "/api/"]
    # First what is shared in chats, whose previewers ask here; its pages are not indexed.
    lines = ["User-agent: *", "Allow: /clubs/~night/", *(f"Disallow: {path}" for path in private)]
    lines += ["", f"Sitemap: {request.build_absolute_uri(reverse('sitemap'))}"]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
