"""Create the demo club on an empty server and print its sign-ins."""

from typing import Any

from django.core.management.base import BaseCommand

from league import demo


class Command(BaseCommand):
    help = "Make a demo club when nothing is here yet, and print its sign-ins."

    def handle(self, *args: Any, **options: Any) -> None:
        demo.create_if_empty()
        for role, email, password in demo.sign_ins():
            self.stdout.write(f"  {role:<10} {email:<24} {password}")
