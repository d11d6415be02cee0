"""A page that cannot be changed in itself becomes a picture with the boxes burnt in."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.documents.document import Look
from reidrisk.documents.pdf.affine import at, times
from reidrisk.documents.pdf.lettering.face import shipped
from reidrisk.documents.pdf.lettering.fit import fitted, label_fit
from reidrisk.documents.pdf.pictures.frame import rendering, to_pixels
from reidrisk.documents.pdf.removal.place import Place

if TYPE_CHECKING:
    from pikepdf import Pdf

_SCALE = 200 / 72


def rasterise(pdf: Pdf, source: Path, number: int, places: Iterable[Place], look: Look) -> None:
    """Replace a page, counted from 1, by its picture; no text remains on it."""
    import pikepdf

    with rendering(source) as document:
        page = document[number - 1]
        picture = page.render(scale=_SCALE).to_pil().convert("RGB")
        frame = to_pixels(page, _SCALE)
        left, bottom, right, top = page.get_bbox()
        turned = page.get_rotation()
    for place in places:
        _burn(picture, place, frame, look)
    picture = picture.rotate(turned, expand=True)
    data = BytesIO()
    picture.save(data, "JPEG", quality=88)
    image = pdf.make_stream(
        data.getvalue(), Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image, Width=picture.width,
        Height=picture.height, ColorSpace=pikepdf.Name.DeviceRGB, BitsPerComponent=8,
        Filter=pikepdf.Name.DCTDecode,
    )  # fmt: skip
    target = pdf.pages[number - 1].obj
    content = f"q {right - left:.4f} 0 0 {top - bottom:.4f} {left:.4f} {bottom:.4f} cm /Im Do Q"
    target["/Contents"] = pdf.make_stream(content.encode("ascii"))
    target["/Resources"] = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Im=image))


def _burn(picture: Any, place: Place, frame: Any, look: Look) -> None:
    """Draw one box, with its label or the new value."""
    from PIL import ImageDraw

    points = [at(frame, *corner) for corner in place.padded()]
    category = look.personal if place.change.category == "PPD" else look.confidential
    fill = category if place.change.new is None else "#ffffff"
    ImageDraw.Draw(picture).polygon(points, fill=fill, outline=fill)
    if place.text and (place.change.new is not None or look.labels):
        _write(picture, place, frame, look)


def _write(picture: Any, place: Place, frame: Any, look: Look) -> None:
    """Set a line of text, turned as the place is."""
    from PIL import Image, ImageDraw, ImageFont

    text = place.text or ""
    label = place.change.new is None
    height = (place.ascent - place.descent) * place.height
    fit = (
        label_fit(text, height=height, width=place.end)
        if label
        else fitted(text, size=place.height, width=place.end, room=place.end)
    )
    font = ImageFont.truetype(BytesIO(shipped().program), max(4, round(fit.size * _SCALE * 4)))
    wide, tall = int(font.getlength(text)) + 8, int(fit.size * _SCALE * 4 * 1.3)
    layer = Image.new("L", (max(wide, 1), max(tall, 1)), 0)
    ImageDraw.Draw(layer).text((4, 0), text, fill=255, font=font)
    a, b, c, d, e, f = times(place.frame, frame)
    start = (place.end - fit.width) / 2 if label else 0.0
    across, down = fit.width / layer.width, height / layer.height
    top = place.ascent * place.height
    corner = (e + a * start + c * top, f + b * start + d * top)
    forward = (a * across, b * across, -c * down, -d * down, *corner)
    back = _inverse(forward)
    if back is None:
        return
    spread = layer.transform(picture.size, Image.Transform.AFFINE, back, resample=Image.Resampling.BILINEAR)
    picture.paste(Image.new("RGB", picture.size, look.text if label else "#000000"), mask=spread)


def _inverse(forward: tuple[float, ...]) -> tuple[float, ...] | None:
    """The coefficients with which the picture library asks from where each pixel comes."""
    from reidrisk.documents.pdf.affine import inverse

    a, b, c, d, e, f = forward
    back = inverse((a, b, c, d, e, f))
    return None if back is None else (back[0], back[2], back[4], back[1], back[3], back[5])
