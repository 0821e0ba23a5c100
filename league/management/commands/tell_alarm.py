"""Tell the administrators an alarm by email, without a database; the supervisor runs it."""

import json
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.core.management.base import BaseCommand, CommandParser
from django.utils import translation

from launcher.alarms import FILE
from league.news.facts import words


class Command(BaseCommand):
    help = "Tell the administrators an alarm by email, without a database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        for name in ("name", "state", "value", "since"):
            parser.add_argument(name)

    def handle(self, *args: Any, **options: Any) -> None:
        data = {name: options[name] for name in ("name", "state", "value", "since")}
        try:
            receivers = json.loads((settings.DATA_DIR / FILE).read_text("utf-8"))
        except FileNotFoundError:  # Nobody has been known yet.
            receivers = {}
        failed: list[Exception] = []
        for address, language in receivers.items():
            with translation.override(language):
                title, lines = words.trouble(data)
                try:
                    send_mail(title, "\n".join(lines), None, [address])
                except (OSError, ValueError) as error:
                    failed.append(error)
        told = len(receivers) - len(failed)
        if failed and not told:  # Else trying again would tell the others twice.
            raise failed[0]
        self.stdout.write(f"{options['name']} {options['state']}: told {told}")
