"""A Word document with a secret in every place where one can hide."""

# ruff: noqa: E501 - XML stays in one piece

from __future__ import annotations

from collections.abc import Callable

from tests.documents.docx.building import Made, paragraph, run
from tests.documents.docx.secrets import Secrets
from tests.documents.docx.trap_parts import links, objects, package


def trap() -> tuple[Made, Secrets]:
    """The document and what it hides."""
    secrets = Secrets()
    made = Made("")
    made.body = "".join(build(made, secrets) for build in BUILDERS)
    package(made, secrets)
    return made, secrets


def _text(made: Made, secrets: Secrets) -> str:
    split = secrets.see("split over runs")
    spelled = "".join(
        f'<w:sym w:font="Arial" w:char="F0{ord(letter):02X}"/>'
        for letter in secrets.see("spelled by symbols")
    )
    hyphened = secrets.see("with a soft hyphen")
    made_of = f"<w:t>{hyphened[:4]}</w:t><w:softHyphen/><w:t>{hyphened[4:]}</w:t>"
    ruby = f"<w:rt>{run(secrets.see('ruby'))}</w:rt><w:rubyBase>{run('base')}</w:rubyBase>"
    lines = [
        paragraph("Here ", *[run(letter) for letter in split], " ends."),
        paragraph(run(secrets.see("hidden text"), "<w:vanish/>")),
        paragraph(run(secrets.see("white text"), '<w:color w:val="FFFFFF"/>')),
        f"<w:p><w:r>{spelled}</w:r></w:p><w:p><w:r>{made_of}</w:r></w:p>",
        f"<w:p><m:oMath><m:r><m:t>{secrets.see('formula')}</m:t></m:r></m:oMath></w:p>",
        f"<w:p><w:r><w:ruby>{ruby}</w:ruby></w:r></w:p>",
        f"<w:p>{secrets.hide('loose text in a paragraph')}<!-- {secrets.hide('XML comment')} --></w:p>",
        f"<w:p><?note {secrets.hide('instruction')}?></w:p>",
        f'<x:y xmlns:x="urn:{secrets.hide("namespace")}" z="1">{secrets.hide("foreign element")}</x:y>',
        f'<w:p w:rsidR="00AB12CD" x:k="{secrets.hide("foreign attribute")}" xmlns:x="urn:x"/>',
    ]
    return "".join(lines)


def _table(made: Made, secrets: Secrets) -> str:
    caption = f'<w:tblCaption w:val="{secrets.see("caption of a table")}"/>'
    described = f'<w:tblDescription w:val="{secrets.see("description of a table")}"/>'
    cell = f"<w:tc>{paragraph(secrets.hide('deleted row'))}</w:tc>"
    gone = f'<w:tr><w:trPr><w:del w:id="1" w:author="A"/></w:trPr>{cell}</w:tr>'
    inner = f"<w:tbl><w:tr><w:tc>{paragraph(secrets.see('table in a table'))}</w:tc></w:tr></w:tbl><w:p/>"
    lost = f'<w:tc><w:tcPr><w:cellDel w:id="2" w:author="A"/></w:tcPr>{paragraph(secrets.hide("deleted cell"))}</w:tc>'
    row = f"<w:tr><w:tc>{paragraph(secrets.see('cell'))}</w:tc>{lost}<w:tc>{inner}</w:tc></w:tr>"
    return f"<w:tbl><w:tblPr>{caption}{described}</w:tblPr><w:tblGrid/>{row}{gone}</w:tbl>"


def _revisions(made: Made, secrets: Secrets) -> str:
    author = f'w:id="9" w:author="{secrets.hide("author of a change")}" w:date="2020-02-03T04:05:06Z"'
    deleted = f"<w:del {author}><w:r><w:delText>{secrets.hide('deleted text')}</w:delText></w:r></w:del>"
    moved = f"<w:moveFrom {author}><w:r><w:t>{secrets.hide('moved text')}</w:t></w:r></w:moveFrom>"
    code = (
        f"<w:del {author}><w:r><w:delInstrText>{secrets.hide('deleted code')}</w:delInstrText></w:r></w:del>"
    )
    old = f'<w:pPrChange {author}><w:pPr><w:pStyle w:val="{secrets.hide("former style")}"/></w:pPr></w:pPrChange>'
    inserted = f"<w:ins {author}>{run(secrets.see('inserted text'))}</w:ins>"
    mark = f"<w:pPr><w:rPr><w:del {author}/></w:rPr>{old}</w:pPr>"
    return f"<w:p>{mark}{inserted}{deleted}{moved}{code}</w:p>{paragraph('joined')}"


def _boxes(made: Made, secrets: Secrets) -> str:
    box = f"<w:txbxContent>{paragraph(secrets.see('text box'))}</w:txbxContent>"
    props = f'<wp:docPr id="1" name="{secrets.hide("name of a shape")}" descr="{secrets.see("alternative text")}" title="{secrets.see("title of a shape")}"/>'
    shape = f"<wps:wsp><wps:cNvSpPr/><wps:spPr/><wps:txbx>{box}</wps:txbx><wps:bodyPr/></wps:wsp>"
    data = f'<a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape">{shape}</a:graphicData>'
    new = f'<w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/>{props}<a:graphic>{data}</a:graphic></wp:inline></w:drawing>'
    old = f'<w:pict><v:shape id="{secrets.hide("id of a shape")}" alt="{secrets.hide("old alternative text")}"><v:textbox>{box}</v:textbox></v:shape></w:pict>'
    both = f'<mc:AlternateContent><mc:Choice Requires="wps">{new}</mc:Choice><mc:Fallback>{old}</mc:Fallback></mc:AlternateContent>'
    art = f'<v:shape href="http://{secrets.hide("link of a shape")}" title="{secrets.see("title of art")}"><v:textpath string="{secrets.see("word art")}"/></v:shape>'
    inside = f"<w:txbxContent>{paragraph(secrets.see('old text box'))}</w:txbxContent>"
    lonely = f"<v:shape><v:textbox>{inside}</v:textbox></v:shape>"
    return (
        f"<w:p><w:r>{both}</w:r><w:r><w:pict>{art}</w:pict></w:r><w:r><w:pict>{lonely}</w:pict></w:r></w:p>"
    )


def _controls(made: Made, secrets: Secrets) -> str:
    props = (
        f'<w:alias w:val="{secrets.hide("title of a control")}"/><w:tag w:val="{secrets.hide("tag of a control")}"/>'
        f'<w:placeholder><w:docPart w:val="{secrets.hide("placeholder")}"/></w:placeholder>'
        f'<w:dataBinding w:xpath="/{secrets.hide("binding")}" w:storeItemID="{{1}}"/>'
        f'<w:dropDownList w:lastValue="{secrets.hide("last value")}">'
        f'<w:listItem w:displayText="{secrets.hide("choice")}" w:value="{secrets.hide("value of a choice")}"/></w:dropDownList>'
    )
    date = f'<w:sdtPr><w:date w:fullDate="{secrets.hide("full date")}"/></w:sdtPr>'
    smart = f'<w:smartTagPr><w:attr w:name="n" w:val="{secrets.hide("smart tag")}"/></w:smartTagPr>'
    form = (
        f'<w:ffData><w:name w:val="{secrets.hide("name of a form field")}"/>'
        f'<w:helpText w:val="{secrets.hide("help of a form field")}"/>'
        f'<w:statusText w:val="{secrets.hide("status of a form field")}"/>'
        f'<w:textInput><w:default w:val="{secrets.hide("default of a form field")}"/></w:textInput>'
        f'<w:ddList><w:listEntry w:val="{secrets.see("entry of a form field")}"/></w:ddList></w:ffData>'
    )
    field = _field("FORMTEXT", run(secrets.see("text in a form field")), form)
    bound = f"<w:sdtContent>{paragraph(secrets.see('control'))}</w:sdtContent>"
    tagged = f'<w:smartTag w:uri="u" w:element="e">{smart}{run(secrets.see("in a smart tag"))}</w:smartTag>'
    return (
        f"<w:sdt><w:sdtPr>{props}</w:sdtPr>{bound}</w:sdt>"
        f"<w:p><w:sdt>{date}<w:sdtContent>{run('day ')}</w:sdtContent></w:sdt>{tagged}{field}</w:p>"
        f'<w:permStart w:id="7" w:ed="{secrets.hide("who may edit")}"/><w:permEnd w:id="7"/>'
    )


def _field(code: str, result: str, data: str = "") -> str:
    return (
        f'<w:r><w:fldChar w:fldCharType="begin">{data}</w:fldChar></w:r>'
        f'<w:r><w:instrText xml:space="preserve">{code}</w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{result}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def _fields(made: Made, secrets: Secrets) -> str:
    data = f"<w:fldData>{secrets.hide('field data')}</w:fldData>"
    nested = _field(f" MERGEFIELD {secrets.hide('inner code')} ", run(secrets.hide("inner result")), data)
    outer = (
        f'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> IF </w:instrText></w:r>{nested}'
        f'<w:r><w:instrText> = "{secrets.hide("rest of a code")}" </w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{run("ok")}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    mark = secrets.hide("bookmark")
    merged = _field(f" MERGEFIELD {secrets.hide('field code')}", run(secrets.see("result of a field")))
    entry = _field(f" XE &quot;{secrets.hide('index entry')}&quot; ", "")
    link = f'<w:hyperlink w:anchor="{mark}" w:docLocation="{mark}" w:tooltip="{secrets.see("tooltip")}">{run("there")}</w:hyperlink>'
    return (
        f"<w:p>{merged}</w:p><w:p>{entry}{outer}</w:p>"
        f'<w:p><w:fldSimple w:instr=" DOCVARIABLE {secrets.hide("simple code")} ">{run("simple")}</w:fldSimple></w:p>'
        f'<w:p><w:bookmarkStart w:id="3" w:name="{mark}"/>{run("marked")}<w:bookmarkEnd w:id="3"/>'
        f"{_field(f' REF {mark} ', run('seen'))}{link}{_field(' PAGE ', run('1'))}</w:p>"
    )


BUILDERS: tuple[Callable[[Made, Secrets], str], ...] = (
    _text,
    _table,
    _revisions,
    _boxes,
    _controls,
    _fields,
    links,
    objects,
)
