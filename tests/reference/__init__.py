"""A second, slow and plain implementation of the rules, to check the engine against.

It shares no code with the engine. It tries every subset of a hand, and plays a game as one
straight script that asks its question and takes the answer, so that it reads like the rules.
"""
