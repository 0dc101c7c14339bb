internal import DepthMaps
internal import Recordings
internal import Scenes

/// How sharp pictures of a recording are, to choose among neighbors in time.
struct Sharpness {
    /// The mean square of the differences between neighbors, in green; -1 without a picture that can be decoded.
    let energies: [Double]

    /// Decodes the pictures of all frames of a recording.
    init(_ recording: Recording) throws {
        var energies: [Double] = []
        try recording.checkMovie()
        let frames = RecordingReader(recording, indices: Array(recording.frames.indices))
        try SceneLoop().forEach(frames, [.picture]) { frame in
            Self.energy(of: FramePlane(try frame.color()))
        } _: { frame in
            energies.append((try? frame.result.get()) ?? -1)
        }
        guard !Interruption.isRequested else { throw FusionError.interrupted }
        self.energies = energies
    }

    private static func energy(of picture: FramePlane<RGB<UInt8>>) -> Double {
        let (width, height) = (picture.width, picture.height)
        guard width > 1, height > 1 else { return -1 }
        let pixels = picture.samples.span
        var sum = 0
        for row in 0..<height - 1 {
            let first = row * width
            for place in first..<first + width - 1 {
                let green = Int(pixels[place].green)
                let across = Int(pixels[place + 1].green) - green
                let down = Int(pixels[place + width].green) - green
                sum += across * across + down * down
            }
        }
        return Double(sum) / Double((width - 1) * (height - 1))
    }
}
