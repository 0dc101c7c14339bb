internal import Bytes
internal import CCodecShims
internal import PhotoFormats

/// An Exif block split up for a TIFF file. The fields of the block's first directory go into the directory of the file.
struct TIFFExif {
    /// The texts of the first directory, each with a NUL at the end.
    private(set) var characters: [CChar] = []
    private(set) var texts: [isobath_tiff_text] = []
    /// Pixels per `resolutionUnit`, horizontally and vertically; 0 if missing.
    private(set) var resolution = (x: 0.0, y: 0.0)
    private(set) var resolutionUnit: UInt16 = 2
    private(set) var exif = Directory()
    private(set) var gps = Directory()

    /// A directory that the first one refers to.
    struct Directory {
        var bytes: [UInt8] = []
        var offsets: [UInt32] = []
    }

    private enum Tag {
        static let description = 0x010E
        /// The tags with text values in libtiff: the description, make, model, software, time, artist, computer, copyright.
        /// libtiff interprets a value by the type of its tag, and ignores the type that a field declares.
        static let texts = [description, 0x010F, 0x0110, 0x0131, 0x0132, 0x013B, 0x013C, 0x8298]
        static let (resolutionX, resolutionY, resolutionUnit) = (0x011A, 0x011B, 0x0128)
    }

    /// An empty result, for a picture without Exif.
    init() {}

    /// Splits a block; `nil` if its directories are broken. A record replaces the photo's description.
    init?(_ block: [UInt8], hasRecord: Bool) {
        guard !block.isEmpty else { return }
        guard var tree = try? ExifTree(block, limits: DecodingLimits()) else { return nil }
        if ExifTree.byteOrder(of: block) != .host { tree = tree.byteSwapped }
        for field in tree.fields where field.type == 2 && Tag.texts.contains(Int(field.tag)) {
            if hasRecord, field.tag == Tag.description { continue }
            texts.append(isobath_tiff_text(tag: UInt32(field.tag), start: UInt32(characters.count)))
            characters += field.bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
        }
        resolution = (tree.rational(Tag.resolutionX), tree.rational(Tag.resolutionY))
        resolutionUnit = tree.short(Tag.resolutionUnit) ?? 2
        exif = Directory(tree.children[ExifTree.exif])
        gps = Directory(tree.children[ExifTree.gps])
    }
}

extension TIFFExif.Directory {
    fileprivate init(_ tree: ExifTree?) {
        guard let (bytes, offsets) = tree?.serialized(at: 0, .host) else { return }
        self.bytes = bytes
        self.offsets = offsets.map { UInt32($0) }
    }

    /// Calls `body` with pointers to the directory.
    func withPointers(_ body: (isobath_tiff_directory) -> Int32) -> Int32 {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe offsets.withUnsafeBufferPointer { offsets in
                unsafe body(
                    isobath_tiff_directory(
                        bytes: bytes.baseAddress, size: UInt32(bytes.count), offsets: offsets.baseAddress,
                        offset_count: UInt32(offsets.count)))
            }
        }
    }
}

extension ExifTree {
    /// The numbers of the first value of a field, in host byte order.
    private func numbers(_ tag: Int, type: Int, size: Int) -> [UInt32] {
        guard let field = fields.first(where: { $0.tag == tag && $0.type == type }) else { return [] }
        return stride(from: 0, through: field.bytes.count - size, by: size).map { start in
            let bytes = field.bytes[start..<start + size]
            let ordered = ByteOrder.host == .littleEndian ? bytes.reversed() : Array(bytes)
            return ordered.reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// A RATIONAL in host byte order; 0 if missing or not a number.
    fileprivate func rational(_ tag: Int) -> Double {
        let parts = numbers(tag, type: 5, size: 4)
        return parts.count > 1 && parts[1] > 0 ? Double(parts[0]) / Double(parts[1]) : 0
    }

    /// A SHORT in host byte order.
    fileprivate func short(_ tag: Int) -> UInt16? {
        numbers(tag, type: 3, size: 2).first.map { UInt16(truncatingIfNeeded: $0) }
    }
}
