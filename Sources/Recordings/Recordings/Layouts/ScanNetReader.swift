internal import Bytes
internal import DepthTypes
internal import Scenes

/// ScanNet's `.sens`, versions 3 and 4. Little-endian throughout.
///
/// version (4 bytes), length (8) and name of the sensor; four 4 × 4 matrices of Float32, row by row: intrinsics and extrinsics of the
/// color, then of the depth; codecs of color and depth (4 each); widths and heights (4 each); units a meter (Float32); the number of
/// frames (8). A frame: its pose, 16 Float32 row by row, camera-to-world with axes as in OpenCV, -infinity where tracking was
/// lost; times of color and depth in microseconds, sizes of color and depth in bytes (8 each); their bytes.
enum ScanNetReader {
    static func recognizes(_ start: [UInt8]) -> Bool {
        // Version, and the length of a plausible name.
        start.count >= 12 && (start[0] == 3 || start[0] == 4) && start[1] == 0 && start[2] == 0
            && start[3] == 0
            && start[6..<12].allSatisfy { $0 == 0 } && (start[5] < 16)
    }

    static func read(
        _ source: any ByteSource, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        var draft = RecordingDraft(.scanNet)
        let file = StoredBytes(source, limits)
        draft.convention = .cameraToWorldOpenCV
        var (place, count) = (0, 0)
        try readHeader(source, &draft, &place, &count)
        try limits.check(.frames, count, at: place - 8)
        for index in 0..<count {
            guard let frame = try readFrame(file, index, &place) else {
                draft.warn(
                    .cutOff, "the file ends in frame \(index + 1) of \(count); the frames before it are read")
                break
            }
            draft.frames.append(frame)
        }
        return draft
    }

    private static func readHeader(
        _ source: any ByteSource, _ draft: inout RecordingDraft, _ place: inout Int, _ count: inout Int
    ) throws(ContainerError) {
        let start = try source.readPrefix(at: 0, count: 1 << 16)
        var cursor = ByteCursor(start.span)
        cursor.byteOrder = .littleEndian
        let version = try cursor.readUInt32()
        guard version == 3 || version == 4 else {
            throw cursor.failure(.unsupported(feature: "a .sens file of version \(version)"))
        }
        try cursor.skip(try cursor.readUnsigned(byteCount: 8))
        // Intrinsics and extrinsics of the color; the extrinsics of the depth follow its intrinsics.
        _ = try cursor.readFloats(32)
        let matrix = try cursor.readFloats(16)
        _ = try cursor.readFloats(16)
        let codecs = (try cursor.readUInt32(), try cursor.readUInt32())
        switch codecs.1 {
        case 0: draft.coding.depth.storage = .uint16
        case 1: draft.coding.depth.storage = .zlibUInt16
        case 2: throw cursor.failure(.unsupported(feature: "depth in the Occipital codec"))
        default: throw cursor.malformed("depth codec is \(codecs.1), not 0, 1 or 2")
        }
        if ![1, 2].contains(codecs.0) {
            draft.warn(.unreadablePlane, "color is neither PNG nor JPEG, and is not read")
        }
        draft.colorSize = PixelSize(try cursor.readUInt32(), try cursor.readUInt32())
        draft.depthSize = PixelSize(try cursor.readUInt32(), try cursor.readUInt32())
        guard draft.depthSize != nil else {
            throw cursor.malformed("depth width or height is 0 or above 1048576")
        }
        let units = Double(try cursor.readFloats(1)[0])
        draft.coding.depth.unitsPerMeter = units.isFinite && units > 0 ? units : nil
        count = try cursor.readUnsigned(byteCount: 8)
        place = cursor.position
        draft.intrinsics = Intrinsics(
            fx: matrix[0], fy: matrix[5], cx: matrix[2], cy: matrix[6], from: .center)
        draft.cameraFrame = draft.depthSize
    }

    /// `nil` if the file ends within the frame.
    private static func readFrame(
        _ file: StoredBytes, _ index: Int, _ place: inout Int
    ) throws(ContainerError) -> RecordedFrame? {
        let source = file.source
        let headSize = 96
        guard source.byteCount - place >= headSize else { return nil }
        let head = try source.read(place..<place + headSize)
        var cursor = ByteCursor(head.span, base: place)
        cursor.byteOrder = .littleEndian
        var frame = RecordedFrame(number: index)
        frame.pose = CameraPose(rows: try cursor.readFloats(16), .cameraToWorldOpenCV)
        let times: (color: UInt64, depth: UInt64) = (try cursor.read(), try cursor.read())
        frame.time = Double(times.depth == 0 ? times.color : times.depth) / 1e6
        let (colorSize, depthSize) = (
            try cursor.readUnsigned(byteCount: 8), try cursor.readUnsigned(byteCount: 8)
        )
        place += headSize
        let left = source.byteCount - place
        guard colorSize <= left, depthSize <= left - colorSize else { return nil }
        if colorSize > 0 { frame.color = BytesPart(file: file, range: place..<place + colorSize) }
        place += colorSize
        if depthSize > 0 { frame.depth = BytesPart(file: file, range: place..<place + depthSize) }
        place += depthSize
        return frame
    }
}

extension ByteCursor {
    /// Reads Float32 numbers without validation.
    @_lifetime(self: copy self)
    mutating func readFloats(_ count: Int) throws(ContainerError) -> [Double] {
        var numbers: [Double] = []
        for _ in 0..<count { numbers.append(Double(Float(bitPattern: try read()))) }
        return numbers
    }
}
