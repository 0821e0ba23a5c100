"""A validator that refuses leaked passwords, also in common disguises."""

import re
import unicodedata
from typing import Any

from django.contrib.auth.password_validation import CommonPasswordValidator

# Local favourites, in addition to Django's 20,000 from all over the world.
_OWN = (
    "anhem anhnhoem anhyeu anhyeuem baybay boyeucon cafesua chaoban chomeo conyeume danang "
    "doremon doraemon emyeuanh giadinh giadinhtoi gunny hanhphuc hanoi hoahong hoilamgi hoangtu "
    "congchua conheo khongbiet khongco khongnho langtu langthang matkhau matkhaumoi maimaiyeuem "
    "mayman mehoa mekhongbiet meyeucon nguoiyeu nguyenvan nguyenthi phuonganh quenroi saigon "
    "sinhnhat thanhcong thiensu thienthan tienlen tienlenmiennam tinhban tinhyeu toiyeuem "
    "toiyeuvietnam vietnam vietnamvodich vinahouse xinchao xinloi yeuanh yeuem yeuemnhieu"
)
OWN = frozenset(_OWN.split())
DISGUISES = str.maketrans("01345678@$!", "oieasgtbasi")
MOST_AROUND = 6
"""Most digits and signs around a known word for which it still counts as that word."""

_AROUND = re.compile(r"^[\W\d_]+|[\W\d_]+$")
_REPEATED = re.compile(r"(.{1,4}?)\1+.{0,3}")
_ROWS = ("01234567890123456789", "09876543210987654321", "abcdefghijklmnopqrstuvwxyz",
         "qwertyuiopasdfghjklzxcvbnm", "qazwsxedcrfvtgbyhnujmikolp")  # fmt: skip


class KnownPasswordValidator(CommonPasswordValidator):
    """A validator for listed passwords, also with digits, accents and disguises removed."""

    def validate(self, password: str, user: Any = None) -> None:
        letters = unicodedata.normalize("NFD", password.casefold()).replace("đ", "d")
        bare = "".join(c for c in letters if unicodedata.category(c) != "Mn").strip()
        super().validate("password" if self._is_known(bare) else password, user)

    def _is_known(self, bare: str) -> bool:
        if _REPEATED.fullmatch(bare) or any(bare in row for row in _ROWS):
            return True
        known, word = [bare], _AROUND.sub("", bare)
        if len(word) >= 4 and len(bare) - len(word) <= MOST_AROUND:
            known.append(word)
        known += [text.translate(DISGUISES) for text in known]
        plain = (re.sub(r"[\W_]", "", text) for text in known)
        return any(text in self.passwords or text in OWN for text in plain)
