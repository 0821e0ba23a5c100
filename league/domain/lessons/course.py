"""The ten lessons, from the first card to a whole game, as a function of the rules.

Seat 0 is the reader and seats 1 to 3 follow in the order of play. Every hand of an exercise has the
same number of cards, as after a deal.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.actions import Action
from engine.cards import format_cards, parse_cards
from engine.instant_wins import wins_with
from engine.packed import pack
from engine.ruleset import Ruleset
from engine.shapes import PAIR, PAIR_RUN, QUAD, TRIPLE, shape_of
from engine.state import State
from engine.table import table
from engine.texts import mark as _
from league.domain.lessons.exercise import READER, Exercise, Goal, Lesson, Question

_TWO = "2S"
_BOMBS = ("5S 5D 6C 6H 7S 7D", "9S 9C 9D 9H", "5S 5D 6C 6H 7S 7D 8C 8H")
_DRAGON = "3S 4C 5D 6H 7S 8C 9D TH JS QC KD AH 2C"
_FOUR_TWOS = "3C 4H 6S 7D 8H 9S TC JD KS 2S 2C 2D 2H"
_STRONG = "3S 3C 5D 5H 8S 9C TD QH AS AC 2S 2D 2H"
_STRONGER = "4C 5S 5C 8D TD TH QC KC KH AD AH 2C 2H"


def course(rules: Ruleset) -> list[Lesson]:
    """All lessons as they are under these rules, in the order in which somebody learns them."""
    return [make(rules) for make in _MAKERS.values()]


def _cards(rules: Ruleset) -> Lesson:
    first = Exercise(
        task=_("You hold 3♠, the lowest card of all, so you begin. Play it alone."),
        hands=("3S 6D 9C KH 2C", "4C 7D TS JH QC", "5S 7C 8H QD AS", "4H 6S 9D JC KD"),
        leader=None,
        goal=_exactly("3S"),
        praise=_("That is how most games begin: the lowest card is on the table."),
        other=_("The rules allow that. Here play 3♠ and nothing else."),
    )
    higher = Exercise(
        task=_("Mai has played 9♦. Beat it with your lowest card that is high enough."),
        hands=("8H 9C 9H JS KD", "4C 7D TS JH QC", "5S 7C 8C QD AS", "4H 6S 9D JC KC"),
        leader=3,
        before=("9D",),
        goal=_exactly("9H"),
        praise=_("Of two nines the hearts are higher. 9♣ would have been too low."),
        other=_("That beats it too, but you have a lower card that does."),
    )
    return Lesson(
        key="cards",
        title=_("The cards"),
        text=(
            _("The lowest card is the 3, then 4, 5 and so on, up to king, ace and the 2."),
            _("The 2 is the highest card. At the table it is called heo, the pig."),
            _("Within a rank the suits decide: ♠ lowest, then ♣, ♦, and ♥ highest."),
        ),
        sections=("deal",),
        steps=(first, higher),
    )


def _groups(rules: Ruleset) -> Lesson:
    return Lesson(
        key="groups",
        title=_("Singles, pairs, triples"),
        text=(
            _("You can play one card alone, or two, three or four of the same rank."),
            _("A pair is two of a rank (đôi), a triple three (sám cô)."),
        ),
        sections=(),
        steps=(
            _lead(
                _("You lead. Play a pair."),
                "4S 7C 7H JD AS",
                _of_shape(PAIR),
                _("A pair. Whoever wants to beat it needs a higher pair."),
                _("That is allowed. Here look for two cards of the same rank."),
            ),
            _lead(
                _("You lead. Play a triple."),
                "5S 5D 5H 9C KS",
                _of_shape(TRIPLE),
                _("A triple: three cards gone in one turn."),
                _("That is allowed. Here take all three cards of the same rank."),
            ),
        ),
    )


def _straights(rules: Ruleset) -> Lesson:
    twos = rules.twos_top_straights
    longest = _("Play the longest straight that you have. By these rules a 2 may be its top.")
    if not twos:
        longest = _("Play the longest straight that you have. By these rules a 2 is never in one.")
    return Lesson(
        key="straights",
        title=_("Straights"),
        text=(
            _("Three or more cards in a row are a straight (sảnh). Suits may be mixed."),
            _("The highest card of a straight says how high it is."),
        ),
        sections=("combinations",),
        steps=(
            _lead(
                _("You lead. Play a straight of three cards."),
                "4S 5H 6C 9D QS",
                _exactly("4S 5H 6C"),
                _("A straight, up to 6♣."),
                _("That is allowed. Here look for three ranks in a row."),
            ),
            _lead(
                longest,
                "4S JS QD KC AH 2S",
                _exactly("JS QD KC AH 2S" if twos else "JS QD KC AH"),
                _("That is the longest one."),
                _("That is allowed, but a longer straight is in your hand."),
            ),
        ),
    )


def _pair_runs(rules: Ruleset) -> Lesson:
    return Lesson(
        key="bombs",
        title=_("Consecutive pairs and four of a kind"),
        text=(
            _("Three or more pairs in a row are consecutive pairs (đôi thông)."),
            _("Four cards of a rank are a four of a kind (tứ quý)."),
            _("Both are rare, and strong: soon you will see what they can do."),
        ),
        sections=("combinations",),
        steps=(
            _lead(
                _("You lead. Play three consecutive pairs."),
                "5S 5D 6C 6H 7S 7D KC",
                _of_shape(PAIR_RUN + 3),
                _("Three consecutive pairs."),
                _("That is allowed. Here play 5 5 6 6 7 7 at once."),
            ),
            _lead(
                _("You lead. Play four of a kind."),
                "4H 9S 9C 9D 9H QS 2C",
                _of_shape(QUAD),
                _("Four of a kind."),
                _("That is allowed. Here play all four nines at once."),
            ),
        ),
    )


def _beating(rules: Ruleset) -> Lesson:
    return Lesson(
        key="beating",
        title=_("Beating"),
        text=(
            _("You beat what lies on the table with the same kind and as many cards, but higher."),
            _("A pair beats a pair, a straight of three a straight of three."),
            _("Only the highest card counts; if the ranks are equal, its suit does."),
        ),
        sections=("trick",),
        steps=(
            Exercise(
                task=_("Mai has played a pair of eights. Beat it."),
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
                task=_("Mai has played the straight 5♠ 6♦ 7♣. Beat it."),
                hands=(
                    "5C 6H 7H TS JD KC",
                    "4C 7D TD JH QC AC",
                    "5D 9C 9H QD AS KD",
                    "4H 5S 6D 7C 8S KS",
                ),
                leader=3,
                before=("5S 6D 7C",),
                goal=_anything_played,
                praise=_("Both straights end with a 7, and yours with the higher suit."),
                other=_("You can beat this: look for a straight of three cards."),
            ),
        ),
    )


def _passing(rules: Ruleset) -> Lesson:
    passed = _("Whoever passes may come in again later in the same trick.")
    if rules.pass_locks:
        passed = _("Whoever has passed is out until the trick is over.")
    before: tuple[str, ...] = ("KD", "pass", "pass", "pass")
    if rules.forward and rules.pass_locks:
        before += ("pass",)
    return Lesson(
        key="passing",
        title=_("Passing and leading"),
        text=(
            _("If you cannot beat it, or do not want to, you pass."),
            passed,
            _("When nobody beats the last play, its player leads the next trick, with anything."),
        ),
        sections=("lead", "trick"),
        steps=(
            Exercise(
                task=_("Mai has played A♥. What do you do?"),
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
                other=_("Here passing is right."),
            ),
            Exercise(
                task=_(
                    "Nobody has beaten your K♦, so you lead. Play as many cards as you can at once."
                ),
                hands=(
                    "3S 5C 6D 7S 8H JC KD",
                    "4C 6C TS TD JH QC QH",
                    "5S 7C 8C 9C QD JS TC",
                    "4H 6S 9D 8D JD 3C TH",
                ),
                before=before,
                goal=_exactly("5C 6D 7S 8H"),
                praise=_("Four cards in one turn. Leading is when you get rid of long straights."),
                other=_("That is allowed, but another play takes more cards off your hand."),
            ),
        ),
    )


def _chopping(rules: Ruleset) -> Lesson:
    bomb = next((bomb for bomb in _BOMBS if _beats(rules, bomb, _TWO)), None)
    steps: tuple[Exercise, ...] = ()
    text = [_("A 2 is the highest single. Still there are combinations that beat it.")]
    if bomb is None:
        text.append(_("By these rules nothing beats a 2 but a higher 2."))
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
        task=_("Mai has played 2♠. Chop it."),
        hands=(
            " ".join([bomb, *spare]),
            "3D 4C TS TC JH QC KC KH AC",
            "3S 4S TD TH QD QH KS AD AH",
            "3H 4D 6S 7C JC 8S KD AS 2S",
        ),
        leader=3,
        before=(_TWO,),
        goal=_chops,
        praise=_("Chopped! Where money is played for, Mai now pays you."),
        other=_("You can chop this 2: look for the cards that belong together."),
    )


def _chop_again() -> Exercise:
    return Exercise(
        task=_("Hùng has played 2♠, and Mai has chopped it. Chop her in turn."),
        hands=(
            "3C 4H 8S 8D 9C 9H TS TD",
            "3D 4C JS JC QS QC KS KC",
            "3S 4S JD JH QD QH AD 2S",
            "5S 5D 6C 6H 7S 7D KH AC",
        ),
        leader=2,
        before=(_TWO, "5S 5D 6C 6H 7S 7D"),
        goal=_chops,
        praise=_("Your three pairs are higher. Now the pig is at Mai's expense, not Hùng's."),
        other=_("You can chop her: your consecutive pairs are higher."),
    )


def _nothing_chops() -> Exercise:
    return Exercise(
        task=_("Mai has played 2♠. What do you do?"),
        hands=(
            "9S 9C 9D 9H KS",
            "4C 6D TS JH QC",
            "5S 7C 8H QD AS",
            "4H 6S TD JC 2S",
        ),
        leader=3,
        before=(_TWO,),
        goal=_passes,
        praise=_("By these rules not even four of a kind beats it."),
        other=_("Here passing is right."),
    )


def _instant(rules: Ruleset) -> Lesson:
    winning = next((hand for hand in (_DRAGON, _FOUR_TWOS) if _wins_at_once(rules, hand)), None)
    text = [_("Some hands win before a card is played. That is called tới trắng.")]
    if winning is None:
        text.append(_("By these rules no hand wins as it was dealt: every game is played."))
        praise = _("Neither: these rules know no instant win. Play it, it is a good hand.")
    elif winning == _DRAGON:
        praise = _("From 3 to ace without a gap: the dragon. The game is won.")
    else:
        praise = _("All four 2s in one hand. The game is won.")
    return Lesson(
        key="instant",
        title=_("Winning at once"),
        text=tuple(text),
        sections=("instant",),
        steps=(
            Question(
                task=_("Which of these hands wins at once?"),
                hands=(_STRONG, winning or _DRAGON),
                right=None if winning is None else 1,
                praise=praise,
                other=_("No. Read again below what these rules say, and look once more."),
            ),
            Question(
                task=_("And which of these?"),
                hands=(_FOUR_TWOS, _STRONGER),
                right=0 if _wins_at_once(rules, _FOUR_TWOS) else None,
                praise=_("Right. Many high cards are a good hand, but they have to be played."),
                other=_("No. Read again below what these rules say, and look once more."),
            ),
        )[: 1 if winning is None else 2],
    )


def _end(rules: Ruleset) -> Lesson:
    text = [
        _("Whoever has no cards left is out. The first is nhất, then come nhì, ba and bét."),
        _("Do not keep a 2 too long: who is left holding one at the end is thối heo."),
        _("And who has not played one card when the first is out is cóng."),
    ]
    if rules.betting == "mien_nam":
        text.append(_("By these rules both cost money."))
    elif rules.betting == "none":
        text.append(_("By these rules no money moves, only places count."))
    return Lesson(
        key="end",
        title=_("The end: thối and cóng"),
        text=tuple(text),
        sections=("money",),
        steps=(
            Exercise(
                task=_("Hùng has played K♠, and he has two cards left. Be the first who is out."),
                hands=("5D 9C 2H", "6C 7S 8C", "4S 4C KS"),
                leader=2,
                before=("KS",),
                goal=_comes_first,
                praise=_("The pig has done its work in time, and you are nhất."),
                other=_("Not first this time. Try again: when is the 2 worth most?"),
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
            _("Keep what belongs together, get rid of low cards when you lead, and watch the 2s."),
        ),
        sections=("lead", "trick", "chops"),
        steps=(
            Exercise(
                task=_("Be the first who has no cards left."),
                hands=(
                    "3S 4D 5C 6H 7S 9S 9D TC JH KS KD AC 2D",
                    "3C 4S 5H 6S 8C 8H TS JD QC QH AH 7D 2C",
                    "3D 4C 6C 7C 8S 9H TD TH JS QS KC AD 2S",
                    "3H 4H 5S 5D 6D 7H 8D 9C JC QD KH AS 2H",
                ),
                leader=None,
                goal=_comes_first,
                praise=_("You are nhất. You can play Tiến Lên!"),
                other=_("You have played a whole game. Play it again and come first?"),
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


# --- What is asked -------------------------------------------------------------------------


def _lead(task: str, hand: str, goal: Goal, praise: str, other: str) -> Exercise:
    """An exercise in which the reader leads; the others hold what nobody looks at."""
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


def _anything_played(before: State, action: Action, after: State) -> bool:
    return bool(action.cards)


def _passes(before: State, action: Action, after: State) -> bool:
    return not action.cards


def _chops(before: State, action: Action, after: State) -> bool:
    return len(after.chops) > len(before.chops)


def _comes_first(before: State, action: Action, after: State) -> bool:
    return after.placings[0] == (READER,)


def _beats(rules: Ruleset, cards: str, top: str) -> bool:
    ready = table(rules)
    play, on = (ready.classify(pack(parse_cards(text))) for text in (cards, top))
    return bool(play) and ready.beats(play, on)


def _wins_at_once(rules: Ruleset, hand: str) -> bool:
    packed = pack(parse_cards(hand))
    return rules.plays_instant_wins() and any(wins_with(n, packed) for n in rules.instant_wins)
