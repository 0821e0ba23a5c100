"""Check that standings, money, online games and runs follow from their source data."""

import time
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.models import Club, Result
from league.proof.acts import verification
from league.proof.facts import verify


class Command(BaseCommand):
    help = (
        "Compare counts, standings and money with a rebuild from the results alone; without a"
        " club, also replay all finished live games and, for a minute, units of bots' games."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "club", nargs="?", help="the short name in a club's address; all if left out"
        )

    def handle(self, *args: Any, club: str | None = None, **options: Any) -> None:
        found = None
        if club is not None:
            found = Club.objects.filter(slug=club).first()
            if found is None:
                known = ", ".join(Club.objects.values_list("slug", flat=True)[:20]) or "none yet"
                raise CommandError(f"There is no club {club!r}. Known: {known}.")
        started = time.monotonic()
        count = 0
        checked: Counter[str] = Counter()
        problems = (
            verification.everything(checked)
            if found is None
            else verify.everything(found, checked=checked)
        )
        for problem in problems:
            count += 1
            self.stdout.write(problem)
        seconds = time.monotonic() - started
        if count:
            raise CommandError(f"{count} differences in {seconds:.1f} s")
        if found is not None:
            results = Result.objects.filter(current=True, sitting__round__event__season__club=found)
            checked.update(seasons=found.seasons.count(), results=results.count())
        looked_at = ", ".join(f"{number} {what}" for what, number in checked.items() if number)
        self.stdout.write(f"No differences: {looked_at or 'nothing there yet'}, {seconds:.1f} s")
