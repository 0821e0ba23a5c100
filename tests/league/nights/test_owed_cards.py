"""Who asks whom before the next game, as the table's page says it."""

import pytest
from django.test import Client

from engine.rules.specials import Special
from league.nights.acts import seat_changes
from tests.factories import keys_at, make_night, make_table, names_at, owner_of, play, table_link

pytestmark = pytest.mark.django_db


def page_of(sitting):
    return Client().get(table_link(sitting)).content.decode()


def test_who_chopped_asks_before_the_next_game_and_nobody_asks_a_newcomer():
    event = make_night(5, rules="family", games_per_round=4)
    late = event.entrants.last()
    type(late).objects.filter(pk=late.pk).update(presence="left")
    sitting = make_table(event)
    a, b, c, _d = names_at(sitting)
    key = keys_at(sitting)
    assert " asks <b>" not in page_of(sitting)
    chops = [
        Special("chop", by=key[b], of=key[a], what="2"),
        Special("chop", by=key[c], of=key[b], what="bomb", chained=True),
    ]
    play(sitting, specials=chops)
    page = page_of(sitting)
    assert f"<b>{b}</b> asks <b>{a}</b> once." in page
    assert f"<b>{c}</b> asks <b>{b}</b> 2 times." in page
    by = owner_of(event)
    seat_changes.leave(sitting_id=sitting.pk, entrant_id=key[a], substitute_id=late.pk, by=by)
    page = page_of(sitting)
    assert f"<b>{b}</b> asks" not in page
    assert f"<b>{c}</b> asks <b>{b}</b> 2 times." in page
