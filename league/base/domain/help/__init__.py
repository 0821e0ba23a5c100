"""What people ask: questions with an answer and a picture in each language, as data."""

from league.base.domain.help.questions import (
    QUESTIONS,
    TOPICS,
    HelpQuestion,
    PicturePart,
    Wording,
    asked,
    question_of,
)

__all__ = ["QUESTIONS", "TOPICS", "PicturePart", "HelpQuestion", "Wording", "asked", "question_of"]
