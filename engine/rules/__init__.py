"""The rules of the game: cards, combinations, rulesets, the deal, tricks and payments."""
