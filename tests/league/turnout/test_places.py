"""Who has a place: nobody loses one, none is left empty that fits."""

from hypothesis import given
from hypothesis import strategies as st

from league.turnout.domain.places import Party, let_in

parties = st.lists(st.tuples(st.integers(1, 6), st.booleans()), max_size=20).map(
    lambda rows: [Party(key, people, is_in) for key, (people, is_in) in enumerate(rows)]
)


@given(parties, st.none() | st.integers(2, 30))
def test_places_are_filled_in_order_and_never_exceeded(found, places):
    came = let_in(found, places)
    waiting = [party for party in found if not party.is_in]
    if places is None:
        assert came == [party.key for party in waiting]
        return
    before = sum(party.people for party in found if party.is_in)
    taken = before + sum(party.people for party in waiting if party.key in came)
    assert taken <= max(places, before)
    assert all(p.people > places - taken for p in waiting if p.key not in came)
    # Who waits behind overtakes only whom the places left did not hold.
    for number, party in enumerate(waiting):
        if party.key not in came:
            earlier = sum(p.people for p in waiting[:number] if p.key in came)
            assert before + earlier + party.people > places
