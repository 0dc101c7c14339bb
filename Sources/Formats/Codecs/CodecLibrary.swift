internal import CCodecShims

/// A C library that is loaded when it is needed first, and may be missing.
package struct CodecLibrary: Sendable {
    /// The library's name.
    package var name: String
    /// The formats that require it.
    package var purpose: String
    /// The file that the dynamic linker found, or looks for first; `nil` for several.
    package var file: String?
    /// The package of Debian and Ubuntu that contains it, with `|` between those of several releases.
    package var package: String
    /// Its version; `nil` if it cannot be loaded.
    package var version: String?

    package init(_ name: String, for purpose: String, package: String, version: String?) {
        (self.name, self.purpose, self.package, self.version) = (name, purpose, package, version)
    }

    private init(_ name: String, for purpose: String, _ find: (UnsafeMutablePointer<isobath_library>) -> Void)
    {
        var library = unsafe isobath_library()
        unsafe find(&library)
        unsafe self.init(
            name, for: purpose, file: library.file, package: library.package, version: library.version)
    }

    /// A library as C describes it. `version` is an array of characters, which is empty if it cannot be loaded.
    package init<Characters>(
        _ name: String, for purpose: String, file: UnsafePointer<CChar>, package: UnsafePointer<CChar>,
        version: Characters
    ) {
        let version = unsafe withUnsafeBytes(of: version) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        self.init(
            name, for: purpose, package: unsafe String(cString: package),
            version: version.isEmpty ? nil : version)
        self.file = unsafe String(cString: file)
    }

    /// The libraries that images need. Loads them.
    package static var ofImages: [CodecLibrary] {
        unsafe [
            .init("libde265", for: "HEIC photos", isobath_hevc_library),
            .init("dav1d", for: "AVIF photos", isobath_av1_library),
            .init("libjxl", for: "JPEG XL photos", isobath_jxl_library),
            .init("libtiff", for: "TIFF", isobath_tiff_library),
            .init("OpenEXR", for: "OpenEXR", isobath_exr_library),
        ]
    }
}
