internal import ByteParsing

/// What a vendor's reader found in a file. It becomes part of the photo's description in one place,
/// ``VendorDiscoveryTarget/merge(_:)``.
struct VendorDiscovery {
    /// Planes of the photo, in file order.
    var planes: [AuxiliaryPlane] = []
    /// Planes that are complete streams behind the photo. Each takes the place of the plane that starts at the same byte,
    /// which the multi-picture index announced without saying as much, and the photo's stream ends before the first.
    var imagesBehindPhoto: [AuxiliaryPlane] = []
    /// The stereo pair that the photo is or belongs to; it takes precedence over one that is known.
    var stereo: StereoPair?
    /// Where the photo's own stream ends, if it is shorter than known.
    var photoEnd: Int?
    /// Data that is not interpreted.
    var trailers: [FileTrailer] = []
    /// The bytes behind the photo that are accounted for, from the first to the last mark.
    var trailerRange: Range<Int>?
    /// What is wrong without keeping the rest from being read, and what was assumed; errors of ``unreadable`` included.
    var diagnostics: [Diagnostic] = []
    /// Why planes that the file announces cannot be described.
    private(set) var unreadable: [ContainerError] = []

    /// Reports why a plane that the file announces cannot be described.
    mutating func addUnreadable(_ error: ContainerError) {
        diagnostics.append(error)
        unreadable.append(error)
    }

    /// Runs a step that adds to this. If it throws, what it added is kept and the error reported.
    mutating func collect(_ step: (inout VendorDiscovery) throws(ContainerError) -> Void) {
        do throws(ContainerError) {
            try step(&self)
        } catch {
            addUnreadable(error)
        }
    }
}

/// A container to whose description vendors' readers add.
protocol VendorDiscoveryTarget: PhotoContainer {
    var photo: PhotoDescription { get set }
    var planes: [AuxiliaryPlane] { get set }
    var trailers: [FileTrailer] { get set }
    var diagnostics: [Diagnostic] { get set }
    var unreadablePlane: ContainerError? { get set }
}

extension VendorDiscoveryTarget {
    /// Adds what a vendor's reader found.
    mutating func merge(_ found: VendorDiscovery) {
        planes += found.planes
        for plane in found.imagesBehindPhoto { replaceOrAppend(plane) }
        if let end = found.photoEnd { photo.endStream(at: end) }
        if let stereo = found.stereo { photo.stereo = stereo }
        trailers += found.trailers
        for diagnostic in found.diagnostics {
            // Readers of the same metadata find the same error in it.
            let isShared = diagnostic.error.map(found.unreadable.contains) == true
            if isShared, diagnostics.contains(diagnostic) { continue }
            diagnostics.append(diagnostic)
        }
        unreadablePlane = unreadablePlane ?? found.unreadable.first
    }

    private mutating func replaceOrAppend(_ plane: AuxiliaryPlane) {
        guard let start = plane.location.start else { return planes.append(plane) }
        if let known = planes.firstIndex(where: { $0.location.start == start }) {
            planes[known] = plane
        } else {
            planes.append(plane)
        }
        photo.endStream(at: start)
    }
}

extension PhotoDescription {
    /// Shortens the photo's JPEG stream so that it ends at `offset`, if it is longer.
    mutating func endStream(at offset: Int) {
        guard case .jpegStream(let range) = location, offset < range.upperBound else { return }
        location = .jpegStream(range.lowerBound..<max(range.lowerBound, offset))
    }
}
