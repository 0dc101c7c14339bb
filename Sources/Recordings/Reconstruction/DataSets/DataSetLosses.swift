internal import Bytes
internal import DepthTypes
internal import Recordings

/// The parts of a recording that its data set lacks.
struct DataSetLosses {
    /// Skipped frames without a pose.
    var unposedCount = 0
    /// Skipped frames without a picture.
    var unseenCount = 0
    private var codedCount = 0
    private var distanceCount = 0
    private var resized: (from: PixelSize, to: PixelSize)?

    mutating func add(_ encoded: EncodedFrame) {
        if encoded.isPictureCoded { codedCount += 1 }
        distanceCount += encoded.lostCount
        guard resized == nil, let old = encoded.resizedFrom else { return }
        let camera = encoded.frame.camera
        resized = (old, PixelSize(width: camera.width, height: camera.height))
    }

    /// Notes for the user.
    func diagnostics(_ frames: [DataSetFrame], _ form: DataSetForm, quality: Int) -> [Diagnostic] {
        var notes: [Diagnostic] = []
        func note(_ code: Diagnostic.Code, _ text: String) { notes.append(.note(code, text)) }
        if unposedCount > 0 {
            note(.omittedFrames, "\(Self.frames(unposedCount)) without a pose skipped")
        }
        if unseenCount > 0 {
            note(.omittedFrames, "\(Self.frames(unseenCount)) without a picture skipped")
        }
        if codedCount > 0 {
            note(
                .encodedPictures,
                "\(codedCount == 1 ? "1 picture is" : "\(codedCount) pictures are") coded as JPEG of quality \(quality), and not copied"
            )
        }
        if distanceCount > 0, let units = form.unitsPerMeter {
            note(
                .omittedSamples,
                "\(distanceCount) distances are unknown in the data set, whose depth ends at \(65.535 * 1000 / units) m"
            )
        }
        if let (old, new) = resized {
            note(
                .resizedDepth,
                "depth of \(old) is brought to the \(new) of the pictures, as TUM's readers need: each pixel has the nearest sample"
            )
        }
        return notes + Self.cameraNotes(frames, form)
    }

    private static func frames(_ count: Int) -> String { count == 1 ? "1 frame" : "\(count) frames" }

    private static func cameraNotes(_ frames: [DataSetFrame], _ form: DataSetForm) -> [Diagnostic] {
        guard let first = frames.first else { return [] }
        var notes: [Diagnostic] = []
        if form == .tum {
            let most = frames.map { $0.camera.largestDifference(from: first.camera) }.max() ?? 0
            if most > 0 {
                notes.append(
                    .note(
                        .assumedCamera,
                        "calibration.txt holds the first frame's camera; others differ by up to \((most * 100).rounded() / 100) px"
                    ))
            }
        }
        let masked = frames.count { $0.mask != nil }
        if form == .nerfstudio, masked > 0, masked < frames.count {
            notes.append(
                .note(
                    .omittedFrames,
                    "\(masked) of \(frames.count) frames have a mask, and nerfstudio reads masks only if all have one: transforms.json names none"
                ))
        }
        if let lens = first.camera.lens {
            if form == .tum {
                notes.append(.note(.assumedCamera, "the data set does not hold the distortion of the lens"))
            } else if form == .nerfstudio, !lens.isFisheye, lens.radialBelow != .zero {
                notes.append(
                    .note(
                        .assumedCamera,
                        "the lens has k4 to k6, which nerfstudio does not read: k1, k2, k3, p1 and p2 of the data set fit it best"
                    ))
            }
        }
        return notes
    }
}

extension CameraCalibration {
    /// The largest difference of focal lengths and principal points, in pixels.
    fileprivate func largestDifference(from other: CameraCalibration) -> Double {
        let differences = [
            focalLengthX - other.focalLengthX, focalLengthY - other.focalLengthY,
            principalPointX - other.principalPointX, principalPointY - other.principalPointY,
        ]
        return differences.reduce(0) { max($0, abs($1)) }
    }
}

extension Diagnostic.Code {
    /// Frames of a recording are skipped.
    static let omittedFrames: Self = "omitted-frames"
    /// Pictures are coded again.
    static let encodedPictures: Self = "encoded-pictures"
    /// Depth is brought to another size.
    static let resizedDepth: Self = "resized-depth"
}
