internal import Bytes
internal import DepthTypes

/// The topics of a bag that a recording is read from.
struct BagTopicChoice {
    private(set) var depth: Int?
    private(set) var color: Int?
    /// Poses of a body; `nil` for those of `/tf`, if there are any.
    private(set) var body: Int?
    /// Further topics of depth.
    private(set) var otherDepth: [Int] = []

    private let contents: BagContents

    /// Chooses topics by their type and name. Those that are named in `wanted` take precedence over others of their kind.
    ///
    /// Throws if there is no such topic, or if it has neither images nor poses.
    init(_ contents: BagContents, wanted: [String]) throws(ContainerError) {
        self.contents = contents
        for name in wanted { try choose(name) }
        let isGiven = (depth: depth != nil, color: color != nil)
        let depths = contents.streams.filter(\.value.kind.content.isDepth).keys.sorted()
        if !isGiven.depth { depth = best(of: depths.filter(isPlausibleDepth), by: depthRank) }
        otherDepth = isGiven.depth ? [] : depths.filter { $0 != depth }
        guard !isGiven.color else { return }
        let colors = contents.streams.filter { !$0.value.kind.content.isDepth }.keys.sorted()
        color = best(of: colors, by: colorRank)
    }

    private mutating func choose(_ name: String) throws(ContainerError) {
        let topics = contents.topics
        guard let index = topics.firstIndex(where: { $0.name == name || $0.name == "/" + name }) else {
            let names = topics.prefix(20).map(\.name).joined(separator: ", ")
            throw ContainerError(
                .unrecognized(
                    detail:
                        "there is no topic '\(name)'; the topics are \(names)\(topics.count > 20 ? ", …" : "")"
                ))
        }
        if let stream = contents.streams[index] {
            if stream.kind.content.isDepth { depth = index } else { color = index }
        } else if contents.bodies[index] != nil {
            body = index
        } else {
            throw ContainerError(
                .unrecognized(
                    detail:
                        "the topic '\(name)' of type \(topics[index].type) has neither images nor poses that can be read"
                ))
        }
    }

    /// The candidate of the highest rank, the first of several.
    private func best(of candidates: [Int], by rank: (Int) -> [Int]) -> Int? {
        var best: (index: Int, rank: [Int])?
        for index in candidates {
            let rank = rank(index)
            if let best, !best.rank.lexicographicallyPrecedes(rank) { continue }
            best = (index, rank)
        }
        return best?.index
    }

    private func name(_ index: Int) -> String { contents.topics[index].name.lowercased() }

    /// Infrared pictures and maps of confidence or disparity have the encodings of depth.
    private func isPlausibleDepth(_ index: Int) -> Bool {
        let others = ["infra", "confidence", "disparity", "amplitude", "intensity"]
        return !others.contains(where: name(index).contains)
            && !contents.topics[index].path.contains { $0.lowercased() == "ir" }
    }

    /// Depth in the pictures' view first, then what is called depth, then the most images, then plain samples.
    private func depthRank(_ index: Int) -> [Int] {
        let isAligned =
            Self.isAligned(name(index))
            || contents.streams.contains { $0.key != index && contents.sharesView(index, $0.key) }
        return [
            isAligned ? 1 : 0, name(index).contains("depth") ? 1 : 0,
            contents.streams[index]?.images.count ?? 0,
            contents.topics[index].type == "sensor_msgs/Image" ? 1 : 0,
        ]
    }

    /// Pictures in the view of the depth first, then those beside it, then what is called color, then those with color, then
    /// the nearest in the tree of names, then the most images, then plain pixels.
    private func colorRank(_ index: Int) -> [Int] {
        let name = name(index)
        let (sharesView, shared) =
            depth.map { (contents.sharesView($0, index), contents.sharedParts($0, index)) } ?? (false, 0)
        let isGray =
            if case .color(.gray, _)? = contents.streams[index]?.kind.content { true } else { false }
        return [
            sharesView ? 1 : 0, shared > 0 ? 1 : 0, name.contains("color") || name.contains("rgb") ? 1 : 0,
            isGray ? 0 : 1, shared, contents.streams[index]?.images.count ?? 0,
            contents.topics[index].type == "sensor_msgs/Image" ? 1 : 0,
        ]
    }

    /// Whether a topic's name says that its depth is in the pictures' view: the names of realsense-ros, openni and
    /// Azure Kinect's driver.
    static func isAligned(_ name: String) -> Bool {
        ["aligned_depth", "depth_registered", "depth_to_rgb", "depth_to_color"].contains(
            where: name.lowercased().contains)
    }
}

extension BagContents {
    /// Whether images of two topics have the same frame of coordinates, one of depth and one of pictures. RealSense's own
    /// recorder gives all streams the same name.
    func sharesView(_ index: Int, _ other: Int) -> Bool {
        guard let stream = streams[index], let another = streams[other],
            stream.kind.content.isDepth != another.kind.content.isDepth,
            !stream.frame.isEmpty, !topics[index].isOfRealSenseRecorder
        else { return false }
        return stream.frame == another.frame
    }

    /// How many parts the names of two topics have in common at their start.
    func sharedParts(_ index: Int, _ other: Int) -> Int {
        zip(topics[index].path, topics[other].path).prefix { $0 == $1 }.count
    }

    /// The camera of a topic's images: of the topic `camera_info` beside it or nearest above it, else the one of the same
    /// frame of coordinates. `nil` if missing.
    func camera(of index: Int) -> CameraMessage? {
        let path = topics[index].path
        var best: (depth: Int, camera: CameraMessage)?
        for (topic, camera) in cameras.sorted(by: { $0.key < $1.key }) {
            // RealSense's recorder has image/data and info/camera_info.
            var base = topics[topic].path.dropLast()
            if base.last == "info" { base.removeLast() }
            let isBeside = path.starts(with: base) && (!base.isEmpty || path.count == 1)
            let isSameFrame =
                !camera.frame.isEmpty && camera.frame == streams[index]?.frame
                && !topics[index].isOfRealSenseRecorder
            guard isBeside || isSameFrame else { continue }
            let depth = isBeside ? base.count + 1 : 0
            if depth > best?.depth ?? -1 { best = (depth, camera) }
        }
        let isRectified = path.contains { $0.hasPrefix("image_rect") }
        return isRectified ? best?.camera.ofRectified : best?.camera
    }
}

extension BagTopic {
    /// Whether RealSense's SDK recorded it, as `/device_0/sensor_0/Depth_0/image/data`.
    var isOfRealSenseRecorder: Bool { name.hasPrefix("/device_") && path.count > 3 }
}
