internal import Bytes
internal import DepthTypes

/// Reads one file of a model in either form: the fields are the same, and in the same order.
struct ModelReader {
    private(set) var file: ModelFile
    private let form: COLMAPModel.Form
    private var position = 0

    init(_ name: String, _ bytes: [UInt8], _ form: COLMAPModel.Form) {
        file = ModelFile(name: name, bytes: bytes)
        self.form = form
    }

    /// Runs `body`, and adds the file's name to its error.
    mutating func named<Value>(
        _ body: (inout ModelReader) throws(ContainerError) -> Value
    ) throws(ContainerError) -> Value {
        do throws(ContainerError) {
            return try body(&self)
        } catch {
            throw error.inFile(file.name)
        }
    }

    // MARK: Files

    mutating func cameras() throws(ContainerError) -> [Int: PixelSize] {
        var sizes: [Int: PixelSize] = [:]
        try records(atLeast: 24) { reader throws(ContainerError) in
            let id = Int(try reader.number(UInt32.self))
            let parameterCount = try reader.cameraModel()
            let (width, height) = (try reader.number(UInt64.self), try reader.number(UInt64.self))
            guard let size = PixelSize(Int(exactly: width), Int(exactly: height)) else {
                throw reader.malformed("camera \(id) has \(width) × \(height) pixels")
            }
            try reader.skip(8, times: parameterCount)
            sizes[id] = size
        }
        return sizes
    }

    mutating func images() throws(ContainerError) -> [COLMAPModel.Image] {
        var images: [COLMAPModel.Image] = []
        try records(atLeast: 73) { reader throws(ContainerError) in
            _ = try reader.number(UInt32.self)
            let axis = try reader.opticalAxis()
            let originDepth = try reader.lengths().z
            let camera = Int(try reader.number(UInt32.self))
            let name = try reader.name()
            images.append(
                COLMAPModel.Image(
                    name: name, camera: camera, axis: axis, originDepth: originDepth,
                    observations: try reader.observations()))
        }
        return images
    }

    mutating func points() throws(ContainerError) -> [UInt64: SIMD3<Double>] {
        var points: [UInt64: SIMD3<Double>] = [:]
        try records(atLeast: 51) { reader throws(ContainerError) in
            let id = try reader.number(UInt64.self)
            points[id] = try reader.lengths()
            guard reader.form == .binary else { return }
            try reader.skip(3 + 8)
            try reader.skip(8, times: Int(clamping: try reader.number(UInt64.self)))
        }
        return points
    }

    /// Rigs: the poses of their sensors.
    mutating func rigs() throws(ContainerError) {
        try records(atLeast: 8) { reader throws(ContainerError) in
            _ = try reader.number(UInt32.self)
            let count = try reader.number(UInt32.self)
            guard count > 0 else { return }
            try reader.sensor()
            for _ in 1..<count {
                try reader.sensor()
                guard try reader.number(UInt8.self) != 0 else { continue }
                _ = try reader.opticalAxis()
                _ = try reader.lengths()
            }
        }
    }

    /// Frames: the poses of rigs.
    mutating func frames() throws(ContainerError) {
        try records(atLeast: 68) { reader throws(ContainerError) in
            _ = try reader.number(UInt32.self)
            _ = try reader.number(UInt32.self)
            _ = try reader.opticalAxis()
            _ = try reader.lengths()
            guard reader.form == .binary else { return }
            try reader.skip(4 + 4 + 8, times: Int(try reader.number(UInt32.self)))
        }
    }

    // MARK: Parts of records

    /// The number of parameters of a camera's model, which follows.
    private mutating func cameraModel() throws(ContainerError) -> Int {
        guard form == .binary else {
            _ = try word()
            return 0
        }
        let model = Int(try number(Int32.self))
        guard Self.parameterCounts.indices.contains(model) else {
            throw ContainerError(.unsupported(feature: "camera model \(model)"), at: position)
        }
        return Self.parameterCounts[model]
    }

    /// The numbers of parameters of COLMAP 4.2's camera models, by their number.
    private static let parameterCounts = [3, 4, 4, 5, 8, 8, 12, 5, 4, 5, 12, 16, 4, 5, 3, 4, 6, 2]

    /// The third row of the rotation of a quaternion w, x, y, z: the direction of the camera's axis in the world.
    private mutating func opticalAxis() throws(ContainerError) -> SIMD3<Double> {
        let (w, x, y, z) = (try real(), try real(), try real(), try real())
        let square = w * w + x * x + y * y + z * z
        guard square > 1e-12, square < 1e12 else {
            throw malformed("a rotation is not a quaternion of usual length")
        }
        return SIMD3(2 * (x * z - w * y), 2 * (y * z + w * x), w * w + z * z - x * x - y * y) / square
    }

    /// Three lengths, which change when the model is scaled.
    private mutating func lengths() throws(ContainerError) -> SIMD3<Double> {
        if form == .text { skipSpaces() }
        let start = position
        let values = SIMD3(try real(), try real(), try real())
        guard values.min() > -1e100, values.max() < 1e100 else { throw malformed("a length is beyond 1e100") }
        file.lengths.append(ModelFile.Lengths(range: start..<position, values: values))
        return values
    }

    private mutating func sensor() throws(ContainerError) {
        if form == .binary { try skip(8) } else { _ = (try word(), try word()) }
    }

    /// The name at the end of an image's line, or up to a zero byte.
    private mutating func name() throws(ContainerError) -> String {
        let rest = file.bytes[position...]
        let mark = form == .binary ? 0 : UInt8(ascii: "\n")
        guard let end = rest.firstIndex(of: mark) ?? (form == .text ? rest.endIndex : nil) else {
            throw malformed("the name of an image has no end")
        }
        position = end
        var name = rest[..<end]
        if form == .binary {
            position += 1
        } else {
            name = name.drop { $0 == 0x20 || $0 == 0x09 }
            while let last = name.last, [0x20, 0x09, 0x0D].contains(last) { name.removeLast() }
        }
        return String(fileNameBytes: name)
    }

    /// The points that an image shows: in a list, or in the line that follows.
    private mutating func observations() throws(ContainerError) -> [COLMAPModel.Observation] {
        var observations: [COLMAPModel.Observation] = []
        if form == .binary {
            for _ in 0..<(try count(itemSize: 24)) {
                let (x, y, point) = (try real(), try real(), try number(UInt64.self))
                guard point != .max else { continue }
                observations.append(COLMAPModel.Observation(position: SIMD2(x, y), point: point))
            }
            return observations
        }
        position = min(position + 1, file.bytes.count)
        while true {
            skipSpaces()
            guard position < file.bytes.count, file.bytes[position] != UInt8(ascii: "\n") else { break }
            let (x, y) = (try real(), try real())
            let start = position
            guard try word() != Array("-1".utf8)[...] else { continue }
            position = start
            let point = try number(UInt64.self)
            observations.append(COLMAPModel.Observation(position: SIMD2(x, y), point: point))
        }
        return observations
    }

    // MARK: Fields

    /// Reads every record: as many as the file declares, or one for each line that is neither blank nor a comment. `atLeast` is how
    /// many bytes a record takes.
    private mutating func records(
        atLeast size: Int, _ body: (inout ModelReader) throws(ContainerError) -> Void
    ) throws(ContainerError) {
        if form == .binary {
            for _ in 0..<(try count(itemSize: size)) { try body(&self) }
            guard position == file.bytes.count else {
                throw malformed(
                    "\(file.bytes.count - position) bytes follow the last of the records that the file declares"
                )
            }
            return
        }
        while position < file.bytes.count {
            skipSpaces()
            if position < file.bytes.count,
                ![UInt8(ascii: "#"), UInt8(ascii: "\n")].contains(file.bytes[position])
            {
                try body(&self)
            }
            position =
                file.bytes[position...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? file.bytes.count
        }
    }

    /// A count in a binary file, of items of at least this size.
    private mutating func count(itemSize: Int) throws(ContainerError) -> Int {
        let count = Int(clamping: try number(UInt64.self))
        let left = file.bytes.count - position
        guard count <= left / itemSize else {
            throw ContainerError(
                .malformed(
                    rule:
                        "\(count) records of \(itemSize) bytes or more are declared, and \(left) bytes follow"
                ),
                at: position)
        }
        return count
    }

    private mutating func real() throws(ContainerError) -> Double {
        let value: Double?
        if form == .binary {
            value = Double(bitPattern: try number(UInt64.self))
        } else {
            value = Double(String(decoding: try word(), as: UTF8.self))
        }
        guard let value, value.isFinite else { throw malformed("a number is missing or not finite") }
        return value
    }

    private mutating func number<T: FixedWidthInteger & BitwiseCopyable>(
        _: T.Type
    ) throws(ContainerError) -> T {
        guard form == .binary else {
            let start = position
            let word = String(decoding: try word(), as: UTF8.self)
            guard let value = T(word) else {
                throw ContainerError(.malformed(rule: "'\(word)' is not a whole number in range"), at: start)
            }
            return value
        }
        var cursor = ByteCursor(file.bytes.span)
        cursor.byteOrder = .littleEndian
        try cursor.seek(to: position)
        let value: T = try cursor.read()
        position = cursor.position
        return value
    }

    /// Skips items of a binary file. A text file has one record a line, so that nothing needs to be skipped.
    private mutating func skip(_ size: Int, times count: Int = 1) throws(ContainerError) {
        guard form == .binary else { return }
        let left = file.bytes.count - position
        guard count <= left / size else {
            throw ContainerError(
                .malformed(rule: "\(count) × \(size) bytes are declared, and \(left) bytes follow"),
                at: position)
        }
        position += count * size
    }

    /// The next word of the line.
    private mutating func word() throws(ContainerError) -> ArraySlice<UInt8> {
        skipSpaces()
        let start = position
        while position < file.bytes.count, !Self.isSpace(file.bytes[position]) { position += 1 }
        guard start < position else { throw malformed("a line ends before its last field") }
        return file.bytes[start..<position]
    }

    /// Skips spaces of the line.
    private mutating func skipSpaces() {
        while position < file.bytes.count, Self.isSpace(file.bytes[position]),
            file.bytes[position] != UInt8(ascii: "\n")
        {
            position += 1
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private func malformed(_ rule: String) -> ContainerError {
        ContainerError(.malformed(rule: rule), at: position)
    }
}
