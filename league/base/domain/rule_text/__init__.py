"""A ruleset in plain words: its sentences, the labels of its fields, and differences."""

from league.base.domain.rule_text.compare import Difference, differences
from league.base.domain.rule_text.text import Section, rule_text
from league.base.domain.rule_text.words import Words, say

__all__ = ["Difference", "Section", "Words", "differences", "rule_text", "say"]
