"""Links that people read, type and scan."""

from tables.web.addresses import Address


def test_a_link_breaks_at_its_slashes_and_never_inside_its_key():
    link = Address("https://bai.example/clubs/~night/dq3ro25dslqvbqmv24uabk5qg2/", reaches=True)
    assert link.short.split("<wbr>") == [
        "bai.example/", "clubs/", "~night/", "dq3ro25dslqvbqmv24uabk5qg2/", "",
    ]  # fmt: skip
    assert Address("https://x/<b>/", reaches=True).short == "x/<wbr>&lt;b&gt;/<wbr>"
