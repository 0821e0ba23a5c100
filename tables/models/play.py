"""Tables where people play, with their terms, seats, games and logs."""

from __future__ import annotations

import datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from tables.models.dated import DatedRow
from tables.models.named import NamedRow
from tables.models.runs import FrozenRuleset


class Table(models.Model):
    """A match: games by the same rules in the same seats.

    `version` counts changes visible to everyone at the table, so that it reveals nothing private;
    `moved_version` is the last one that changed a game. `due_at` is the next deadline; `thinks` is
    set while a bot has not chosen its move. `bot` is the bot for empty seats. With `for_anyone` the
    lobby shows the table, and *Play now* seats people at it; its games may be `rated`. `talk` is
    the chat it allows, `watchers_talk` whether spectators may chat, `watch_delay` the spectators'
    delay in seconds. `again` is the table that continues a closed one, and `first` the one that the
    same friends played at first: its address is theirs. `met` is the table where its
    people went on with others; until `company_until` a person alone with bots waits for others.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        PLAYING = "playing"
        BETWEEN = "between"
        CLOSED = "closed"

    class Talk(models.TextChoices):
        ALL = "all"
        QUICK = "quick"
        OFF = "off"

    class WatchDelay(models.IntegerChoices):
        NONE = 0
        SECONDS = 20
        MINUTE = 60
        ROUND = 32766  # Until the deal has ended at every table that has the same cards.
        GAME = 32767  # Until the game ends.

    key = models.CharField(max_length=12, unique=True)
    ruleset = models.ForeignKey(FrozenRuleset, on_delete=models.PROTECT)
    players = models.PositiveSmallIntegerField()
    move_seconds = models.PositiveSmallIntegerField()
    bank_seconds = models.PositiveSmallIntegerField(default=0)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    version = models.PositiveIntegerField(default=1)
    moved_version = models.PositiveIntegerField(default=1)
    access_version = models.PositiveIntegerField(default=1)
    due_at = models.DateTimeField(null=True, blank=True)
    turn_at = models.DateTimeField(null=True, blank=True)
    credited_version = models.PositiveIntegerField(default=0)
    thinks = models.BooleanField(default=False)
    bot = models.CharField(max_length=40, default="greedy", db_default="greedy")
    for_anyone = models.BooleanField(default=False, db_default=False)
    rated = models.BooleanField(default=False, db_default=False)
    talk = models.CharField(max_length=5, choices=Talk.choices, default=Talk.ALL)
    watchers_talk = models.BooleanField(default=True, db_default=True)
    watch_delay = models.PositiveSmallIntegerField(
        choices=WatchDelay, default=WatchDelay.NONE, db_default=0
    )
    again = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="before"
    )
    first = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="later"
    )
    met = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    company_until = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(players__gte=2, players__lte=8), name="table_seats_two_to_eight"
            ),
            models.CheckConstraint(condition=Q(move_seconds__gte=1), name="table_has_a_clock"),
            models.CheckConstraint(
                condition=Q(status="closed", due_at=None, closed_at__isnull=False)
                | Q(closed_at=None) & ~Q(status="closed"),
                name="table_closed_rests",
            ),
            models.CheckConstraint(
                condition=~Q(status="playing") | Q(due_at__isnull=False),
                name="table_playing_is_due",
            ),
            models.CheckConstraint(
                condition=Q(rated=False) | Q(for_anyone=True), name="table_rated_is_for_anyone"
            ),
            models.CheckConstraint(
                condition=Q(watch_delay__in=(0, 20, 60, 32766, 32767)),
                name="table_watch_delay_known",
            ),
            models.CheckConstraint(
                condition=Q(watch_delay=0) | Q(for_anyone=False),
                name="table_for_anyone_is_seen_at_once",
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False), name="table_due"),
            models.Index(fields=["due_at"], condition=Q(thinks=True), name="table_thinks"),
            models.Index(
                fields=["opened_at"],
                condition=Q(for_anyone=True, closed_at=None),
                name="table_in_the_lobby",
            ),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def shared_key(self) -> str:
        """The key in the address that stays the same for these friends."""
        return self.first.key if self.first else self.key

    @property
    def newest(self) -> Table:
        """The newest table of the same friends."""
        first = self.first or self
        return first.later.order_by("-pk").first() or first

    @property
    def terms(self) -> Arrangement | None:
        """Return the terms of an arranged table; `None` if people opened it themselves."""
        return getattr(self, "arrangement", None)

    @property
    def is_reserved(self) -> bool:
        """Return whether its seats are reserved, so that nobody else may sit down."""
        return self.terms is not None and not self.terms.members_only

    @property
    def is_for_members(self) -> bool:
        """Return whether its seats are for people that the app behind the table admits."""
        return self.terms is not None and self.terms.members_only

    @property
    def rotates(self) -> bool:
        """Return whether its players may change after each game."""
        return self.terms is not None and self.terms.rotates

    @property
    def is_held(self) -> bool:
        """Return whether the players of the next game are still to be chosen."""
        return self.terms is not None and self.terms.held

    @property
    def shared(self) -> SharedDeals | None:
        """Return the deals that the table has in common with others; None for its own."""
        return self.terms.shared if self.terms else None

    @property
    def stake(self) -> int:
        """Return the price of one unit of the betting scheme."""
        return self.terms.stake if self.terms else 1

    @property
    def unit(self) -> str:
        """Return the unit of money; "" for play money."""
        return self.terms.unit if self.terms else ""


class SharedDeals(models.Model):
    """Deals with the same cards at several tables, by number from 1.

    All their secrets follow from `secret`, which is never told; `key` stands in the deals for the
    table's. `links` and `parts` are those of everyone at these tables: listed once, and complete
    since `dealt_at`. The deals up to number `told` have ended everywhere: what was played at one
    table may be told at the others.
    """

    key = models.CharField(max_length=12, unique=True)
    secret = models.CharField(max_length=64)
    links = models.JSONField(null=True, blank=True)
    parts = models.JSONField(null=True, blank=True)
    told = models.PositiveSmallIntegerField(default=0)
    dealt_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "shared deals"

    def __str__(self) -> str:
        return self.key


class Arrangement(models.Model):
    """The terms of an arranged table, whose stakes are counted in `unit`.

    Its seats are reserved or, with `members_only`, open to the people that the app behind the table
    admits (`tables.hosts`), and to no bot. With `rotates` the players may change after each game;
    the table is `held` until they are chosen (`tables.chairs.acts.rotation`). The match ends after
    `games` games, or on request if `None`. `ready` lists the seats whose players are ready. With
    `plays_on` the autopilots play all games if everyone has left; `abandoned_game` is the first
    that ended without people. Of the `shared` deals the first game has number `shared_from`, and
    each game stands alone: it inherits no dealer, lead or exchange.
    """

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="arrangement")
    stake = models.PositiveIntegerField(default=1)
    unit = models.CharField(max_length=20, blank=True)
    members_only = models.BooleanField(default=False, db_default=False)
    rotates = models.BooleanField(default=False, db_default=False)
    held = models.BooleanField(default=False, db_default=False)
    games = models.PositiveSmallIntegerField(null=True)
    first_dealer = models.PositiveSmallIntegerField(default=0)
    plays_on = models.BooleanField(default=False)
    ready = models.JSONField(default=list)
    abandoned_game = models.PositiveIntegerField(null=True)
    shared = models.ForeignKey(
        SharedDeals, on_delete=models.PROTECT, null=True, related_name="arrangements"
    )
    shared_from = models.PositiveSmallIntegerField(default=1, db_default=1)
    home = models.CharField(max_length=200, blank=True, help_text="The page that it belongs to.")
    home_name = models.CharField(max_length=120, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(stake__gte=1), name="arrangement_has_a_stake"),
            models.CheckConstraint(
                condition=Q(games=None) | Q(games__gte=1), name="arrangement_has_games"
            ),
            models.CheckConstraint(
                condition=Q(held=False) | Q(rotates=True, members_only=False),
                name="arrangement_held_rotates",
            ),
            models.CheckConstraint(
                condition=Q(first_dealer__lte=7), name="arrangement_dealer_has_a_chair"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}"

    def is_last(self, number: int) -> bool:
        """Return whether the match ends with the game of this number."""
        return self.games is not None and number >= self.games


class Successor(NamedRow):
    """The next holder of an arranged table's seat, after the running game."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="successors")
    no = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    bot = models.CharField(max_length=40, blank=True)
    token_hash = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "no"], name="successor_one_per_chair"),
            models.CheckConstraint(
                condition=Q(user__isnull=False, bot="", token_hash="")
                | Q(user=None, token_hash="") & ~Q(bot="")
                | Q(user=None, bot="") & ~Q(token_hash=""),
                name="successor_is_exactly_one",
            ),
        ]


class Seat(NamedRow):
    """A user, bot or guest in a seat, from sitting down until leaving.

    A guest is identified by a secret in the browser; `token_hash` is its SHA-256. `autopilot` plays
    for an absent player; `away` marks one who chose to sit out. `gone_at` is when the last page
    of an absent player was closed, and `claim` the SHA-256 of the secret of another browser that
    asks for the seat. `ready` marks a player who asked
    for the next game. While the player sits there, `device` is the SHA-256 of the browser's
    identifying secret and, where games are rated or for a stake, `network` the origin of the
    connection. `link` commits to the seat's next part of a deal (`tables.play.acts.mixing`).
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    no = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True
    )
    bot = models.CharField(max_length=40, blank=True)
    token_hash = models.CharField(max_length=64, blank=True)
    device = models.CharField(max_length=64, blank=True, db_default="")
    network = models.CharField(max_length=50, blank=True, db_default="")
    bank_ms = models.PositiveIntegerField(default=0)
    autopilot = models.BooleanField(default=False)
    away = models.BooleanField(default=False)
    gone_at = models.DateTimeField(null=True, blank=True)
    cut_off = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Whether the autopilot began while the player was offline.",
    )
    claim = models.CharField(max_length=64, blank=True, db_default="")
    second_claim = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text="SHA-256 of the secret of a further browser that asks for the seat.",
    )
    former = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text="SHA-256 of the secret that held the seat until it was given away.",
    )
    former_game = models.PositiveIntegerField(
        null=True, blank=True, help_text="The game in which that secret may take the seat back."
    )
    leaving = models.BooleanField(default=False)
    ready = models.BooleanField(default=False, db_default=False)
    link = models.CharField(max_length=64, blank=True, default="", db_default="")
    seated_at = models.DateTimeField(auto_now_add=True)
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(user__isnull=False, bot="", token_hash="")
                | Q(user=None, token_hash="") & ~Q(bot="")
                | Q(user=None, bot="") & ~Q(token_hash=""),
                name="seat_held_by_exactly_one",
            ),
            models.UniqueConstraint(
                fields=["table", "no"], condition=Q(left_at=None), name="seat_one_holder"
            ),
            models.UniqueConstraint(
                fields=["table", "user"], condition=Q(left_at=None), name="seat_user_sits_once"
            ),
            models.UniqueConstraint(
                fields=["token_hash"], condition=~Q(token_hash=""), name="seat_token_once"
            ),
            models.CheckConstraint(
                condition=Q(away=False) | Q(autopilot=True), name="seat_away_is_played_for"
            ),
        ]
        indexes = [
            models.Index(
                fields=["gone_at"],
                condition=Q(gone_at__isnull=False, left_at=None, user__isnull=False),
                name="seat_gone",
            )
        ]

    @property
    def is_bot(self) -> bool:
        return bool(self.bot)

    def bank_in(self, turn_at: datetime.datetime | None) -> int:
        """Return the time bank, in milliseconds, for the turn that began at `turn_at`.

        It runs for a player who was there then, also while a cut keeps them away, and waits for
        nobody else.
        """
        was_gone = self.gone_at is not None and (turn_at is None or self.gone_at < turn_at)
        return 0 if was_gone else self.bank_ms

    @property
    def is_program(self) -> bool:
        """Return whether a program plays for the seat's user."""
        return self.user is not None and hasattr(self.user, "bot_account")


class Game(models.Model):
    """A game of a table's match. `secret` decides the deal and is private until the game is over.

    `links` and `parts` are the players' parts of the deal by seat (`tables.play.acts.mixing`); a
    trigger keeps published values unchanged. `dealt` are the hands as texts by seat, `previous` the
    inherited state (docs/records.md), `answers` the private declarations of instant wins, `holders`
    the seats' keys by number, `trades` the open offers (`tables.play.acts.trades`), `thought` a
    bot's choice and its place in the log.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="games")
    no = models.PositiveIntegerField()
    secret = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64)
    links = models.JSONField(null=True, blank=True)
    parts = models.JSONField(null=True, blank=True)
    dealer = models.PositiveSmallIntegerField(null=True, blank=True)
    dealt_first = models.PositiveSmallIntegerField(null=True, blank=True)
    dealt = models.JSONField(null=True, blank=True)
    previous = models.JSONField(null=True, blank=True)
    holders = models.JSONField(default=list)
    trade_until = models.DateTimeField(null=True, blank=True)
    trade_closed = models.BooleanField(default=True)
    trades = models.JSONField(default=dict)
    thought = models.JSONField(null=True, blank=True)
    window_until = models.DateTimeField(null=True, blank=True)
    window_closed = models.BooleanField(default=False)
    answers = models.JSONField(default=dict)
    outcome = models.JSONField(null=True, blank=True)
    dealt_at = models.DateTimeField(null=True, blank=True)
    over_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "no"], name="game_once_per_table"),
            models.CheckConstraint(
                condition=Q(dealt__isnull=True, dealt_at=None)
                | Q(dealt__isnull=False, dealt_at__isnull=False),
                name="game_dealt_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(over_at=None, outcome__isnull=True)
                | Q(over_at__isnull=False, outcome__isnull=False, dealt__isnull=False),
                name="game_over_has_an_outcome",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id} {self.no}"

    @property
    def deal_key(self) -> str:
        """Return the key in the deal's derivation: the table's, or that of shared deals."""
        shared = self.table.shared
        return shared.key if shared else self.table.key

    @property
    def deal_no(self) -> int:
        """Return the game's number in the deal's derivation."""
        terms = self.table.terms
        return terms.shared_from + self.no - 1 if terms and terms.shared_id else self.no

    @property
    def is_told(self) -> bool:
        """Return whether its cards may be told: the deal has ended wherever it is played."""
        shared = self.table.shared
        return shared is None or self.deal_no <= shared.told

    @property
    def is_window_open(self) -> bool:
        """Return whether players may declare an instant win."""
        return self.window_until is not None and not self.window_closed

    @property
    def is_trading(self) -> bool:
        return self.trade_until is not None and not self.trade_closed

    @property
    def pause(self) -> str:
        """Return the phase before play that is open: `trade`, `window`, or ""."""
        if self.is_trading:
            return "trade"
        return "window" if self.is_window_open else ""

    @property
    def offers(self) -> list[dict[str, Any]]:
        """Return the open trade offers in the order they were made."""
        return list(self.trades.get("offers", ()))

    @property
    def done_trading(self) -> list[int]:
        """Return the seats that have finished trading."""
        return list(self.trades.get("done", ()))


class Action(DatedRow):
    """An action in a game's log, which is append-only by a trigger.

    `version` is the table's version after it; `made_by` is the player, a bot, or the autopilot.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="actions")
    seq = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    body = models.JSONField()
    client_id = models.CharField(max_length=40, null=True, blank=True)  # noqa: DJ001
    made_by = models.CharField(max_length=10, default="player")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "seq"], name="action_once_per_number"),
            models.UniqueConstraint(
                fields=["game", "seat", "client_id"], name="action_once_per_client_id"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} {self.seq}"


class Mute(models.Model):
    """A player who hears nothing of another's, at a table for anyone."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="mutes")
    by = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["seat", "by"], name="mute_once"),
            models.CheckConstraint(condition=~Q(seat=models.F("by")), name="mute_of_another"),
        ]

    def __str__(self) -> str:
        return f"{self.by_id} mutes {self.seat_id}"


class Message(DatedRow):
    """A chat message at a table: a text, or the key of a quick word.

    It is by a player, or by a spectator with an account and this `name`. Messages are deleted when
    the table closes.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="messages")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, null=True, related_name="messages")
    watcher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+"
    )
    name = models.CharField(max_length=40, blank=True, db_default="")
    text = models.CharField(max_length=160, blank=True)
    quick = models.CharField(max_length=10, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(quick="") & ~Q(text="") | Q(text="") & ~Q(quick=""),
                name="message_text_or_quick",
            ),
            models.CheckConstraint(
                condition=Q(seat__isnull=False, watcher=None, name="")
                | Q(seat=None, watcher__isnull=False),
                name="message_by_seat_or_watcher",
            ),
        ]
        indexes = [models.Index(fields=["table", "-id"], name="message_newest")]

    def __str__(self) -> str:
        return f"{self.seat_id} {self.pk}"
