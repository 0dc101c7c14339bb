/// A rectangle in a picture, in fractions of its width and height from its top left corner.
public struct PictureBox: Hashable, Sendable {
    /// The fraction at which each side is.
    public var left, top, right, bottom: Double

    package init(left: Double, top: Double, right: Double, bottom: Double) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    package static let all = PictureBox(left: 0, top: 0, right: 1, bottom: 1)

    /// The part inside the picture.
    var clipped: PictureBox {
        PictureBox(
            left: min(max(left, 0), 1), top: min(max(top, 0), 1), right: min(max(right, 0), 1),
            bottom: min(max(bottom, 0), 1))
    }

    var area: Double { max(right - left, 0) * max(bottom - top, 0) }

    /// The area of the intersection divided by the area of the union.
    func overlap(with other: PictureBox) -> Double {
        let common = PictureBox(
            left: max(left, other.left), top: max(top, other.top), right: min(right, other.right),
            bottom: min(bottom, other.bottom)
        ).area
        let both = area + other.area - common
        return both > 0 ? common / both : 0
    }
}

/// An object that a network found in a picture.
public struct Detection: Hashable, Sendable {
    /// The number of its class.
    public var classNumber: Int
    /// The name of its class; `nil` if the profile has no names.
    public var label: String?
    /// The network's confidence, 0…1.
    public var confidence: Float
    /// Its position; the complete picture, for networks that return no boxes.
    public var box: PictureBox
    /// Its distance along the optical axis, in meters; `nil` if the scene has no depth in meters there.
    public var distance: Float?
    /// The width and height of its box at that distance, in meters.
    public var size: SIMD2<Float>?
}

extension [Detection] {
    /// The most confident of overlapping detections, in falling order of confidence: one is dropped if a more confident one
    /// of its class overlaps it by more than `most` of their union (non-maximum suppression).
    func suppressed(over most: Double, limit: Int = 300) -> [Detection] {
        var kept: [Detection] = []
        let order = indices.sorted { (-self[$0].confidence, $0) < (-self[$1].confidence, $1) }
        for index in order where kept.count < limit {
            let candidate = self[index]
            let isHidden = kept.contains {
                $0.classNumber == candidate.classNumber && $0.box.overlap(with: candidate.box) > most
            }
            if !isHidden { kept.append(candidate) }
        }
        return kept
    }
}
