"""Make the dictionaries of the detector from packages of the package index that are needed only here.

    pip install names==0.3.0 faker==40.54.0 mimesis==22.2.0 phonenumbers==9.0.43 \\
        english-words==2.0.2 zxcvbn==4.5.0
    python train/make_dictionaries.py

The same versions give the same bytes. Licences are in NOTICE.txt beside the data.
"""

from __future__ import annotations

import gzip
import json
import pkgutil
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from english_words import get_english_words_set
from names import FILES, full_path
from zxcvbn.frequency_lists import FREQUENCY_LISTS

DATA = Path(__file__).parents[1] / "src" / "reidrisk" / "detect" / "data"
LATIN = re.compile(r"[A-Za-zÀ-ɏḀ-ỿ'’\- ]+")
MOST_SURNAMES = 60_000
USUAL_FIRST_NAME = 0.02
"""Share in percent of the people from which on a first name is not taken for the common word it also is."""
ENGLISH_SPEAKING = ("1", "353", "44", "61", "64")
SHORTEST_JOB = 3
LARGE_TOWN = 5
"""Digits of the longest prefix that belongs to a large town rather than to a village."""
SUFFIXES = (
    ("ies", "y"),
    ("es", ""),
    ("s", ""),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
    ("ly", ""),
    ("er", ""),
    ("er", "e"),
    ("est", ""),
    ("ied", "y"),
    ("ier", "y"),
)
AMBIGUOUS = frozenset(
    """
    al ali amber an april art august bell bill bo buck bud buddy carolina cash chad chance charity chase chi
    china clay cliff colt crystal curt da dale das dawn de dean del di dick do dos drew dusty earnest el
    ernest eve faith fern flora frank gale gay gene georgia ginger glen grace grant guy ha hank harmony he
    heather her him his holly hope in india iris israel ivy jack jade jasmine jersey jewel joe jordan josh
    joy june ka king kit la lance lane laurel le lee les lien lily lo long lucky ma major man many marina
    mark may melody mercy merry mi miles min miss misty more my myrtle nick norm ok olive otto our pa page
    paris parker pat patience pearl peg penny pierce porter price prudence ralph ray reed rex rich rob robin
    rocky rod roman rose royal ruby rusty sage sandy sang scot season see she sierra silver skip sky so sol
    song star sterling stone storm stormy sue summer sun sung sunny tab tad tam tan temple tiffany toby
    treasure trinity trudy true tu val van velvet victor violet virginia wade wally ward wes will winter
    woody you young zeal
    """.split()  # noqa: SIM905 - a list of words is read more easily
)


def census(kind: str) -> list[str]:
    """The lines of one list of the census: a name in capitals, its share in percent, and more."""
    return Path(full_path(FILES[kind])).read_text(encoding="ascii").splitlines()


def first_names() -> tuple[dict[str, float], dict[str, float]]:
    """Women's and men's first names with their share in percent, 0 where that is not known."""
    women, men = (
        {
            line.split()[0].lower(): float(line.split()[1])
            for line in Path(full_path(FILES[kind])).read_text().splitlines()
        }
        for kind in ("first:female", "first:male")
    )
    for provider in providers("person"):
        for kind, names in (("female", women), ("male", men)):
            for name in latin(getattr(provider, f"first_names_{kind}", ())):
                names.setdefault(name, 0.0)
    for people in datasets("person"):
        for kind, names in (("female", women), ("male", men)):
            for name in latin(people.get("names", {}).get(kind, ())):
                names.setdefault(name, 0.0)
    return women, men


def surnames() -> list[str]:
    """The most frequent surnames of the United States, and those of other languages."""
    usual = [line.split()[0].lower() for line in census("last")[:MOST_SURNAMES]]
    found = dict.fromkeys(usual)
    for provider in providers("person"):
        found.update(dict.fromkeys(latin(getattr(provider, "last_names", ()))))
    for people in datasets("person"):
        found.update(dict.fromkeys(latin(flat(people.get("surnames", ())))))
    return list(found)


def providers(kind: str) -> Iterator[type]:
    """The providers of one kind in all languages."""
    room = import_module(f"faker.providers.{kind}")
    for module in sorted(pkgutil.iter_modules(room.__path__), key=lambda module: module.name):
        yield import_module(f"faker.providers.{kind}.{module.name}").Provider


def datasets(kind: str) -> Iterator[dict[str, Any]]:
    """The lists of one kind in all languages of the second package."""
    room = files("mimesis").joinpath("datasets")
    for language in sorted(entry.name for entry in room.iterdir()):
        path = room.joinpath(language, f"{kind}.json")
        if path.is_file():
            yield json.loads(path.read_text(encoding="utf-8"))


def flat(names: Iterable[str] | dict[str, Iterable[str]]) -> list[str]:
    """A list, or the lists of both sexes one after the other."""
    return [name for own in names.values() for name in own] if isinstance(names, dict) else list(names)


def latin(names: Iterable[str]) -> Iterator[str]:
    """Names in Latin letters, in lower case, word by word."""
    for name in names:
        if LATIN.fullmatch(name):
            yield from (word for word in name.lower().split() if len(word) > 1)


def common_words(first: dict[str, float], names: set[str]) -> set[str]:
    """Words of English that a text holds often, unless they are far more usual as a first name."""
    words = get_english_words_set(["web2"])
    lower = {word for word in words if word[0].islower()}
    frequent = [*FREQUENCY_LISTS["english_wikipedia"], *FREQUENCY_LISTS["us_tv_and_film"]]
    frequent += [word for word in FREQUENCY_LISTS["passwords"] if word not in names]
    found = {word for word in frequent if word.isalpha() and in_dictionary(word, lower)}
    usual = {name for name, share in first.items() if share >= USUAL_FIRST_NAME}
    return (found - usual) | (found & AMBIGUOUS) | AMBIGUOUS


def also_words(first: dict[str, float], names: set[str]) -> set[str]:
    """Names that are also words of English: with a capital they are names, without one they are not."""
    lower = {word for word in get_english_words_set(["web2"]) if word[0].islower()}
    frequent = {word for words in FREQUENCY_LISTS.values() for word in words}
    usual = {name for name, share in first.items() if share >= USUAL_FIRST_NAME}
    return {word for word in (names & frequent) - usual if in_dictionary(word, lower)}


def in_dictionary(word: str, words: set[str]) -> bool:
    """Whether a word or its plain form is in a dictionary."""
    if word in words:
        return True
    for suffix, plain in SUFFIXES:
        stem = word.removesuffix(suffix)
        if stem == word or len(stem) <= 2:
            continue
        doubled = (plain == "" and suffix[0] == "e") or suffix == "ing"
        if stem + plain in words or (doubled and stem[-1] == stem[-2] and stem[:-1] in words):
            return True
    return False


def places() -> tuple[set[str], set[str]]:
    """Towns, and countries, in lower case."""
    towns: set[str] = set()
    for number in range(29):
        for prefix, names in import_module(f"phonenumbers.geodata.data{number}").data.items():
            if not prefix.startswith(ENGLISH_SPEAKING) and len(prefix) > LARGE_TOWN:
                continue
            for part in re.split(r"[,/;()]", names.get("en", "")):
                towns.update(town for town in [part.strip()] if LATIN.fullmatch(town) and len(town) > 2)
    countries: set[str] = set()
    for provider in providers("address"):
        towns.update(
            town
            for town in getattr(provider, "cities", ())
            if isinstance(town, str) and LATIN.fullmatch(town)
        )
    for places in datasets("address"):
        towns.update(town for town in places.get("city", ()) if LATIN.fullmatch(town) and len(town) > 2)
    countries.update(import_module("faker.providers.address.en").Provider.countries)
    return {town.lower() for town in towns}, {country.lower() for country in countries}


def jobs(common: set[str]) -> set[str]:
    """Words that name a profession in any language; of several words the first or last, if not common."""
    every = [job for provider in providers("job") for job in getattr(provider, "jobs", ())]
    every += [job for people in datasets("person") for job in flat(people.get("occupation", ()))]
    every += import_module("faker.providers.job").Provider.jobs
    found: set[str] = set()
    for job in (re.split("[,/(]", job)[0].lower() for job in every if isinstance(job, str)):
        words = [word for word in job.split() if LATIN.fullmatch(word) and len(word) > SHORTEST_JOB]
        if len(words) == 1:
            found.update(words)
        elif words:
            found.update(word for word in (words[0], words[-1]) if word not in common)
    return found


def main() -> None:
    """Write one file: a line [SECTION], then its words."""
    women, men = first_names()
    first = {name: max(women.get(name, 0.0), men.get(name, 0.0)) for name in women | men}
    last = surnames()
    names = {*first, *last}
    common = common_words(first, names)
    towns, countries = places()
    sections = {
        "woman": women,
        "man": men,
        "surname": last,
        "common": common,
        "also": also_words(first, names) - common,
        "town": towns,
        "country": countries,
        "job": jobs(common),
    }
    lines = [line for name, words in sections.items() for line in (f"[{name}]", *sorted(words))]
    content = "\n".join(lines).encode()
    (DATA / "english.words.gz").write_bytes(gzip.compress(content, 9, mtime=0))


if __name__ == "__main__":
    main()
