"""Invented addresses, facilities and companies."""

from __future__ import annotations

import numpy as np

from english.words import names, pick, sections
from reidrisk.demo.vocabulary import ORGANIZATION_HEADS, STATES, STREETS, TOWNS


def city(rng: np.random.Generator) -> str:
    """A town."""
    return pick(TOWNS if rng.random() < 0.25 else names()["town"], rng)


def state(rng: np.random.Generator) -> str:
    """In full or abbreviated."""
    return pick(STATES[int(rng.integers(len(STATES)))][:2], rng)


def street(rng: np.random.Generator) -> str:
    """With a number, sometimes a flat; seldom a box."""
    if rng.random() < 0.04:
        return f"P.O. Box {rng.integers(10, 9999)}"
    lists = (STREETS, names()["surname"], names()["town"], (f"{rng.integers(1, 99)}th",))
    name = pick(lists[int(rng.integers(len(lists)))], rng)
    side = pick(("", "", "", "N. ", "West ", "S ", "Old "), rng)
    flat, suite = int(rng.integers(1, 99)), int(rng.integers(100, 900))
    more = pick(("", "", "", "", f", Apt {flat}", f" Apt. {flat}", f", Suite {suite}", f" #{flat}"), rng)
    return f"{rng.integers(1, 9999)} {side}{name} {pick(sections()['street'], rng)}{more}"


def hospital(rng: np.random.Generator) -> str:
    """A facility by its name."""
    tail = pick(sections()["hospital"], rng)
    if rng.random() < 0.08:
        return f"University of {city(rng)} {tail}"
    lists = (sections()["saint"], ORGANIZATION_HEADS, (city(rng),), names()["surname"], (state(rng),))
    return f"{pick(lists[int(rng.integers(len(lists)))], rng)} {tail}"


def organization(rng: np.random.Generator) -> str:
    """A company, school or agency."""
    two = f"{pick(names()['surname'], rng)} & {pick(names()['surname'], rng)}"
    lists = (ORGANIZATION_HEADS, names()["surname"], (city(rng),), (two,))
    return f"{pick(lists[int(rng.integers(len(lists)))], rng)} {pick(sections()['company'], rng)}"
