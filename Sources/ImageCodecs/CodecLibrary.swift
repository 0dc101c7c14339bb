internal import CCodecShims

/// A C library that is loaded when it is needed first, and may be missing.
package struct CodecLibrary: Sendable {
    /// The library's name.
    package var name: String
    /// The format that requires it.
    package var purpose: String
    /// Debian's package.
    package var package: String
    /// Whether it can be loaded.
    package var isFound: Bool

    /// A library that was looked for.
    package init(_ name: String, for purpose: String, package: String, isFound: Bool) {
        (self.name, self.purpose, self.package, self.isFound) = (name, purpose, package, isFound)
    }

    /// The libraries that images need. Loads them.
    package static var ofImages: [CodecLibrary] {
        func isLoaded(_ status: Int32) -> Bool { Int(status) == ISOBATH_OK }
        return [
            .init(
                "libde265", for: "HEIC photos", package: "libde265-dev",
                isFound: isLoaded(isobath_hevc_load())),
            .init(
                "dav1d", for: "AVIF photos", package: "libdav1d-dev", isFound: isLoaded(isobath_av1_load())),
            .init(
                "libjxl", for: "JPEG XL photos", package: "libjxl-dev", isFound: isLoaded(isobath_jxl_load())),
            .init("libtiff", for: "TIFF", package: "libtiff-dev", isFound: isLoaded(isobath_tiff_load())),
            .init(
                "OpenEXR", for: "OpenEXR", package: "libopenexr-dev", isFound: isLoaded(isobath_exr_load())),
        ]
    }
}
