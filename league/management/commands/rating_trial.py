"""Print how well ratings find known strengths; it needs no database."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from engine.sim import rating_trial


class Command(BaseCommand):
    help = "Print how well ratings find the strengths of simulated people (docs/ratings.md)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--repeats", type=int, default=4, help="how often each line is played")

    def handle(self, *args: Any, **options: Any) -> None:
        rating_trial.table(max(1, options["repeats"]), self.stdout.write)
