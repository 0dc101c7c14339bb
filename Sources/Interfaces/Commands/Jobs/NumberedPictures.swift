internal import Isobath
internal import Sequences

/// Picture files as frames at a constant rate.
final class NumberedPictures: FrameSource, @unchecked Sendable {
    let description: SequenceDescription
    let diagnostics: [Diagnostic] = []
    private let paths: [String]
    private let rate: Double
    private let limits: DecodingLimits
    private var index = -1

    init(_ paths: [String], rate: Double, limits: DecodingLimits) {
        (self.paths, self.rate, self.limits) = (paths, rate, limits)
        var description = SequenceDescription(layout: "numbered pictures")
        (description.frameCount, description.rate) = (paths.count, rate)
        self.description = description
    }

    func advance() throws -> Double? {
        guard index + 1 < paths.count else { return nil }
        index += 1
        return Double(index) / rate
    }

    func read(_ parts: FrameParts, into frame: inout SequenceFrame) throws {
        frame.clear()
        (frame.index, frame.time) = (index, Double(index) / rate)
        guard parts.contains(.color) else { return }
        do {
            frame.color = FramePlane(try openInputPicture(paths[index], limits: limits).image())
        } catch let error as ContainerError {
            throw FileFailure(file: paths[index], error: error)
        }
    }
}

extension FramePlane<RGB<UInt8>> {
    /// Converts a picture to 8 bits per sample.
    init(_ picture: ColorImage) {
        self.init(width: picture.width, height: picture.height, samples: picture.eightBitPixels)
    }
}
