"""Print a seating plan; it needs no database, account or event."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from league.seating import SeatingError, plan
from league.seating.checks import check_size
from league.seating.evening import evening_json, evening_text, play_evening, read_changes
from league.seating.report import as_json, as_text, read_apart


class Command(BaseCommand):
    help = "Print who sits where in every round, and how good the schedule is."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, required=True, help="how many players")
        parser.add_argument("--rounds", type=int, required=True, help="how many rounds")
        parser.add_argument(
            "--apart",
            metavar="FILE",
            help="players never to share a table: two or more numbers a line, 0 to players - 1",
        )
        parser.add_argument(
            "--evening",
            metavar="FILE",
            help="who came and left, a round a line, as '3: -5 +32 ~7 again': before round 3 "
            "player 5 leaves and 32 comes, 7 sits it out, and it is drawn again",
        )
        parser.add_argument(
            "--seed", type=int, default=1, help="the same seed gives the same schedule (default 1)"
        )
        parser.add_argument(
            "--size", type=int, default=4, help="players at a table at most, 2 to 8 (default 4)"
        )
        parser.add_argument("--json", action="store_true", help="print JSON instead of text")
        parser.add_argument(
            "--effort",
            choices=["quick", "normal", "thorough"],
            default="normal",
            help="how long to search where no construction is known",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        seed = options["seed"]
        try:
            check_size(options["players"], options["rounds"])
            apart = read_apart(_text(options["apart"]), options["players"])
            if options["evening"] is not None:
                self.stdout.write(self._evening(apart, options))
                return
            schedule = plan(
                options["players"],
                options["rounds"],
                seed=seed,
                apart=apart,
                effort=options["effort"],
                size=options["size"],
            )
        except SeatingError as error:
            raise CommandError(str(error)) from error
        self.stdout.write((as_json if options["json"] else as_text)(schedule, seed))

    def _evening(self, apart: list[tuple[int, int]], options: dict[str, Any]) -> str:
        players, rounds, seed = (options[name] for name in ("players", "rounds", "seed"))
        changes = read_changes(_text(options["evening"]), players, rounds)
        drawn = play_evening(players, rounds, changes, seed=seed, apart=apart, size=options["size"])
        return (evening_json if options["json"] else evening_text)(drawn, seed)


def _text(name: str | None) -> str:
    if name is None:
        return ""
    try:
        return Path(name).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise CommandError(f"The file {name} cannot be read: {reason}.") from error
