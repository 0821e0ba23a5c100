"""Export all stored data about a person with an account."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import Q, Value
from django.db.models.functions import Coalesce, NullIf

from accounts.models import User
from league.models import (
    Adjustment,
    Audit,
    Claim,
    Confirmation,
    Dispute,
    Entrant,
    EntryDoubt,
    FormerName,
    NewsItem,
    NewsWish,
    PaymentWay,
    Placing,
    Player,
    ReportedPayment,
    Result,
    RoleOffer,
    RosterMember,
    SignUpAnswer,
    Strength,
    Transfer,
)
from tables.base.currencies import in_whole, sign
from tables.models import (
    Attempt,
    BotAccount,
    Friend,
    Message,
    RatedPlace,
    Seat,
    Solver,
    SprintEntry,
    TableInvite,
    TableStrength,
    Upload,
)

FORMAT = "tien-len-person/1"


def everything(user: User) -> dict[str, Any]:
    """Return all data of the account by kind, without passwords and token secrets."""
    return {
        "format": FORMAT,
        "account": {
            "email": user.email,
            "name": user.name,
            "created_at": user.created_at,
            "language": user.language,
            "last_login": user.last_login,
            "emails": list(user.emailaddress_set.values("email", "verified", "primary")),  # type: ignore[attr-defined]
            "second_factors": list(
                Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")
            ),
            "devices": list(
                UserSession.objects.filter(user=user).values(
                    "ip", "user_agent", "created_at", "last_seen_at"
                )
            ),
            "security": list(user.security_events.values("at", "kind", "address")),
            "tokens": list(
                user.api_tokens.values(
                    "name", "scopes", "created_at", "used_at", "expires_at", "revoked_at"
                )
            ),
        },
        "paid_to": list(
            PaymentWay.objects.filter(user=user).values("bank", "number", "holder", "words")
        ),
        "news": {
            "settings": list(
                NewsWish.objects.filter(user=user).values("off", "language", "by_email")
            ),
            "channels": list(user.channels.values("kind", "address", "at")),
            "messages": list(
                NewsItem.objects.filter(Q(user=user) | Q(channel__user=user)).values(
                    "created_at", "club__name", "kind", "data", "state"
                )
            ),
        },
        "calendars": list(user.calendar_feeds.values("club__name", "season__name")),
        "roles": list(user.memberships.order_by("pk").values("club__name", "role")),
        "offers": list(RoleOffer.objects.to(user).values("club__name", "role", "at")),
        "players": [
            of_player(player)
            for player in Player.objects.filter(user=user).select_related("club").order_by("pk")
        ],
        "live_tables": list(
            Seat.objects.filter(user=user)
            .order_by("pk")
            .values("table__key", "no", "name", "seated_at", "left_at", "network")
        ),
        "table_ratings": list(
            TableStrength.objects.filter(user=user).values("name", "mu", "sigma", "games", "model")
        ),
        "table_friends": list(Friend.objects.filter(owner=user).values("name")),
        "table_invites": list(
            TableInvite.objects.filter(user=user).values("table__key", "name", "at")
        ),
        "half_hours": list(
            SprintEntry.objects.filter(user=user)
            .order_by("pk")
            .values("sprint__key", "name", "points", "games", "firsts")
        ),
        "rated_games": list(
            RatedPlace.objects.filter(user=user)
            .order_by("pk")
            .values("rated__game__table__key", "rated__game__no", "rank", "told")
        ),
        "puzzles": list(
            Attempt.objects.filter(user=user)
            .order_by("pk")
            .values("game__table__key", "game__no", "step", "chosen", "right", "on", "due")
        ),
        "puzzle_rating": list(Solver.objects.filter(user=user).values("mu", "sigma")),
        "chat": list(
            Message.objects.filter(Q(watcher=user) | Q(seat__user=user))
            .order_by("pk")
            .values("table__key", "at", "name", "text")
        ),
        "bot_accounts": list(BotAccount.objects.filter(user=user).values("name")),
        "bots": list(
            Upload.objects.filter(author=user)
            .order_by("pk")
            .values("name", "state", "created_at", "report")
        ),
        "done": {
            "log": list(
                Audit.objects.filter(by=user)
                .order_by("pk")
                .values("at", "club__name", "event__name", "action")
            ),
            "results_entered": Result.objects.filter(by=user).count(),
            "results_confirmed": Confirmation.objects.filter(by=user).count(),
            "disputes": list(Dispute.objects.filter(by=user).values("at", "game_no", "note")),
        },
    }


def _in_units(rows: Iterable[Any]) -> list[dict[str, Any]]:
    """Return rows with their amounts in whole units, such as dollars, and the unit's sign."""
    return [
        row | {"amount": in_whole(row["amount"], row["unit"]), "unit": sign(row["unit"])}
        for row in rows
    ]


def of_player(player: Player) -> dict[str, Any]:
    """Return a player of a club, including the names merged into it."""
    keys = [player.pk, *player.aliases.values_list("pk", flat=True)]
    placings = Placing.objects.filter(entrant__player__in=keys, result__current=True)
    transfers = Transfer.objects.order_by("pk").values(
        "at",
        "amount",
        "reason",
        "event__name",
        "posting__note",
        unit=Coalesce(
            NullIf("event__season__fixed_unit", Value("")),
            NullIf("posting__season__fixed_unit", Value("")),
            "payer__club__unit",
        ),
    )
    reported = ReportedPayment.objects.filter(Q(payer__in=keys) | Q(payee__in=keys)).values(
        "at",
        "amount",
        "event__name",
        "outcome",
        unit=Coalesce(NullIf("season__fixed_unit", Value("")), "season__club__unit"),
    )
    return {
        "club": player.club.name,
        "name": player.name,
        "also": list(player.aliases.values_list("name", flat=True)),
        "formerly": list(FormerName.objects.filter(player__in=keys).values_list("name", flat=True)),
        "face": player.animal,
        "paid_to": list(
            PaymentWay.objects.filter(player__in=keys).values("bank", "number", "holder", "words")
        ),
        "teams": list(
            RosterMember.objects.filter(player__in=keys).values("roster__name", "season__name")
        ),
        "phones": list(
            Claim.objects.filter(player__in=keys).values("event__name", "at", "ended_at")
        ),
        "attendance": list(
            Entrant.objects.filter(player__in=keys)
            .order_by("pk")
            .values("event__name", "event__date", "presence")
        ),
        "disputes": list(
            Dispute.objects.filter(player__in=keys).values("at", "game_no", "kind", "note")
        ),
        "log": list(
            Audit.objects.filter(club=player.club_id, data__player__in=keys)
            .order_by("pk")
            .values("at", "event__name", "action")
        ),
        "group": player.group,
        "together": player.together,
        "fixed_table": player.fixed_table,
        "is_regular": player.is_regular,
        "shown": player.shown,
        "created_at": player.created_at,
        "games": list(
            placings.order_by("result__at", "pk").values(
                "result__at",
                "entrant__event__name",
                "result__sitting__round__number",
                "result__sitting__table_no",
                "result__game_no",
                "rank",
                "tied",
                "size",
                "result__void",
            )
        ),
        "sign_ups": list(
            SignUpAnswer.objects.filter(player__in=keys)
            .order_by("pk")
            .values("at", "sign_up__event__name", "reply", "guests", "is_in")
        ),
        "received": _in_units(transfers.filter(payee__player__in=keys)),
        "paid": _in_units(transfers.filter(payer__player__in=keys)),
        "reported_payments": _in_units(reported),
        "doubts": list(
            EntryDoubt.objects.filter(player__in=keys)
            .order_by("pk")
            .values("at", "posting__at", "posting__kind", "posting__note")
        ),
        "adjustments": list(
            Adjustment.objects.filter(player__in=keys)
            .order_by("pk")
            .values("at", "season__name", "event__name", "points", "reason", "revoked_at")
        ),
        "ratings": list(
            Strength.objects.filter(player__in=keys).values(
                "season__name", "mu", "sigma", "games", "model"
            )
        ),
    }
