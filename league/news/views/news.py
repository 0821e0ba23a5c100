"""Views of an account's news settings, the e-mail opt-out, and a club's webhooks and their log."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.signed_in import SignedInRequest
from league.base.lookup import find_event, find_season, first_or_404
from league.base.rights import Right
from league.base.views.base import (
    ClubRequest,
    club_view,
    form_status,
    incomplete_form,
    page,
    tell,
    telling,
)
from league.base.views.phones import phone_of
from league.models import Channel, Club, Event, NewsItem, NewsWish, Season
from league.money.views.money import back_to
from league.news.acts import outbox, push, sending, telegram, wishes
from league.news.facts.words import KINDS
from league.news.forms import WebhookForm, WishForm
from league.nights.facts import claims
from tables.base.lookup import or_404
from tables.numbers import whole_number

MOST_LISTED = 40
FROM_WISH = ("by_email", "language", "quiet_from", "quiet_to")


@never_cache
@login_required
def my_news(request: SignedInRequest) -> HttpResponse:
    """Show and change when and where the account gets its news."""
    wish = NewsWish.objects.filter(user=request.user).first()
    wish = wish or NewsWish()
    form = WishForm(request.POST or None, initial={name: getattr(wish, name) for name in FROM_WISH})
    if request.method == "POST" and form.is_valid():
        with telling(request, _("Saved."), form):
            wishes.set_wish(user=request.user, **form.cleaned_data)
            return redirect("my_news")
    context = {
        "form": form,
        "has_mail": settings.HAS_MAIL,
        "push_key": push.public_key(),
        "browsers": request.user.channels.filter(kind=Channel.Kind.PUSH).count(),
        "has_telegram": telegram.is_on(),
        "in_telegram": request.user.channels.filter(kind=Channel.Kind.TELEGRAM).exists(),
    }
    return render(request, "league/news/my_news.html", context, status=form_status(form))


@require_POST
@login_required
def my_browser(request: SignedInRequest) -> HttpResponse:
    """Subscribe the browser to the account's news, or unsubscribe it or all browsers."""
    if "all" in request.POST:
        push.remove_browsers(user=request.user)
        messages.success(request, _("No browser gets your news any more."))
        return redirect("my_news")
    return _subscribe(request, user=request.user)


@require_POST
def phone_browser(request: HttpRequest, pk: int) -> HttpResponse:
    """Subscribe the browser of a phone that has a name in the night, or unsubscribe it."""
    phone = phone_of(request)
    if claims.held(first_or_404(Event.objects.filter(pk=pk)), phone) is None:
        raise Http404
    return _subscribe(request, phone=phone)


@csrf_exempt  # A service worker has no page; who knows the old address is the browser.
@require_POST
def renewed_browser(request: HttpRequest) -> HttpResponse:
    """Give a subscription its new address and keys, or end it if the browser has none any more."""
    channel = or_404(push.subscribed_at(request.POST.get("old", "")))
    whose: dict[str, Any] = {"user": channel.user, "phone": channel.phone}
    if "address" not in request.POST:
        push.remove_browser(address=channel.address, **whose)
        return HttpResponse(status=204)
    answer = _subscribe(request, **whose)
    if answer.status_code == 204 and request.POST["address"] != channel.address:
        push.remove_browser(address=channel.address, **whose)
    return answer


def _subscribe(request: HttpRequest, **whose: Any) -> HttpResponse:
    address = request.POST.get("address", "")
    if "remove" in request.POST:
        push.remove_browser(address=address, **whose)
        return HttpResponse(status=204)
    whose |= {name: request.POST.get(name, "") for name in ("p256dh", "auth")}
    try:
        push.add_browser(address=address, **whose)
    except ValidationError as error:
        return HttpResponse(
            " ".join(error.messages), content_type="text/plain; charset=utf-8", status=422
        )
    return HttpResponse(status=204)


@never_cache
@require_POST
@login_required
def my_telegram(request: SignedInRequest) -> HttpResponse:
    """Show the link that connects a Telegram chat to the account, or disconnect its chats."""
    if not telegram.is_on():
        raise Http404
    if "remove" in request.POST:
        telegram.unlink(user=request.user)
        messages.success(request, _("Telegram no longer sends you news."))
        return redirect("my_news")
    with telling(request):
        link = telegram.link_for(request.user)
        # No redirect: the content security policy blocks forms that lead to another site.
        return render(request, "league/news/telegram.html", {"link": link})
    return redirect("my_news")


@csrf_exempt  # Mail programs post without a session (RFC 8058); the token names the account.
def news_off(request: HttpRequest, token: str) -> HttpResponse:
    """End the news of the message's club for its account, or all e-mail, without signing in."""
    key, club_key = sending.reader_of(token)
    user = User.objects.filter(pk=key).first() if key else None
    if user is None:
        return render(request, "league/news/off.html", {"unknown": True}, status=404)
    club, done = Club.objects.filter(pk=club_key or 0).first(), request.method == "POST"
    is_all = club is None or "all" in request.POST
    if done and club is not None and not is_all:
        wishes.silence(user=user, club=club)
    elif done:
        wishes.turn_off(user_id=user.pk)
    return render(request, "league/news/off.html", {"done": done, "club": club, "is_all": is_all})


@never_cache
@club_view(Right.OWN, keep_first=True)
def webhooks(request: ClubRequest) -> HttpResponse:
    """Show the webhooks, their deliveries and other failed messages; add a webhook on POST."""
    form, made = WebhookForm(request.POST or None), None
    if request.method == "POST" and form.is_valid():
        with telling(request, _("Webhook added."), form):
            made = wishes.add_webhook(club=request.club, by=request.user, **form.cleaned_data)
            form = WebhookForm()
    sent = request.club.news.exclude(webhook=None).select_related("webhook")
    failed = request.club.news.filter(webhook=None, state=NewsItem.State.FAILED)
    failed = failed.select_related("user", "channel__user")[:MOST_LISTED]
    readers = {one.reader.pk for one in failed if one.reader}
    players = request.club.players.filter(user__in=readers, merged_into=None)
    names = dict(players.values_list("user", "name"))
    context = {
        "form": form,
        "made": made,
        "hooks": list(request.club.webhooks.all()),
        "deliveries": list(sent[:MOST_LISTED]),
        "failures": [
            (KINDS[one.kind].label, one, names.get(one.reader.pk, one.reader) if one.reader else "")
            for one in failed
        ],
    }
    return page(request, "league/news/webhooks.html", context, form_status(form))


@require_POST
@club_view(Right.ORGANISE, keep_first=True, of=find_event)
def sign_up_ask(request: ClubRequest, event: Event) -> HttpResponse:
    """Ask the players who have not answered the sign-up whether they come."""
    with telling(request):
        asked = outbox.ask_the_silent(event=event, by=request.user)
        text = ngettext("%(n)s person was asked.", "%(n)s people were asked.", asked)
        messages.success(request, text % {"n": asked})
    return redirect("league:sign_up", slug=request.club.slug, pk=event.pk)


@require_POST
@club_view(Right.BELONG, keep_first=True, of=find_season)
def debt_remind(request: ClubRequest, season: Season) -> HttpResponse:
    """Remind a player of a debt; only its payee and organisers may."""
    people = request.club.players.people()
    payer, payee = (
        people.filter(pk=whole_number(request.POST.get(name)) or 0).first()
        for name in ("payer", "payee")
    )
    if request.right < Right.ORGANISE and (payee is None or payee.user_id != request.user.pk):
        raise PermissionDenied
    event = whole_number(request.POST.get("event"))
    night = first_or_404(season.events.filter(pk=event)) if event else None
    if payer is None or payee is None:
        tell(request, incomplete_form())
    else:
        with telling(request, _("Reminder sent to %(name)s.") % {"name": payer.name}):
            outbox.remind_of_debt(
                season=season, event=night, payer=payer, payee=payee, by=request.user
            )
    return back_to(request, season, night)


@require_POST
@club_view(Right.OWN, keep_first=True)
def webhook_change(request: ClubRequest, hook: int) -> HttpResponse:
    """Send a test message to a webhook, or remove it."""
    found = first_or_404(request.club.webhooks.filter(pk=hook))
    if "remove" in request.POST:
        wishes.remove_webhook(hook=found, by=request.user)
        messages.success(request, _("Webhook removed."))
    else:
        outbox.try_webhook(found)
        messages.success(request, _("Test sent. Reload to see the response."))
    return redirect("league:webhooks", slug=request.club.slug)
