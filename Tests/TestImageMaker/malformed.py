"""Writes TestImages/Malformed/: small files that each break one rule of one format. `malformed.py FOLDER`.

Everything is made here, without the code under test; the only pixels are an even gray. README.md in that folder says
what readers must answer.
"""

import base64
import hashlib
import struct
import sys
import zlib
from pathlib import Path

WIDTH, HEIGHT = 16, 16


# JPEG: a gray picture whose blocks are all alike, and what may stand around it.


def segment(marker, *parts):
    payload = b"".join(parts)
    return bytes([0xFF, marker]) + struct.pack(">H", len(payload) + 2) + payload


def huffman(kind, counts, symbols):
    return segment(0xC4, bytes([kind]), bytes(counts + [0] * (16 - len(counts))), bytes(symbols))


def jpeg(*extra, width=WIDTH, height=HEIGHT):
    """A baseline JPEG of 8 bits; `extra` segments stand behind its start."""
    blocks = -(-width // 8) * -(-height // 8)
    # A difference of 0 and the end of block: a bit each; a byte of four blocks, the rest filled with ones.
    coded = bytes(blocks // 4) + (bytes([0xFF >> 2 * (blocks % 4)]) if blocks % 4 else b"")
    return (
        b"\xff\xd8"
        + b"".join(extra)
        + segment(0xDB, b"\0", b"\1" * 64)
        + segment(0xC0, struct.pack(">BHHB", 8, height, width, 1), b"\1\x11\0")
        + huffman(0x00, [1], [0])
        + huffman(0x10, [1], [0])
        + segment(0xDA, b"\1\1\0\0\x3f\0")
        + coded
        + b"\xff\xd9"
    )


def lossless_jpeg(counts, symbols):
    """A lossless JPEG of 8 × 8 samples of 16 bits, with a table of that many codes of 1, 2, … bits."""
    return (
        b"\xff\xd8"
        + segment(0xC3, struct.pack(">BHHB", 16, 8, 8, 1), b"\1\x11\0")
        + huffman(0x00, counts, symbols)
        + segment(0xDA, b"\1\1\0\1\0\0")
        + bytes(16)
        + b"\xff\xd9"
    )


def tiff(entries, order=">", next_directory=0, at=8):
    """A TIFF block of one directory. Values are numbers, or bytes that stand behind the directory."""
    head = (b"MM" if order == ">" else b"II") + struct.pack(order + "HI", 42, at)
    behind = at + 2 + 12 * len(entries) + 4
    directory, data = struct.pack(order + "H", len(entries)), b""
    for tag, kind, count, value in sorted(entries, key=lambda entry: entry[0]):
        if isinstance(value, bytes):
            place, data = behind + len(data), data + value
            directory += struct.pack(order + "HHII", tag, kind, count, place)
        elif kind == 3:
            directory += struct.pack(order + "HHIHH", tag, kind, count, value, 0)
        else:
            directory += struct.pack(order + "HHII", tag, kind, count, value)
    return head + bytes(at - 8) + directory + struct.pack(order + "I", next_directory) + data


def exif(make):
    text = make.encode() + b"\0"
    return segment(0xE1, b"Exif\0\0", tiff([(0x010F, 2, len(text), text)]))


def mpf(images, next_directory=0):
    """The index of a multi-picture file; offsets count from the block itself."""
    entries = b"".join(struct.pack(">IIIHH", 0, size, offset, 0, 0) for size, offset in images)
    return segment(
        0xE2,
        b"MPF\0",
        tiff(
            [(0xB000, 7, 4, 0x30313030), (0xB001, 4, 1, len(images)), (0xB002, 7, len(entries), entries)],
            next_directory=next_directory,
        ),
    )


def packet(attributes="", inside="", namespaces=""):
    return (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        f'<rdf:Description rdf:about="" {namespaces} {attributes}>{inside}</rdf:Description></rdf:RDF></x:xmpmeta>'
    )


def xmp(text):
    return segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0", text.encode())


GDEPTH = 'xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/"'
RANGE = 'GDepth:Format="RangeInverse" GDepth:Near="1" GDepth:Far="9" GDepth:Mime="image/jpeg"'
NOTE = 'xmlns:xmpNote="http://ns.adobe.com/xmp/note/"'


def extended(pieces, named=None):
    """A JPEG with extended XMP, cut into pieces of (start, end), named by its MD5 or as told."""
    data = base64.b64encode(jpeg()).decode()
    whole = packet(f'GDepth:Data="{data}"', namespaces=GDEPTH).encode()
    name = hashlib.md5(whole).hexdigest().upper()
    mark = b"http://ns.adobe.com/xmp/extension/\0"
    parts = [
        segment(0xE1, mark, name.encode(), struct.pack(">II", len(whole), start), whole[start:end])
        for start, end in pieces(len(whole))
    ]
    main = packet(f'{RANGE} xmpNote:HasExtendedXMP="{named or name}"', namespaces=f"{GDEPTH} {NOTE}")
    return jpeg(xmp(main), *parts)


CONTAINER = (
    'xmlns:Container="http://ns.google.com/photos/1.0/container/" '
    'xmlns:Item="http://ns.google.com/photos/1.0/container/item/"'
)


def container(length):
    items = "".join(
        f'<rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="image/jpeg" {rest}/></rdf:li>'
        for rest in ['Item:Semantic="Primary"', f'Item:Semantic="GainMap" Item:Length="{length}"']
    )
    directory = f"<Container:Directory><rdf:Seq>{items}</rdf:Seq></Container:Directory>"
    return jpeg(xmp(packet(inside=directory, namespaces=CONTAINER))) + jpeg()


def sef(blocks, claimed=None):
    """Samsung's trailer: `blocks` of (type, bytes, offset or None) and a directory."""
    data, directory = b"", b""
    places = []
    for kind, payload, back in blocks:
        places.append((kind, len(data), len(payload) + 8, back))
        data += struct.pack("<HHI", 0, kind, 0) + payload
    for kind, start, size, back in places:
        directory += struct.pack("<HHII", 0, kind, len(data) - start if back is None else back, size)
    directory = b"SEFH" + struct.pack("<II", 106, len(blocks)) + directory
    return jpeg(exif("samsung")) + data + directory + struct.pack("<I", claimed or len(directory)) + b"SEFT"


def edof(width, height, samples):
    return b"edof" + bytes(4) + b"\1" + bytes(11) + struct.pack("<HH", width, height) + bytes(48) + bytes(samples)


def pmpd(size, width, height, samples):
    head = b"PMPD" + bytes([2, 0, 0x64, 0, 1, 0, 0, 0]) + bytes(4) + struct.pack("<I", size)
    return head.ljust(1056, b"\0") + struct.pack("<II", width, height) + bytes(samples)


def lif(blocks):
    data = struct.pack(">I", len(blocks))
    for kind, claimed, payload in blocks:
        data += struct.pack(">II", kind, len(payload) if claimed is None else claimed) + payload
    return jpeg() + data + struct.pack(">I", len(data) + 6) + b"\x1e\x1a"


# HEIF: pictures are JPEG items, so that no coded video is needed.


def box(kind, *parts, size=None):
    payload = b"".join(parts)
    return struct.pack(">I", len(payload) + 8 if size is None else size) + kind.encode() + payload


def full(kind, *parts, version=0, flags=0, size=None):
    return box(kind, struct.pack(">I", version << 24 | flags), *parts, size=size)


def item(number, kind):
    return full("infe", struct.pack(">HH", number, 0), kind.encode(), b"\0", version=2)


class HEIF:
    """A photo (item 1) and a disparity plane of it (item 2). Every table may be told to lie."""

    def __init__(self):
        self.kinds = {1: "jpeg", 2: "jpeg"}
        self.payloads = {1: jpeg(), 2: jpeg()}
        self.references = [("auxl", 2, [1])]
        self.sizes = (WIDTH, HEIGHT)
        self.associations = {1: [1], 2: [1, 2]}
        self.extents = {}
        self.property_size = None
        self.extra = b""

    def file(self):
        head = box("ftyp", b"heic", bytes(4), b"mif1heic")
        start = len(head) + len(self.meta(0)) + 8
        data = b"".join(self.payloads.values())
        return head + self.meta(start) + box("mdat", data)

    def meta(self, start):
        properties = full("ispe", struct.pack(">II", *self.sizes)) + full(
            "auxC", b"urn:mpeg:hevc:2015:auxid:2\0"
        )
        associations = b"".join(
            struct.pack(">HB", number, len(indices)) + bytes(indices)
            for number, indices in self.associations.items()
        )
        references = b"".join(
            box(kind, struct.pack(f">HH{len(to)}H", source, len(to), *to)) for kind, source, to in self.references
        )
        places, place = b"", start
        for number, payload in self.payloads.items():
            offset, size = self.extents.get(number, (place, len(payload)))
            places += struct.pack(">HHHHQQ", number, 0, 0, 1, offset, size)
            place += len(payload)
        return full(
            "meta",
            full("hdlr", bytes(4), b"pict", bytes(13)),
            full("pitm", struct.pack(">H", 1)),
            full("iinf", struct.pack(">H", len(self.kinds)), *(item(*pair) for pair in self.kinds.items())),
            full("iref", references),
            box(
                "iprp",
                box("ipco", properties, size=self.property_size),
                full("ipma", struct.pack(">I", len(self.associations)), associations),
            ),
            full("iloc", struct.pack(">BBH", 0x88, 0, len(self.payloads)), places, version=1),
            self.extra,
        )


def heif(change):
    file = HEIF()
    change(file)
    return file.file()


def derived(kind, inputs, payload=b""):
    """The plane as a derived image."""

    def change(file):
        file.kinds[2] = kind
        file.references.append(("dimg", 2, inputs))
        if payload:
            file.payloads[2] = payload
        else:
            del file.payloads[2]

    return heif(change)


def chained_identities(count):
    def change(file):
        for number in range(2, count + 2):
            file.kinds[number] = "iden"
            file.associations[number] = [1, 2] if number == 2 else [1]
            file.references.append(("dimg", number, [number + 1]))
        del file.payloads[2]

    return heif(change)


# TIFF, and rasters.

DNG = [(0x0100, 4, 1, WIDTH), (0x0101, 4, 1, HEIGHT), (0x010F, 2, 4, b"DNG\0"), (0xC612, 1, 4, 0x01060000)]


def dng(*directories):
    """A DNG whose first directory leads to others; each is a list of fields and the offset of the next, if any."""
    places, blocks = [], b""
    first = 8 + 2 + 12 * (len(DNG) + 1) + 4 + 4 + 4 * max(len(directories), 2)
    for entries, following in directories:
        place = first + len(blocks)
        places.append(place)
        block = tiff(entries, at=place, next_directory=place if following == "itself" else following)
        blocks += block[place:]
    offsets = struct.pack(f">{len(places)}I", *places) if len(places) > 1 else places[0]
    whole = tiff(DNG + [(0x014A, 4, len(places), offsets)])
    return whole.ljust(first, b"\0") + blocks


def plane(**changed):
    fields = {
        0x00FE: 8, 0x0100: 8, 0x0101: 8, 0x0102: 8, 0x0103: 1, 0x0106: 51177, 0x0111: 8, 0x0115: 1, 0x0116: 8,
        0x0117: 64,
    }
    fields.update({int(name[1:], 16): value for name, value in changed.items()})
    return [(tag, 4, 1, value) for tag, value in fields.items()]


def npy(header, data=b"", length=None):
    text = header.encode()
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text) if length is None else length) + text + data


def npz(size, directory_at=None, packed=None):
    """An archive of one deflated member that claims to unpack to `size` bytes."""
    member = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4, 4), }\n", bytes(64))
    compressor = zlib.compressobj(wbits=-15)
    data = compressor.compress(member) + compressor.flush()
    name = b"depth.npy"
    facts = struct.pack("<HHHHHIII", 20, 0, 8, 0, 0, zlib.crc32(member), packed or len(data), size)
    local = b"PK\3\4" + facts + struct.pack("<HH", len(name), 0) + name + data
    entry = b"PK\1\2" + struct.pack("<H", 20) + facts + struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, 0, 0) + name
    place = len(local) if directory_at is None else directory_at
    end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(entry), place, 0)
    return local + entry + end


def exr(window):
    def attribute(name, kind, value):
        return f"{name}\0{kind}\0".encode() + struct.pack("<I", len(value)) + value

    channel = b"Z\0" + struct.pack("<iiii", 2, 0, 1, 1) + b"\0"
    box_of = struct.pack("<4i", *window)
    return (
        struct.pack("<II", 20000630, 2)
        + attribute("channels", "chlist", channel)
        + attribute("compression", "compression", b"\0")
        + attribute("dataWindow", "box2i", box_of)
        + attribute("displayWindow", "box2i", box_of)
        + attribute("lineOrder", "lineOrder", b"\0")
        + attribute("pixelAspectRatio", "float", struct.pack("<f", 1))
        + attribute("screenWindowCenter", "v2f", bytes(8))
        + attribute("screenWindowWidth", "float", struct.pack("<f", 1))
        + b"\0"
        + bytes(64)
    )


def png(width, height, length=None):
    def chunk(kind, data, claimed=None):
        return (
            struct.pack(">I", len(data) if claimed is None else claimed)
            + kind
            + data
            + struct.pack(">I", zlib.crc32(kind + data))
        )

    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(bytes(8 * 17)), length)
        + chunk(b"IEND", b"")
    )


def files():
    photo = jpeg()
    yield "segment-of-length-1.jpg", photo[:2] + b"\xff\xe0\0\1" + photo[2:]
    yield "segment-past-end.jpg", photo[:2] + b"\xff\xe1\xff\xff" + photo[2:]
    yield "no-scan.jpg", photo[: photo.index(b"\xff\xda")] + b"\xff\xd9"
    yield "exif-directory-past-end.jpg", jpeg(segment(0xE1, b"Exif\0\0MM\0\x2a", struct.pack(">I", 5000)))
    yield "mpf-image-past-end.jpg", jpeg(mpf([(0, 0), (2000, 1 << 30)]))
    yield "mpf-directory-after-itself.jpg", jpeg(mpf([(0, 0), (100, 50)], next_directory=8))
    yield "xmp-document-type.jpg", jpeg(xmp('<!DOCTYPE x [<!ENTITY a "b">]>' + packet(RANGE, namespaces=GDEPTH)))
    yield "xmp-too-deep.jpg", jpeg(xmp(packet(RANGE, "<GDepth:a>" * 200 + "</GDepth:a>" * 200, GDEPTH)))
    yield "gdepth-not-base64.jpg", jpeg(xmp(packet(f'{RANGE} GDepth:Data="/9j/*?!é=x"', namespaces=GDEPTH)))
    data = base64.b64encode(photo).decode()
    yield "gdepth-range-beyond-numbers.jpg", jpeg(
        xmp(packet(RANGE.replace('Far="9"', 'Far="1e400"') + f' GDepth:Data="{data}"', namespaces=GDEPTH))
    )
    data = base64.b64encode(jpeg(width=256, height=256)[:-200]).decode()
    yield "gdepth-scan-cut.jpg", jpeg(xmp(packet(f'{RANGE} GDepth:Data="{data}"', namespaces=GDEPTH)))
    yield "extended-xmp-part-missing.jpg", extended(lambda size: [(0, 100), (200, size)])
    yield "extended-xmp-other-guid.jpg", extended(lambda size: [(0, size)], named="0" * 32)
    yield "extended-xmp-overlapping.jpg", extended(lambda size: [(0, size), (size - 10, size), (size + 5, 0)])
    yield "container-item-past-end.jpg", container(1 << 40)
    yield "sef-block-before-file.jpg", sef([(0x0AB1, bytes(48), 1 << 31)])
    yield "sef-directory-before-file.jpg", sef([(0x0AB1, bytes(48), None)], claimed=1 << 31)
    yield "edof-too-large.jpg", jpeg(exif("HUAWEI")) + edof(0xFFFF, 0xFFFF, 64)
    yield "pmpd-smaller-than-its-plane.jpg", jpeg(exif("Xiaomi")) + pmpd(100, 4000, 3000, 200)
    yield "lif-block-past-end.jpg", lif([(1_000_001, None, photo), (7, 1 << 31, b"{}")])
    views = ",".join(['{"disparityId":5}'] * 400)
    yield "lif-views-beyond-limit.jpg", lif([(5, None, photo), (7, None, ('{"views":[' + views + "]}").encode())])
    yield "lif-views-too-deep.jpg", lif([(7, None, b'{"views":' + b"[" * 500 + b"]" * 500 + b"}")])

    def lie(**fields):
        return heif(lambda file: file.__dict__.update(fields))

    yield "box-past-its-parent.heic", lie(property_size=0xFFFFFF)
    yield "box-smaller-than-its-header.heic", lie(property_size=4)
    yield "item-past-end.heic", lie(extents={2: (400, 1 << 40)})
    yield "item-beyond-numbers.heic", lie(extents={2: ((1 << 63) - 4, (1 << 63) - 4)})
    yield "property-missing.heic", lie(associations={1: [1], 2: [1, 2, 0x7F]})
    yield "reference-to-nothing.heic", lie(references=[("auxl", 2, [77])])
    yield "size-beyond-numbers.heic", lie(sizes=(0xFFFFFFFF, 0xFFFFFFFF))
    yield "identity-of-itself.heic", derived("iden", [2])
    yield "identities-too-deep.heic", chained_identities(40)
    yield "grid-beyond-numbers.heic", derived("grid", [1], b"\0\1\xff\xff" + b"\xff" * 8)
    yield "huffman-table-overfull.heic", heif(
        lambda file: file.payloads.update({2: lossless_jpeg([3, 0, 5], range(8))})
    )

    yield "directory-after-itself.dng", dng((plane(), "itself"))
    yield "directory-past-end.dng", dng((plane(), 1 << 31))
    yield "strip-past-end.dng", dng((plane(x0111=0xFFFFFF00, x0117=0xFFFFFFFF), 0))
    yield "no-rows-in-strip.dng", dng((plane(x0116=0), 0))

    good = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }\n"
    yield "header-past-end.npy", npy(good % "4, 4", length=60_000)
    yield "shape-beyond-numbers.npy", npy(good % "9223372036854775807, 9223372036854775807", bytes(64))
    yield "samples-missing.npy", npy(good % "400, 400", bytes(64))
    yield "bomb.npz", npz(4_000_000_000)
    yield "directory-past-end.npz", npz(128, directory_at=1 << 31)
    yield "negative-size.pfm", b"Pf\n-4 -4\n-1.0\n" + bytes(64)
    yield "scale-of-nothing.pfm", b"Pf\n4 4\n0\n" + bytes(64)
    yield "size-beyond-numbers.pgm", b"P5\n99999999999999999999 4\n255\n" + bytes(64)
    yield "window-inverted.exr", exr((10, 10, -10, -10))
    yield "window-beyond-limit.exr", exr((-(1 << 30), -(1 << 30), (1 << 30), (1 << 30)))
    yield "no-rows.png", png(4, 0)
    yield "size-beyond-limit.png", png(0x7FFFFFFF, 0x7FFFFFFF)
    yield "chunk-past-end.png", png(4, 16, length=0x7FFFFFFF)
    fields = [(0x0100, 4, 1, 1 << 20), (0x0101, 4, 1, 1 << 20), (0x0102, 3, 1, 16), (0x0103, 3, 1, 1)]
    fields += [(0x0106, 3, 1, 1), (0x0111, 4, 1, 8), (0x0115, 3, 1, 1), (0x0117, 4, 1, 64)]
    yield "size-beyond-limit.tiff", tiff(fields, order="<")


folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for name, data in files():
    (folder / name).write_bytes(data)
