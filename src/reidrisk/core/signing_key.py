"""Ed25519 keys: sign bytes, check signatures, and the public keys that somebody trusts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.core.wording import path_text
from reidrisk.errors import InvalidSetting, MissingPackage, UnreadableFile

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

EXTRA = "sign"
SUFFIX = ".pub"
LONGEST_PASSPHRASE = 1023
"""In bytes; OpenSSL takes no longer one."""
MOST_BYTES = 2**20
_PUBLIC = re.compile(
    r"(?:^Name:[ \t]*(?P<name>[^\r\n]*?)[ \t]*\r?\n)?"
    r"(?P<pem>-----BEGIN PUBLIC KEY-----[^-]*-----END PUBLIC KEY-----)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class KeyPair:
    """The files of a new key."""

    private: bytes = field(repr=False)
    public: bytes


def ed25519_pair(passphrase: str | None, name: str | None) -> KeyPair:
    """A new key as PEM; the public key has the name of its owner in the line before."""
    serialization, ed25519 = _packages()
    if passphrase is not None and len(passphrase.encode()) > LONGEST_PASSPHRASE:
        raise InvalidSetting("The passphrase is too long.", hint=f"Use at most {LONGEST_PASSPHRASE} bytes.")
    key = ed25519.Ed25519PrivateKey.generate()
    locked = (
        serialization.BestAvailableEncryption(passphrase.encode())
        if passphrase
        else serialization.NoEncryption()
    )
    pem = serialization.Encoding.PEM
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, locked)
    public = key.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo)
    owner = "" if name is None else f"Name: {clean_name(name)}\n"
    return KeyPair(private, owner.encode() + public)


def public_key_text(public: str, name: str) -> str:
    """The file of a public key, with the name of its owner: what those who verify trust."""
    serialization, ed25519 = _packages()
    key = ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
    pem = key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return f"Name: {clean_name(name)}\n{pem.decode()}"


def clean_name(name: str) -> str:
    """A name on one line, without control characters; refused if nothing is left."""
    found = " ".join("".join(letter if letter.isprintable() else " " for letter in name).split())
    if not found:
        raise InvalidSetting("The name is empty.", hint="Give the full name of the person.")
    return found


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key that can sign."""

    _key: Ed25519PrivateKey = field(repr=False)

    @classmethod
    def of(cls, pem: bytes, passphrase: str | None, *, place: str) -> SigningKey:
        """The key in a PEM file."""
        serialization, ed25519 = _packages()
        try:
            key = serialization.load_pem_private_key(pem, passphrase.encode() if passphrase else None)
        except TypeError:
            needs = passphrase is None
            raise InvalidSetting(
                f"The key in {place} {'needs a' if needs else 'has no'} passphrase.",
                hint="Use --passphrase-file FILE, or run it on a terminal." if needs else "Leave it out.",
            ) from None
        except ValueError:
            raise UnreadableFile(
                f"The key in {place} cannot be opened: wrong passphrase, or not a private key.",
                hint="Check the passphrase and the file.",
            ) from None
        if not isinstance(key, ed25519.Ed25519PrivateKey):
            raise UnreadableFile(
                f"The key in {place} is not an Ed25519 key.",
                hint="Create one with: reidrisk key new FILE --for signing",
            )
        return cls(key)

    @property
    def public(self) -> str:
        """The public key: 32 bytes in hexadecimal."""
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, message: bytes) -> str:
        """The signature: 64 bytes in hexadecimal."""
        return self._key.sign(message).hex()


def is_signed(message: bytes, *, public: str, signature: str) -> bool:
    """Whether the signature of the message was made with the private key of this public key."""
    _, ed25519 = _packages()
    from cryptography.exceptions import InvalidSignature

    try:
        key = ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def fingerprint(public: str) -> str:
    """A short form of a public key to show and to compare by eye.

    >>> fingerprint("00" * 32)
    '66687aadf862bd77'
    """
    return hashlib.sha256(bytes.fromhex(public)).hexdigest()[:16]


def read_trusted(path: str | Path) -> Mapping[str, str]:
    """Names by public key: of a file, or of every file of a folder that ends in .pub."""
    place = Path(path)
    files = sorted(place.glob(f"*{SUFFIX}")) if place.is_dir() else [place]
    found: dict[str, str] = {}
    for file in files:
        for public, name in _public_keys(file).items():
            if found.setdefault(public, name) != name:
                raise InvalidSetting(
                    f"{path_text(place)} gives one key two names.", hint="Remove one of them."
                )
    if not found:
        raise InvalidSetting(
            f"{path_text(place)} has no public key.",
            hint=f"Name a file or a folder of files FILE{SUFFIX} that `reidrisk key new` wrote.",
        )
    return found


def _public_keys(file: Path) -> dict[str, str]:
    """The keys of one file; without a line `Name:` the name of the file counts."""
    try:
        content = file.read_bytes()[:MOST_BYTES].decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not a text"
        raise UnreadableFile(
            f"{path_text(file)} cannot be read: {reason}.", hint="Name a file of public keys."
        ) from None
    if "PRIVATE KEY-----" in content:
        raise InvalidSetting(
            f"{path_text(file)} is a private key.",
            hint=f"Trust public keys: {path_text(file)}{SUFFIX}. Never pass on the private key.",
        )
    own = file.name.removesuffix(SUFFIX).removesuffix(".key")
    return {_raw(match["pem"], file): match["name"] or own for match in _PUBLIC.finditer(content)}


def _raw(pem: str, file: Path) -> str:
    serialization, ed25519 = _packages()
    try:
        key = serialization.load_pem_public_key(pem.encode())
    except ValueError:
        key = None
    if not isinstance(key, ed25519.Ed25519PublicKey):
        raise UnreadableFile(
            f"{path_text(file)} has a public key that is not an Ed25519 key.", hint="Remove it."
        )
    return str(key.public_bytes_raw().hex())


def _packages() -> tuple[Any, Any]:
    try:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise MissingPackage.of_extra("cryptography", EXTRA) from None
    return serialization, ed25519
