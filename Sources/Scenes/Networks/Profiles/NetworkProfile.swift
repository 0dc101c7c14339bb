package import DepthMaps

/// The conversion of a picture to a network's input, and the meaning of its output. The network's file declares
/// neither.
package struct NetworkProfile: Hashable, Sendable {
    /// The meaning of the output.
    package enum Meaning: String, CaseIterable, Hashable, Sendable {
        /// A linear function of disparity with unknown factor and offset; near is large.
        case affineDisparity = "affine-disparity"
        /// Meters, as far as the network's scale is right.
        case depth
        /// The coordinates of each pixel's point, in meters: x right, y down, z forward.
        case points
        /// The same, up to an unknown number that is added to all z.
        case affinePoints = "affine-points"
        /// The fraction of the subject, 0…1.
        case matte
        /// A score for each class, for the complete picture.
        case classes
        /// Boxes (center and size, in pixels of the input) and a score for each class, in one tensor: YOLO's head.
        case boxes = "yolo"
        /// Rows of six: corners in pixels of the input, a score, a class. YOLO's output after the network's non-maximum
        /// suppression.
        case rows = "yolo-end-to-end"
        /// Boxes, scores and classes as separate outputs: SSD's, in fractions of the picture.
        case corners = "ssd"
    }

    /// How a picture is scaled to the size of the input.
    package enum Fitting: String, CaseIterable, Hashable, Sendable {
        /// Both sides separately: the shape changes.
        case stretch
        /// The shorter side to ``size``, if the network takes any size: the aspect ratio stays, except for rounding.
        case shortSide = "short-side"
        /// As large as fits, in the middle of gray: the shape stays.
        case letterbox
    }

    /// The divisor of sample values.
    package enum Divisor: Hashable, Sendable {
        /// A number; 255 scales to 0…1.
        case number(Float)
        /// The largest value of the picture, as in U²-Net's training.
        case maximum
    }

    /// The function applied to each number of the answer.
    package enum Activation: String, CaseIterable, Hashable, Sendable {
        case none
        /// 1/(1 + e⁻ˣ), which the file omits.
        case sigmoid
        /// The smallest becomes 0 and the largest 1.
        case stretch
        /// ``sigmoid``, then ``stretch``.
        case stretchedSigmoid = "stretched-sigmoid"
    }

    /// The name, as in `--model-profile`.
    package var name: String
    /// The meaning of the output.
    package var meaning: Meaning
    /// The side of the input if the file does not fix it, in pixels.
    package var size: Int
    /// Sides are multiples of this, if the file does not fix them.
    package var multiple = 1
    /// How the picture is scaled.
    package var fitting = Fitting.stretch
    /// The filter for scaling.
    package var filter = ResamplingFilter.bilinear
    /// The divisor of sample values.
    package var divisor = Divisor.number(255)
    /// Subtracted from red, green and blue after the division.
    package var mean: [Float] = [0, 0, 0]
    /// Divides the differences.
    package var deviation: [Float] = [1, 1, 1]
    /// Whether blue comes first.
    package var isBlueFirst = false
    /// The function applied to each number of the answer.
    package var activation = Activation.none
    /// The output with the answer; `nil` for the first suitable one.
    package var output: String?
    /// The output with the focal length, in pixels of the input, or with a matrix of intrinsics; `nil` if missing.
    package var focalLengthOutput: String?
    /// The output with the number of meters that one unit of the answer has; `nil` if it is 1.
    package var scaleOutput: String?
    /// The output with the probability that a pixel has a depth: with 0.5 or less, it is unknown. `nil` if all have.
    package var validityOutput: String?
    /// The focal length, in pixels of the input, of the camera for which the answer is in meters. For another camera, meters
    /// are the answer times its focal length, divided by this one. `nil` if the answer is in meters for all cameras.
    package var canonicalFocalLength: Float?
    /// The value of a second input, one integer; `nil` without such an input.
    package var tokenCount: Int?
    /// The names of classes, by number.
    package var labels: [String] = []
}

extension NetworkProfile {
    /// The purpose of a network with this `meaning`, as text.
    package var purpose: String {
        switch meaning {
        case .affineDisparity: "disparity, no unit, affine: scale and shift are unknown"
        case .depth, .points, .affinePoints: "depth in meters, relative"
        case .matte: "matte"
        case .classes: "classes of the picture"
        case .boxes, .rows, .corners: "boxes with classes"
        }
    }

    /// Whether depth is in meters.
    var hasUnit: Bool { answer == .depth && meaning != .affineDisparity }

    /// Whether the network estimates the focal length, too.
    var givesFocalLength: Bool { focalLengthOutput != nil || meaning == .affinePoints }

    /// What the output is.
    package var answer: NetworkError.Answer {
        switch meaning {
        case .affineDisparity, .depth, .points, .affinePoints: .depth
        case .matte: .matte
        case .classes, .boxes, .rows, .corners: .objects
        }
    }

    /// Throws ``NetworkError/purpose(needed:network:)`` if the output is something else.
    func require(_ needed: NetworkError.Answer) throws(NetworkError) {
        guard answer == needed || (needed == .depthOrMatte && answer != .objects) else {
            throw .purpose(needed: needed, network: purpose)
        }
    }
}
