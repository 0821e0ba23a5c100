"""A browser as its push service sees it: it opens what arrives, and checks who sent it."""

import json

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from league.news.acts import push, web_push


class Browser:
    """A browser's keys, and what it reads of what its push service got."""

    def __init__(self):
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), b"0123456789abcdef"
        self.point = self.key.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )

    def keys(self):
        return {"p256dh": web_push.text_of(self.point), "auth": web_push.text_of(self.auth)}

    def opened(self, body):
        """The text, by section 3.4 of RFC 8291 read from the receiver's side."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        theirs, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size <= 4096
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
        shared = self.key.exchange(ec.ECDH(), point)

        def derived(secret, salt, info, length):
            return HKDF(hashes.SHA256(), length, salt, info).derive(secret)

        ikm = derived(shared, self.auth, b"WebPush: info\0" + self.point + theirs, 32)
        key = derived(ikm, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(ikm, salt, b"Content-Encoding: nonce\0", 12)
        text = AESGCM(key).decrypt(nonce, sealed, None)
        assert text.endswith(b"\x02")
        return json.loads(text[:-1])


def sender_of(header):
    """What a push service reads of who sends, once the signature holds (RFC 8292)."""
    scheme, _sep, fields = header.partition(" ")
    token, key = (field.strip()[2:] for field in fields.split(","))
    assert scheme == "vapid"
    assert key == push.public_key()
    signed, _sep, mark = token.rpartition(".")
    raw = web_push.bytes_of(mark)
    r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), web_push.bytes_of(key))
    point.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))
    return json.loads(web_push.bytes_of(signed.split(".")[1]))
