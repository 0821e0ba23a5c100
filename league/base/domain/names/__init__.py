"""Names of people: their clean form, Vietnamese order, pasted lists."""

from .clean import LONGEST, clean_name, fold, identity, is_meant, refuse_address
from .lists import MOST_NAMES, MOST_PROBLEMS, ListProblem, NameList, is_talk, parse_name_list
from .problems import (
    AddressInName,
    ControlCharacter,
    EmptyName,
    LongName,
    NameProblem,
    StackedMarks,
)
from .sorting import LONGEST_KEY, sort_key

__all__ = [
    "AddressInName",
    "ControlCharacter",
    "EmptyName",
    "LONGEST",
    "LONGEST_KEY",
    "ListProblem",
    "LongName",
    "MOST_NAMES",
    "MOST_PROBLEMS",
    "NameList",
    "NameProblem",
    "StackedMarks",
    "clean_name",
    "fold",
    "identity",
    "is_meant",
    "is_talk",
    "parse_name_list",
    "refuse_address",
    "sort_key",
]
