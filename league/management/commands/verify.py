"""Checks that standings and money follow from the results; see `league.selectors.verify`."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.models import Club, Result, Season
from league.selectors import verify


class Command(BaseCommand):
    help = "Compare counts, standings and money with a rebuild from the results alone."

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
        for problem in verify.everything(found):
            count += 1
            self.stdout.write(problem)
        seconds = time.monotonic() - started
        if count:
            raise CommandError(f"{count} differences in {seconds:.1f} s")
        of_club = {} if found is None else {"club": found}
        seasons = Season.objects.filter(**of_club).count()
        results = Result.objects.filter(current=True).count()
        self.stdout.write(
            f"No differences: {seasons} seasons rebuilt, {results} games in all, {seconds:.1f} s"
        )
