"""Ways to be paid that were replaced or ended: kept for 30 days for who wrote them."""

from django.db.models import Q, QuerySet

from league.models import FormerWay, PaymentWay, Player

FIELDS = ("bank", "number", "holder", "words")


def end(ways: QuerySet[PaymentWay]) -> None:
    """End these ways: nobody is shown them any more."""
    found = list(ways.select_related("claim"))
    FormerWay.objects.bulk_create(
        FormerWay(
            user_id=one.user_id,
            player_id=one.player_id,
            by_id=one.by_id,
            phone=one.claim.phone_hash if one.claim else "",
            **{name: getattr(one, name) for name in FIELDS},
        )
        for one in found
    )
    PaymentWay.objects.filter(pk__in=[one.pk for one in found]).delete()


def end_of(player: Player) -> None:
    """End what was written for the player, or a name of theirs, as another takes its place."""
    end(PaymentWay.objects.filter(Q(player=player) | Q(player__merged_into=player)))
