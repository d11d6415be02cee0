"""Take the pixels of a place out of images, or make a page that cannot be changed a picture."""

from __future__ import annotations

import math
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reidrisk.documents.document import Look
from reidrisk.documents.pdf.fonts import number
from reidrisk.documents.pdf.glyphs import Picture, Point, at, inverse, lengths, times
from reidrisk.documents.pdf.lettering import fitted, label_fit, shipped
from reidrisk.documents.pdf.page_places import PagePlace
from reidrisk.documents.pdf.rendering import decoded_by_pdfium, rendering, to_pixels

if TYPE_CHECKING:
    from pikepdf import Pdf

Polygon = list[Point]
_MODES = {"1": "/DeviceGray", "L": "/DeviceGray", "RGB": "/DeviceRGB", "CMYK": "/DeviceCMYK"}
_SCALE = 200 / 72
_SEEN = 12
"""Shades of 255 that nobody sees."""
_PIXELS_OF_A_LETTER = 3
"""Nobody can read letters that are as high as so many pixels, or less."""
_JOINED = 4
"""Pixels between parts of one letter."""


class Undecodable(Exception):
    """An image that cannot be taken apart; its page becomes a picture."""


def blanked(pdf: Pdf, picture: Picture, places: list[PagePlace], look: Look) -> Any:
    """A copy of the image without the pixels of the places; None where none lies on it."""
    back = inverse(picture.matrix)
    if back is None:
        return None
    marked = [(place, [at(back, *corner) for corner in place.padded()]) for place in places]
    marked = [
        (place, corners) for place, corners in marked if _on_image(corners) and _can_show(picture, place)
    ]
    if not marked:
        return None
    try:
        return _copy(pdf, picture, marked, look)
    except Exception:  # noqa: BLE001 - whatever a decoder of images may raise
        raise Undecodable from None


def _on_image(corners: Polygon) -> bool:
    across, upward = [x for x, _ in corners], [y for _, y in corners]
    return max(across) > 0 and min(across) < 1 and max(upward) > 0 and min(upward) < 1


def _can_show(picture: Picture, place: PagePlace) -> bool:
    """Whether pixels of an image are small enough to show letters of the height of a place.

    Text over a scan may have another height than the letters on it, and a mask has pixels of its own.
    """
    if not place.seen or picture.inline or "/SMask" in picture.source or "/Mask" in picture.source:
        return True
    sides = zip(lengths(picture.matrix), ("/Width", "/Height"), strict=True)
    return any(
        length < number(picture.source.get(name), 1.0) * place.height / _PIXELS_OF_A_LETTER
        for length, name in sides
    )


def _copy(pdf: Pdf, picture: Picture, marked: list[tuple[PagePlace, Polygon]], look: Look) -> Any:
    import pikepdf
    from PIL import ImageChops

    source = picture.source
    if not picture.inline and ("/Mask" in source or source.get("/ImageMask")):
        raise Undecodable
    pixels = _decoded(picture)
    if pixels.mode == "CMYK" and "adobe" in pixels.info:
        pixels = ImageChops.invert(
            pixels
        )  # read as other programs write such files; PDF takes the bare numbers
    decode = None if picture.inline else source.get("/Decode")
    turned = pixels.mode == "CMYK" and decode is not None and number(decode[0]) == 1
    copy = _stream(pdf, _filled(pixels, marked, look, turned=turned))
    if turned:
        copy["/Decode"] = decode
    mask = None if picture.inline else source.get("/SMask")
    if mask is not None:
        opaque = pikepdf.PdfImage(mask).as_pil_image().convert("L")
        for _, corners in marked:
            _fill(opaque, corners, 255)
        copy["/SMask"] = _stream(pdf, opaque)
    return copy


def _decoded(picture: Picture) -> Any:
    """The pixels of an image; PDFium is asked where a decoder is missing."""
    import pikepdf
    from PIL import Image

    if picture.inline:
        return picture.source.iimage.as_pil_image()
    try:
        return pikepdf.PdfImage(picture.source).as_pil_image()
    except (pikepdf.DependencyError, pikepdf.UnsupportedImageTypeError, NotImplementedError):
        pixels = decoded_by_pdfium(picture.source)
    plain = pixels.mode == "L" and picture.source.get("/BitsPerComponent") == 1
    return pixels.convert("1", dither=Image.Dither.NONE) if plain else pixels


def _filled(image: Any, marked: list[tuple[PagePlace, Polygon]], look: Look, *, turned: bool = False) -> Any:
    """Boxes over the places; `turned`: the colors of a printed image count from full ink downward."""
    if image.mode not in _MODES:
        image = image.convert("RGB")
    for place, corners in marked:
        if place.change.new is None:
            color = look.personal if place.change.category == "PPD" else look.confidential
        else:
            color = _around(image, corners)
        black = (255, 255, 255, 0) if turned else (0, 0, 0, 255)
        _fill(image, corners, color if image.mode != "CMYK" else black)
    return image


def _pixels(image: Any, corners: Polygon) -> Polygon:
    """Corners in pixels; the box grows to whole ones."""
    points = [(x * image.width, (1 - y) * image.height) for x, y in corners]
    middle_x, middle_y = (sum(axis) / len(points) for axis in zip(*points, strict=True))
    grown = []
    for x, y in points:
        grown.append((x + math.copysign(1, x - middle_x), y + math.copysign(1, y - middle_y)))
    return grown


def _fill(image: Any, corners: Polygon, color: Any) -> None:
    from PIL import ImageColor, ImageDraw

    if isinstance(color, str) and image.mode in ("1", "L"):
        red, green, blue = ImageColor.getrgb(color)[:3]
        color = round(0.299 * red + 0.587 * green + 0.114 * blue)
        color = color if image.mode == "L" else 255 * (color > 127)
    ImageDraw.Draw(image).polygon(_pixels(image, corners), fill=color, outline=color)


def _around(image: Any, corners: Polygon) -> Any:
    """The usual colour along the edge of a place: that of the paper."""
    points = _pixels(image, corners)
    samples = []
    for (x, y), (u, v) in zip(points, points[1:] + points[:1], strict=True):
        for step in range(20):
            spot = (round(x + (u - x) * step / 20), round(y + (v - y) * step / 20))
            if 0 <= spot[0] < image.width and 0 <= spot[1] < image.height:
                samples.append(image.getpixel(spot))
    return max(set(samples), key=samples.count) if samples else 255


def _stream(pdf: Pdf, image: Any) -> Any:
    import pikepdf

    bits = 1 if image.mode == "1" else 8
    return pdf.make_stream(
        image.tobytes(), Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image, Width=image.width,
        Height=image.height, BitsPerComponent=bits, ColorSpace=pikepdf.Name(_MODES[image.mode]),
    )  # fmt: skip


def rasterise(
    pdf: Pdf, source: Path, number: int, places: list[PagePlace], look: Look, *, written: Path | None = None
) -> None:
    """Replace a page, counted from 1, by its picture; no text remains on it.

    `written` is the document without its values: what looks different there beside a place is taken from it,
    so that nothing of a value is seen beyond its box.
    """
    import pikepdf

    with rendering(source) as document:
        page = document[number - 1]
        picture = page.render(scale=_SCALE).to_pil().convert("RGB")
        frame = to_pixels(page, _SCALE)
        left, bottom, right, top = page.get_bbox()
        turned = page.get_rotation()
    if written is not None and places:
        _take_over(
            picture, written, number, [[at(frame, *corner) for corner in one.padded()] for one in places]
        )
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


def _take_over(picture: Any, written: Path, number: int, boxes: list[Polygon]) -> None:
    """Copy into a picture what the written page shows where the two differ on a place or next to it."""
    import numpy as np
    from PIL import Image
    from scipy import ndimage

    with rendering(written) as document:
        other = document[number - 1].render(scale=_SCALE).to_pil().convert("RGB")
    if other.size != picture.size:
        return
    old, new = np.asarray(picture), np.asarray(other)
    differ = (np.abs(old.astype(np.int16) - new.astype(np.int16)) > _SEEN).any(axis=2)
    near = np.zeros_like(differ)
    for corners in boxes:
        across, down = [x for x, _ in corners], [y for _, y in corners]
        margin = int(max(4, min(max(across) - min(across), max(down) - min(down))))
        rows = slice(max(0, int(min(down)) - margin), int(max(down)) + margin + 1)
        near[rows, max(0, int(min(across)) - margin) : int(max(across)) + margin + 1] = True
    parts, _ = ndimage.label(ndimage.binary_dilation(differ, iterations=_JOINED))
    touched = np.isin(parts, np.unique(parts[near & differ])) & (parts > 0)
    picture.paste(Image.fromarray(np.where(touched[..., None], new, old)))


def _burn(picture: Any, place: PagePlace, frame: Any, look: Look) -> None:
    """Draw one box, with its label or the new value."""
    from PIL import ImageDraw

    points = [at(frame, *corner) for corner in place.padded()]
    category = look.personal if place.change.category == "PPD" else look.confidential
    fill = category if place.change.new is None else "#ffffff"
    ImageDraw.Draw(picture).polygon(points, fill=fill, outline=fill)
    if place.text and (place.change.new is not None or look.labels):
        _write(picture, place, frame, look)


def _write(picture: Any, place: PagePlace, frame: Any, look: Look) -> None:
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
    a, b, c, d, e, f = forward
    back = inverse((a, b, c, d, e, f))
    return None if back is None else (back[0], back[2], back[4], back[1], back[3], back[5])
