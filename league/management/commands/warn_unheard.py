"""Say that alarms reach nobody; each start of a server with mail does it."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from league.news.acts import outbox


class Command(BaseCommand):
    help = "Print a warning if email works and no administrator would get an alarm; else nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.HAS_MAIL and not outbox.are_troubles_heard():
            self.stdout.write(
                "Alarms of this server reach nobody: an administrator must confirm an email, or"
                " choose a browser or Telegram under Notifications."
            )
