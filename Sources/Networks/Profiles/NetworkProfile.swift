package import DepthCore

/// How a picture becomes what a network expects, and what its answer means. The file itself says neither.
package struct NetworkProfile: Codable, Hashable, Sendable {
    /// What the answer means.
    package enum Meaning: String, CaseIterable, Codable, Hashable, Sendable {
        /// A linear function of disparity whose factor and offset are unknown; near is large.
        case affineDisparity = "affine-disparity"
        /// Meters, as far as the network was right about the scale.
        case depth
        /// The share of the subject, 0…1.
        case matte
        /// A number for each class, of the picture as a whole.
        case classes
        /// Boxes (center and size, in pixels of the input) and a number for each class, in one tensor: YOLO's head.
        case boxes = "yolo"
        /// Rows of six: corners in pixels of the input, a number, a class. What YOLO gives after its own suppression.
        case rows = "yolo-end-to-end"
        /// Boxes, numbers and classes as outputs of their own: SSD's, as shares of the picture.
        case corners = "ssd"
    }

    /// How a picture is brought to the size of the input.
    package enum Fitting: String, CaseIterable, Codable, Hashable, Sendable {
        /// Both sides by themselves: the shape changes.
        case stretch
        /// The shorter side to ``size``, where the network takes any size: the shape stays, but for rounding.
        case shortSide = "short-side"
        /// As large as fits, in the middle of gray: the shape stays.
        case letterbox
    }

    /// What codes are divided by.
    package enum Divisor: Codable, Hashable, Sendable {
        /// A number; 255 makes them 0…1.
        case number(Float)
        /// The largest code of the picture, as U²-Net was trained.
        case maximum
    }

    /// What is done to each number of the answer.
    package enum Activation: String, CaseIterable, Codable, Hashable, Sendable {
        case none
        /// 1/(1 + e⁻ˣ): the file ends before it.
        case sigmoid
        /// What is smallest becomes 0 and what is largest 1.
        case stretch
        /// ``sigmoid``, then ``stretch``.
        case stretchedSigmoid = "stretched-sigmoid"
    }

    /// The name, as in `--model-profile`.
    package var name: String
    /// What the answer means.
    package var meaning: Meaning
    /// The side of the input where the file leaves it open, in pixels.
    package var size: Int
    /// What sides are multiples of, where the file leaves them open.
    package var multiple = 1
    /// How the picture is brought there.
    package var fitting = Fitting.stretch
    /// The filter that does it.
    package var filter = ResamplingFilter.bilinear
    /// What codes are divided by.
    package var divisor = Divisor.number(255)
    /// What is taken from red, green and blue then.
    package var mean: [Float] = [0, 0, 0]
    /// What they are divided by in the end.
    package var deviation: [Float] = [1, 1, 1]
    /// Whether blue comes first.
    package var isBlueFirst = false
    /// What is done to each number of the answer.
    package var activation = Activation.none
    /// The output that is the answer; `nil` for the first that can be.
    package var output: String?
    /// The output that is the focal length, in pixels of the input; `nil` where there is none.
    package var focalLengthOutput: String?
    /// The names of classes, by number.
    package var labels: [String] = []
}

extension NetworkProfile {
    /// What a picture of `meaning` is used for, in words.
    package var purpose: String {
        switch meaning {
        case .affineDisparity: "disparity, scale and shift unknown (affine)"
        case .depth: "depth in meters, inexact"
        case .matte: "matte"
        case .classes: "classes of the picture"
        case .boxes, .rows, .corners: "boxes with classes"
        }
    }

    /// Throws ``NetworkError/purpose(needed:network:)`` where the answer is something else.
    func require(_ needed: NetworkError.Answer) throws(NetworkError) {
        let meanings: [Meaning] =
            switch needed {
            case .depth: [.affineDisparity, .depth]
            case .matte: [.matte]
            case .depthOrMatte: [.affineDisparity, .depth, .matte]
            case .objects: [.classes, .boxes, .rows, .corners]
            }
        guard meanings.contains(meaning) else { throw .purpose(needed: needed, network: purpose) }
    }
}
