package import DepthMaps
package import DepthTypes

/// The planes of one frame of a recording, a movie or a pipe, upright, in memory that the next frame reuses. A plane that is
/// missing, or was not requested, is empty.
package struct FramePlanes: Sendable {
    /// The picture, sRGB, 8 bits a sample.
    package var color = FramePlane<RGB<UInt8>>()
    /// The right eye's picture, of the same size; ``color`` is then the left eye's.
    package var right = FramePlane<RGB<UInt8>>()
    /// Distances along the optical axis, `nan` where unknown. Registered to the picture: both show the same view, possibly at
    /// different sizes.
    package var depth = FramePlane<Float>()
    /// How many samples of depth are stored of each kind.
    package var counts = SampleCounts()
    /// How far each sample of ``depth`` can be trusted, on its grid: 0 low, 1 medium, 2 high.
    package var confidence = FramePlane<UInt8>()
    /// The subject's fraction of each pixel, 0…255, possibly at another size than the picture.
    package var matte = FramePlane<UInt8>()
    /// The fraction of skin, like ``matte``.
    package var skin = FramePlane<UInt8>()
    /// The fraction of sky, like ``matte``.
    package var sky = FramePlane<UInt8>()

    /// No planes.
    package init() {}

    /// Empties all planes, and keeps their memory.
    package mutating func clear() {
        color.clear()
        right.clear()
        depth.clear()
        counts = SampleCounts()
        confidence.clear()
        matte.clear()
        skin.clear()
        sky.clear()
    }

    /// Copies planes of another frame, without the memory that it keeps for the next one.
    package mutating func take(_ planes: Set<PlaneID>, of other: FramePlanes) {
        if planes.contains(.picture) { color = other.color.alone }
        if planes.contains(.eye(.right)) { right = other.right.alone }
        if planes.contains(.depth) { (depth, counts) = (other.depth.alone, other.counts) }
        if planes.contains(.confidence) { confidence = other.confidence.alone }
        for kind in PlaneKind.mattesOfFrames where planes.contains(.plane(kind, 0)) {
            self[matte: kind] = other[matte: kind].alone
        }
    }

    /// The matte of a kind; empty for kinds that frames never have.
    package subscript(matte kind: PlaneKind) -> FramePlane<UInt8> {
        get {
            switch kind {
            case .matte: matte
            case .skin: skin
            case .sky: sky
            default: FramePlane()
            }
        }
        _modify {
            switch kind {
            case .skin: yield &skin
            case .sky: yield &sky
            default: yield &matte
            }
        }
    }
}

extension PlaneID {
    /// The depth of a frame.
    package static var depth: PlaneID { .plane(.depth, 0) }
    /// The confidence of a frame's depth.
    package static var confidence: PlaneID { .plane(.confidence, 0) }
    /// The matte of a frame's subject.
    package static var matte: PlaneID { .plane(.matte, 0) }
}

extension Set<PlaneID> {
    /// What sensors measure: the picture, and depth with its confidence.
    package static var measured: Set<PlaneID> { [.picture, .depth, .confidence] }
    /// Everything that a frame can have.
    package static var everything: Set<PlaneID> {
        measured.union([.eye(.right)]).union(PlaneKind.mattesOfFrames.map { .plane($0, 0) })
    }
}

extension PlaneKind {
    /// The kinds of mattes that frames may have.
    package static var mattesOfFrames: [PlaneKind] { [.matte, .skin, .sky] }
}
