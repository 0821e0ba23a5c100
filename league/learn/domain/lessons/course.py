"""The ten lessons, from the first card to a whole game, as a function of the rules.

Seat 0 is the reader and seats 1 to 3 follow in the order of play. Every hand of an exercise has the
same number of cards, as after a deal.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.rules.actions import SeatAction
from engine.rules.cards import format_cards, parse_cards
from engine.rules.cardset import pack
from engine.rules.instant_wins import wins_with
from engine.rules.rule_tables import table
from engine.rules.ruleset import Ruleset
from engine.rules.shapes import PAIR, PAIR_RUN, QUAD, TRIPLE, shape_of
from engine.rules.state import State
from engine.rules.texts import mark as _
from league.learn.domain.lessons.exercise import READER, Exercise, Goal, Lesson, Question

_TWO = "2S"
_BOMBS = ("5S 5D 6C 6H 7S 7D", "9S 9C 9D 9H", "5S 5D 6C 6H 7S 7D 8C 8H")
_DRAGON = "3S 4C 5D 6H 7S 8C 9D TH JS QC KD AH 2C"
_FOUR_TWOS = "3C 4H 6S 7D 8H 9S TC JD KS 2S 2C 2D 2H"
_STRONG = "3S 3C 5D 5H 8S 9C TD QH AS AC 2S 2D 2H"
_STRONGER = "4C 5S 5C 8D TD TH QC KC KH AD AH 2C 2H"


def course(rules: Ruleset) -> list[Lesson]:
    """Return all lessons under these rules, in the order in which they are taught."""
    return [make(rules) for make in _MAKERS.values()]


def taught(rules: Ruleset) -> bool:
    """Return whether the lessons fit: no suits to match, no limits on leads or last plays."""
    ready = table(rules)
    return not ready.matched and not ready.restricted


def _cards(rules: Ruleset) -> Lesson:
    first = Exercise(
        task=_("You hold 3♠, the lowest card of all, so you begin. Play it alone."),
        hands=("3S 6D 9C KH 2C", "4C 7D TS JH QC", "5S 7C 8H QD AS", "4H 6S 9D JC KD"),
        leader=None,
        goal=_exactly("3S"),
        praise=_("That is how most games begin: with the lowest card."),
        other=_("That play is legal. In this exercise, play 3♠ alone."),
    )
    higher = Exercise(
        task=_("Mai played 9♦. Beat it with the lowest card you can."),
        hands=("8H 9C 9H JS KD", "4C 7D TS JH QC", "5S 7C 8C QD AS", "4H 6S 9D JC KC"),
        leader=3,
        before=("9D",),
        goal=_exactly("9H"),
        praise=_("Between two nines, hearts is the higher suit. 9♣ would have been too low."),
        other=_("That beats it too, but you have a lower card that would do."),
    )
    return Lesson(
        key="cards",
        title=_("The cards"),
        text=(
            _("The lowest card is the 3, then 4, 5 and so on, up to king, ace and the 2."),
            _("The 2 is the highest card. At the table it is called heo, the pig."),
            _("If ranks are equal, the suit decides: ♠ is lowest, then ♣, ♦, and ♥ is highest."),
        ),
        sections=("deal",),
        steps=(first, higher),
    )


def _groups(rules: Ruleset) -> Lesson:
    return Lesson(
        key="groups",
        title=_("Singles, pairs, triples"),
        text=(
            _("You can play a single card, or two, three or four of the same rank."),
            _("Two of a rank make a pair (đôi), three make a triple (sám cô)."),
        ),
        sections=(),
        steps=(
            _lead(
                _("Your lead. Play a pair."),
                "4S 7C 7H JD AS",
                _of_shape(PAIR),
                _("A pair. To beat it, a player needs a higher pair."),
                _("That play is legal. In this exercise, find two cards of the same rank."),
            ),
            _lead(
                _("Your lead. Play a triple."),
                "5S 5D 5H 9C KS",
                _of_shape(TRIPLE),
                _("A triple: three cards gone in one turn."),
                _("That play is legal. In this exercise, play all three cards of the same rank."),
            ),
        ),
    )


def _straights(rules: Ruleset) -> Lesson:
    twos = rules.twos_top_straights
    longest = _("Play your longest straight. In these rules a 2 may end it.")
    if not twos:
        longest = _("Play your longest straight. In these rules it can't contain a 2.")
    return Lesson(
        key="straights",
        title=_("Straights"),
        text=(
            _("Three or more cards in a row make a straight (sảnh), in any suits."),
            _("The highest card decides which of two straights is higher."),
        ),
        sections=("combinations",),
        steps=(
            _lead(
                _("Your lead. Play a straight of three cards."),
                "4S 5H 6C 9D QS",
                _exactly("4S 5H 6C"),
                _("A straight, up to 6♣."),
                _("That play is legal. In this exercise, find three ranks in a row."),
            ),
            _lead(
                longest,
                "4S JS QD KC AH 2S",
                _exactly("JS QD KC AH 2S" if twos else "JS QD KC AH"),
                _("That is the longest one."),
                _("That play is legal, but you have a longer straight."),
            ),
        ),
    )


def _pair_runs(rules: Ruleset) -> Lesson:
    return Lesson(
        key="bombs",
        title=_("Consecutive pairs and four of a kind"),
        text=(
            _("Three or more pairs in a row are called consecutive pairs (đôi thông)."),
            _("Four cards of the same rank are four of a kind (tứ quý)."),
            _("Both are rare and strong. You will soon see what they can do."),
        ),
        sections=("combinations",),
        steps=(
            _lead(
                _("Your lead. Play three consecutive pairs."),
                "5S 5D 6C 6H 7S 7D KC",
                _of_shape(PAIR_RUN + 3),
                _("Three consecutive pairs."),
                _("That play is legal. In this exercise, play 5 5 6 6 7 7 together."),
            ),
            _lead(
                _("Your lead. Play four of a kind."),
                "4H 9S 9C 9D 9H QS 2C",
                _of_shape(QUAD),
                _("Four of a kind."),
                _("That play is legal. In this exercise, play all four nines together."),
            ),
        ),
    )


def _beating(rules: Ruleset) -> Lesson:
    return Lesson(
        key="beating",
        title=_("Beating"),
        text=(
            _("To beat a play, use the same kind with the same number of cards, but higher."),
            _("A pair beats a pair, a straight of three a straight of three."),
            _("Only the highest card counts. If the ranks are equal, its suit decides."),
        ),
        sections=("trick",),
        steps=(
            Exercise(
                task=_("Mai played a pair of eights. Beat it."),
                hands=(
                    "6C 8C 8H TD QS KH",
                    "4C 7D TS JH QC AC",
                    "5S 7C 9H QD AS KC",
                    "4H 6S 8S 8D JC KD",
                ),
                leader=3,
                before=("8S 8D",),
                goal=_anything_played,
                praise=_("8♥ is higher than 8♦, so your pair is the higher one."),
                other=_("You can beat this: look for a pair."),
            ),
            Exercise(
                task=_("Mai played the straight 5♠ 6♦ 7♣. Beat it."),
                hands=(
                    "5C 6H 7H TS JD KC",
                    "4C 7D TD JH QC AC",
                    "5D 9C 9H QD AS KD",
                    "4H 5S 6D 7C 8S KS",
                ),
                leader=3,
                before=("5S 6D 7C",),
                goal=_anything_played,
                praise=_("Both straights end with a 7; yours has the higher suit."),
                other=_("You can beat this: look for a straight of three cards."),
            ),
        ),
    )


def _passing(rules: Ruleset) -> Lesson:
    passed = _("If you pass, you may still play later in the same trick.")
    if rules.pass_locks:
        passed = _("If you pass, you are out until the trick is over.")
    before: tuple[str, ...] = ("KD", "pass", "pass", "pass")
    if rules.forward and rules.pass_locks:
        before += ("pass",)
    return Lesson(
        key="passing",
        title=_("Passing and leading"),
        text=(
            _("If you cannot beat it, or do not want to, you pass."),
            passed,
            _(
                "When nobody beats the last play, the player who made it leads the next "
                "trick with anything they like."
            ),
        ),
        sections=("lead", "trick"),
        steps=(
            Exercise(
                task=_("Mai played A♥. What do you do?"),
                hands=(
                    "4S 4C 7D 9H QS",
                    "5C 6D TS JH 2C",
                    "5S 7C 8H QD AS",
                    "4H 6S 9D JC AH",
                ),
                leader=3,
                before=("AH",),
                goal=_passes,
                praise=_("You have nothing higher, so you pass and keep your cards together."),
                other=_("Passing is the right choice here."),
            ),
            Exercise(
                task=_(
                    "Nobody beat your K♦, so it is your lead. Play as many cards as "
                    "you can at once."
                ),
                hands=(
                    "3S 5C 6D 7S 8H JC KD",
                    "4C 6C TS TD JH QC QH",
                    "5S 7C 8C 9C QD JS TC",
                    "4H 6S 9D 8D JD 3C TH",
                ),
                before=before,
                goal=_exactly("5C 6D 7S 8H"),
                praise=_("Four cards in one turn. Your lead is the time to play long straights."),
                other=_("That play is legal, but another one gets rid of more cards."),
            ),
        ),
    )


def _chopping(rules: Ruleset) -> Lesson:
    bomb = next((bomb for bomb in _BOMBS if _beats(rules, bomb, _TWO)), None)
    steps: tuple[Exercise, ...] = ()
    text = [_("A 2 is the highest single card, but some combinations beat it.")]
    if bomb is None:
        text.append(_("In these rules, only a higher 2 beats a 2."))
    else:
        text += [
            _("Beating a 2 with consecutive pairs or four of a kind is called a chop (chặt heo)."),
            _("A chop can be chopped again by something stronger (chặt chồng)."),
        ]
        steps += (_chop(bomb),)
        if bomb == _BOMBS[0]:
            steps += (_chop_again(),)
    return Lesson(
        key="chopping",
        title=_("Chopping a pig"),
        text=tuple(text),
        sections=("chops",),
        steps=steps or (_nothing_chops(),),
    )


def _chop(bomb: str) -> Exercise:
    spare = ["3C", "4H", "JS", "JD", "QS"][: 9 - len(bomb.split())]
    return Exercise(
        task=_("Mai played 2♠. Chop it."),
        hands=(
            " ".join([bomb, *spare]),
            "3D 4C TS TC JH QC KC KH AC",
            "3S 4S TD TH QD QH KS AD AH",
            "3H 4D 6S 7C JC 8S KD AS 2S",
        ),
        leader=3,
        before=(_TWO,),
        goal=_chops,
        praise=_("Chopped! If you play for money, Mai now pays you."),
        other=_("You can chop this 2: look for consecutive pairs or four of a kind."),
    )


def _chop_again() -> Exercise:
    return Exercise(
        task=_("Hùng played 2♠ and Mai chopped it. Chop hers."),
        hands=(
            "3C 4H 8S 8D 9C 9H TS TD",
            "3D 4C JS JC QS QC KS KC",
            "3S 4S JD JH QD QH AD 2S",
            "5S 5D 6C 6H 7S 7D KH AC",
        ),
        leader=2,
        before=(_TWO, "5S 5D 6C 6H 7S 7D"),
        goal=_chops,
        praise=_("Your three pairs are higher. Now Mai pays for the pig, not Hùng."),
        other=_("You can chop hers: your consecutive pairs are higher."),
    )


def _nothing_chops() -> Exercise:
    return Exercise(
        task=_("Mai played 2♠. What do you do?"),
        hands=(
            "9S 9C 9D 9H KS",
            "4C 6D TS JH QC",
            "5S 7C 8H QD AS",
            "4H 6S TD JC 2S",
        ),
        leader=3,
        before=(_TWO,),
        goal=_passes,
        praise=_("In these rules, not even four of a kind beats it."),
        other=_("Passing is the right choice here."),
    )


def _instant(rules: Ruleset) -> Lesson:
    winning = next((hand for hand in (_DRAGON, _FOUR_TWOS) if _wins_at_once(rules, hand)), None)
    text = [
        _("Some hands win before anyone plays a card. That is called tới trắng, an instant win.")
    ]
    if winning is None:
        text.append(_("These rules have no instant wins: every game is played out."))
        praise = _("Neither: these rules have no instant wins. But play it, it is a good hand.")
    elif winning == _DRAGON:
        praise = _("From 3 to ace without a gap: the dragon. You win the game.")
    else:
        praise = _("All four 2s in one hand. You win the game.")
    return Lesson(
        key="instant",
        title=_("Instant wins"),
        text=tuple(text),
        sections=("instant",),
        steps=(
            Question(
                task=_("Which of these hands is an instant win?"),
                hands=(_STRONG, winning or _DRAGON),
                right=None if winning is None else 1,
                praise=praise,
                other=_("No. Read the rules below and look again."),
            ),
            Question(
                task=_("And which of these?"),
                hands=(_FOUR_TWOS, _STRONGER),
                right=0 if _wins_at_once(rules, _FOUR_TWOS) else None,
                praise=_("Right. High cards make a good hand, but you still have to play it."),
                other=_("No. Read the rules below and look again."),
            ),
        )[: 1 if winning is None else 2],
    )


def _end(rules: Ruleset) -> Lesson:
    text = [
        _(
            "When you have no cards left, you are out. The first out is nhất, then come "
            "nhì, ba and bét."
        ),
        _("Don't hold a 2 too long: if you still have it at the end, you are thối heo."),
        _("And if you haven't played a single card when the first player goes out, you are cóng."),
    ]
    if rules.betting == "mien_nam":
        text.append(_("In these rules, both cost money."))
    elif rules.betting == "none":
        text.append(_("In these rules there is no money, only places."))
    return Lesson(
        key="end",
        title=_("The end: thối and cóng"),
        text=tuple(text),
        sections=("money",),
        steps=(
            Exercise(
                task=_("Hùng played K♠ and has two cards left. Be the first to go out."),
                hands=("5D 9C 2H", "6C 7S 8C", "4S 4C KS"),
                leader=2,
                before=("KS",),
                goal=_comes_first,
                praise=_("You played the pig in time, and you are nhất."),
                other=_("Not first this time. Try again: when is the best moment for the 2?"),
                plays_on=True,
            ),
        ),
    )


def _whole_game(rules: Ruleset) -> Lesson:
    return Lesson(
        key="game",
        title=_("A whole game"),
        text=(
            _("Now play a whole game against three beginners. Take your time."),
            _("Keep combinations together, play low cards when you lead, and watch the 2s."),
        ),
        sections=("lead", "trick", "chops"),
        steps=(
            Exercise(
                task=_("Be the first to run out of cards."),
                hands=(
                    "3S 4D 5C 6H 7S 9S 9D TC JH KS KD AC 2D",
                    "3C 4S 5H 6S 8C 8H TS JD QC QH AH 7D 2C",
                    "3D 4C 6C 7C 8S 9H TD TH JS QS KC AD 2S",
                    "3H 4H 5S 5D 6D 7H 8D 9C JC QD KH AS 2H",
                ),
                leader=None,
                goal=_comes_first,
                praise=_("You are nhất. You can play Tiến Lên!"),
                other=_("You played a whole game. Play again and try to come first?"),
                plays_on=True,
            ),
        ),
    )


_MAKERS: dict[str, Callable[[Ruleset], Lesson]] = {
    "cards": _cards,
    "groups": _groups,
    "straights": _straights,
    "bombs": _pair_runs,
    "beating": _beating,
    "passing": _passing,
    "chopping": _chopping,
    "instant": _instant,
    "end": _end,
    "game": _whole_game,
}
KEYS = tuple(_MAKERS)


# --- Tasks and their goals -----------------------------------------------------------------


def _lead(task: str, hand: str, goal: Goal, praise: str, other: str) -> Exercise:
    """Return an exercise in which the reader leads; the other hands do not matter."""
    own = parse_cards(hand)
    rest = [card for card in range(52) if card not in own]
    hands = [rest[seat * len(own) :][: len(own)] for seat in range(3)]
    texts = (hand, *(format_cards(other_hand) for other_hand in hands))
    return Exercise(task=task, hands=texts, goal=goal, praise=praise, other=other)


def _exactly(cards: str) -> Goal:
    wanted = parse_cards(cards)
    return lambda before, action, after: action.cards == wanted


def _of_shape(shape: int) -> Goal:
    return lambda before, action, after: bool(action.cards) and shape_of(after.top) == shape


def _anything_played(before: State, action: SeatAction, after: State) -> bool:
    return bool(action.cards)


def _passes(before: State, action: SeatAction, after: State) -> bool:
    return not action.cards


def _chops(before: State, action: SeatAction, after: State) -> bool:
    return len(after.chops) > len(before.chops)


def _comes_first(before: State, action: SeatAction, after: State) -> bool:
    return after.placings[0] == (READER,)


def _beats(rules: Ruleset, cards: str, top: str) -> bool:
    ready = table(rules)
    play, on = (ready.classify(pack(parse_cards(text))) for text in (cards, top))
    return bool(play) and ready.beats(play, on)


def _wins_at_once(rules: Ruleset, hand: str) -> bool:
    packed = pack(parse_cards(hand))
    return rules.plays_instant_wins() and any(wins_with(n, packed) for n in rules.instant_wins)
