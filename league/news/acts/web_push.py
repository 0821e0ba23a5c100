"""End-to-end encryption and signing of Web Push messages.

Encryption follows RFC 8291 (with aes128gcm of RFC 8188, one record), signing RFC 8292.
"""

import base64
import json
import os
from dataclasses import dataclass

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve P-256; a private key is a number below it."""
RECORD = 4096
MOST_BYTES = 3993
"""Maximum plaintext within the 4,096 bytes that push services accept (RFC 8291, section 4)."""
POINT, AUTH, SALT = 65, 16, 16


@dataclass(frozen=True)
class BrowserKeys:
    """A browser's encryption keys: its public point on the curve and a shared secret."""

    point: bytes
    auth: bytes


def text_of(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def bytes_of(text: str) -> bytes:
    if not text.isascii():
        raise ValueError("not base64url")
    raw = text.rstrip("=").encode()
    return base64.b64decode(raw + b"=" * (-len(raw) % 4), altchars=b"-_", validate=True)


def browser_keys(p256dh: str, auth: str) -> BrowserKeys:
    """Return the keys of a subscription; ValueError if they are invalid."""
    keys = BrowserKeys(bytes_of(p256dh), bytes_of(auth))
    if len(keys.point) != POINT or len(keys.auth) != AUTH:
        raise ValueError("keys of another length")
    ec.EllipticCurvePublicKey.from_encoded_point(CURVE, keys.point)
    return keys


def own_key(secret: str) -> ec.EllipticCurvePrivateKey:
    """Derive the server's signing key; the same secret always gives the same key.

    The number has 16 bytes more than the order, so the modulo favours no key.
    """
    drawn = _hkdf(48, b"", b"tien-len web push", secret.encode())
    return ec.derive_private_key(int.from_bytes(drawn, "big") % (ORDER - 1) + 1, CURVE)


def public_text(key: ec.EllipticCurvePrivateKey) -> str:
    """Return the public key in the form that a browser takes when it subscribes."""
    return text_of(_point(key))


def authorization(
    key: ec.EllipticCurvePrivateKey, *, audience: str, subject: str, until: int
) -> str:
    """Return the Authorization header that identifies the sender, valid until Unix time `until`."""
    claims = {"aud": audience, "exp": until, "sub": subject}
    parts = [{"typ": "JWT", "alg": "ES256"}, claims]
    signed = ".".join(text_of(json.dumps(p, separators=(",", ":")).encode()) for p in parts)
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    mark = text_of(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return f"vapid t={signed}.{mark},k={public_text(key)}"


def encrypted(
    text: bytes,
    keys: BrowserKeys,
    *,
    once: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Encrypt a message for one browser. Pass `once` and `salt` for one message only."""
    if len(text) > MOST_BYTES:
        raise ValueError("the message is too long")
    once, salt = once or ec.generate_private_key(CURVE), salt or os.urandom(SALT)
    own = _point(once)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, keys.point)
    shared = once.exchange(ec.ECDH(), theirs)
    secret = _hkdf(32, keys.auth, b"WebPush: info\0" + keys.point + own, shared)
    cipher = AESGCM(_hkdf(16, salt, b"Content-Encoding: aes128gcm\0", secret))
    nonce = _hkdf(12, salt, b"Content-Encoding: nonce\0", secret)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(own)]) + own
    return head + cipher.encrypt(nonce, text + b"\x02", None)  # 2 marks the last record.


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _hkdf(length: int, salt: bytes, info: bytes, secret: bytes) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)
