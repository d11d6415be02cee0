from __future__ import annotations

import pytest

from tests.detect.patterns.finding import found


@pytest.mark.parametrize(
    "phone",
    [
        "(212) 555-0123",
        "212-555-0123",
        "212.555.0123",
        "+1 212 555 0123",
        "1-212-555-0123",
        "212-555-0123 ext. 45",
        "+44 20 7946 0958",
        "+49 (0)30 901820",
        "0033 1 42 68 53 00",
        "+34 912 345 678",
    ],
)
def test_telephones_of_the_world(phone: str) -> None:
    assert found(f"She rang from {phone} twice.") == [(phone, "PHONE")]
    assert found(f"She rang from {phone} twice.", universal=True) == [(phone, "PHONE")]


def test_words_before_decide_short_and_bare_numbers() -> None:
    assert found("call 555-0123") == [("555-0123", "PHONE")]
    assert found("Phone: 2125550123") == [("2125550123", "PHONE")]
    assert found("Fax: 212-555-0123") == [("212-555-0123", "FAX")]


@pytest.mark.parametrize(
    "value", ["jane.doe+notes@mail.example.org", "x_y@example.co.uk", "o'neil@example.com"]
)
def test_electronic_mail(value: str) -> None:
    assert found(f"Mail {value}, please.") == [(value, "EMAIL")]


@pytest.mark.parametrize(
    "value", ["https://example.org/a?b=c", "www.example.org/notes", "ftp://example.org/x"]
)
def test_links_end_before_punctuation(value: str) -> None:
    assert found(f"See ({value}).") == [(value, "URL")]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("192.168.0.17", "IPADDR"),
        ("2001:db8:85a3::8a2e:370:7334", "IPADDR"),
        ("fe80:0:0:0:1:2:3:4", "IPADDR"),
    ],
)
def test_network_addresses(value: str, kind: str) -> None:
    assert found(f"from {value} today") == [(value, kind)]


def test_a_mac_address_is_a_device() -> None:
    assert found("adapter 00:1A:2b:3C:4d:5E here") == [("00:1A:2b:3C:4d:5E", "DEVICE")]


@pytest.mark.parametrize(
    "text", ["version 300.400.1.2", "BP 120/80, pulse 72", "WBC 4.5-11.0", "10:15 and 11:30", "@ 3 pm"]
)
def test_other_numbers_are_no_contacts(text: str) -> None:
    assert found(text) == []


def test_two_zeros_alone_make_no_telephone_number() -> None:
    assert found("Phone: 0044 20 7946 0958") == [("0044 20 7946 0958", "PHONE")]
    assert found("reach her at 004420794609") == [("004420794609", "PHONE")]
    assert found("order 004420794609 came") == [("004420794609", "IDNUM")]
