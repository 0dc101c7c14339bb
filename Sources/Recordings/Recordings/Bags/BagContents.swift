internal import Bytes
internal import DepthTypes

/// What the messages of a bag hold, collected while the bag is listed from its first message to its last. Messages of other
/// types are counted, and not kept.
struct BagContents {
    /// An image of a topic: its time in seconds, and its location.
    struct Stamped {
        var time: Double
        var part: any FramePart
    }

    /// The images of a topic.
    struct ImageStream {
        var kind: ImageMessage.Kind
        /// The frame of coordinates of the first image.
        var frame: String
        var images: [Stamped] = []
    }

    /// The topics, in the order of recording.
    private(set) var topics: [BagTopic] = []
    /// Images, by the index of their topic.
    private(set) var streams: [Int: ImageStream] = [:]
    /// The first camera of each topic.
    private(set) var cameras: [Int: CameraMessage] = [:]
    /// Poses of a body in a world, by topic (`nav_msgs/Odometry`, `geometry_msgs/PoseStamped`).
    private(set) var bodies: [Int: BodyPoses] = [:]
    /// The transforms of `/tf` and `/tf_static`.
    private(set) var transforms = TransformTree()
    /// The first transform of each topic of RealSense's recorder (`geometry_msgs/Transform`).
    private(set) var places: [Int: CameraPose] = [:]
    /// The value of RealSense's topic of units, in meters; `nil` if missing.
    private(set) var metersPerUnit: Double?
    /// Whether the first text beside a depth map of RealSense's recorder was read, which may state the unit of this map.
    private var hasReadDepthText = false
    /// Whether the file ends before the end of the recording.
    var isCutOff = false
    private(set) var diagnostics: [Diagnostic] = []

    let limits: DecodingLimits
    /// What the file that is listed is decompressed to.
    var unpacked: UnpackedBytes
    /// The names of topics, types and frames of coordinates.
    var names: NameBytes
    private var indices: [String: Int] = [:]
    private var imageCount = 0
    private var poseCount = 0
    /// The decompressed bytes of a chunk.
    private var scratch: [UInt8] = []

    init(_ limits: DecodingLimits) {
        self.limits = limits
        unpacked = UnpackedBytes(ofFile: 0, limits)
        names = NameBytes(limits)
    }

    /// The index of a topic, which is added if it is new.
    mutating func topic(named name: String, type: String, encoding: String) throws(ContainerError) -> Int {
        if let index = indices[name] { return index }
        try limits.check(.items, topics.count + 1)
        for text in [name, type, encoding] { try names.count(text) }
        topics.append(BagTopic(name, type: type, encoding: MessageEncoding(encoding)))
        indices[name] = topics.count - 1
        return topics.count - 1
    }

    /// Decompresses a chunk for listing.
    mutating func unpacked(_ chunk: BagChunk) throws(ContainerError) -> WindowReader {
        try chunk.read(into: &scratch, limits)
        return WindowReader(MemorySource(scratch), scratch.indices)
    }

    /// How many messages were counted.
    var messageCount: Int { topics.reduce(0) { $0 + $1.count } }

    /// Warns of messages that a file declares and that could not be read.
    mutating func reportLost(_ count: Int, of total: Int) {
        guard count > 0 else { return }
        note(.warning(.lostMessages, "\(count) of \(total) messages cannot be read, and are skipped"))
    }

    /// Counts a message, and keeps what it holds. `message` is called only for messages that are read; damaged ones are
    /// reported.
    mutating func take(
        _ topic: Int, at time: Double, _ message: () -> BagMessage
    ) throws(ContainerError) {
        topics[topic].add(at: time)
        guard topics[topic].encoding.unreadName == nil, let reader = Self.readers[topics[topic].type] else {
            return
        }
        do throws(ContainerError) {
            try reader(&self, try message().unpacked(limits, unpacked))
        } catch {
            try report(error, in: "a message of \(topics[topic].name)")
        }
    }

    /// Records an error about some bytes, which `subject` names, so that the rest can be read; throws any other.
    mutating func report(_ error: ContainerError, in subject: String? = nil) throws(ContainerError) {
        switch error.reason {
        case .limitExceeded, .unreadable, .folder, .pipe, .notRegularFile: throw error
        case .truncated, .arithmeticOverflow, .malformed, .unsupported, .damaged, .unrecognized, .ambiguous,
            .possiblyHeaderless:
            note(
                subject.map { Diagnostic(error, Diagnostic.Code(rawValue: error.code), $0) }
                    ?? Diagnostic(error))
        }
    }

    /// Reports something once, since many messages may have the same defect, and at most as often as people read.
    private mutating func note(_ diagnostic: Diagnostic) {
        guard diagnostics.count < 32 else { return }
        if !diagnostics.contains(where: { $0.message == diagnostic.message }) {
            diagnostics.append(diagnostic)
        }
    }

    // MARK: Messages by type

    /// The types of messages that are read.
    static var types: [String] { readers.keys.sorted() }

    private typealias Reader = @Sendable (inout BagContents, BagMessage) throws(ContainerError) -> Void

    private static let readers: [String: Reader] = [
        "sensor_msgs/Image": { (contents, message) throws(ContainerError) in
            try contents.takeImage(message, isCompressed: false)
        },
        "sensor_msgs/CompressedImage": { (contents, message) throws(ContainerError) in
            try contents.takeImage(message, isCompressed: true)
        },
        "sensor_msgs/CameraInfo": { (contents, message) throws(ContainerError) in
            try contents.takeCamera(message)
        },
        "tf2_msgs/TFMessage": { (contents, message) throws(ContainerError) in
            try contents.takeTransforms(message)
        },
        "tf/tfMessage": { (contents, message) throws(ContainerError) in
            try contents.takeTransforms(message)
        },
        "nav_msgs/Odometry": { (contents, message) throws(ContainerError) in
            try contents.takeBody(message, hasChild: true)
        },
        "geometry_msgs/PoseStamped": { (contents, message) throws(ContainerError) in
            try contents.takeBody(message, hasChild: false)
        },
        "geometry_msgs/Transform": { (contents, message) throws(ContainerError) in
            guard contents.places[message.topic] == nil else { return }
            let bytes = try message.prefix(64)
            var cursor = try MessageCursor(bytes.span, contents.topics[message.topic].encoding)
            contents.places[message.topic] = try cursor.readPose()
        },
        "std_msgs/Float32": { (contents, message) throws(ContainerError) in
            try contents.takeNumber(message)
        },
        "std_msgs/String": { (contents, message) throws(ContainerError) in
            try contents.takeText(message)
        },
    ]

    private mutating func takeImage(_ message: BagMessage, isCompressed: Bool) throws(ContainerError) {
        let start = try message.prefix(ImageMessage.headSize)
        var cursor = try MessageCursor(start.span, topics[message.topic].encoding)
        let image =
            isCompressed
            ? try ImageMessage(compressed: &cursor, start, byteCount: message.range.count, limits)
            : try ImageMessage(&cursor, byteCount: message.range.count, limits)
        if streams[message.topic] == nil { try names.count(image.frame) }
        var stream = streams[message.topic] ?? ImageStream(kind: image.kind, frame: image.frame)
        guard stream.kind == image.kind else {
            throw cursor.failure(
                .unsupported(feature: "the topic \(topics[message.topic].name) with images of several kinds"))
        }
        imageCount += 1
        try limits.check(.frames, imageCount)
        streams[message.topic] = nil
        stream.images.append(
            Stamped(time: image.time > 0 ? image.time : message.time, part: message.part(image.data)))
        streams[message.topic] = stream
    }

    private mutating func takeCamera(_ message: BagMessage) throws(ContainerError) {
        guard cameras[message.topic] == nil else { return }
        let bytes = try bytes(of: message)
        var cursor = try MessageCursor(bytes.span, topics[message.topic].encoding)
        cameras[message.topic] = try CameraMessage(&cursor)
    }

    private mutating func takeTransforms(_ message: BagMessage) throws(ContainerError) {
        let bytes = try bytes(of: message)
        var cursor = try MessageCursor(bytes.span, topics[message.topic].encoding)
        for _ in 0..<(try cursor.readUInt32()) {
            let (time, parent) = try cursor.readHeader()
            let child = try cursor.readText()
            guard let pose = try cursor.readPose() else { continue }
            if !transforms.holds(child) {
                try names.count(child)
                try names.count(parent)
            }
            if transforms.add(pose, of: child, in: parent, at: time) { try countPose() }
        }
    }

    private mutating func takeBody(_ message: BagMessage, hasChild: Bool) throws(ContainerError) {
        let bytes = try message.prefix(ImageMessage.headSize)
        var cursor = try MessageCursor(bytes.span, topics[message.topic].encoding)
        let (time, _) = try cursor.readHeader()
        let child = hasChild ? try cursor.readText() : nil
        guard let pose = try cursor.readPose() else { return }
        try countPose()
        if let child, bodies[message.topic] == nil { try names.count(child) }
        bodies[message.topic, default: BodyPoses(frame: child)].samples.append(
            (time > 0 ? time : message.time, pose))
    }

    private mutating func countPose() throws(ContainerError) {
        poseCount += 1
        try limits.check(.frames, poseCount)
    }

    /// RealSense's recorder stores each option of a sensor as a topic.
    private mutating func takeNumber(_ message: BagMessage) throws(ContainerError) {
        guard metersPerUnit == nil, topics[message.topic].isDepthUnits else { return }
        let bytes = try message.prefix(16)
        var cursor = try MessageCursor(bytes.span, topics[message.topic].encoding)
        setUnit(try cursor.readFloat())
    }

    private mutating func setUnit(_ meters: Double?) {
        if let meters, meters > 1e-7, meters < 1 { metersPerUnit = meters }
    }

    /// RealSense's SDK records cameras, transforms and options as texts from version 2.57 on: a number, or `name=value;…`. The
    /// unit beside a depth map takes precedence over the option.
    private mutating func takeText(_ message: BagMessage) throws(ContainerError) {
        let (index, topic) = (message.topic, topics[message.topic])
        guard topic.name.hasPrefix("/device_") else { return }
        let path = topic.path
        let isCamera = path.last == "camera_info" && cameras[index] == nil
        let isPlace = path.contains("tf") && places[index] == nil
        let isUnit = topic.isDepthUnits && metersPerUnit == nil
        let isOfDepth =
            path.last == "metadata" && path.contains { $0.hasPrefix("Depth_") } && !hasReadDepthText
        guard isCamera || isPlace || isUnit || isOfDepth else { return }
        let bytes = try bytes(of: message)
        var cursor = try MessageCursor(bytes.span, topic.encoding)
        let text = try cursor.readText()
        if isUnit { return setUnit(Double(text)) }
        let fields = Dictionary(
            text.split(separator: ";").compactMap { field -> (Substring, Substring)? in
                let parts = field.split(separator: "=", maxSplits: 1)
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }
        ) { first, _ in first }
        if isCamera {
            cameras[index] = try CameraMessage(fields, cursor)
        } else if isOfDepth {
            hasReadDepthText = true
            setUnit(fields["depth_units"].flatMap { Double($0) })
        } else {
            let numbers = (fields["rotation"]?.numbers ?? []) + (fields["translation"]?.numbers ?? [])
            guard numbers.count == 12 else {
                throw cursor.malformed("transform has \(numbers.count) numbers instead of 12")
            }
            // The rotation is stored column by column.
            places[index] = CameraPose(
                columns: (0..<3).map { SIMD3(numbers[3 * $0], numbers[3 * $0 + 1], numbers[3 * $0 + 2]) },
                translation: SIMD3(numbers[9], numbers[10], numbers[11]), .cameraToWorldOpenCV)
        }
    }

    /// All bytes of a message that is not an image.
    private func bytes(of message: BagMessage) throws(ContainerError) -> [UInt8] {
        try limits.check(.metadataBytes, message.range.count, at: message.range.lowerBound)
        return try message.prefix(message.range.count)
    }
}

/// The poses of a body in a world.
struct BodyPoses {
    /// The body's frame of coordinates; `nil` if the messages do not name it.
    var frame: String?
    var samples: [(time: Double, pose: CameraPose)] = []
}
