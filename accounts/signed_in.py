"""The request of a page for who is signed in."""

from django.http import HttpRequest

from accounts.models import User


class SignedInRequest(HttpRequest):
    """A request whose `user` has an account: its view has `login_required` or asks for more."""

    user: User
