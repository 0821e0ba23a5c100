"""Erase again what a restore has brought back; each start does it before anything is served."""

from typing import Any

from django.core.management.base import BaseCommand

from league.clubs.acts import erased_again


class Command(BaseCommand):
    help = "Forget again what was made to forget a person after a restored backup was made."

    def handle(self, *args: Any, **options: Any) -> None:
        if count := erased_again.repeat():
            self.stdout.write(f"Deleted again after the restore: {count} rows.")
