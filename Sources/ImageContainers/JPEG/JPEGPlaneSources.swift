internal import ByteParsing

/// The ways in which makers keep planes in or behind a JPEG photo, besides the multi-picture index: each looks for its
/// own marks in the bytes and adds what it finds. A new one is a file of its own and one line here.
///
/// What one throws is a finding; the others look all the same. The last lists what none of them knows.
let jpegPlaneSources: [any JPEGPlaneSource.Type] = [
    GDepth.self,
    DynamicDepth.self,
    XDM.self,
    StereoDescriptor.self,
    SamsungTrailer.self,
    LeiaTrailer.self,
    OppoTrailer.self,
    HuaweiDepth.self,
    XiaomiDepth.self,
    VivoDepth.self,
    UnknownTrailer.self,
]

/// One way. (A list of functions would do, but crashes the compiler of Swift 6.3.1.)
protocol JPEGPlaneSource: SendableMetatype {
    /// Looks at a file, and adds to its description. Must cost next to nothing where its marks are not there.
    static func look(_ file: inout JPEGFile, _ photo: inout JPEGContainer) throws(ContainerError)
}
