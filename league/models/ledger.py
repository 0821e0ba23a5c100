from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tables.models.dated import ActRow, DatedRow


class Account(models.Model):
    """A player's account in a club, or the club's own (`player` is null)."""

    club = models.ForeignKey("league.Club", on_delete=models.CASCADE, related_name="accounts")
    player = models.OneToOneField(
        "league.Player", null=True, on_delete=models.PROTECT, related_name="account"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club"], condition=Q(player__isnull=True), name="account_one_of_the_club"
            )
        ]

    def __str__(self) -> str:
        return str(self.player or self.club)


class Posting(ActRow):
    """A ledger entry besides a night's results: a payment, cost, fee, prize, debt or stakes game.

    Entries are immutable; a reversing entry undoes one. `game` is the posted game of a stakes
    table; it is null if the club was imported from another server.
    """

    class Kind(models.TextChoices):
        SETTLEMENT = "settlement", _("payment")
        COST = "cost", _("shared cost")
        FEE = "fee", _("entry fee")
        PRIZE = "prize", _("prize")
        GAME = "game", _("game at a stakes table")
        SIDE = "side", _("plus and minus")

    # A composite foreign key keeps the event in the season (migration 0020).
    season = models.ForeignKey("league.Season", on_delete=models.PROTECT, related_name="postings")
    event = models.ForeignKey(
        "league.Event", null=True, on_delete=models.PROTECT, related_name="postings"
    )
    kind = models.CharField(max_length=12, choices=Kind.choices)
    game = models.OneToOneField(
        "tables.Game", null=True, on_delete=models.PROTECT, related_name="posting"
    )
    note = models.CharField(max_length=200, blank=True)
    client_id = models.UUIDField(unique=True)
    reverses = models.OneToOneField("self", null=True, on_delete=models.PROTECT)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["settlement", "cost", "fee", "prize", "game", "side"]),
                name="posting_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(game=None) | Q(kind="game", event=None), name="posting_of_a_game"
            ),
        ]

    HOW = {"cash": "in cash", "transfer": "by transfer"}
    """The ways of paying that may begin a payment's note, in English."""

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def told(self) -> str:
        """The note as displayed."""
        return self.words(self.note)

    @classmethod
    def words(cls, note: str) -> str:
        """Return a note as displayed: how a payment was made is translated."""
        how, between, rest = note.partition("; ")
        return f"{gettext(how)}{between}{rest}" if how in cls.HOW.values() else note


class EntryDoubt(DatedRow):
    """A word of a person whom an entry names, that it is not right."""

    posting = models.ForeignKey(Posting, on_delete=models.CASCADE, related_name="doubts")
    player = models.ForeignKey("league.Player", on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["posting", "player"], name="entry_doubted_once")
        ]

    def __str__(self) -> str:
        return f"{self.player_id} doubts {self.posting_id}"


class ReportedPayment(DatedRow):
    """A payment that its payer says was made, beside the ledger and in no sum.

    The payee's or an organiser's yes posts it; any posting of as much between the two is that yes.
    """

    class Outcome(models.TextChoices):
        OPEN = "open"
        POSTED = "posted"
        REFUSED = "refused"
        WITHDRAWN = "withdrawn"

    season = models.ForeignKey("league.Season", on_delete=models.CASCADE, related_name="reported")
    event = models.ForeignKey(
        "league.Event", null=True, on_delete=models.CASCADE, related_name="reported"
    )
    payer = models.ForeignKey("league.Player", on_delete=models.CASCADE, related_name="+")
    payee = models.ForeignKey("league.Player", on_delete=models.CASCADE, related_name="+")
    amount = models.PositiveBigIntegerField()
    client_id = models.UUIDField(unique=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    outcome = models.CharField(max_length=9, choices=Outcome.choices, default=Outcome.OPEN)
    ended_at = models.DateTimeField(null=True)
    posting = models.ForeignKey(Posting, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "payer", "payee"],
                condition=Q(outcome="open"),
                name="reported_payment_one_open_of_two",
            ),
            models.CheckConstraint(
                condition=Q(amount__gt=0) & ~Q(payer=F("payee")),
                name="reported_payment_moves_something",
            ),
            models.CheckConstraint(
                condition=Q(outcome="open", ended_at=None, posting=None)
                | Q(outcome="posted", ended_at__isnull=False, posting__isnull=False)
                | Q(outcome__in=["refused", "withdrawn"], ended_at__isnull=False, posting=None),
                name="reported_payment_ends_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payer_id} → {self.payee_id}: {self.amount} {self.outcome}"


class Transfer(ActRow):
    """An amount moved between two accounts, in the smallest part of its season's unit.

    Immutable; a reversal undoes it. It belongs to a result or to a posting. `event` is null if its
    posting belongs to a whole season.
    """

    payer = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="paid")
    payee = models.ForeignKey(Account, on_delete=models.PROTECT, related_name="received")
    amount = models.PositiveBigIntegerField()
    reason = models.CharField(max_length=20)
    detail = models.JSONField(default=dict)
    event = models.ForeignKey(
        "league.Event", null=True, on_delete=models.PROTECT, related_name="transfers"
    )
    posting = models.ForeignKey(
        Posting, null=True, on_delete=models.PROTECT, related_name="transfers"
    )
    result = models.ForeignKey(
        "league.Result", null=True, on_delete=models.PROTECT, related_name="transfers"
    )
    reverses = models.OneToOneField("self", null=True, on_delete=models.PROTECT)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="transfer_moves_something"),
            models.CheckConstraint(condition=~Q(payer=F("payee")), name="transfer_between_two"),
            models.CheckConstraint(
                condition=Q(result__isnull=False, posting__isnull=True, event__isnull=False)
                | Q(result__isnull=True, posting__isnull=False),
                name="transfer_of_a_result_or_a_posting",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payer} → {self.payee}: {self.amount}"

    @property
    def hands(self) -> tuple[Account, Account]:
        """Who hands the amount to whom, as (from, to): a payment is owed back to its payer."""
        pair = (self.payer, self.payee)
        return pair[::-1] if self.reason == Posting.Kind.SETTLEMENT else pair


class MoneyTally(models.Model):
    """An account's balance from one night, or from a season outside its nights; above 0 is won.

    A database trigger adds every new transfer (migration 0071), so that pages need not sum them.
    `games` covers transfers of results and of stakes tables, `other` those of other postings.
    """

    season = models.ForeignKey(
        "league.Season", on_delete=models.CASCADE, related_name="+", db_index=False
    )
    event = models.ForeignKey(
        "league.Event", null=True, on_delete=models.CASCADE, related_name="money_tallies"
    )
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="tallies")
    games = models.BigIntegerField()
    other = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["season", "event", "account"],
                name="money_tally_once",
                nulls_distinct=False,
            )
        ]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.games} {self.other}"
