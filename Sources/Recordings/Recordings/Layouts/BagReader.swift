internal import Bytes
internal import DepthTypes
internal import Movies
internal import Scenes

/// A recording of ROS: a bag of ROS 1, an MCAP file, or a database of rosbag2, from any recorder, also RealSense's SDK.
///
/// Depth, pictures, their cameras and poses are topics, chosen by type and name. Images are paired by the times of their
/// headers: the recorder's times are later by the delay of USB and the driver. Depth that another camera measured is
/// registered to the pictures' view if the bag has the relative pose of both cameras: in `/tf_static`, or in the topics
/// `tf` of RealSense's recorder, which map coordinates of one camera of the device, the same for all streams, to
/// coordinates of the stream's camera. The bag is read once from its first byte to its last.
enum BagReader {
    /// Depth and pictures of cameras that are synchronized are paired up to this difference of their times, in seconds.
    private static let usualTolerance = 0.02
    /// Others are paired up to half of the time between frames, but never beyond this.
    private static let longestTolerance = 0.1

    static func recognizes(_ start: [UInt8]) -> Bool { BagFormat(recognizing: start) != nil }

    /// Reads a bag in one file.
    static func read(
        _ source: any ByteSource, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        var contents = BagContents(limits)
        let layout = try BagFormat.list(source, into: &contents)
        return try draft(of: contents, layout, reading)
    }

    /// The recording in the topics of one or more files.
    static func draft(
        of contents: BagContents, _ layout: RecordingLayout, _ reading: ReadingOptions
    ) throws(ContainerError) -> RecordingDraft {
        let isOfRealSense = contents.topics.contains(where: \.isOfRealSenseRecorder)
        var draft = RecordingDraft(layout == .rosBag && isOfRealSense ? .realSenseBag : layout)
        if contents.isCutOff {
            draft.warn(
                .cutOff, "the bag is cut off: its end is missing; the messages before the cut are read")
        }
        let choice = try BagTopicChoice(contents, wanted: reading.topics)
        let depth = choice.depth.flatMap { contents.streams[$0] }
        let color = choice.color.flatMap { contents.streams[$0] }
        guard depth != nil || color != nil else { throw noImages(contents) }
        draft.topics = contents.topics
        draft.mark(choice.depth, .depth)
        draft.mark(choice.color, .color)
        describe(depth, color, contents, &draft)
        try addFrames(depth?.images ?? [], color?.images ?? [], &draft, contents.limits)
        let view = describeCameras(choice, contents, &draft)
        addPoses(choice, of: view, contents, &draft)
        if !choice.otherDepth.isEmpty, let depth = choice.depth {
            let others = choice.otherDepth.prefix(8).map { contents.topics[$0].name }.joined(separator: ", ")
            draft.note(
                .otherTopics, "depth is read from \(contents.topics[depth].name), and not from \(others)")
        }
        draft.diagnostics += contents.diagnostics
        return draft
    }

    private static func noImages(_ contents: BagContents) -> ContainerError {
        if let error = contents.diagnostics.lazy.compactMap(\.error).first { return error }
        return ContainerError(
            .unrecognized(
                detail: "this bag has no depth and no pictures that can be read" + unreadImages(contents)
                    + (contents.isCutOff ? "; it is cut off: its end is missing" : "")))
    }

    /// Names a topic with images in an encoding that is not read, and what to do.
    private static func unreadImages(_ contents: BagContents) -> String {
        for topic in contents.topics where topic.type.contains("Image") {
            guard let name = topic.encoding.unreadName else { continue }
            return
                ": the messages of \(topic.name) are encoded as '\(name.prefix(40))', and only 'cdr' and 'ros1' are read; "
                + "record or convert them as messages of ROS"
        }
        return ""
    }

    /// How depth and pictures are stored.
    private static func describe(
        _ depth: BagContents.ImageStream?, _ color: BagContents.ImageStream?, _ contents: BagContents,
        _ draft: inout RecordingDraft
    ) {
        if let depth, case .depth(let storage, let rows, let isCertain) = depth.kind.content {
            draft.coding.depth.storage = storage
            draft.coding.depth.rows = rows
            draft.coding.depth.isUnitCertain = isCertain
            draft.depthSize = depth.kind.size
            if let meters = contents.metersPerUnit {
                draft.coding.depth.unitsPerMeter = (1 / meters).roundedIfWhole
                draft.coding.depth.isUnitCertain = true
            }
        }
        guard let color else { return }
        draft.colorSize = color.kind.size
        guard case .color(let pixels, let rows) = color.kind.content else { return }
        draft.coding.color = pixels
        draft.coding.colorRows = rows
    }

    /// The median time between frames that follow one another; `nil` for fewer than two.
    private static func medianGap(_ times: [Double]) -> Double? {
        let sorted = times.sorted()
        let gaps = zip(sorted, sorted.dropFirst()).map { $1 - $0 }.sorted()
        return gaps.isEmpty ? nil : gaps[gaps.count / 2]
    }

    private static func addFrames(
        _ depths: [BagContents.Stamped], _ colors: [BagContents.Stamped], _ draft: inout RecordingDraft,
        _ limits: DecodingLimits
    ) throws(ContainerError) {
        guard !depths.isEmpty else {
            for (index, color) in colors.enumerated() {
                var frame = RecordedFrame(number: index, time: color.time)
                frame.color = color.part
                try draft.append(frame, limits)
            }
            return
        }
        let times = (depths: depths.map(\.time), colors: colors.map(\.time))
        let periods = [times.depths, times.colors].compactMap(medianGap)
        let tolerance = min(max(usualTolerance, (periods.min() ?? 0) / 2), longestTolerance)
        let partners = matchedByTime(times.depths, times.colors, within: tolerance)
        for (index, depth) in depths.enumerated() {
            var frame = RecordedFrame(number: index, time: depth.time)
            frame.depth = depth.part
            frame.color = partners[index].map { colors[$0].part }
            try draft.append(frame, limits)
        }
        let count = colors.count
        guard count > 0 else { return }
        let gaps = partners.enumerated().compactMap { index, partner in
            partner.map { abs(times.colors[$0] - times.depths[index]) }
        }.sorted()
        let within = "within \(Int((tolerance * 1000).rounded())) ms of a depth map"
        if let median = gaps.isEmpty ? nil : gaps[gaps.count / 2], median > usualTolerance {
            draft.note(
                .unsynchronized,
                "pictures were taken \(Int((median * 1000).rounded())) ms before or after their depth maps (median)"
            )
        }
        if partners.allSatisfy({ $0 == nil }) {
            draft.warn(
                .unusedParts,
                count == 1
                    ? "the only picture is not \(within): it is skipped"
                    : "none of \(count) pictures is \(within): they are skipped")
        } else {
            let unused = count - partners.count { $0 != nil }
            guard unused > 0 else { return }
            draft.note(
                .unusedParts,
                "\(unused) of \(count) pictures \(unused == 1 ? "is" : "are") not \(within) that has no nearer one, and skipped"
            )
        }
    }

    /// Registers depth to the pictures' view if it is measured by another camera, and both cameras are known. Otherwise depth
    /// stays as measured, with the depth camera. Returns the topic whose camera the frames have.
    private static func describeCameras(
        _ choice: BagTopicChoice, _ contents: BagContents, _ draft: inout RecordingDraft
    ) -> Int? {
        guard let depth = choice.depth, let color = choice.color,
            draft.frames.contains(where: { $0.color != nil }), let stream = contents.streams[depth]
        else {
            let only = choice.depth ?? choice.color
            use(only.flatMap(contents.camera), of: only, contents, &draft)
            return only
        }
        let isAligned =
            contents.sharesView(depth, color) || BagTopicChoice.isAligned(contents.topics[depth].name)
        if isAligned {
            use(contents.camera(of: color) ?? contents.camera(of: depth), of: color, contents, &draft)
            return color
        }
        let picture = contents.streams[color]?.kind.size
        if let pair = contents.cameras(depth, color), let measured = stream.kind.size,
            let picture = picture ?? contents.camera(of: color)?.size
        {
            let grid = RegisteredGrid(pair, color: picture)
            draft.coding.registration = CameraRegistration(cameras: pair, depth: measured, color: picture)
            draft.depthSize = grid.size
            draft.intrinsics = pair.color.camera
            draft.cameraFrame = picture
            draft.diagnostics.append(grid.note)
            return color
        }
        use(contents.camera(of: depth), of: depth, contents, &draft)
        draft.warn(
            MovieSource.differentViewCode,
            "the bag does not say how the depth camera and the pictures' camera lie to each other: they show different views"
        )
        return depth
    }

    private static func use(
        _ camera: CameraMessage?, of topic: Int?, _ contents: BagContents, _ draft: inout RecordingDraft
    ) {
        guard let camera, let topic else { return }
        draft.intrinsics = camera.intrinsics
        draft.cameraFrame = camera.size
        guard let model = camera.unreadLens else { return }
        draft.warn(
            .assumedCamera,
            "the lens of \(contents.topics[topic].name) is of the model '\(model.prefix(40))', which is not corrected: points near its edges are moved"
        )
    }

    // MARK: Poses

    /// Adds the poses of a topic's camera: of the frames of coordinates in `/tf`, or those of a body.
    private static func addPoses(
        _ choice: BagTopicChoice, of view: Int?, _ contents: BagContents, _ draft: inout RecordingDraft
    ) {
        let camera = view.flatMap { contents.streams[$0]?.frame } ?? ""
        if choice.body == nil, let path = contents.transforms.path(of: camera), draft.usePoses(along: path) {
            for index in contents.topics.indices where contents.topics[index].type.hasPrefix("tf") {
                draft.mark(index, .poses)
            }
            return
        }
        for topic in choice.body.map({ [$0] }) ?? contents.rankedBodies {
            guard let body = contents.bodies[topic] else { continue }
            let name = contents.topics[topic].name
            let offset = contents.pose(of: camera, on: body)
            // Messages that name no body are often those of a camera.
            let isCamera = body.frame.map(TransformTree.isOptical) ?? true
            let path = TransformPath(
                body.samples, cameraOnBody: offset ?? (isCamera ? .identity : .cameraOnBody))
            guard draft.usePoses(along: path) else { continue }
            draft.mark(topic, .poses)
            guard offset == nil else { return }
            if !isCamera { draft.convention = .rosBody }
            draft.warn(
                .assumedPoses,
                "nothing says how the camera lies to the body of \(name)\(body.frame.map { ", \($0)" } ?? ""): its poses are treated as "
                    + (isCamera
                        ? "the camera's, with axes as in OpenCV"
                        : "those of a camera at its origin that looks along its x axis (REP 103)")
            )
            return
        }
    }
}

extension RecordingDraft {
    /// Notes that a topic is used.
    fileprivate mutating func mark(_ topic: Int?, _ role: BagTopic.Role) {
        if let topic { topics?[topic].role = role }
    }

    /// Gives all frames the pose at their time. Returns whether any of them has one; otherwise nothing changes.
    fileprivate mutating func usePoses(along path: TransformPath) -> Bool {
        let poses = frames.map { frame in frame.time.flatMap(path.pose) }
        guard poses.contains(where: { $0 != nil }) else { return false }
        for (index, pose) in poses.enumerated() { frames[index].pose = pose }
        convention = .cameraToWorldOpenCV
        return true
    }
}

extension BagContents {
    /// Both cameras, if their relative pose and their lenses are known.
    fileprivate func cameras(_ depth: Int, _ color: Int) -> CameraPair? {
        guard let depthCamera = camera(of: depth), depthCamera.size == streams[depth]?.kind.size,
            let colorCamera = camera(of: color),
            colorCamera.size == streams[color]?.kind.size ?? colorCamera.size,
            let between = between(depth, color), let measuring = depthCamera.lens(at: .identity),
            let picturing = colorCamera.lens(at: between)
        else { return nil }
        return CameraPair(depth: measuring, color: picturing)
    }

    /// From the coordinates of the depth camera to those of the pictures' camera.
    private func between(_ depth: Int, _ color: Int) -> CameraPose? {
        let (from, to) = (places(of: depth), places(of: color))
        if let reference = Set(from.keys).intersection(to.keys).min(), let from = from[reference],
            let to = to[reference]
        {
            return to.appending(from.inverse)
        }
        guard let from = streams[depth]?.frame, let to = streams[color]?.frame else { return nil }
        return transforms.fixedPose(of: from, in: to)
    }

    /// The transforms of a stream of RealSense's recorder, by the camera that they are relative to: of
    /// `/device_0/sensor_0/Depth_0/tf/0` for its images.
    private func places(of index: Int) -> [Substring: CameraPose] {
        let path = topics[index].path
        let own = places.compactMap { topic, place -> (Substring, CameraPose)? in
            let parts = topics[topic].path
            let base = parts.prefix { $0 != "tf" }
            return base.count < parts.count && path.starts(with: base) ? (parts[parts.count - 1], place) : nil
        }
        return Dictionary(own) { first, _ in first }
    }

    /// The topics of bodies: those that name the body's frame first, then those of more poses.
    fileprivate var rankedBodies: [Int] {
        bodies.keys.filter { bodies[$0]?.samples.count ?? 0 > 1 }.sorted {
            rank($0).lexicographicallyPrecedes(rank($1))
        }
    }

    private func rank(_ body: Int) -> [Int] {
        [bodies[body]?.frame == nil ? 1 : 0, -(bodies[body]?.samples.count ?? 0), body]
    }

    /// The pose of a camera's frame of coordinates on a body; `nil` if nothing connects them.
    fileprivate func pose(of camera: String, on body: BodyPoses) -> CameraPose? {
        guard let frame = body.frame, !frame.isEmpty, !camera.isEmpty else { return nil }
        return transforms.fixedPose(ofCamera: camera, in: frame)
    }
}

extension Double {
    /// Rounds a number that is an integer except for Float32 errors; others are unchanged. 1 / 0.001 as Float32 is not 1,000.
    fileprivate var roundedIfWhole: Double { abs(self - rounded()) < 1e-6 * abs(self) ? rounded() : self }
}
