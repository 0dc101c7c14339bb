internal import Bytes
internal import DepthTypes
internal import Scenes

/// TartanAir, rendered flights: `image_left/NNNNNN_left.png`, `depth_left/NNNNNN_left_depth.npy` in meters, and `pose_left.txt`.
///
/// Line n of the poses is frame n: `tx ty tz qx qy qz qw`, camera to world, both with x forward, y right and z down. Both are
/// converted to OpenCV's axes. All cameras have a focal length of 320 pixels of 640 × 480.
enum TartanAirReader: RecordingLayoutReader {
    private static let poses = "pose_left.txt"

    static func recognizes(_ folder: RecordingFolder) -> Bool {
        folder.folders.isSuperset(of: ["image_left", "depth_left"])
    }

    static func read(
        _ folder: RecordingFolder, _ reading: ReadingOptions, _ limits: DecodingLimits
    ) throws(ContainerError) -> RecordingDraft {
        var draft = RecordingDraft(.tartanAir)
        draft.coding.depth.isUnitCertain = false
        let (depth, color) = (folder.folder("depth_left"), folder.folder("image_left"))
        var flight: [CameraPose?] = []
        if folder.holds(poses) {
            draft.convention = .cameraToWorldOpenCV
            try forEachLine(of: poses, in: folder, limits, &draft) { line, _ in
                let numbers = line.numbers
                flight.append(numbers.flatMap(pose))
                return numbers?.count == 7
            }
        }
        for name in depth?.files ?? [] where ["npy", "png"].contains(name.pathExtension) {
            guard let number = Int(name.prefix { $0.isASCII && $0.isNumber }) else { continue }
            var frame = RecordedFrame(number: number)
            frame.depth = depth?.part(name)
            frame.color = color?.part("\(padded(number, to: 6))_left", anyOf: ["png", "jpg"])
            if flight.indices.contains(number) { frame.pose = flight[number] }
            try draft.append(frame, limits)
        }
        draft.intrinsics = Intrinsics(fx: 320, fy: 320, cx: 320, cy: 240)
        draft.cameraFrame = PixelSize(width: 640, height: 480)
        draft.cameraOrigin = .assumed
        draft.note(
            .assumedCamera,
            "the recording names no camera: assuming the one of TartanAir, 320 px of 640 × 480")
        return draft
    }

    private static func pose(_ numbers: [Double]) -> CameraPose? {
        guard numbers.count == 7,
            let flown = CameraPose(
                quaternion: SIMD4(numbers[3], numbers[4], numbers[5], numbers[6]),
                translation: SIMD3(numbers[0], numbers[1], numbers[2]), .cameraToWorldOpenCV)
        else { return nil }
        // The columns of the rotation are the directions of x, y and z: forward, right and down.
        func turned(_ vector: SIMD3<Double>) -> SIMD3<Double> { SIMD3(vector.y, vector.z, vector.x) }
        return CameraPose(
            right: turned(flown.down), down: turned(flown.forward), forward: turned(flown.right),
            position: turned(flown.position))
    }
}
