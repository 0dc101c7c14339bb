internal import ByteParsing

/// The shape and the type of an HDF5 dataset, and where its samples are.
struct HDF5Dataset: Sendable {
    /// Its path from the root group.
    let name: String
    /// The lengths of its dimensions, the slowest first; empty for a single value.
    let shape: [Int]
    /// The lengths that the dimensions may grow to, `nil` for any length.
    private let maximum: [Int?]
    /// The type of a sample; `nil` if it is not a number that can be read.
    private(set) var type: SampleType?
    private(set) var byteOrder = ByteOrder.littleEndian
    private let file: HDF5File
    private let messages: [HDF5Message]

    /// Whether it has rows and columns of numbers.
    var isPlane: Bool { shape.count == 2 && type != nil }

    /// Reads the dataspace (§IV.A.2.b) and the datatype (§IV.A.2.d).
    init(_ object: HDF5File.NamedObject, in file: HDF5File) throws(ContainerError) {
        (name, messages, self.file) = (object.name, object.messages, file)
        (shape, maximum) = try file.shape(Self.message(.dataspace, of: messages))
        guard let datatype = messages.first(where: { $0.kind == .datatype }), !datatype.isShared else {
            return
        }
        (type, byteOrder) = try file.sampleType(datatype)
    }

    private static func message(
        _ kind: HDF5Message.Kind, of messages: [HDF5Message]
    ) throws(ContainerError) -> HDF5Message {
        guard let message = messages.first(where: { $0.kind == kind }), !message.isShared else {
            throw ContainerError(
                .malformed(rule: "an HDF5 dataset lacks its \(kind)"), at: messages.first?.offset,
                in: HDF5File.path)
        }
        return message
    }

    /// Describes the dataset, which must be a plane. Throws if its samples are outside of the file, or in a form that is not
    /// supported.
    func described() throws(ContainerError) -> RasterDescription {
        precondition(isPlane)
        let (width, height, type) = (shape[1], shape[0], type ?? .uint8)
        let layout = SampleLayout(width: width, height: height, type: type, byteOrder: byteOrder)
        guard !messages.contains(where: { $0.kind == .externalFiles }) else {
            throw unsupported("an HDF5 dataset whose samples are in other files")
        }
        let message = try Self.message(.layout, of: messages)
        var cursor = ByteCursor(hdf5: message.bytes.span, at: message.offset)
        let (version, kind) = (try cursor.readByte(), try cursor.readByte())
        guard (3...5).contains(version) else {
            throw unsupported("version \(version) of the layout of an HDF5 dataset")
        }
        var raster: RasterDescription
        switch kind {
        case 0:
            let byteCount = try cursor.readUInt16()
            raster = try .init(
                format: .hdf5, layout: layout, start: cursor.offset,
                byteCount: cursor.offset + min(byteCount, cursor.remaining), limits: file.limits,
                path: HDF5File.path)
        case 1:
            guard let start = try file.address(&cursor) else {
                throw unsupported("an HDF5 dataset without samples")
            }
            try file.source.check(start..<start, in: HDF5File.path)
            raster = try .init(
                format: .hdf5, layout: layout, start: start, byteCount: file.source.byteCount,
                limits: file.limits, path: HDF5File.path)
        case 2:
            let chunks = try HDF5Chunks(
                &cursor, version: version, layout, most: maximum, filters: filters(), in: file)
            raster = RasterDescription(
                format: .hdf5, width: width, height: height, sampleType: type,
                codec: chunks.filters.contains(.deflate) ? "deflate" : "none", location: .chunks(chunks))
        case 3: throw unsupported("a virtual HDF5 dataset, whose samples are in other files,")
        default: throw cursor.malformed("class of the layout of an HDF5 dataset is \(kind), not 0 to 3")
        }
        raster.name = name
        return raster
    }

    /// The filter pipeline (§IV.A.2.l).
    private func filters() throws(ContainerError) -> [HDF5Filter] {
        guard let message = messages.first(where: { $0.kind == .filters }) else { return [] }
        guard !message.isShared else { throw unsupported("a shared HDF5 filter pipeline") }
        var cursor = ByteCursor(hdf5: message.bytes.span, at: message.offset)
        let (version, count) = (try cursor.readByte(), try cursor.readByte())
        guard version == 1 || version == 2 else {
            throw cursor.malformed("version of an HDF5 filter pipeline is \(version), not 1 or 2")
        }
        try cursor.skip(version == 1 ? 6 : 0)
        var filters: [HDF5Filter] = []
        for _ in 0..<count {
            let number = try cursor.readUInt16()
            let nameSize = version == 1 || number >= 256 ? try cursor.readUInt16() : 0
            try cursor.skip(2)
            let parameters = try cursor.readUInt16()
            try cursor.skip(nameSize + 4 * (parameters + (version == 1 ? parameters % 2 : 0)))
            guard let filter = HDF5Filter(rawValue: number) else {
                throw unsupported("HDF5 filter \(number) (convert it with h5repack -f GZIP=4)")
            }
            filters.append(filter)
        }
        // Any other order would be unpacked in another way.
        guard filters == HDF5Filter.allCases.filter(filters.contains) else {
            throw unsupported("HDF5 filters in an unusual order")
        }
        return filters
    }

    private func unsupported(_ feature: String) -> ContainerError {
        ContainerError(.unsupported(feature: feature), at: messages.first?.offset, in: HDF5File.path)
    }
}

/// A step in which chunks are packed, in the order of writing. The raw value is HDF5's number of the filter.
package enum HDF5Filter: Int, CaseIterable, Sendable {
    /// First bytes of all samples, then the second ones, and so on.
    case shuffle = 2
    /// A zlib stream.
    case deflate = 1
    /// A checksum at the end.
    case fletcher32 = 3
}

extension HDF5File {
    fileprivate func shape(_ message: HDF5Message) throws(ContainerError) -> (shape: [Int], most: [Int?]) {
        var cursor = ByteCursor(hdf5: message.bytes.span, at: message.offset)
        let (version, rank) = (try cursor.readByte(), try cursor.readByte())
        guard version == 1 || version == 2 else {
            throw cursor.malformed("version of an HDF5 dataspace is \(version), not 1 or 2")
        }
        let flags = try cursor.readByte()
        try cursor.skip(version == 1 ? 5 : 1)
        var (shape, most) = ([Int](), [Int?]())
        for _ in 0..<rank { shape.append(try length(&cursor)) }
        guard flags & 1 != 0 else { return (shape, shape) }
        for length in shape {
            let bound = try self.bound(&cursor)
            guard bound ?? .max >= length else {
                throw cursor.malformed("length of an HDF5 dataset is \(length), its maximum \(bound ?? 0)")
            }
            most.append(bound)
        }
        return (shape, most)
    }

    /// Reads a length; `nil` for any length, with all bits set.
    private func bound(_ cursor: inout ByteCursor) throws(ContainerError) -> Int? {
        var ahead = cursor
        guard try ahead.readBytes(sizes.length).allSatisfy({ $0 == 0xFF }) else { return try length(&cursor) }
        cursor = ahead
        return nil
    }

    fileprivate func sampleType(_ message: HDF5Message) throws(ContainerError) -> (SampleType?, ByteOrder) {
        var cursor = ByteCursor(hdf5: message.bytes.span, at: message.offset)
        let kind = try cursor.readByte() & 0x0F
        let (flags, signBit) = (try cursor.readByte(), try cursor.readByte())
        try cursor.skip(1)
        let byteCount = try cursor.readUInt32()
        guard kind <= 1, byteCount <= 8 else { return (nil, .littleEndian) }
        let (bitOffset, precision) = (try cursor.readUInt16(), try cursor.readUInt16())
        guard bitOffset == 0, precision == byteCount * 8 else { return (nil, .littleEndian) }
        let order: ByteOrder = flags & 1 == 0 ? .littleEndian : .bigEndian
        guard kind == 1 else { return (SampleType(integerOf: precision, isSigned: flags & 8 != 0), order) }
        // IEEE 754: exponent and fraction, each location and size, then the bias; an implied leading bit.
        let fields = (try cursor.readBytes(4), try cursor.readUInt32())
        let known: [Int: ([UInt8], Int)] = [
            2: ([10, 5, 0, 10], 15), 4: ([23, 8, 0, 23], 127), 8: ([52, 11, 0, 52], 1023),
        ]
        guard let expected = known[byteCount], expected == fields, flags & 0x70 == 0x20,
            Int(signBit) == precision - 1
        else { return (nil, order) }
        return (SampleType(floatOf: precision), order)
    }
}
