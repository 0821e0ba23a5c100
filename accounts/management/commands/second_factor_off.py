"""Command that removes the second factor of a person who lost the phone and the codes."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import security_log, services
from accounts.models import User


class Command(BaseCommand):
    help = "Turn off two-factor authentication for the account with this email."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(email__iexact=options["email"], is_active=True).first()
        if user is None:
            raise CommandError(f"No account has the email {options['email']}.")
        security_log.note(security_log.Kind.FACTOR_REMOVED, user)
        had_any = services.remove_second_factor(user=user)
        self.stdout.write("Two-factor authentication is off." if had_any else "It had none.")
