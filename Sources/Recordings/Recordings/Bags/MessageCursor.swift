internal import Bytes
internal import DepthTypes

/// How the messages of a topic are serialized.
enum MessageEncoding: Hashable, Sendable {
    /// ROS 1: no padding, least significant byte first.
    case ros1
    /// ROS 2: CDR (OMG's Common Data Representation) behind 4 bytes that name the byte order. Numbers are aligned to
    /// their size, counted from behind these bytes.
    case cdr
    /// Any other, which is not read, with its name.
    case other(String)

    /// An encoding by its name in MCAP and in rosbag2's databases.
    init(_ name: String) {
        switch name {
        case "ros1": self = .ros1
        case "cdr": self = .cdr
        default: self = .other(name)
        }
    }

    /// The name of an encoding that is not read; `nil` for the others.
    var unreadName: String? { if case .other(let name) = self { name } else { nil } }
}

/// Reads the fields of a message, or of its first bytes, in either encoding.
struct MessageCursor: ~Escapable {
    private var bytes: ByteCursor
    private let isAligned: Bool
    /// The index behind CDR's first 4 bytes; 0 in ROS 1.
    private let start: Int

    /// Starts at the first field. Throws for CDR of another kind than plain CDR, version 1.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, _ encoding: MessageEncoding) throws(ContainerError) {
        var cursor = ByteCursor(bytes, path: StructurePath("message"))
        cursor.byteOrder = .littleEndian
        isAligned = encoding == .cdr
        if isAligned {
            let kind = try cursor.readUInt32()
            // Little-endian: the second byte is 0 (big) or 1 (little); the last two are options.
            switch kind & 0xFFFF {
            case 0: cursor.byteOrder = .bigEndian
            case 0x100: break
            default: throw cursor.failure(.unsupported(feature: "a message that is not plain CDR"))
            }
        }
        start = cursor.position
        self.bytes = cursor
    }

    /// The index of the next byte in the message.
    var position: Int { bytes.position }

    /// An error at the next byte.
    func failure(_ reason: ContainerError.Reason) -> ContainerError { bytes.failure(reason) }

    /// An error of a broken rule, at the next byte.
    func malformed(_ rule: String) -> ContainerError { bytes.malformed(rule) }

    @_lifetime(self: copy self)
    mutating func readByte() throws(ContainerError) -> UInt8 { try bytes.readByte() }

    @_lifetime(self: copy self)
    mutating func readUInt32() throws(ContainerError) -> Int {
        try align(4)
        return try bytes.readUInt32()
    }

    @_lifetime(self: copy self)
    mutating func readFloat() throws(ContainerError) -> Double {
        try align(4)
        return Double(Float(bitPattern: try bytes.read()))
    }

    /// Reads Float64 numbers without validation.
    @_lifetime(self: copy self)
    mutating func readDoubles(_ count: Int) throws(ContainerError) -> [Double] {
        var numbers: [Double] = []
        for _ in 0..<count {
            try align(8)
            numbers.append(Double(bitPattern: try bytes.read()))
        }
        return numbers
    }

    /// Reads a text with its length. CDR's has a NUL at its end.
    @_lifetime(self: copy self)
    mutating func readText() throws(ContainerError) -> String {
        let text = try bytes.readBytes(try readUInt32())
        return String(decoding: isAligned && text.last == 0 ? text.dropLast() : text[...], as: UTF8.self)
    }

    /// Reads the header of many messages (`std_msgs/Header`): its time in seconds, 0 if missing, and its frame of
    /// coordinates.
    @_lifetime(self: copy self)
    mutating func readHeader() throws(ContainerError) -> (time: Double, frame: String) {
        // ROS 1 counts messages.
        if !isAligned { try bytes.skip(4) }
        let time = Double(try readUInt32()) + Double(try readUInt32()) / 1e9
        return (time, try readText())
    }

    /// Reads a position and a quaternion x, y, z, w (`geometry_msgs/Pose`, `Transform`); `nil` if they are invalid.
    @_lifetime(self: copy self)
    mutating func readPose() throws(ContainerError) -> CameraPose? {
        let numbers = try readDoubles(7)
        return CameraPose(
            quaternion: SIMD4(numbers[3], numbers[4], numbers[5], numbers[6]),
            translation: SIMD3(numbers[0], numbers[1], numbers[2]), .cameraToWorldOpenCV)
    }

    private mutating func align(_ size: Int) throws(ContainerError) {
        guard isAligned else { return }
        let rest = (bytes.position - start) % size
        if rest > 0 { try bytes.skip(size - rest) }
    }
}

extension ByteCursor {
    /// Reads a text with its length in 4 bytes.
    @_lifetime(self: copy self)
    mutating func readText() throws(ContainerError) -> String {
        String(decoding: try readBytes(try readUInt32()), as: UTF8.self)
    }
}
