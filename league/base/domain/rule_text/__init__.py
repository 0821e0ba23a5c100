"""A ruleset in plain words: sentences to print, labels to choose by, what differs from another."""

from league.base.domain.rule_text.compare import Difference, differences
from league.base.domain.rule_text.text import Section, rule_text
from league.base.domain.rule_text.words import Words, say

__all__ = ["Difference", "Section", "Words", "differences", "rule_text", "say"]
