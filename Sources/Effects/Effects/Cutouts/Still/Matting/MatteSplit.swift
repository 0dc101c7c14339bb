internal import DepthMaps

/// How a matte divides the pixels of a photo into its subject and what is behind it.
struct MatteSplit: Sendable {
    /// The part of a pixel that is the subject, in two bytes: there is one for each pixel of a photo.
    struct Share: Hashable, BitwiseCopyable, Sendable {
        private let bits: UInt16

        private init(_ opacity: UInt8, isMixed: Bool, isDecided: Bool) {
            bits = UInt16(opacity) | (isMixed ? 0x100 : 0) | (isDecided ? 0x200 : 0)
        }

        /// The matte does not divide the pixel.
        static let unsplit = Share(255, isMixed: false, isDecided: false)
        /// The pixel is background near the subject.
        static let background = Share(255, isMixed: false, isDecided: true)

        /// The subject covers the pixel partly. Faint coverage is reduced, to nothing at ``MatteBoundary/leastCoverage``.
        @inline(__always)
        static func mixed(_ coverage: UInt8) -> Share {
            let faint = max(Int(coverage) - Int(MatteBoundary.leastCoverage), 0) * 2
            return Share(UInt8(min(Int(coverage), faint)), isMixed: true, isDecided: true)
        }

        /// The part of the pixel, of 255, that has its value.
        @inline(__always)
        var opacity: UInt8 { UInt8(truncatingIfNeeded: bits) }
        /// Whether the rest is background, whose value is around it: the pixel is covered partly, or touches one that is.
        @inline(__always)
        var isMixed: Bool { bits & 0x100 != 0 }
        /// Whether the matte decides about the pixel: then its edges are the matte's and not the map's.
        @inline(__always)
        var isDecided: Bool { bits & 0x200 != 0 }
    }

    /// For each pixel, row by row.
    let shares: [Share]
    /// The background's value around each mixed pixel.
    let background: CellGrid<Float>
}
