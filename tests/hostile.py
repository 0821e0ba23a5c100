"""What a stranger may send: values that no form has, bodies that are none, odd addresses."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from urllib.parse import quote_plus, urlencode

VALUES: list[str | bytes] = [
    "",
    " ",
    "\0",
    "a\0b",
    "x" * 70_000,
    "9" * 5_000,
    "-1",
    "0",
    "00",
    "1e400",
    "-1e-400",
    "NaN",
    "-Infinity",
    "٣",
    "½",
    "²",
    "1_000",
    "0x10",
    "1.5",
    "2147483648",
    "-2147483649",
    "9223372036854775808",
    "99999999999999999999",
    "9" * 17,
    "true",
    "null",
    "[]",
    "{}",
    '{"a": 1}',
    '"\\u0000"',
    '"\\ud800"',
    "[" * 3_000,
    '{"a":' * 3_000,
    b"\xed\xa0\x80",
    b"\xff\xfe",
    b"%",
    "\u202e\u0000\uffff",
    "🂡" * 200,
    "'; DROP TABLE league_player; --",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "//evil.example/",
    "https://evil.example/",
    "javascript:alert(1)",
    "0000-00-00",
    "9999-12-31",
    "10000-01-01",
    "0001-01-01",
    "24:61",
    "a@b",
    "%s %n {} {0.__class__}",
    "=1+1",
    "3S 3S 3S",
    "\ufeffA,B\r\n1",
    "A;B;C\n\0;;",
    "\r\nSet-Cookie: a=b",
]

IN_PATH = ["0", "1" * 19, "9" * 30, "x" * 3_000, "%00", "%ff", "..", "%F0%9F%82%A1", "-1", "'",
           "%0d"]  # fmt: skip


@dataclass
class Form:
    """The fields of a form as a browser would send them, by the address that it goes to."""

    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, value: str, *, more: bool = False) -> None:
        kept = self.fields.setdefault(name, [])
        if more or not kept:
            kept.append(value)


class Forms(HTMLParser):
    """All forms of a page."""

    def __init__(self, here: str, text: str) -> None:
        super().__init__()
        self.here, self.found = here, list[Form]()
        self._form: Form | None = None
        self._select = ""
        for form in re.findall(r"<form\b.*?</form>", text, re.DOTALL):
            self.feed(form)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name, value = given.get("name") or "", given.get("value") or ""
        if tag == "form":
            action = (given.get("action") or self.here).partition("?")[0]
            self._form = Form(action, (given.get("method") or "get").lower())
            self.found.append(self._form)
        elif self._form is None:
            return
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            chosen = "selected" in given
            self._form.fields.setdefault(self._select, [value])
            if chosen:
                self._form.fields[self._select] = [value]
        elif name and tag in ("input", "button", "textarea"):
            box = given.get("type") in ("checkbox", "radio")
            if not box or "checked" in given or name not in self._form.fields:
                more = box and "checked" in given
                self._form.add(name, value or ("on" if box else ""), more=more)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = ""


@dataclass(frozen=True)
class Body:
    """What is sent: bytes and what they are said to be."""

    what: str
    data: bytes
    kind: str = "application/x-www-form-urlencoded"


def encoded(fields: dict[str, list[str | bytes]]) -> bytes:
    """A form's body; bytes that are no text stay as they are."""
    pairs = [(name, value) for name, values in fields.items() for value in values]
    return "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in pairs).encode()


_quoted = cache(quote_plus)
"""Each value goes into every field of hundreds of forms."""


def one_wrong(fields: dict[str, list[str]], name: str, value: str | bytes) -> Body:
    """A form as it should be but for one field."""
    short = value[:12]
    return Body(f"{name}={short!r}", encoded({**fields, name: [value]}))


def all_wrong(names: list[str], value: str | bytes) -> Body:
    """The same in every field."""
    return Body(f"all={value[:12]!r}", encoded({name: [value] for name in names}))


def twice(fields: dict[str, list[str]]) -> Body:
    """Every field three times, once as a list."""
    doubled: dict[str, list[str | bytes]] = {}
    for name, values in fields.items():
        doubled |= {name: [*values, *values, "x"], f"{name}[]": ["1"], f"{name}[a]": ["1"]}
    return Body("every field twice", encoded(doubled))


MANY_FIELDS = urlencode([(f"f{number}", "") for number in range(3_100)]).encode()
TOO_MUCH = b"a=" + b"x" * 2_600_000


def bodies(names: list[str], chance: random.Random) -> Iterator[Body]:
    """Bodies that are no forms, whatever they are said to be."""
    noise = chance.randbytes(2_000)
    yield Body("nothing", b"")
    yield Body("noise", noise)
    yield Body("noise as JSON", noise, "application/json")
    yield Body("noise as parts", noise, "multipart/form-data; boundary=x")
    yield Body("parts without boundary", noise, "multipart/form-data")
    yield Body("no kind", b"a=b", "")
    yield Body("a kind that is none", b"a=b", "\xff/;;=")
    yield Body("unknown charset", b"a=%ff", "application/x-www-form-urlencoded; charset=utf-999")
    yield Body("JSON in odd letters", '{"a": "é"}'.encode("utf-16"), "application/json")
    yield Body("parts", _parts(names, noise), "multipart/form-data; boundary=xx")
    yield Body("a part that never ends", b'--xx\r\nContent-Disposition: form-data; name="',
               "multipart/form-data; boundary=xx")  # fmt: skip
    yield Body("many fields", MANY_FIELDS)
    yield Body("too much", TOO_MUCH)


def json_bodies(names: list[str]) -> Iterator[Body]:
    """JSON of all the wrong types."""
    for value in ("null", "true", "0", '""', "[]", "{}", "[[]]", "1e999", "NaN", "[" * 5_000,
                  '"\\u0000"', '"\\ud800"', "9" * 5_000):  # fmt: skip
        yield Body(f"JSON {value[:12]}", value.encode(), "application/json")
        if len(value) < 100:
            whole = "{" + ", ".join(f'"{name}": {value}' for name in names) + "}"
            yield Body(f"JSON all {value[:12]}", whole.encode(), "application/json")


def _parts(names: list[str], noise: bytes) -> bytes:
    """A file for every field, with names that files should not have."""
    lines = []
    for number, name in enumerate(names):
        file = ["../../x", "a\0b.zip", "", "x" * 300, "CON"][number % 5].encode()
        lines += [
            b"--xx",
            b'Content-Disposition: form-data; name="%s"; filename="%s"' % (name.encode(), file),
            b"Content-Type: application/zip",
            b"",
            noise,
        ]
    return b"\r\n".join([*lines, b"--xx--", b""])


def archives() -> Iterator[tuple[str, bytes]]:
    """Files that call themselves archives, and tables that call themselves CSV."""
    import io
    import zipfile

    def packed(**files: bytes) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as whole:
            for name, data in files.items():
                whole.writestr(name.replace("_", "."), data)
        return out.getvalue()

    good = packed(club_json=b"{}")
    yield "empty", b""
    yield "cut", good[: len(good) // 2]
    yield "no JSON", packed(club_json=b"\xff\0")
    yield "deep", packed(club_json=b"[" * 100_000)
    yield "bomb", packed(club_json=b"0" * 300_000_000)
    yield "cut inside", good[:45] + b"\xff\xff\xff" + good[48:]
    yield (
        "locked",
        good.replace(b"PK\x03\x04\x14\0\0", b"PK\x03\x04\x14\0\1").replace(
            b"PK\x01\x02\x14\x03\x14\0\0", b"PK\x01\x02\x14\x03\x14\0\1"
        ),
    )
    yield "packed oddly", good.replace(b"\x08\0", b"\x63\0")
    yield "not ours", packed(other_txt=b"x")
    for value in (b"null", b"[]", b"1", b'{"format": "tien-len-club/1"}',
                  b'{"format": "tien-len-club/1", "club": [], "tables": 0}',
                  b'{"format": "tien-len-club/1", "club": {}, "rulesets": [1], "tables": {}}',
                  b'{"format": {"a": 1}, "club": null, "tables": null}'):  # fmt: skip
        yield f"JSON {value[:40]!r}", packed(club_json=value)


def spoiled(archive: bytes, chance: random.Random) -> tuple[str, bytes]:
    """A good archive with one value of its JSON replaced, and where."""
    import io
    import json
    import zipfile

    with zipfile.ZipFile(io.BytesIO(archive)) as whole:
        (name,) = whole.namelist()
        body = json.loads(whole.read(name))
    spot, path = body, []
    while True:
        keys = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
        key = chance.choice(keys)
        path.append(str(key))
        if not isinstance(spot[key], (dict, list)) or not spot[key] or chance.random() < 0.1:
            break
        spot = spot[key]
    spot[key] = chance.choice(
        [None, True, -1, 0, 2**70, 1.5, "", "x", "\0", "9" * 400, [], {}, [[]], {"a": 1}, "é" * 999]
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as whole:
        whole.writestr(name, json.dumps(body))
    return f"{'.'.join(path)}={spot[key]!r:.20}", out.getvalue()


def everything_in(pages: list[Form]) -> list[str]:
    """The names of all fields of these forms."""
    return sorted({name for form in pages for name in form.fields})


def as_query(names: list[str], value: str | bytes) -> str:
    """The same value for all these names in an address."""
    return "&".join(f"{name}={quote_plus(value)}" for name in names)
