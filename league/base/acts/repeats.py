"""Requests that come again under their own key, the `client_id`."""

from django.utils.translation import gettext as _

from tables.refusals import Refusal


def check_same(is_same: bool) -> None:
    """Refuse (`key_reused`) a key that came before with other content."""
    if not is_same:
        raise Refusal(
            _(
                "This form was sent before with other content, and that is saved. Compare it, "
                "then send again what is missing."
            ),
            code="key_reused",
            status=409,
        )
