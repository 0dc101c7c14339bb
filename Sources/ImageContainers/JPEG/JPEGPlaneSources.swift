internal import ByteParsing

/// The ways in which makers keep planes in or behind a JPEG photo, besides the multi-picture index: each looks for its
/// own marks in the bytes and adds what it finds. A new one is a file of its own and one line here.
///
/// What one throws is a finding; the others look all the same.
let jpegPlaneSources: [JPEGPlaneSource] = [
    readGDepth,
    readDynamicDepth,
    readXDM,
]

/// Looks at a file, and adds to its description. Must cost next to nothing where its marks are not there.
typealias JPEGPlaneSource =
    @Sendable (_ file: inout JPEGFile, _ photo: inout JPEGContainer) throws(ContainerError) -> Void
