"""Are values gone, and is everything else still there, in documents that nobody here made?

Redacts every file of a folder with the values given for it, as a user would type it, and looks at each output
with code of its own: what three extractors read, strings, metadata, attachments and XML text; words that were
lost; pages as two renderers show them.

    python bench/bench_wild.py [--data FOLDER] [--only PATTERN] [--jobs 2] [--per-page] [--csv FILE]

FOLDER has `index.csv`, `files/` and `values/NAME.txt` with one value per line.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[2] / "shared" / "data" / "documents_wild"
LIMIT = 600
"""Seconds for one file."""
READ = 60
"""Seconds for another program."""
DPI, GREY, MARGIN = 100, 32, 3
MOST_PIXELS, MOST_WORDS = 0.001, 0.002
LONG = 20
"""Pages from which a file counts as long."""
UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
SPACELESS = re.compile("[\u0e00-\u0eff\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af]")
WORD = re.compile(r"\w+")


@dataclass
class Row:
    """What came of one file."""

    file: str
    pages: int | None
    state: str = ""
    """released, refused, crashed, or why the file does not count."""
    reason: str = ""
    seconds: float = 0.0
    left: list[str] = field(default_factory=list)
    """Reader and number of a value that is still there."""
    never: int = 0
    """Values that no extractor finds in the original."""
    words: int = 0
    lost: float = 0.0
    """Largest share of words lost, by extractor."""
    lost_by: str = ""
    pixels: float = 0.0
    """Largest share of pixels of a page that differ outside the boxes."""
    pixels_by: str = ""
    pictures: int = 0


def folded(text: str) -> str:
    return " ".join(UNSEEN.sub("", unicodedata.normalize("NFKC", text)).casefold().split())


def holds(text: str, value: str) -> bool:
    """Whether a value stands in a text that is folded, as whole words where its script has words."""
    edge = "" if SPACELESS.search(value) else r"(?<!\w)"
    return re.search(edge + re.escape(value) + edge.replace("<", ""), text) is not None


def pdfium_text(path: Path) -> list[str]:
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    return [document[number].get_textpage().get_text_bounded() for number in range(len(document))]


def pdfminer_text(path: Path) -> list[str]:
    from pdfminer.high_level import extract_text

    return [extract_text(path)]


def poppler_text(path: Path) -> list[str]:
    done = subprocess.run(
        ["pdftotext", "-enc", "UTF-8", path, "-"], capture_output=True, check=False, timeout=READ
    )
    if done.returncode:
        raise RuntimeError("pdftotext failed")
    return done.stdout.decode("utf-8", "replace").split("\f")


def pdf_strings(path: Path) -> list[str]:
    """Strings of objects, XMP text and attachments; not content streams, names or font programs."""
    import pikepdf

    found: list[str] = []

    def walk(item: Any, depth: int = 0) -> None:
        if depth > 30:
            return
        if isinstance(item, pikepdf.String):
            found.append(str(item))
        elif isinstance(item, pikepdf.Array):
            for part in item:
                if not getattr(part, "is_indirect", False):
                    walk(part, depth + 1)
        elif isinstance(item, pikepdf.Dictionary | pikepdf.Stream):
            for part in (item[name] for name in item.keys()):  # noqa: SIM118
                if not getattr(part, "is_indirect", False):
                    walk(part, depth + 1)

    with pikepdf.open(path) as pdf:
        for item in [*pdf.objects, *(pdf.trailer[name] for name in pdf.trailer.keys())]:  # noqa: SIM118
            walk(item)
            if not isinstance(item, pikepdf.Stream):
                continue
            try:
                if item.get("/Type") == "/Metadata":
                    text = item.read_bytes().decode("utf-8", "replace")
                    found.append(re.sub(r"<[^>]*>", " ", text))
                elif item.get("/Type") == "/EmbeddedFile":
                    found.append(item.read_bytes().decode("utf-8", "replace"))
            except pikepdf.PdfError:
                continue
    return found


SEEN = re.compile(r"word/(?:document|header|footer|footnotes|endnotes)\d*\.xml")
"""Parts of a DOCX that readers see."""


def xml_texts(path: Path) -> list[str]:
    """Texts of XML parts by paragraph, and what attributes say to people; other packages inside, too."""
    from lxml import etree

    found: list[str] = []

    def package(data: bytes, depth: int) -> None:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            for name in archive.namelist():
                part = archive.read(name)
                if name.endswith((".xml", ".rels", ".vml")):
                    try:
                        root = etree.fromstring(part, etree.XMLParser(resolve_entities=False, recover=True))
                    except etree.XMLSyntaxError:
                        continue
                    if root is not None:
                        paragraphs(root)
                elif part[:2] == b"PK" and depth < 3:
                    package(part, depth + 1)

    def paragraphs(root: Any) -> None:
        tag = "{*}p"
        inside = list(root.iter(tag))
        found.extend("".join(one.itertext()) for one in inside)
        if not inside:
            found.append(" ".join(root.itertext()))
        for one in root.iter():
            for name, value in one.attrib.items():
                local = etree.QName(name).localname
                told = local in ("descr", "title", "author", "initials", "alias")
                if told or (local == "Target" and not STANDARD_PART.fullmatch(value)):
                    found.append(value)

    package(path.read_bytes(), 0)
    return found


def seen_texts(path: Path) -> list[str]:
    """What readers see of a DOCX: no codes of fields, no deleted text, one choice for several programs."""
    from lxml import etree

    words, unseen = {"t"}, {"del", "moveFrom", "instrText", "pPr", "rPr", "sectPr", "sdtPr"}
    found: list[str] = []

    def walk(element: Any) -> None:
        for child in element.iterchildren(tag=etree.Element):
            name = etree.QName(child).localname
            if name in words:
                found.append(child.text or "")
            elif name == "AlternateContent":
                chosen = [one for one in child if etree.QName(one).localname == "Choice"]
                walk(chosen[0] if chosen else child)
            elif name not in unseen:
                found.append(" " if name in ("tab", "br", "cr", "ptab") else "")
                walk(child)
                found.append("\n" if name in ("p", "tc") else "")

    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if SEEN.fullmatch(name):
                walk(etree.fromstring(archive.read(name)))
    return ["".join(found)]


STANDARD_PART = re.compile(
    r"/?(?:(?:word|media|theme|charts|diagrams)/)*(?:document|styles|settings|webSettings|numbering|fontTable|footnotes|"
    r"endnotes|comments|commentsExtended|header|footer|theme|image|chart|[a-z]+[A-Z][A-Za-z]+)\d*\.[a-z]{2,4}"
)
"""Names of parts that every program gives."""


def texts(path: Path) -> dict[str, list[str] | None]:
    """What each extractor reads; None where it fails."""
    if path.suffix.lower() == ".docx":
        readers: dict[str, Any] = {"xml": seen_texts, "all xml": xml_texts}
    else:
        readers = {"pdfium": pdfium_text, "pdfminer": pdfminer_text, "poppler": poppler_text}
    found: dict[str, list[str] | None] = {}
    for name, read in readers.items():
        try:
            found[name] = read(path)
        except Exception:  # noqa: BLE001 - other people's programs raise what they like
            found[name] = None
    return found


def _ends(value: str, word: str) -> bool:
    """Whether a word is an end of a value: a tab may part what an extractor gives as one word."""
    return len(word) >= 4 and (value.startswith(word) or value.endswith(word))


def words_lost(before: list[str], after: list[str], values: list[str]) -> tuple[int, float]:
    """Words of the original, and the share of them that is gone and is no part of a value."""
    gone = {word for value in values for word in WORD.findall(value)}
    old = Counter(word for text in before for word in WORD.findall(folded(text)))
    new = Counter(word for text in after for word in WORD.findall(folded(text)))
    kept = {
        word: count
        for word, count in old.items()
        if not any(part in word or _ends(part, word) for part in gone)
    }
    total = sum(old.values())
    lost = sum(max(0, count - new[word]) for word, count in kept.items())
    return total, lost / total if total else 0.0


def pdf_words_lost(source: Path, out: Path, values: list[str]) -> tuple[int, float]:
    """Words of a PDF, and the share of them that stood outside the boxes and is gone, as Poppler reads."""
    gone = {word for value in values for word in WORD.findall(value)}
    before, after = words_with_places(source), words_with_places(out)
    total = lost = 0
    for number, (old, new) in enumerate(zip(before, after, strict=False)):
        total += len(old)
        there = Counter(word for word, _ in new)
        fewer = {word for word, count in Counter(word for word, _ in old).items() if there[word] < count}
        missing = [
            (word, place) for word, place in old if word in fewer and not any(part in word for part in gone)
        ]
        missing = [
            one for one in missing if not any(one[0] in word and _touch(one[1], at) for word, at in new)
        ]
        if missing:
            boxes = boxes_on(source, out, number)
            lost += sum(not any(_touch(place, box) for box in boxes) for _, place in missing)
    return total, lost / total if total else 0.0


Place = tuple[float, float, float, float]


def words_with_places(path: Path) -> list[list[tuple[str, Place]]]:
    """The words of each page, and where they are, in points from the top left."""
    from lxml import etree

    done = subprocess.run(
        ["pdftotext", "-bbox", "-cropbox", path, "-"], capture_output=True, check=False, timeout=READ
    )
    root = etree.fromstring(done.stdout, etree.XMLParser(recover=True, resolve_entities=False))
    pages = [] if root is None else list(root.iter("{*}page"))
    found = []
    for page in pages:
        words = [(folded(word.text or ""), word) for word in page.iter("{*}word")]
        sides = ("xMin", "yMin", "xMax", "yMax")
        found.append([(text, tuple(float(word.get(side)) for side in sides)) for text, word in words])
    return found  # type: ignore[return-value]


def boxes_on(source: Path, out: Path, number: int) -> list[Place]:
    """Boxes of a page that is counted from 0, in points from the top left."""
    old, new = (next(renders(path, "poppler", number, number + 1), None) for path in (source, out))
    if old is None or new is None or old.shape != new.shape:
        return []
    return [
        (columns.start * 72 / DPI, rows.start * 72 / DPI, columns.stop * 72 / DPI, rows.stop * 72 / DPI)
        for rows, columns in blue_boxes(old, new)
    ]


def _touch(one: Place, other: Place) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def blue_boxes(old: Any, new: Any) -> list[tuple[slice, slice]]:
    """Where boxes were drawn."""
    import numpy as np
    from scipy import ndimage

    differ = np.abs(old.astype(np.int16) - new.astype(np.int16)).max(axis=2) > GREY
    blue = (new[..., 2] > 150) & (new[..., 0] < 110) & (new[..., 1] < 110) & differ
    boxes, _ = ndimage.label(ndimage.binary_dilation(blue, iterations=2))
    return list(ndimage.find_objects(boxes))


def renders(path: Path, how: str, first: int, last: int) -> Iterator[Any]:
    import numpy as np
    from PIL import Image

    if how == "pdfium":
        import pypdfium2

        document = pypdfium2.PdfDocument(path)
        document.init_forms()
        # On a bitmap without opacity, letters of fields would have colored edges, and no others.
        smooth = pypdfium2.raw.FPDFBitmap_BGRA
        for number in range(first, last):
            page = document[number].render(scale=DPI / 72, may_draw_forms=True, force_bitmap_format=smooth)
            yield np.asarray(page.to_pil().convert("RGB"))
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [
            "pdftoppm",
            "-r",
            str(DPI),
            "-f",
            str(first + 1),
            "-l",
            str(last),
            str(path),
            f"{folder}/p",
        ]
        subprocess.run(command, capture_output=True, check=False, timeout=READ)
        for picture in sorted(Path(folder).iterdir()):
            yield np.asarray(Image.open(picture).convert("RGB"))


def shows(path: Path, how: str) -> bool:
    """Whether a renderer can show a file at all, as it was; Poppler draws a pixel where it finds no page."""
    try:
        page = next(renders(path, how, 0, 1), None)
        return page is not None and page.shape[:2] != (1, 1)
    except Exception:  # noqa: BLE001 - other people's programs raise what they like
        return False


def pixels_differ(source: Path, out: Path, how: str, pages: int) -> float:
    """The largest share of pixels of a page that differ outside the boxes."""
    import numpy as np

    worst = 0.0
    for first in range(0, pages, 20):
        last = min(first + 20, pages)
        for old, new in zip(renders(source, how, first, last), renders(out, how, first, last), strict=False):
            if old.shape != new.shape:
                return 1.0
            differ = np.abs(old.astype(np.int16) - new.astype(np.int16)).max(axis=2) > GREY
            for box in blue_boxes(old, new):
                rows, columns = box
                differ[
                    max(0, rows.start - MARGIN) : rows.stop + MARGIN,
                    max(0, columns.start - MARGIN) : columns.stop + MARGIN,
                ] = False
            worst = max(worst, float(differ.mean()))
    return worst


def uncounted(path: Path, readers: dict[str, list[str] | None]) -> str:
    """Why a file does not count, or nothing."""
    if path.suffix.lower() == ".docx":
        return "" if zipfile.is_zipfile(path) else "not a DOCX"
    done = subprocess.run(["qpdf", "--show-npages", path], capture_output=True, text=True, check=False)
    if "invalid password" in done.stderr:
        return "encrypted"
    if done.returncode not in (0, 3) and all(read is None for read in readers.values()):
        return "opened by nobody"
    return ""


def one(path: Path, pages: int | None, given: argparse.Namespace) -> Row:
    row = Row(path.name, pages)
    values_file = given.data / "values" / f"{path.name}.txt"
    values = [folded(line) for line in values_file.read_text("utf-8").splitlines() if line.strip()]
    before = texts(path)
    if why := uncounted(path, before):
        row.state = why
        return row
    everything = folded("\n".join(text for read in before.values() for text in read or []))
    row.never = sum(not holds(everything, value) for value in values)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        start = time.perf_counter()
        ran(path, values_file, out, ["--per-page"] if given.per_page else [], row)
        row.seconds = round(time.perf_counter() - start, 2)
        if row.state == "released":
            looked_at(path, out / path.name, values, before, row)
            if given.keep is not None:
                shutil.copy(out / path.name, given.keep)
    return row


def ran(path: Path, values_file: Path, out: Path, options: list[str], row: Row) -> None:
    """The command as a user types it."""
    command = [sys.executable, "-c", "from reidrisk.cli.main import run; run()", "document", "anonymize"]
    command += [str(path), "--values", str(values_file), "--mode", "redact", "--out", str(out), "--json", "-"]
    command += options
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        row.state, row.reason = "crashed", f"more than {LIMIT} s"
        return
    said = done.stdout + done.stderr
    if "Traceback" in said or "defect" in said:
        row.state, row.reason = "crashed", said.strip().splitlines()[-1][:200]
    elif (out / path.name).exists():
        row.state = "released"
    else:
        row.state = "refused"
    try:
        result = json.loads(done.stdout)["documents"][0]
        row.reason = row.reason or result.get("error") or " | ".join(result.get("concerns") or [])
        row.reason = row.reason.replace(str(path), path.name)
    except (ValueError, LookupError):
        row.reason = row.reason or done.stderr.strip()[:300]


def looked_at(path: Path, out: Path, values: list[str], before: dict[str, Any], row: Row) -> None:
    after = texts(out)
    for name, read in after.items():
        if read is None:
            if before[name] is not None:
                row.left.append(f"{name}: cannot read the output")
            continue
        whole = folded("\n".join(read))
        row.left += [f"{name}:{number}" for number, value in enumerate(values, 1) if holds(whole, value)]
        if before[name] is not None and name == "xml":
            total, share = words_lost(before[name], read, values)
            if share > row.lost:
                row.lost, row.lost_by = round(share, 5), name
            row.words = max(row.words, total)
    if out.suffix.lower() == ".pdf":
        with suppress(subprocess.TimeoutExpired):  # a file on which Poppler itself hangs
            row.words, share = pdf_words_lost(path, out, values)
            row.lost, row.lost_by = round(share, 5), "poppler"
        strings = folded("\n".join(pdf_strings(out)))
        row.left += [f"strings:{number}" for number, value in enumerate(values, 1) if holds(strings, value)]
        for how in ("pdfium", "poppler"):
            if not shows(path, how):
                continue
            try:
                share = pixels_differ(path, out, how, row.pages or 1)
            except ValueError:  # a page without any extent
                continue
            if share > row.pixels:
                row.pixels, row.pixels_by = round(share, 6), how


def table(rows: list[Row]) -> str:
    counts = [row for row in rows if row.state in ("released", "refused", "crashed")]
    released = [row for row in counts if row.state == "released"]
    say = StringIO()

    def line(what: str, figure: object) -> None:
        say.write(f"{what:66} {figure}\n")

    line("files", len(rows))
    for state, count in Counter(row.state for row in rows).most_common():
        line(f"  {state}", count)
    line(
        "released, of files that count",
        f"{len(released)}/{len(counts)} = {len(released) / max(1, len(counts)):.1%}",
    )
    pdfs = [row for row in counts if row.file.lower().endswith(".pdf")]
    line("  PDF", f"{sum(row.state == 'released' for row in pdfs)}/{len(pdfs)}")
    line(
        "  DOCX", f"{len(released) - sum(row.state == 'released' for row in pdfs)}/{len(counts) - len(pdfs)}"
    )
    long = [row for row in counts if (row.pages or 0) >= LONG]
    line(f"  {LONG} pages or more", f"{sum(row.state == 'released' for row in long)}/{len(long)}")
    line("outputs with a value left", sum(bool(row.left) for row in released))
    fine = sum(row.lost <= MOST_WORDS for row in released)
    line(
        f"outputs that lost at most {MOST_WORDS:.1%} of other words",
        f"{fine}/{len(released)} = {fine / max(1, len(released)):.1%}",
    )
    drawn = [row for row in released if row.file.lower().endswith(".pdf")]
    same = sum(row.pixels <= MOST_PIXELS for row in drawn)
    line(
        f"PDF outputs with at most {MOST_PIXELS:.1%} of pixels changed elsewhere",
        f"{same}/{len(drawn)} = {same / max(1, len(drawn)):.1%}",
    )
    line("seconds, all files", round(sum(row.seconds for row in rows)))
    for title, chosen in (
        ("not released", [row for row in counts if row.state != "released"]),
        ("values left", [row for row in released if row.left]),
        ("words lost", [row for row in released if row.lost > MOST_WORDS]),
        ("pages look different", [row for row in drawn if row.pixels > MOST_PIXELS]),
    ):
        say.write(f"\n{title}\n")
        for row in chosen:
            detail = {
                "not released": f"{row.state}: {row.reason}",
                "values left": ", ".join(row.left[:8]),
                "words lost": f"{row.lost:.2%} of {row.words} ({row.lost_by})",
                "pages look different": f"{row.pixels:.3%} ({row.pixels_by})",
            }[title]
            say.write(f"  {row.file} ({row.pages or '-'} pages): {detail}\n")
    return say.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--only", default="", help="a pattern that names of files must match")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--per-page", action="store_true")
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--keep", type=Path, help="a folder for the outputs")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if not given.data.is_dir():
        print(f"{given.data} is not there: name a folder with --data.")
    elif given.one is not None:
        file, pages = Path(given.one[0]), int(given.one[1]) or None
        print(json.dumps(asdict(one(file, pages, given))))
    else:
        every(given)


def every(given: argparse.Namespace) -> None:
    """Each file in a process of its own: some of them bring programs down."""
    if given.keep is not None:
        given.keep.mkdir(parents=True, exist_ok=True)
    with (given.data / "index.csv").open(newline="") as file:
        listed = [entry for entry in csv.DictReader(file) if re.search(given.only, entry["file"])]
    shared = ["--data", str(given.data), *(["--per-page"] if given.per_page else [])]
    shared += ["--keep", str(given.keep)] if given.keep is not None else []

    def work(entry: dict[str, str]) -> Row:
        path, pages = given.data / "files" / entry["file"], entry["pages"] or "0"
        command = [sys.executable, __file__, *shared, "--one", str(path), pages]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        try:
            return Row(**json.loads(done.stdout))
        except ValueError:
            why = "the bench itself: " + done.stderr.strip()[-200:]
            return Row(entry["file"], int(pages) or None, "crashed", why)

    with ThreadPoolExecutor(given.jobs) as pool:
        rows = list(pool.map(work, listed))
    if given.csv:
        with given.csv.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(asdict(rows[0])))
            writer.writeheader()
            writer.writerows(asdict(row) for row in rows)
    print(table(rows))


if __name__ == "__main__":
    main()
