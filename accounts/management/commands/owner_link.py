"""Command that prints a one-time link with which the installation's owner sets a password."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import services
from accounts.models import User


class Command(BaseCommand):
    help = "Print a one-time link with which the administrator of this server sets a password."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--email", default=services.NOBODY)
        parser.add_argument(
            "--address", default=settings.SITE_ADDRESS, help="the site's address (%(default)s)"
        )
        parser.add_argument(
            "--if-new", action="store_true", help="print nothing when an owner can already sign in"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        owners = User.objects.filter(is_superuser=True)
        if options["if_new"] and any(owner.has_usable_password() for owner in owners):
            return
        try:
            user = services.create_owner(email=options["email"])
        except LookupError as taken:
            raise CommandError(
                f"The account {taken} is somebody else's. Choose another address with --email."
            ) from taken
        self.stdout.write(f"{options['address'].rstrip('/')}{services.password_link(user=user)}")
        if services.asks_address(user):
            self.stdout.write("It asks for the owner's email: alarms of this server go there.")
        else:
            self.stdout.write(f"The owner signs in as {user.email}.")
