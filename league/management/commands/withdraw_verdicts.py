"""Withdraw verdicts that blamed bots for a time limit of the server's own tasks."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from league.arena.acts import withdrawn_verdicts


class Command(BaseCommand):
    help = (
        "Withdraw verdicts on bots that a limit of the server's own tasks caused: their batches are"
        " played again, bots rated again, refused bots checked again. It may be given again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only say what would be done")

    def handle(self, *args: Any, dry_run: bool = False, **options: Any) -> None:
        count = 0
        for sentence in withdrawn_verdicts.withdraw(is_dry_run=dry_run):
            count += 1
            self.stdout.write(sentence)
        if not count:
            self.stdout.write("There is no such verdict.")
        elif dry_run:
            self.stdout.write("Nothing was changed. Leave out --dry-run to do it.")
