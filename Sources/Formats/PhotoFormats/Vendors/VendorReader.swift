internal import Bytes

/// Finds the data that one vendor stores in or after a JPEG photo, besides the multi-picture index.
///
/// To support a new layout, add a file with a type that conforms, and a line in ``VendorReaders``.
protocol VendorReader: SendableMetatype {
    /// Searches for this vendor's marks, and returns the planes and metadata that they lead to. Must take almost no
    /// time if they are missing.
    ///
    /// `file` is `inout` because it caches the parts that were read. A thrown error is reported for an unreadable
    /// plane, and everything found before is lost. To keep it, add the error to the result with
    /// ``VendorDiscovery/addUnreadable(_:)`` instead.
    static func discover(
        in file: inout JPEGFile, _ photo: DescribedPhoto
    ) throws(ContainerError) -> VendorDiscovery
}

/// The description of a photo so far, when a vendor's reader runs.
struct DescribedPhoto {
    var photo: PhotoDescription
    /// The planes found so far, such as those of the multi-picture index.
    var planes: [AuxiliaryPlane]
}

/// All vendors' readers, grouped by how they find their data.
///
/// They are types and not functions, because lists of functions with typed throws crash the compiler of Swift 6.3.1.
enum VendorReaders {
    /// Read metadata, and the data that it describes. They are independent of each other.
    static let metadata: [any VendorReader.Type] = [
        GDepth.self, DynamicDepth.self, XDM.self, StereoDescriptor.self,
    ]

    /// The readers of trailers that have a mark at the end of the file. A file may have several trailers in a row.
    static let trailers: [any VendorReader.Type] = [SamsungTrailer.self, LeiaTrailer.self, OppoTrailer.self]

    /// Search for trailers without a mark at the end. They run only if no trailer is known, and the first that finds one ends
    /// the search.
    static let searches: [any VendorReader.Type] = [HuaweiDepth.self, XiaomiDepth.self, VivoDepth.self]
}
