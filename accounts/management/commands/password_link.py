"""Command that prints a one-time link for a person who forgot the password."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import security_log, services
from accounts.models import User


class Command(BaseCommand):
    help = "Print a one-time link with which the person with this email sets a new password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument(
            "--address", default=settings.SITE_ADDRESS, help="the site's address (%(default)s)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(email__iexact=options["email"], is_active=True).first()
        if user is None:
            raise CommandError(
                f"No account has the email {options['email']}. Check the spelling, or let the"
                " person sign up."
            )
        security_log.note(security_log.Kind.PASSWORD_LINK, user)
        self.stdout.write(f"{options['address'].rstrip('/')}{services.password_link(user=user)}")
