"""The three worked examples of the Southern money game, played out card by card."""

from engine.records.record import FORMAT, replay


def told(text: str) -> list[dict[str, object]]:
    """Return actions from lines like ``0 2H / 1 - / 2 9S 9C``, a dash being a pass."""
    actions = []
    for move in text.replace("\n", " / ").split(" / "):
        if not move.strip():
            continue
        seat, cards = move.strip().split(" ", 1)
        action = {"seat": int(seat), "do": "pass"}
        if cards != "-":
            action = {"seat": int(seat), "do": "play", "cards": cards}
        actions.append(action)
    return actions


def ended(hands: list[str], story: str) -> dict[str, object]:
    return replay(
        {
            "format": FORMAT, "ruleset": "mien-nam", "hands": hands, "leader": 0,
            "previous": None, "stake": 1, "actions": told(story),
        }
    )  # fmt: skip


def test_example_a_only_the_last_debt_of_the_chain_is_paid():
    """A plays 2H, B three pairs, C a quad; they finish C, A, D, B and B keeps the 2 of spades."""
    result = ended(
        [
            "3H 4H 5H 6H 7H 8H 8D TH JH QH KH AS 2H",
            "4S 4C 5S 5C 6S 6C 7S 8S TS JS QS KS 2S",
            "3D 9S 9C 9D 9H TC JC QC KC AC AD AH 2D",
            "3S 3C 4D 5D 6D 7C 7D 8C TD JD QD KD 2C",
        ],
        """0 2H / 1 4S 4C 5S 5C 6S 6C / 2 9S 9C 9D 9H / 3 - / 0 - / 1 -
        2 3D / 3 7D / 0 8D / 1 - / 2 2D / 3 - / 0 - / 1 -
        2 TC JC QC KC AC / 3 - / 0 - / 1 -
        2 AD AH / 3 - / 0 - / 1 -
        3 3S / 0 AS / 1 - / 3 -
        0 3H 4H 5H 6H 7H 8H / 1 - / 3 -
        0 TH JH QH KH / 1 - / 3 -
        1 7S / 3 2C / 1 -
        3 4D 5D 6D / 1 - / 3 TD JD QD KD / 1 - / 3 3C / 1 - / 3 7C / 1 - / 3 8C""",
    )
    assert result["placings"] == [[2], [0], [3], [1]]
    assert result["net"] == [1, -7, 7, -1]
    assert result["payments"] == [
        {"from": 1, "to": 2, "amount": 4, "reason": "chop"},
        {"from": 1, "to": 2, "amount": 2, "reason": "loser"},
        {"from": 3, "to": 0, "amount": 1, "reason": "third"},
        {"from": 1, "to": 2, "amount": 1, "reason": "twos_left"},
    ]
    assert result["dealer_next"] == 1


def test_example_b_a_player_who_never_played_pays_the_first_and_nothing_else():
    """A is out before D has played; D holds two 2s and a quad, C is last with the 2 of hearts."""
    result = ended(
        [
            "4S 4H 5S 6S 7S 8S 9S TS JS QS KS AS 2S",
            "4C 5C 7C 8C 9C TC JC QC QH KC AC AD AH",
            "4D 5H 6C 6D 7H 8D 9H TD TH JH QD KH 2H",
            "3S 3C 3D 3H 5D 6H 7D 8H 9D JD KD 2C 2D",
        ],
        """0 4H / 1 5C / 2 6C / 3 - / 0 2S / 1 - / 2 - / 3 -
        0 4S 5S 6S 7S 8S 9S TS JS QS KS / 1 - / 2 - / 3 -
        0 AS / 1 - / 2 - / 3 -
        1 7C 8C 9C TC JC QC KC AC / 2 - / 3 -
        1 AH / 2 - / 3 - / 1 AD / 2 - / 3 - / 1 QH / 2 - / 3 - / 1 4C / 2 - / 3 -
        2 4D / 3 5D / 2 - / 3 3S 3C 3D 3H / 2 - / 3 6H / 2 - / 3 7D / 2 - / 3 8H / 2 -
        3 9D / 2 - / 3 JD / 2 - / 3 KD / 2 - / 3 2C / 2 - / 3 2D""",
    )
    assert result["placings"] == [[0], [1], [3], [2]]
    assert result["net"] == [13, 0, -4, -9]
    assert result["payments"] == [
        {"from": 3, "to": 0, "amount": 9, "reason": "cong"},
        {"from": 2, "to": 0, "amount": 2, "reason": "loser"},
        {"from": 2, "to": 0, "amount": 2, "reason": "twos_left"},
    ]


def test_example_c_each_other_pays_the_instant_winner():
    result = replay(
        {
            "format": FORMAT, "ruleset": "mien-nam", "leader": None, "previous": None, "stake": 1,
            "hands": [
                "4S 5S 7S 9S JS KS 4C 6C 8C TC QC AC 3D",
                "2S 2C 2D 2H 3S 5C 6D 8D 9H TD JH QD KD",
                "3C 4D 5D 6S 7D 8S 9C TH JC QS KC AD 3H",
            ],
            "actions": [],
        }
    )  # fmt: skip
    assert result["finished"]
    assert result["placings"] == [[1], [0, 2]]
    assert result["net"] == [-4, 8, -4]
    assert result["dealer_next"] == 2
