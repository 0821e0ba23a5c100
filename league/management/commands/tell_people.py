"""List whom a breach of personal data concerns, and write to them."""

from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Q

from accounts.mail import REASONS, NotSent, send
from accounts.models import User
from league.models import Club, Membership, Player


class Command(BaseCommand):
    help = (
        "List whom a breach of personal data concerns: accounts with their emails, people without "
        "an account by club, and who tells these. With --send, write to all accounts listed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--club", action="append", metavar="SLUG", help="only people of this club; repeatable"
        )
        parser.add_argument(
            "--only", action="append", metavar="EMAIL", help="only this account; repeatable"
        )
        parser.add_argument(
            "--send", type=Path, metavar="FILE", help="email this text; its first line is the title"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        clubs = Club.everything.order_by("slug")
        people = User.objects.known().order_by("email")
        if slugs := options["club"]:
            clubs = clubs.filter(slug__in=slugs)
            if unknown := set(slugs) - set(clubs.values_list("slug", flat=True)):
                raise CommandError(f"No club is called {', '.join(sorted(unknown))}.")
            theirs = Q(memberships__club__in=clubs) | Q(player__club__in=clubs)
            people = people.filter(theirs).distinct()
        if options["only"]:
            only = {email.lower() for email in options["only"]}
            people = people.filter(email__in=only)
            if unknown := only - set(people.values_list("email", flat=True)):
                raise CommandError(f"No account listed has {', '.join(sorted(unknown))}.")
        for email in people.values_list("email", flat=True):
            self.stdout.write(email)
        for club in clubs if not options["only"] else ():
            self._list_others(club)
        if options["send"]:
            self._send(people, options["send"])

    def _list_others(self, club: Club) -> None:
        """Print who of the club has no account, which this server cannot reach, and who can."""
        others = Player.everything.filter(club=club, user=None, merged_into=None, bot="")
        if not others.exists():
            return
        tellers = club.memberships.filter(role__in=Membership.ORGANISERS)
        emails = ", ".join(tellers.values_list("user__email", flat=True)) or "nobody"
        self.stdout.write(f"Without an account in {club.slug}, told by {emails}:")
        for name in others.values_list("name", flat=True):
            self.stdout.write(f"  {name}")

    def _send(self, people: Any, file: Path) -> None:
        if not settings.HAS_MAIL:
            raise CommandError("This server has no mail: set EMAIL_URL.")
        try:
            title, *lines = file.read_text("utf-8-sig").strip().split("\n") or [""]
        except (OSError, ValueError) as error:
            raise CommandError(f"{file} cannot be read: {error}") from error
        if not title.strip() or not "".join(lines).strip():
            raise CommandError("Give the text a title in its first line, and then what happened.")
        told, failed = 0, []
        for user in people:
            try:
                send(user.email, f"breach-{uuid4()}", title, lines)
                told += 1
            except NotSent as error:
                failed.append(f"  {user.email}: {REASONS[str(error)]}")
        self.stdout.write(f"Written to {told} accounts.")
        if failed:
            raise CommandError(
                "\n".join([f"Not written to {len(failed)}; try these with --only:", *failed])
            )
