"""Payments in words; amounts are in stakes."""

from collections.abc import Iterator

from engine.rules.betting import instant_win_ends
from engine.rules.ruleset import Ruleset
from engine.rules.texts import mark as _
from league.base.domain.rule_text.terms import WINNER_DOUBLES
from league.base.domain.rule_text.words import Words, each, row_of, words

LEFT = {
    "one_left": _(
        "Thối: last pays first the value of the 2s and bombs left in hand, unless they are cóng."
    ),
    "first_out": _(
        "Thối: every loser pays first the value of the 2s and bombs left in hand, unless they "
        "are cóng."
    ),
}
CARDS = {
    "one_left": _("Last pays first %(card)s for each card left in hand."),
    "first_out": _("Every loser pays first %(card)s for each card left in hand."),
}
CHOPS = {
    "last": _(
        "Chop: the player beaten last in a chain pays the chopper the value of "
        "everything that was beaten."
    ),
    "each": _(
        "Chop: a beaten player pays the chopper the value of what was beaten. In a chain, each "
        "of them pays."
    ),
}
FIXED = {
    "none": (_("Nothing is paid."),),
    "points": (_("Nothing is paid: each place earns points."),),
    "loser_pays_all": (_("Amounts are in stakes."), _("Last pays each of the others 1.")),
}
"""The betting schemes that no option changes."""


def sentences(rules: Ruleset) -> Iterator[Words]:
    """Yield the sentences on the payments of the ruleset's betting scheme."""
    if rules.betting == "mien_nam":
        yield from _mien_nam(rules)
    elif rules.betting == "loser_pays_winner":
        yield from _loser_pays_winner(rules)
    else:
        yield from each(*FIXED[rules.betting])
    if rules.forfeit:
        yield words(_("The player in last place: %(forfeit)s."), forfeit=rules.forfeit.rstrip("."))


def _loser_pays_winner(rules: Ruleset) -> Iterator[Words]:
    yield from each(_("Amounts are in stakes."), _("Last pays first 1."))
    if rules.last_play == "twos_lose":
        yield words(_("A player who goes out on 2s pays each of the others 1."))
    yield from each(
        _("A player whose single 2, pair of 2s or led bomb is chopped pays the chopper 1."),
        _("Counter-chop: that payment is cancelled, and the player who is beaten pays 2."),
        _("Beating your own play costs nothing."),
    )


def _mien_nam(rules: Ruleset) -> Iterator[Words]:
    amounts = dict(rules.money)
    yield words(_("Amounts are in stakes."))
    yield from _places(rules, amounts)
    yield words(
        _("Values: a black 2 = %(black)s, a red 2 = %(red)s, 3 consecutive pairs = %(three)s, "
          "four of a kind = %(quad)s, 4 or more consecutive pairs = %(four)s."),
        black=amounts["black_two"], red=amounts["red_two"], three=amounts["pair_run_3"],
        quad=amounts["quad"], four=amounts["pair_run_4"],
    )  # fmt: skip
    yield words(CHOPS[rules.chops_paid])
    if rules.chop_multiple > 1:
        yield words(_("Chops cost %(times)s times the value."), times=rules.chop_multiple)
    yield from _held(rules, amounts)
    yield from _last_cards(rules, amounts)
    if rules.plays_instant_wins():
        if instant_win_ends(rules, for_money=True):
            yield words(
                _("Instant win: each other player pays the winner %(amount)s and nothing else."),
                amount=amounts["instant_win"],
            )
        else:
            yield words(_("An instant win is paid like any first place."))
    if rules.winner_doubles:
        ways = row_of([words(WINNER_DOUBLES[name]) for name in rules.winner_doubles])
        yield words(_("The winner gets double, chops apart, for going out: %(ways)s."), ways=ways)
    if rules.most_paid:
        yield words(
            _("Nobody pays more than %(most)s for a game, chops apart."), most=rules.most_paid
        )


def _places(rules: Ruleset, amounts: dict[str, int]) -> Iterator[Words]:
    if rules.losers_pay == "cards":
        yield words(CARDS[rules.game_ends], card=amounts["card"])
        if rules.left_paid:
            yield words(
                _("2s and bombs that are paid for count as cards too.")
                if rules.left_counted
                else _("2s and bombs already paid for aren’t counted again.")
            )
    elif rules.losers_pay == "first" or rules.game_ends == "first_out":
        yield words(_("Every loser pays first %(loser)s."), loser=amounts["loser"])
    else:
        yield words(_("Last pays first %(loser)s."), loser=amounts["loser"])
        yield words(_("With four players, third pays second %(third)s."), third=amounts["third"])
    for players in (3, 2):
        if rules.losers_pay != "cards" and amounts[f"loser_{players}"]:
            yield words(
                _("With %(players)s players, last pays first %(loser)s instead."),
                players=players, loser=amounts[f"loser_{players}"],
            )  # fmt: skip


def _held(rules: Ruleset, amounts: dict[str, int]) -> Iterator[Words]:
    cong = (
        _(
            "Cóng (cháy): a player who has played nothing when the first goes out pays the first "
            "%(cong)s plus the value of the 2s and bombs they hold."
        )
        if rules.left_paid
        else _(
            "Cóng (cháy): a player who has played nothing when the first goes out pays the first "
            "%(cong)s."
        )
    )
    yield words(cong, cong=amounts["cong"])
    if rules.left_paid and rules.cong_multiple > 1:
        yield words(
            _("For a cóng player, 2s and bombs count %(times)s times."), times=rules.cong_multiple
        )
    yield words(
        _("A cóng player pays for the place too.")
        if rules.cong_place
        else _("Payments for a cóng player's place are cancelled.")
    )
    yield words(
        LEFT[rules.game_ends]
        if rules.left_paid
        else _("2s and bombs left in hand cost nothing extra.")
    )


def _last_cards(rules: Ruleset, amounts: dict[str, int]) -> Iterator[Words]:
    """Yield the sentences on ends of a game that are paid instead of everything but chops."""
    if rules.last_play == "twos_lose":
        yield words(
            _(
                "A player who goes out on 2s pays each other player %(amount)s for each of them; "
                "besides chops, nobody pays anything else."
            ),
            amount=amounts["last_two"],
        )
    if rules.three_spades_last:
        yield words(
            _(
                "Đút 3 bích: each other player pays %(amount)s, or the player who is caught with "
                "3♠ pays it; besides chops, nobody pays anything else."
            ),
            amount=amounts["three_spades"],
        )
