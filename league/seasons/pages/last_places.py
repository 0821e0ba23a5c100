"""The last nights of a season at a glance: everyone's places, and one's own nights as bars."""

from dataclasses import dataclass
from fractions import Fraction

from league.models import Event, Player, Season
from league.seasons import places as doors
from league.seasons.facts import player_rows
from league.seasons.facts.standings import PLAYED

LAST = 5
STEP, BAR, TOP, HEIGHT = 44.0, 36.0, 18.0, 96.0


def last_places(season: Season) -> dict[int, list[int | None]]:
    """Return the places in the last nights by player, the newest last; None for a missed night."""
    played = season.counted_events.filter(PLAYED).order_by("-date", "-pk")
    nights = list(played.select_related("season")[:LAST])[::-1]
    found: dict[int, list[int | None]] = {}
    places_of = doors.places_of_events(nights)
    for at, night in enumerate(nights):
        for one in places_of[night.pk]:
            if one.row.games:
                places = found.setdefault(one.player.pk, [None] * len(nights))
                places[at] = one.row.rank
    return found


@dataclass(frozen=True)
class NightBar:
    """A night as a bar: its points and height; None for a missed one.

    `tone` is "counts" or "dropped".
    """

    event: Event
    x: float
    points: Fraction | None
    y: float
    height: float
    tone: str

    @property
    def middle(self) -> float:
        """Where the texts stand."""
        return self.x + BAR / 2

    @property
    def text_y(self) -> float:
        """Where the points stand, above the bar."""
        return round(self.y - 5, 1)


@dataclass(frozen=True)
class OwnNights:
    """A player's nights of a season as bars."""

    player: Player
    bars: list[NightBar]
    width: float


def own_nights(season: Season, player: Player) -> OwnNights | None:
    """Return the bars of a player's nights; None without a game."""
    row = player_rows.row_of(player, season)
    of = {night.event: night for night in row.nights}
    if not row.games:
        return None
    most = max([night.points for night in row.nights] + [Fraction(1)])
    bars = []
    for at, event in enumerate(season.counted_events.filter(PLAYED).order_by("date", "pk")):
        night = of.get(event.pk)
        height = round(float(max(night.points, Fraction(0)) / most) * HEIGHT, 1) if night else 0.0
        points = night.points if night else None
        y = round(TOP + HEIGHT - height, 1)
        bars.append(
            NightBar(
                event,
                at * STEP,
                points,
                y,
                height,
                "counts" if night and night.counted else "dropped",
            )
        )
    return OwnNights(player, bars, max(len(bars), 6) * STEP)
