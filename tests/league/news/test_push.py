"""News in browsers: a push service on this machine that opens what arrives as a browser does."""

import datetime

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings as site
from django.urls import reverse
from django.utils import timezone

from league.models import NewsItem, NewsLane, NewsWish
from league.news.acts import outbox, posting, push, sending, web_push, wishes
from league.news.facts import words
from tables.refusals import Refusal
from tests.factories import make_club, make_user, owner_of, path_of, sign_in
from tests.league.news.browser import Browser, sender_of
from tests.league.news.receiver import receiver
from tests.league.news.test_news import send

pytestmark = pytest.mark.django_db
MINUTE = datetime.timedelta(minutes=1)


@pytest.fixture(autouse=True)
def world(settings):
    settings.WEBHOOKS_IN_LAN, settings.HAS_MAIL = True, False


def tell(club, *users, key="x"):
    data = {"schedule": "Đêm 7", "day": "2015-11-27"}
    return outbox.tell(f"schedule_failed:{key}", club, users, data=data)


def test_the_example_of_rfc_8291_comes_out_byte_for_byte():
    def key(text):
        return ec.derive_private_key(int.from_bytes(web_push.bytes_of(text), "big"), web_push.CURVE)

    keys = web_push.browser_keys(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )
    sealed = web_push.encrypted(
        b"When I grow up, I want to be a watermelon",
        keys,
        once=key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
        salt=web_push.bytes_of("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert web_push.text_of(sealed) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6"
        "TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qul"
        "cy4a-fN"
    )


def test_a_browser_is_told_until_it_stops():
    club, user, browser = make_club(), make_user(), Browser()
    client, path = sign_in(user), reverse("my_browser")
    with receiver() as service:
        assert client.post(path, {"address": service.address, **browser.keys()}).status_code == 204
        page = client.get(reverse("my_news")).content.decode()
        assert push.public_key() in page
        tell(club, user)
        tell(club, user)
        service.answers = [503]
        send()
        assert [lane.name for lane in NewsLane.objects.all()] == ["push-127.0.0.1"]
        send(timezone.now() + MINUTE)
        assert send(timezone.now() + 2 * MINUTE) == {}
        (first, body), (again, sealed) = service.got  # Once, and once more after the failure.
        shown = browser.opened(body)
        assert shown["title"] == "Đêm 7 was not created"
        assert shown["address"] == site.SITE_ADDRESS + path_of(club, "club")
        assert shown == browser.opened(sealed)  # The same tag: shown once.
        assert body != sealed
        assert again["topic"] == shown["tag"]
        claims = sender_of(first["authorization"])
        assert service.address.startswith(claims["aud"] + "/")
        assert claims["sub"].startswith(("mailto:", "https://"))
        assert timezone.now().timestamp() < claims["exp"] < timezone.now().timestamp() + 24 * 3600
        # A service that knows the browser no more: it is forgotten, and nobody waits.
        tell(club, user, key="y")
        service.answers = [410]
        send()
        assert not user.channels.exists()
        assert not NewsLane.objects.exists()
        # Turned on again and off by the page.
        client.post(path, {"address": service.address, **browser.keys()})
        tell(club, user, key="z")
        client.post(path, {"address": service.address, "remove": "1"})
        assert send() == {}
        assert NewsItem.objects.count() == 0


def test_a_worker_that_dies_and_a_wish_that_changed():
    club, user, browser = make_club(), make_user(), Browser()
    with receiver() as service:
        push.add_browser(user=user, address=service.address, **browser.keys())
        tell(club, user)
        now = timezone.now()
        NewsItem.objects.update(state="sending", lease_until=now, attempts=1)
        sending.sweep(now)
        assert send() == {"push-127.0.0.1": 1}
        tell(club, user, key="y")
        wishes.turn_off(user_id=user.pk)  # E-mail alone.
        assert send() == {"push-127.0.0.1": 1}
        NewsWish.objects.update(off=["schedule_failed"])
        assert tell(club, user, key="z") == []
    # A service that refuses for good is not asked again, and others do not wait for it.
    NewsWish.objects.all().delete()
    with receiver() as service:
        push.add_browser(user=owner_of(club), address=service.address, **browser.keys())
        service.answers = [400]
        tell(club, owner_of(club), key="a")
        send()
        assert NewsItem.objects.get(key="schedule_failed:a").error == "400"
        assert not NewsLane.objects.exists()


def test_a_browser_has_one_reader_and_an_account_ten_browsers():
    first, second, keys = make_user(), make_user(), Browser().keys()
    with receiver() as service:
        push.add_browser(user=first, address=service.address, **keys)
        channel = push.add_browser(user=second, address=service.address, **keys)
        assert channel.user == second
        assert not first.channels.exists()
        for number in range(push.MOST + 2):
            push.add_browser(user=first, address=f"{service.address}&{number}", **keys)
    assert first.channels.count() == push.MOST
    sign_in(first).post(reverse("my_browser"), {"all": "1"})
    assert not first.channels.exists()
    assert second.channels.exists()


@pytest.mark.parametrize(
    ("address", "p256dh", "auth"),
    [
        ("https://127.0.0.1/x", None, None),
        ("http://93.184.216.34/x", None, None),
        ("https://93.184.216.34/x", "", ""),
        ("https://93.184.216.34/x", "BA" * 20, None),
        ("https://93.184.216.34/x", web_push.text_of(b"\4" + bytes(64)), None),
        ("https://93.184.216.34/x", None, "é"),
        ("https://93.184.216.34/x", None, "AAAA"),
    ],
)
def test_what_is_no_browser_is_refused(settings, address, p256dh, auth):
    settings.WEBHOOKS_IN_LAN = False
    keys = Browser().keys()
    fields = {
        "p256dh": keys["p256dh"] if p256dh is None else p256dh,
        "auth": keys["auth"] if auth is None else auth,
    }
    user = make_user()
    with pytest.raises(Refusal):
        push.add_browser(user=user, address=address, **fields)
    client, path = sign_in(user), reverse("my_browser")
    assert client.post(path, {"address": address, **fields}).status_code == 422
    assert client.post(path).status_code == 422
    assert not user.channels.exists()


def test_an_endpoint_is_checked_again_when_something_is_sent(settings):
    club, user = make_club(), make_user()
    with receiver() as inside:
        push.add_browser(user=user, address=inside.address, **Browser().keys())
        settings.WEBHOOKS_IN_LAN = False
        tell(club, user)
        send()
        assert inside.got == []
    assert NewsItem.objects.get().error == "https is needed"
    with pytest.raises(posting.Unreachable):
        posting.post(inside.address, b"", {}, whose="")


def test_the_longest_message_fits(monkeypatch):
    longest = words.NewsText("”" * 900, ['"' * 900])
    monkeypatch.setattr(words, "message_of", lambda _news: longest)
    club, user, browser = make_club(), make_user(), Browser()
    with receiver() as service:
        push.add_browser(user=user, address=service.address, **browser.keys())
        tell(club, user)
        send()
        assert browser.opened(service.got[0][1])["body"] == '"' * push.MOST_LETTERS
