"""Parts of Word documents beside the text: diagrams, charts, links, fields, other dialects."""

from __future__ import annotations

import zipfile
from pathlib import Path

from reidrisk.documents.document import Change
from reidrisk.documents.docx.format import read_docx, write_docx
from tests.documents.docx.building import DOCUMENT, SPACES, Made, paragraph, run, whole

MICROSOFT = "http://schemas.microsoft.com/office/2007/relationships"


def _texts(path: Path) -> dict[str, str]:
    return {block.name: block.text for block in read_docx(path)}


def _entry(path: Path, name: str) -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode()


def _changed(path: Path, *changes: Change) -> Path:
    out = path.with_name("out.docx")
    write_docx(path, out, changes)
    return out


def test_a_diagram_and_its_picture_are_texts(tmp_path: Path) -> None:
    made = Made(paragraph("x"))
    point = "<d:pt><d:t><a:p><a:r><a:t>Jo</a:t></a:r><a:r><a:t>hn</a:t></a:r></a:p></d:t></d:pt>"
    model = (
        f'<d:dataModel xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/diagram" {SPACES}>{point}'
    )
    made.part("diagramData", "word/d.xml", f"{model}</d:dataModel>")
    made.part(
        f"{MICROSOFT}/diagramDrawing", "word/e.xml", whole("a:x", "<a:p><a:r><a:t>John</a:t></a:r></a:p>")
    )
    path = made.save(tmp_path / "in.docx")
    assert _texts(path) == {"body": "x\n", "diagram 1": "John\n", "picture of a diagram 1": "John\n"}
    out = _changed(path, Change("diagram 1", 0, 4), Change("picture of a diagram 1", 0, 4, new="Ann"))
    assert _texts(out) == {"body": "x\n", "diagram 1": "PPD\n", "picture of a diagram 1": "Ann\n"}
    assert '<a:highlight><a:srgbClr val="0000FF"/></a:highlight>' in _entry(out, "word/diagramData1.xml")


def test_a_number_of_a_chart_is_replaced_by_a_number_or_left_out(tmp_path: Path) -> None:
    made = Made(paragraph("x"))
    points = "".join(f'<c:pt idx="{at}"><c:v>{value}</c:v></c:pt>' for at, value in enumerate((34, 71)))
    cache = f"<c:val><c:numRef><c:f>S!$A$1</c:f><c:numCache>{points}</c:numCache></c:numRef></c:val>"
    made.part("chart", "word/charts/c.xml", whole("c:chartSpace", cache))
    path = made.save(tmp_path / "in.docx")
    assert _texts(path)["chart 1"] == "34\n71\n"
    assert (
        _texts(_changed(path, Change("chart 1", 0, 2, new="30"), Change("chart 1", 3, 5)))["chart 1"]
        == "30\n"
    )


def test_a_link_that_lost_a_part_leads_nowhere(tmp_path: Path) -> None:
    made = Made("")
    key = made.refer("hyperlink", "https://x.org/ann?q=1", outside=True)
    made.body = f'<w:p><w:hyperlink r:id="{key}">{run("see")}</w:hyperlink></w:p>'
    path = made.save(tmp_path / "in.docx")
    assert _texts(path)["body links"] == "https://x.org/ann?q=1\n"
    out = _changed(path, Change("body links", 14, 17))
    assert 'Target="about:blank#[PPD]"' in _entry(out, "word/_rels/document.xml.rels")
    assert _texts(out)["body"] == "see\n"


def test_a_value_taken_from_the_text_also_leaves_links_and_descriptions(tmp_path: Path) -> None:
    made = Made("")
    key = made.refer("hyperlink", "mailto:ann%20mckay@x.org", outside=True)
    described = '<wp:docPr id="1" name="x" descr="Photo of ANN  McKay"/>'
    drawing = f"<w:drawing><wp:inline>{described}</wp:inline></w:drawing>"
    made.body = f'<w:p>{run("Ann McKay")}<w:hyperlink r:id="{key}"><w:r>{drawing}</w:r></w:hyperlink></w:p>'
    out = _changed(made.save(tmp_path / "in.docx"), Change("body", 0, 9))
    assert 'descr=""' in _entry(out, "word/document.xml")
    assert 'Target="about:blank"' in _entry(out, "word/_rels/document.xml.rels")


def test_a_table_of_contents_and_its_links_stay(tmp_path: Path) -> None:
    def mark(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    def code(text: str) -> str:
        return f'<w:r><w:instrText xml:space="preserve">{text}</w:instrText></w:r>'

    link = f'<w:hyperlink w:anchor="_Toc123456">{run("1 Ann")}{mark("begin")}{code(" PAGEREF _Toc123456 ")}'
    contents = code(r" TOC \o &quot;1-3&quot; ") + code(r"\h \z")
    body = (
        f"<w:p>{mark('begin')}{contents}{mark('separate')}{link}"
        f"{mark('separate')}{run('7')}{mark('end')}</w:hyperlink></w:p><w:p>{mark('end')}</w:p>"
        '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:bookmarkStart w:id="1" w:name="_Toc123456"/>'
        f'{run("1 Ann")}<w:bookmarkEnd w:id="1"/></w:p>'
    )
    out = _changed(Made(body).save(tmp_path / "in.docx"), Change("body", 2, 5), Change("body", 10, 13))
    assert _texts(out)["body"] == "1 PPD7\n\n1 PPD\n"
    document = _entry(out, "word/document.xml")
    assert ' TOC \\o "1-3" \\h \\z ' in document
    assert document.count("_Toc1") == 3
    assert document.count('fldCharType="begin"') == document.count('fldCharType="end"') == 2
    assert '<w:pStyle w:val="Heading1"/>' in document


def test_fields_that_do_not_end_lose_their_codes_only(tmp_path: Path) -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>ASK secret</w:instrText></w:r>'
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    path = Made(f"<w:p>{end}{run('a')}{begin}{run('b')}</w:p>{paragraph('c')}").save(tmp_path / "in.docx")
    assert _texts(path)["body"] == "ab\nc\n"
    assert "secret" not in _entry(_changed(path), "word/document.xml")


def test_the_strict_dialect_and_other_encodings_are_read(tmp_path: Path) -> None:
    made = Made("")
    strict = "http://purl.oclc.org/ooxml/wordprocessingml/main"
    body = (
        f'<?xml version="1.0" encoding="UTF-16"?><w:document xmlns:w="{strict}"><w:body>{paragraph("Łódź")}'
    )
    made.parts["word/document.xml"] = (DOCUMENT, f"{body}</w:body></w:document>".encode("utf-16"))
    path = made.save(tmp_path / "in.docx")
    assert _texts(path) == {"body": "Łódź\n"}
    assert "PPD" in _texts(_changed(path, Change("body", 0, 4)))["body"]


def test_texts_where_no_text_belongs_are_left_out(tmp_path: Path) -> None:
    body = (
        f"<w:p><w:pPr><w:rPr>{run('secret')}</w:rPr></w:pPr>{run('a')}</w:p>{run('secret')}<w:t>secret</w:t>"
    )
    path = Made(body).save(tmp_path / "in.docx")
    assert _texts(path) == {"body": "a\n"}
    assert "secret" not in _entry(_changed(path), "word/document.xml")


def test_plain_words_and_chance_do_not_empty_descriptions_and_pictures(tmp_path: Path) -> None:
    described = '<wp:docPr id="1" name="x" descr="A female patient, 20191"/>'
    drawing = f"<w:drawing><wp:inline>{described}</wp:inline></w:drawing>"
    made = Made(f"<w:p>{run('female 2019')}<w:r>{drawing}</w:r></w:p>")
    made.part("image", "word/media/a.bmp", b"BM\x00\x012019\x00\x02FEMALE\x00", content_type="image/bmp")
    path, out = made.save(tmp_path / "in.docx"), tmp_path / "out.docx"
    written = write_docx(path, out, [Change("body", 0, 6), Change("body", 7, 11)])
    assert 'descr="A female patient, 20191"' in _entry(out, "word/document.xml")
    assert written.notes == ("1 picture was kept, which nobody searched for text",)
