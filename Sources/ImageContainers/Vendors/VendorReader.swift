internal import ByteParsing

/// Finds what one vendor keeps in or behind a JPEG photo, besides the multi-picture index.
///
/// To support a new layout, add a file with a type that conforms, and a line in ``VendorReaders``.
protocol VendorReader: SendableMetatype {
    /// Looks for this vendor's marks, and returns what they lead to. Must cost next to nothing where they are missing.
    ///
    /// `file` is `inout` because it keeps what it has read. An error that is thrown is reported as that of a plane that
    /// cannot be read; to keep what was found before it, add it to the result with ``VendorDiscovery/addUnreadable(_:)``.
    static func discover(
        in file: inout JPEGFile, _ photo: DescribedPhoto
    ) throws(ContainerError) -> VendorDiscovery
}

/// A photo as far as it is described when a vendor's reader runs.
struct DescribedPhoto {
    var photo: PhotoDescription
    /// The planes found so far, such as those of the multi-picture index.
    var planes: [AuxiliaryPlane]
}

/// All vendors' readers, by the way in which they find what they read.
///
/// They are types and not functions, because lists of functions with typed throws crash the compiler of Swift 6.3.1.
enum VendorReaders {
    /// Read metadata, and what it describes. They are independent of each other.
    static let metadata: [any VendorReader.Type] = [
        GDepth.self, DynamicDepth.self, XDM.self, StereoDescriptor.self,
    ]

    /// Read trailers with a mark at the end of the file. Several may follow each other.
    static let trailers: [any VendorReader.Type] = [SamsungTrailer.self, LeiaTrailer.self, OppoTrailer.self]

    /// Search for trailers without a mark at the end. They run only if no trailer is known, and the first that finds one
    /// ends the search.
    static let searches: [any VendorReader.Type] = [HuaweiDepth.self, XiaomiDepth.self, VivoDepth.self]
}
