"""Tokens of programs: what they may do, for how long, and what ends them."""

import datetime

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import services as accounts
from league.base.acts import tokens
from league.models import ApiToken
from tests.factories import make_club, make_user, owner_of, path_of

pytestmark = pytest.mark.django_db
SCOPES = ("read", "play", "organise", "arena")


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_does_what_its_scope_says_and_nothing_else(scope):
    club = make_club()
    _token, secret = tokens.create_token(user=owner_of(club), name="test", scopes=[scope])
    client = Client(headers={"Authorization": f"Bearer {secret}"})
    players = path_of(club, "api:players")
    answers = {
        "read": client.get(players),
        "organise": client.post(players, {"name": "An"}, content_type="application/json"),
        "play": client.get(reverse("play:tables")),
        "arena": client.get(reverse("play:bots")),
    }
    assert {name for name, answer in answers.items() if answer.status_code != 403} == {scope}
    refused = next(answer for name, answer in answers.items() if name != scope).json()
    assert refused["code"] == "scope"
    assert refused["detail"].startswith("This token lacks the scope “")


def test_streams_ask_for_the_scope_play():
    user = make_user()
    for scope in SCOPES:
        _token, secret = tokens.create_token(user=user, name="x", scopes=[scope])
        assert (tokens.player_of(secret) is not None) == (scope == "play")


def test_a_token_from_before_scopes_has_all_and_no_end():
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO league_apitoken (user_id, name, digest, created_at)"
            " VALUES (%s, 'old', 'x', now())",
            [make_user().pk],
        )
    old = ApiToken.objects.get()
    assert (old.scopes, old.expires_at) == (list(SCOPES), None)


@pytest.mark.parametrize("scopes", [[], ["read", "owner"]])
def test_scopes_that_nobody_knows_are_refused(scopes):
    user = make_user()
    with pytest.raises(ValidationError, match="Choose what"):
        tokens.create_token(user=user, name="x", scopes=scopes)
    with pytest.raises(IntegrityError, match="api_token_scopes_known"), transaction.atomic():
        ApiToken.objects.create(user=user, name="x", digest="y", scopes=scopes)


def test_a_token_ends_with_its_time():
    token, secret = tokens.create_token(user=make_user(), name="x", days=1)
    assert tokens.token_of(secret) == token
    ApiToken.objects.update(expires_at=timezone.now() - datetime.timedelta(seconds=1))
    assert tokens.token_of(secret) is None


def test_making_a_token_asks_for_the_password():
    user, client = make_user(), Client()
    client.force_login(user)
    form = {"name": "phone", "scopes": ["read", "play"], "days": "30"}
    answer = client.post(reverse("api:tokens"), form)
    assert answer["Location"].startswith(reverse("account_reauthenticate"))
    assert not ApiToken.objects.exists()
    page = client.post(answer["Location"], {"password": "s3cret-word"})
    token = ApiToken.objects.get()
    assert "tl_" in page.content.decode()
    assert (token.name, token.scopes) == ("phone", ["read", "play"])
    assert token.expires_at is not None
    assert round((token.expires_at - token.created_at).total_seconds() / 86_400) == 30
    # The password's page answers with this one, at its own address.
    assert f'<form method="post" action="{reverse("api:tokens")}"' in page.content.decode()
    page = client.get(reverse("api:tokens")).content.decode()
    assert "read clubs and results; play at tables" in page
    assert client.get(reverse("api:schema")).status_code == 200
    assert f'href="{reverse("api:schema")}"' in page


@pytest.mark.parametrize("keep", [True, False])
def test_a_new_password_ends_tokens_that_nobody_keeps(keep):
    user, client = make_user(), Client()
    _token, secret = tokens.create_token(user=user, name="x")
    client.force_login(user)
    form = dict.fromkeys(("password1", "password2"), "mot-hai-ba-bon")
    form |= {"oldpassword": "s3cret-word"} | ({"keep_tokens": "on"} if keep else {})
    assert client.post(reverse("account_change_password"), form).status_code == 302
    assert (tokens.token_of(secret) is not None) == keep


def test_a_password_set_by_a_link_ends_all_tokens():
    user, client = make_user(), Client()
    _token, secret = tokens.create_token(user=user, name="x")
    page = client.get(accounts.password_link(user=user), follow=True)
    form = dict.fromkeys(("password1", "password2"), "mot-hai-ba-bon") | {"keep_tokens": "on"}
    assert client.post(page.request["PATH_INFO"], form).status_code == 302
    assert tokens.token_of(secret) is None
