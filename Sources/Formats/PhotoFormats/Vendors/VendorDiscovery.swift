internal import Bytes

/// The findings of a vendor's reader. Only ``VendorDiscoveryTarget/merge(_:)`` adds them to the photo's description.
struct VendorDiscovery {
    /// Planes of the photo, in file order.
    var planes: [AuxiliaryPlane] = []
    /// Planes that are complete streams after the photo. Each replaces the plane that starts at the same byte, which the
    /// multi-picture index announced with less detail. The photo's stream ends before the first.
    var imagesBehindPhoto: [AuxiliaryPlane] = []
    /// The stereo pair that the photo is or belongs to; it takes precedence over a known one.
    var stereo: StereoPair?
    /// The end of the photo's stream, if it is before the known end.
    var photoEnd: Int?
    /// Data that is not interpreted.
    var trailers: [FileTrailer] = []
    /// The recognized bytes after the photo, from the first to the last mark.
    var trailerRange: Range<Int>?
    /// Problems that do not prevent reading the rest, and assumptions, including errors of ``unreadable``.
    var diagnostics: [Diagnostic] = []
    /// Why planes that the file announces cannot be described.
    private(set) var unreadable: [ContainerError] = []

    /// Reports why a plane that the file announces cannot be described.
    mutating func addUnreadable(_ error: ContainerError) {
        diagnostics.append(error)
        unreadable.append(error)
    }

    /// Runs a step that adds to this. If it throws, its additions are kept and the error is reported.
    mutating func collect(_ step: (inout VendorDiscovery) throws(ContainerError) -> Void) {
        do throws(ContainerError) {
            try step(&self)
        } catch {
            addUnreadable(error)
        }
    }
}

/// A container that vendors' readers can add descriptions to.
protocol VendorDiscoveryTarget: PhotoContainer {
    var photo: PhotoDescription { get set }
    var planes: [AuxiliaryPlane] { get set }
    var trailers: [FileTrailer] { get set }
    var diagnostics: [Diagnostic] { get set }
    var unreadablePlane: ContainerError? { get set }
}

extension VendorDiscoveryTarget {
    /// Adds the findings of a vendor's reader.
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
