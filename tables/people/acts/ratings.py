"""Ratings of rated games: Plackett-Luce (openskill), game by game, people and bots on one scale.

Weng and Lin, "A Bayesian approximation method for online ranking" (JMLR 12, 2011).
"""

from typing import Any

from django.db import transaction
from django.utils import timezone
from openskill.models import PlackettLuce

from tables.base import placings
from tables.models import CountedGame, Game, RatedPlace, Seat, TableRating

MODEL = PlackettLuce()
NEW = MODEL.rating()


def note(game: Game) -> None:
    """Queue a finished game for rating, in the transaction that ends it."""
    CountedGame.objects.get_or_create(game=game)


def rate_waiting(*, most: int = 100) -> int:
    """Rate waiting games, the oldest first; return their number."""
    done = 0
    while done < most and rate_next():
        done += 1
    return done


@transaction.atomic
def rate_next() -> bool:
    """Rate the oldest waiting game once; return False if there is none."""
    waiting = CountedGame.objects.select_for_update(skip_locked=True, of=("self",))
    rated = waiting.filter(rated_at=None).select_related("game").order_by("pk").first()
    if rated is None:
        return False
    assert rated.game.outcome is not None
    holders = Seat.objects.in_bulk(rated.game.holders)
    chairs = [holders[pk] for pk in rated.game.holders]
    placed = placings.ranks(rated.game.outcome["placings"])
    ranks = [placed[no] for no in sorted(placed)]
    ratings = _ratings_of(chairs)
    before = [ratings[_key(seat)] for seat in chairs]
    teams = [[MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in before]
    after = [team[0] for team in MODEL.rate(teams, ranks=[float(rank) for rank in ranks])]
    RatedPlace.objects.bulk_create(
        RatedPlace(
            rated=rated,
            no=seat.no,
            user_id=seat.user_id,
            name=seat.name,
            rank=rank,
            before=old.mu,
            after=new.mu,
        )
        for seat, rank, old, new in zip(chairs, ranks, before, after, strict=True)
    )
    for key, rating in ratings.items():
        own = [new for seat, new in zip(chairs, after, strict=True) if _key(seat) == key]
        # A bot in several seats gets the mean of their results and counts one game.
        rating.mu = sum(one.mu for one in own) / len(own)
        rating.sigma = sum(one.sigma for one in own) / len(own)
        rating.games += 1
    TableRating.objects.bulk_update(ratings.values(), ["mu", "sigma", "games", "name"])
    rated.rated_at = timezone.now()
    rated.save(update_fields=["rated_at"])
    return True


def mu_of(user: Any) -> float:
    """Return an account's estimated strength; a newcomer has the average."""
    found = TableRating.objects.filter(user=user).values_list("mu", flat=True).first()
    return NEW.mu if found is None else found


def _key(seat: Seat) -> tuple[int | None, str]:
    return seat.user_id, seat.bot


def _ratings_of(chairs: list[Seat]) -> dict[tuple[int | None, str], TableRating]:
    """Return the ratings of the seats' holders, locked in a fixed order against deadlocks."""
    found = {}
    for user_id, bot in sorted({_key(seat) for seat in chairs}, key=str):
        name = next(seat.name for seat in chairs if _key(seat) == (user_id, bot))
        start = {"name": bot or name, "mu": NEW.mu, "sigma": NEW.sigma}
        who: dict[str, Any] = {"user_id": user_id, "bot": bot}
        TableRating.objects.get_or_create(**who, defaults=start)
        rating = TableRating.objects.select_for_update(no_key=True).get(**who)
        rating.name = bot or name
        found[user_id, bot] = rating
    return found
