"""What documents that nobody here made have: causes for refusals, values that stayed, and lost words."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

from reidrisk.documents.anonymize.run import anonymize_documents
from reidrisk.documents.docx.format import read_docx
from tests.documents.docx.building import Made, paragraph, run, whole


def _without(path: Path, *values: str) -> Path:
    """The document without values; it must be written."""
    result = anonymize_documents([path], path.parent / "out", values=values)
    assert [row.error for row in result.rows] == [None]
    return path.parent / "out" / path.name


def _texts(path: Path) -> dict[str, str]:
    return {block.name: block.text for block in read_docx(path)}


def _entries(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def _code(text: str, result: str = "") -> str:
    def mark(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    shown = f"{mark('separate')}{run(result)}" if result else ""
    return f"{mark('begin')}<w:r><w:instrText>{text}</w:instrText></w:r>{shown}{mark('end')}"


def _style(identity: str, name: str, *, custom: bool = False) -> str:
    own = ' w:customStyle="1"' if custom else ""
    return f'<w:style w:type="table" w:styleId="{identity}"{own}><w:name w:val="{name}"/></w:style>'


WORDS = (
    "Table",
    "effects",
    "Web",
    "Spacing",
    "styles",
    "document",
    "distribute",
    "office",
    "Titre",
    "Cambria",
    "sum",
)


@pytest.mark.parametrize("value", WORDS)
def test_a_value_that_is_a_word_of_the_format_is_no_reason_to_refuse(tmp_path: Path, value: str) -> None:
    latent = '<w:latentStyles><w:lsdException w:name="Table 3D effects 1"/></w:latentStyles>'
    styles = latent + _style("TableGrid", "Table Grid") + _style("NormalWeb", "Normal (Web)")
    styles += _style("NoSpacing", "No Spacing") + _style("Titre", "heading 1")
    look = '<w:pPr><w:pStyle w:val="Titre"/><w:jc w:val="distribute"/></w:pPr>'
    shape = '<w:r><w:pict><v:shape><v:formulas><v:f eqn="sum @0 1 0"/></v:formulas></v:shape></w:pict></w:r>'
    made = Made(f"<w:p>{look}{run(f'A {value} here')}{shape}</w:p>")
    made.part("styles", "word/styles.xml", whole("w:styles", styles))
    fonts = '<m:mathPr><m:mathFont m:val="Cambria Math"/></m:mathPr>'
    made.part("settings", "word/settings.xml", whole("w:settings", fonts))
    out = _without(made.save(tmp_path / "in.docx"), value)
    assert _texts(out)["body"] == "A PPD here\n"
    entries = _entries(out)
    assert "Table Grid" in entries["word/styles.xml"]
    assert 'w:styleId="style1"><w:name w:val="heading 1"/>' in entries["word/styles.xml"]
    assert '<w:pStyle w:val="style1"/>' in entries["word/document.xml"]


@pytest.mark.parametrize("custom", [True, False])
def test_a_style_named_after_somebody_gets_another_name_whoever_made_it(tmp_path: Path, custom: bool) -> None:
    styles = _style("Ann1", "Ann Lee", custom=custom) + _style("Ann2", "Ann Lee too", custom=custom)
    look = '<w:tblPr><w:tblStyle w:val="Ann2"/></w:tblPr>'
    made = Made(f"<w:tbl>{look}<w:tr><w:tc>{paragraph('x')}</w:tc></w:tr></w:tbl>")
    made.part("styles", "word/styles.xml", whole("w:styles", styles))
    entries = _entries(_without(made.save(tmp_path / "in.docx"), "Ann Lee"))
    names = re.findall('<w:name w:val="([^"]*)"', entries["word/styles.xml"])
    assert len(set(names)) == 2
    assert not any("Ann" in text for text in entries.values())
    assert '<w:tblStyle w:val="custom2"/>' in entries["word/document.xml"]


@pytest.mark.parametrize("value", ["MERGEFORMAT", "NUMPAGES"])
def test_a_field_whose_code_holds_a_value_becomes_what_it_shows(tmp_path: Path, value: str) -> None:
    pages = _code(r" NUMPAGES \* MERGEFORMAT ", "17")
    body = f"<w:p>{_code(' PAGE ', '3')}{run(' of ')}{pages}</w:p>"
    out = _without(Made(body).save(tmp_path / "in.docx"), value)
    document = _entries(out)["word/document.xml"]
    assert value not in document
    assert " PAGE " in document
    assert document.count("fldChar ") == (6 if value == "MERGEFORMAT" else 3)
    assert _texts(out)["body"] == "3 of 17\n"


def test_a_simple_field_whose_code_holds_a_value_becomes_what_it_shows(tmp_path: Path) -> None:
    body = f'<w:p><w:fldSimple w:instr=" SEQ Figure ">{run("4")}</w:fldSimple></w:p>'
    out = _without(Made(body).save(tmp_path / "in.docx"), "figure")
    assert "igure" not in _entries(out)["word/document.xml"]
    assert _texts(out)["body"] == "4\n"


def test_what_a_formula_field_draws_is_text(tmp_path: Path) -> None:
    seal = _code(r" EQ \o\ac(○,印) ")
    body = f"<w:p>{run('seal ')}{seal}</w:p>"
    out = _without(Made(body).save(tmp_path / "in.docx"), "nobody")
    assert _texts(out) == {"body": "seal ○印\n"}


@pytest.mark.parametrize("sign", ["<w:tab/>", "<w:br/>", "<w:cr/>"])
@pytest.mark.parametrize("place", ["{}", "<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>"])
def test_a_value_goes_that_only_programs_without_tabs_and_breaks_see(
    tmp_path: Path, sign: str, place: str
) -> None:
    body = f"<w:p>{run('Footer Left')}<w:r>{sign}</w:r>{run('Footer Right')}</w:p>"
    out = _without(Made(place.format(body)).save(tmp_path / "in.docx"), "leftfooter")
    assert re.sub("<[^>]*>", "", _entries(out)["word/document.xml"]).count("Footer") == 1
    assert "Right" in _texts(out)["body"]


def test_words_in_two_cells_are_two_words(tmp_path: Path) -> None:
    cells = "".join(f"<w:tc>{paragraph(word)}</w:tc>" for word in ("foo", "bar"))
    row = f"<w:tr>{cells}</w:tr>"
    path = Made(f"<w:tbl>{row}</w:tbl>{paragraph('foobar')}").save(tmp_path / "in.docx")
    assert _texts(_without(path, "foobar"))["body"] == "foo\tbar\nPPD\n"


def _box(new: str, old: str) -> str:
    """A text box for new programs and for old ones."""
    made = f"<wps:txbx><w:txbxContent>{new}</w:txbxContent></wps:txbx>"
    kept = f"<w:pict><v:textbox><w:txbxContent>{old}</w:txbxContent></v:textbox></w:pict>"
    choice = f'<mc:Choice Requires="wps"><w:drawing>{made}</w:drawing></mc:Choice>'
    both = f"{choice}<mc:Fallback>{kept}</mc:Fallback>"
    return f"<w:p><w:r><mc:AlternateContent>{both}</mc:AlternateContent></w:r></w:p>"


def test_a_text_box_for_old_programs_says_what_that_for_new_ones_does(tmp_path: Path) -> None:
    inner = paragraph("Call ", "Ann Lee", " now")
    path = Made(_box(inner, inner)).save(tmp_path / "in.docx")
    assert _texts(path) == {"body": "\nCall Ann Lee now\n"}
    document = _entries(_without(path, "Ann Lee"))["word/document.xml"]
    assert re.findall("<w:t(?: [^>]*)?>([^<]*)</w:t>", document) == ["Call ", "PPD", " now"] * 2


def test_a_text_box_in_another_is_repeated_with_it(tmp_path: Path) -> None:
    inner = _box(paragraph("Ann Lee"), paragraph("Ann Lee"))
    out = _without(Made(_box(inner, inner)).save(tmp_path / "in.docx"), "Ann Lee")
    assert _texts(out) == {"body": "\n\nPPD\n"}
    assert _entries(out)["word/document.xml"].count("PPD") == 4


def test_a_text_box_for_old_programs_that_says_something_else_is_left_out(tmp_path: Path) -> None:
    path = Made(_box(paragraph("Call"), paragraph("Call Ann Lee"))).save(tmp_path / "in.docx")
    document = _entries(_without(path, "nobody"))["word/document.xml"]
    assert "Ann" not in document
    assert "Fallback" not in document


@pytest.mark.parametrize("number", ["227869", "-9901555", "127000"])
def test_the_position_of_a_drawing_is_no_number_of_the_document(tmp_path: Path, number: str) -> None:
    place = f"<wp:positionH><wp:posOffset>{number}</wp:posOffset></wp:positionH>"
    body = f"<w:p><w:r><w:drawing><wp:anchor>{place}</wp:anchor></w:drawing></w:r>{run('x')}</w:p>"
    out = _without(Made(body).save(tmp_path / "in.docx"), number.lstrip("-"))
    found = re.search("<wp:posOffset>([^<]*)<", _entries(out)["word/document.xml"])
    assert found is not None
    assert 0 < abs(int(found[1]) - int(number)) <= 50


@pytest.mark.parametrize("written", ["x.org/Ann_Lee", "x.org/Ann%20Lee", "x.org/p?who=Ann%5FLee"])
def test_an_address_that_spells_a_value_leads_nowhere(tmp_path: Path, written: str) -> None:
    made = Made("")
    key = made.refer("hyperlink", f"https://{written}", outside=True)
    made.body = f'<w:p><w:hyperlink r:id="{key}">{run("see")}</w:hyperlink></w:p>'
    out = _without(made.save(tmp_path / "in.docx"), "Ann Lee")
    assert "Ann" not in _entries(out)["word/_rels/document.xml.rels"]


def test_bookmarks_of_word_keep_their_kind_and_lose_their_number(tmp_path: Path) -> None:
    mark = '<w:bookmarkStart w:id="1" w:name="_Ref98127364"/><w:bookmarkEnd w:id="1"/>'
    body = f"<w:p>{mark}{_code(' REF _Ref98127364 ', 'there')}</w:p>"
    document = _entries(_without(Made(body).save(tmp_path / "in.docx"), "98127364"))["word/document.xml"]
    assert document.count("_Ref1") == 2
    assert "98127364" not in document


def test_sizes_that_say_nothing_are_no_text(tmp_path: Path) -> None:
    sizes = "".join(
        f"<w14:sizeRel{side}><w14:pct{what}>{share}</w14:pct{what}></w14:sizeRel{side}>"
        for side, what, share in (("H", "Width", "0"), ("V", "Height", "35000"))
    )
    body = f"<w:p><w:r><w:drawing><wp:anchor>{sizes}</wp:anchor></w:drawing></w:r>{run('case')}</w:p>"
    document = _entries(_without(Made(body).save(tmp_path / "in.docx"), "nobody"))["word/document.xml"]
    assert "sizeRelH" not in document
    assert "<w14:pctHeight>35000</w14:pctHeight>" in document
