"""The web app's manifest, service worker and offline page."""

import hashlib

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

OFFLINE_FILES = (
    "css/tokens.css",
    "css/base.css",
    "css/components.css",
    "cards.svg",
    "vendor/be-vietnam-pro/be-vietnam-pro-400.woff2",
    "vendor/be-vietnam-pro/be-vietnam-pro-700.woff2",
)


@require_GET
@cache_control(max_age=3600)
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the web app manifest in the language of the requesting page."""
    with translation.override(_language(request)):
        body = {
            "id": "/",
            "name": _("Tiến Lên League"),
            "short_name": "Tiến Lên",
            "description": _("Tiến Lên League: club nights, seasons and bots."),
            "lang": translation.get_language(),
            "start_url": reverse("home"),
            "scope": "/",
            "display": "standalone",
            "theme_color": "#8c1417",
            "background_color": "#f9f4ea",
            "icons": [
                {"src": static("favicon.svg"), "sizes": "any", "type": "image/svg+xml"},
                *(
                    {
                        "src": static(f"icons/{name}.png"),
                        "sizes": f"{size}x{size}",
                        "type": "image/png",
                        "purpose": purpose,
                    }
                    for name, size, purpose in (
                        ("app-192", 192, "any"),
                        ("app-512", 512, "any"),
                        ("app-maskable-512", 512, "maskable"),
                    )
                ),
            ],
            "shortcuts": [
                {"name": _("Tonight"), "url": reverse("home")},
                {"name": _("Score tonight"), "url": reverse("league:tonight")},
                {"name": _("Play"), "url": reverse("tables:lobby")},
            ],
            "launch_handler": {"client_mode": "navigate-existing"},
            "share_target": {
                "action": reverse("shared"),
                "method": "POST",
                "params": {"text": "text"},
            },
        }
    return JsonResponse(body, content_type="application/manifest+json")


@require_GET
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker, which caches only the offline page and its files."""
    files = [static(name) for name in OFFLINE_FILES]
    page = f"{reverse('offline')}?language={_language(request)}"
    version = hashlib.sha256("".join([page, *files]).encode()).hexdigest()[:12]
    context = {
        "files": files,
        "page": page,
        "version": version,
        "icon": static("icons/app-192.png"),
        "static": settings.STATIC_URL,
        "renewed": reverse("renewed_browser"),
    }
    return render(request, "service_worker.js", context, content_type="text/javascript")


@require_GET
def offline(request: HttpRequest) -> HttpResponse:
    """Return the page for visitors without a connection.

    It is the same for everyone who reads that language.
    """
    with translation.override(_language(request)):
        return render(request, "offline.html")


def _language(request: HttpRequest) -> str:
    """Return the language that the URL names, else the visitor's own; 404 if unsupported."""
    language = request.GET.get("language") or translation.get_language() or settings.LANGUAGE_CODE
    if language not in dict(settings.LANGUAGES):
        raise Http404
    return language
