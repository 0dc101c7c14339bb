public import DepthModel

/// The file is fine, and has no such plane.
public struct PlaneNotFound: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why a file does not have a plane.
    package enum Reason: Hashable, Sendable {
        /// It simply lacks it.
        case absent
        /// It is a color image, not a depth raster.
        case colorImage
        /// It is a raster, and was given without a photo.
        case rasterHasNoPhoto
        /// It is not a stereo pair.
        case notStereo
    }

    /// The kind that was asked for; `nil` when either of depth and disparity would have done.
    public var wanted: PlaneKind?
    /// The kinds that the file has, in file order.
    public var available: [PlaneKind]
    /// Why the file does not have it.
    package var reason = Reason.absent
    /// What was asked for, where it is not a kind of plane.
    public var subject: String?

    /// Says what was asked for, and what is there instead, in file order.
    public init(wanted: PlaneKind?, available: [PlaneKind]) {
        self.init(wanted: wanted, available: available, reason: .absent)
    }

    /// Says what was asked for, and why it is not there.
    package init(
        wanted: PlaneKind?, available: [PlaneKind], reason: Reason, subject: String? = nil
    ) {
        self.wanted = wanted
        self.available = available
        self.reason = reason
        self.subject = subject
    }

    /// Names what is missing and what is there.
    public var description: String {
        let name = subject ?? "\(wanted?.rawValue ?? "depth or disparity") plane"
        switch reason {
        case .absent: break
        case .colorImage: return "no \(name); it is a color image, not a depth raster"
        case .rasterHasNoPhoto: return "no \(name); a raster has no photo"
        case .notStereo: return "no \(name); the file is not a stereo pair"
        }
        guard !available.isEmpty else { return "no \(name); the file has no auxiliary planes at all" }
        return "no \(name); the file has \(available.map(\.rawValue).joined(separator: ", "))"
    }
}
