"""Take the pixels of a place out of the images that lie there."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from reidrisk.documents.document import Look
from reidrisk.documents.pdf.affine import Point, at, inverse
from reidrisk.documents.pdf.glyph import Picture
from reidrisk.documents.pdf.removal.place import Place

if TYPE_CHECKING:
    from pikepdf import Pdf

Polygon = list[Point]
_MODES = {"1": "/DeviceGray", "L": "/DeviceGray", "RGB": "/DeviceRGB", "CMYK": "/DeviceCMYK"}


class Undecodable(Exception):
    """An image that cannot be taken apart; its page becomes a picture."""


def blanked(pdf: Pdf, picture: Picture, places: list[Place], look: Look) -> Any:
    """A copy of the image without the pixels of the places; None where none lies on it."""
    back = inverse(picture.matrix)
    if back is None:
        return None
    marked = [(place, [at(back, *corner) for corner in place.padded()]) for place in places]
    marked = [(place, corners) for place, corners in marked if _on_image(corners)]
    if not marked:
        return None
    try:
        return _copy(pdf, picture, marked, look)
    except Exception as error:  # whatever a decoder of images may raise
        raise Undecodable from error


def _on_image(corners: Polygon) -> bool:
    across, upward = [x for x, _ in corners], [y for _, y in corners]
    return max(across) > 0 and min(across) < 1 and max(upward) > 0 and min(upward) < 1


def _copy(pdf: Pdf, picture: Picture, marked: list[tuple[Place, Polygon]], look: Look) -> Any:
    import pikepdf

    source = picture.source
    image = source.iimage if picture.inline else pikepdf.PdfImage(source)
    if not picture.inline and ("/Mask" in source or source.get("/ImageMask")):
        raise Undecodable
    pixels = _filled(image.as_pil_image(), marked, look)
    copy = _stream(pdf, pixels)
    mask = None if picture.inline else source.get("/SMask")
    if mask is not None:
        opaque = pikepdf.PdfImage(mask).as_pil_image().convert("L")
        for _, corners in marked:
            _fill(opaque, corners, 255)
        copy["/SMask"] = _stream(pdf, opaque)
    return copy


def _filled(image: Any, marked: list[tuple[Place, Polygon]], look: Look) -> Any:
    if image.mode not in _MODES or image.mode == "1":
        image = image.convert("RGB" if image.mode != "1" else "L")
    for place, corners in marked:
        if place.change.new is None:
            color = look.personal if place.change.category == "PPD" else look.confidential
        else:
            color = _around(image, corners)
        _fill(image, corners, color if image.mode != "CMYK" else (0, 0, 0, 255))
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

    if isinstance(color, str) and image.mode == "L":
        red, green, blue = ImageColor.getrgb(color)[:3]
        color = round(0.299 * red + 0.587 * green + 0.114 * blue)
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

    return pdf.make_stream(
        image.tobytes(), Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image, Width=image.width,
        Height=image.height, BitsPerComponent=8, ColorSpace=pikepdf.Name(_MODES[image.mode]),
    )  # fmt: skip
