// swift-tools-version: 6.2
import PackageDescription

/// Warnings are errors in the project's own checks (`Tools/test`), and for nobody who builds with newer headers or compilers.
let ownChecks: [SwiftSetting] =
    Context.environment["ISOBATH_CHECKS"] == nil ? [] : [.treatAllWarnings(as: .error)]

/// The settings of tests that are unsafe in every line.
let unsafeSettings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableExperimentalFeature("Lifetimes"),
    ] + ownChecks

/// One set of settings for every other Swift target: strict concurrency and memory safety.
let settings: [SwiftSetting] = unsafeSettings + [.strictMemorySafety()]

/// A module in a folder of a floor: Bytes, Depth, Formats, Effects, Scenes, Recordings or Interfaces. Modules use floors below
/// theirs.
func module(
    _ name: String, in floor: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(floor)/\(name)", exclude: exclude,
        swiftSettings: settings)
}

/// Tests of the modules of a floor, or of all of them.
func tests(
    _ name: String, in floor: String? = nil, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"],
        path: floor.map { "Tests/\($0)/\(name)" }, exclude: exclude, swiftSettings: settings)
}

func system(_ name: String, pkgConfig: String?, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let package = Package(
    name: "isobath",
    products: [
        .library(name: "Isobath", targets: ["Isobath"]),
        .executable(name: "isobath", targets: ["IsobathTool"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
    ],
    targets: [
        // System libraries: a module map and a header each.
        system("CEXIF", pkgConfig: "libexif", apt: "libexif-dev"),
        system("CEXPAT", pkgConfig: "expat", apt: "libexpat1-dev"),
        system("CDE265", pkgConfig: nil, apt: "libde265-dev"),
        system("CISAL", pkgConfig: "libisal", apt: "libisal-dev"),
        system("CJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev"),
        system("CLCMS", pkgConfig: "lcms2", apt: "liblcms2-dev"),
        system("CPNG", pkgConfig: "libpng", apt: "libpng-dev"),
        system("CTIFF", pkgConfig: "libtiff-4", apt: "libtiff-dev"),
        system("CYUV", pkgConfig: nil, apt: "libyuv-dev"),
        system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        // C: longjmp, varargs and what needs _GNU_SOURCE end here.
        // libde265, dav1d, libjxl, libtiff and OpenEXR's C core are loaded when they are needed, with their headers alone to
        // build: loading all of them takes longer than many runs. libyuv is linked statically: as a shared library it would add
        // 0.5 ms to every start.
        .target(
            name: "CCodecShims",
            dependencies: ["CDE265", "CISAL", "CJPEG", "CPNG", "CZlib"], path: "Sources/C/CCodecShims",
            linkerSettings: [.linkedLibrary(":libyuv.a")]),
        // FFmpeg's libraries are loaded when a movie is named: their headers are all that is needed to build.
        .target(
            name: "CMovieShims", dependencies: ["CYUV"], path: "Sources/C/CMovieShims",
            linkerSettings: [.linkedLibrary(":libyuv.a")]),
        // zlib, piece by piece, for streams that hold all frames of a recording; LZ4 for ROS bags, linked statically as libyuv is.
        // Debian 13's liblz4.a needs xxHash; Debian 12's has it inside, and nothing is taken of the second archive.
        .target(
            name: "CInflateShims", dependencies: ["CZlib"], path: "Sources/C/CInflateShims",
            linkerSettings: [.linkedLibrary(":liblz4.a"), .linkedLibrary(":libxxhash.a")]),
        // ONNX Runtime is loaded when a network is named: nothing of it is needed to build.
        .target(name: "COnnxShims", path: "Sources/C/COnnxShims"),
        // libseccomp is loaded when an isolated process starts.
        .target(name: "CSystemShims", path: "Sources/C/CSystemShims"),

        module("ByteParsing", in: "Bytes", exclude: ["README.md"]),
        module(
            "AtomicFiles", in: "Bytes",
            ["ByteParsing", "CSystemShims", .product(name: "SystemPackage", package: "swift-system")],
            exclude: ["README.md"]),
        module("Processes", in: "Bytes", ["ByteParsing", "CSystemShims"], exclude: ["README.md"]),
        module("XMLEvents", in: "Bytes", ["ByteParsing", "CEXPAT"], exclude: ["README.md"]),
        module("EmbeddedFormats", in: "Bytes", ["ByteParsing"], exclude: ["README.md"]),
        module("DepthModel", in: "Depth", exclude: ["README.md"]),
        module(
            "ImageContainers", in: "Formats", ["ByteParsing", "DepthModel", "EmbeddedFormats", "XMLEvents"],
            exclude: ["README.md"]),
        module(
            "RasterContainers", in: "Formats", ["ByteParsing", "DepthModel", "EmbeddedFormats"],
            exclude: ["README.md"]),
        module("ContainerWriting", in: "Formats", exclude: ["README.md"]),
        module("HEVCEncoding", in: "Formats", exclude: ["README.md"]),
        module("DepthCore", in: "Depth", ["DepthModel"], exclude: ["README.md"]),
        module("PointClouds", in: "Effects", ["DepthCore", "DepthModel"], exclude: ["README.md"]),
        module("StereoMatching", in: "Effects", ["DepthCore", "DepthModel"], exclude: ["README.md"]),
        module(
            "ImageCodecs", in: "Formats",
            [
                "AtomicFiles", "ByteParsing", "CCodecShims", "CDE265", "CLCMS", "CYUV", "DepthCore",
                "DepthModel",
                "ImageContainers", "RasterContainers",
            ], exclude: ["README.md"]),
        module(
            "Sequences", in: "Recordings", ["ByteParsing", "DepthCore", "DepthModel"], exclude: ["README.md"]),
        module(
            "Compositing", in: "Effects", ["DepthCore", "DepthModel", "Sequences"], exclude: ["README.md"]),
        module(
            "Movies", in: "Recordings",
            [
                "AtomicFiles", "ByteParsing", "CMovieShims", "DepthCore", "DepthModel", "Sequences",
            ],
            exclude: ["README.md"]),
        module(
            "DepthIO", in: "Scenes",
            [
                "AtomicFiles", "ByteParsing", "Compositing", "ContainerWriting", "DepthCore", "DepthModel",
                "EmbeddedFormats", "ImageCodecs", "ImageContainers", "PointClouds", "RasterContainers",
                "Sequences", "StereoMatching",
            ], exclude: ["README.md"]),
        module(
            "PhotoEditing", in: "Scenes",
            [
                "AtomicFiles", "ByteParsing", "Compositing", "ContainerWriting", "DepthCore", "DepthIO",
                "DepthModel", "EmbeddedFormats", "HEVCEncoding", "ImageCodecs", "ImageContainers",
                "PointClouds", "XMLEvents",
            ], exclude: ["README.md"]),
        // What is in Web/ becomes part of the program, so that it stays one file.
        .target(
            name: "Pages",
            dependencies: [
                "AtomicFiles", "ByteParsing", "Compositing", "DepthCore", "DepthIO", "DepthModel",
                "EmbeddedFormats", "Fusion", "ImageCodecs", "PointClouds", "Recordings", "Sequences",
            ], path: "Sources/Interfaces/Pages", exclude: ["README.md"], resources: [.embedInCode("Web")],
            swiftSettings: settings),
        module(
            "Networks", in: "Scenes",
            [
                "AtomicFiles", "ByteParsing", "COnnxShims", "Compositing", "DepthCore", "DepthIO",
                "DepthModel", "EmbeddedFormats", "ImageCodecs", "PointClouds", "Sequences",
            ], exclude: ["README.md"]),
        module(
            "Recordings", in: "Recordings",
            [
                "AtomicFiles", "ByteParsing", "CInflateShims", "Compositing", "DepthCore", "DepthIO",
                "DepthModel", "EmbeddedFormats", "ImageCodecs", "Movies", "RasterContainers", "Sequences",
            ], exclude: ["README.md"]),
        module(
            "Odometry", in: "Recordings", ["DepthCore", "DepthModel", "Sequences"], exclude: ["README.md"]),
        module(
            "Fusion", in: "Recordings",
            [
                "ByteParsing", "DepthCore", "DepthIO", "DepthModel", "EmbeddedFormats", "Odometry",
                "PointClouds", "Recordings", "Sequences",
            ], exclude: ["README.md"]),
        module(
            "DataSets", in: "Recordings",
            [
                "AtomicFiles", "ByteParsing", "DepthCore", "DepthIO", "DepthModel", "EmbeddedFormats",
                "Fusion", "ImageCodecs", "PointClouds", "Recordings", "Sequences",
            ], exclude: ["README.md"]),
        module(
            "Isobath", in: "Interfaces",
            [
                "AtomicFiles", "ByteParsing", "Compositing", "DataSets", "DepthCore", "DepthIO", "DepthModel",
                "Fusion", "ImageCodecs", "Networks", "PhotoEditing", "PointClouds", "Recordings",
            ]),
        // isobath.h, and what implements it. Tools/library makes libisobath.so of it: a dynamic product would not have the
        // runtime of Swift inside.
        .systemLibrary(name: "CIsobath", path: "Sources/Interfaces/CIsobath"),
        module(
            "CInterface", in: "Interfaces",
            [
                "ByteParsing", "CIsobath", "Compositing", "CSystemShims", "DataSets", "DepthCore", "DepthIO",
                "DepthModel", "EmbeddedFormats", "Fusion", "ImageCodecs", "ImageContainers", "PointClouds",
                "Recordings",
            ], exclude: ["README.md", "exports.map"]),
        // All of the tool but its first line, so that tests and fuzz targets reach what it reads.
        module(
            "IsobathCommands", in: "Interfaces",
            [
                "CSystemShims", "DataSets", "EmbeddedFormats", "Fusion", "ImageContainers", "Isobath",
                "Movies",
                "Networks", "Pages", "Processes", "RasterContainers", "Recordings", "Sequences",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], exclude: ["README.md"]),
        .executableTarget(
            name: "IsobathTool", dependencies: ["IsobathCommands"], path: "Sources/Interfaces/IsobathTool",
            swiftSettings: settings),

        // Reads PNG, TIFF and JPEG back, independently of the code under test.
        .target(
            name: "CRasterReading", dependencies: ["CJPEG", "CPNG", "CTIFF"], path: "Tests/CRasterReading"),
        // Makes the system calls that isolated processes must not make.
        .target(name: "CSystemCalls", path: "Tests/CSystemCalls"),
        // Reads Exif with libexif, for comparison.
        .target(name: "CExifReading", dependencies: ["CEXIF"], path: "Tests/CExifReading"),
        .target(
            name: "TestSupport", dependencies: ["CRasterReading"], path: "Tests/TestSupport",
            swiftSettings: settings),
        .target(
            name: "TestFrames", dependencies: ["ByteParsing", "Sequences"], path: "Tests/TestFrames",
            swiftSettings: settings),
        .target(
            name: "RecordingWriting",
            dependencies: [
                "ByteParsing", "DepthCore", "DepthModel", "EmbeddedFormats", "ImageCodecs", "Recordings",
                "TestSupport",
            ], path: "Tests/RecordingWriting", swiftSettings: settings),
        .target(
            name: "PhotoWriting",
            dependencies: [
                "ByteParsing", "ContainerWriting", "DepthModel", "ImageContainers", "TestSupport",
            ],
            path: "Tests/PhotoWriting", swiftSettings: settings),
        .target(
            name: "MovieWriting", dependencies: ["HEVCEncoding", "TestSupport"], path: "Tests/MovieWriting",
            swiftSettings: settings),
        tests("AtomicFilesTests", in: "Bytes", ["AtomicFiles", "CSystemShims"]),
        tests("ByteParsingTests", in: "Bytes", ["ByteParsing"]),
        // Calls the library as C does.
        .testTarget(
            name: "CInterfaceTests",
            dependencies: [
                "ByteParsing", "CInterface", "CIsobath", "DepthModel", "Recordings", "RecordingWriting",
                "TestSupport",
            ], path: "Tests/Interfaces/CInterfaceTests",
            swiftSettings: unsafeSettings),
        tests("ProcessesTests", in: "Bytes", ["Processes"]),
        tests("XMLEventsTests", in: "Bytes", ["ByteParsing", "XMLEvents"]),
        tests("EmbeddedFormatsTests", in: "Bytes", ["ByteParsing", "EmbeddedFormats"]),
        tests("DepthModelTests", in: "Depth", ["DepthModel"]),
        tests(
            "ImageContainersTests", in: "Formats",
            ["ByteParsing", "CExifReading", "DepthModel", "ImageContainers", "XMLEvents"]),
        tests("DepthCoreTests", in: "Depth", ["DepthCore", "DepthModel"]),
        tests(
            "CompositingTests", in: "Effects",
            ["Compositing", "DepthCore", "DepthModel", "Sequences", "TestFrames"]),
        tests("PointCloudsTests", in: "Effects", ["DepthCore", "DepthModel", "PointClouds"]),
        tests("StereoMatchingTests", in: "Effects", ["DepthCore", "DepthModel", "StereoMatching"]),
        tests(
            "RecordingsTests", in: "Recordings",
            [
                "ByteParsing", "Compositing", "DepthCore", "DepthIO", "DepthModel", "EmbeddedFormats",
                "ImageCodecs", "Movies", "Pages", "PhotoEditing", "PointClouds", "RecordingWriting",
                "Recordings", "Sequences",
                "TestFrames",
            ]),
        tests(
            "PagesTests", in: "Interfaces",
            [
                "ByteParsing", "DepthCore", "DepthIO", "DepthModel", "EmbeddedFormats", "ImageCodecs",
                "Pages", "PointClouds",
            ]),
        tests("OdometryTests", in: "Recordings", ["DepthCore", "DepthModel", "Odometry", "Sequences"]),
        tests(
            "FusionTests", in: "Recordings",
            [
                "ByteParsing", "DepthCore", "DepthIO", "DepthModel", "EmbeddedFormats", "Fusion",
                "PointClouds", "RecordingWriting", "Recordings", "Sequences",
            ]),
        tests(
            "DataSetsTests", in: "Recordings",
            [
                "AtomicFiles", "ByteParsing", "DataSets", "DepthCore", "DepthModel", "Fusion", "ImageCodecs",
                "RecordingWriting", "Recordings", "Sequences",
            ]),
        tests(
            "ImageCodecsTests", in: "Formats",
            [
                "ByteParsing", "ContainerWriting", "DepthCore", "DepthIO", "DepthModel", "HEVCEncoding",
                "ImageCodecs", "ImageContainers", "PhotoWriting", "RasterContainers",
            ]),
        tests(
            "DepthIOTests", in: "Scenes",
            [
                "ByteParsing", "Compositing", "ContainerWriting", "DepthCore", "DepthIO", "DepthModel",
                "HEVCEncoding", "ImageCodecs", "ImageContainers", "PhotoWriting", "PointClouds",
            ]),
        tests(
            "NetworksTests", in: "Scenes",
            [
                "ByteParsing", "Compositing", "DepthCore", "DepthIO", "DepthModel", "EmbeddedFormats",
                "ImageCodecs", "Networks", "Sequences",
            ]),
        tests("SequencesTests", in: "Recordings", ["DepthCore", "DepthModel", "Sequences", "TestFrames"]),
        tests(
            "MoviesTests", in: "Recordings",
            ["ByteParsing", "DepthCore", "DepthModel", "MovieWriting", "Movies", "Sequences"]),
        tests("ContainerWritingTests", in: "Formats", ["CExifReading", "ContainerWriting", "PhotoWriting"]),
        tests(
            "HEVCEncodingTests", in: "Formats",
            ["ByteParsing", "DepthCore", "HEVCEncoding", "ImageCodecs", "ImageContainers"]),
        tests(
            "PhotoEditingTests", in: "Scenes",
            [
                "ByteParsing", "ContainerWriting", "DepthCore", "DepthIO", "DepthModel", "HEVCEncoding",
                "ImageCodecs", "ImageContainers", "PhotoEditing", "PhotoWriting", "XMLEvents",
            ]),
        tests(
            "IsobathCommandsTests", in: "Interfaces",
            [
                "ByteParsing", "ContainerWriting", "CSystemCalls", "CSystemShims", "DepthModel",
                "EmbeddedFormats",
                "ImageContainers", "Isobath", "IsobathCommands", "MovieWriting", "Movies",
                "PhotoWriting", "RecordingWriting",
            ], exclude: ["Golden"]),
        tests(
            "SampleTests",
            [
                "ByteParsing", "DepthCore", "EmbeddedFormats", "ImageContainers", "Isobath", "PhotoEditing",
                "RasterContainers",
                "XMLEvents",
            ]),
        tests(
            "RobustnessTests",
            [
                "AtomicFiles", "ByteParsing", "ContainerWriting", "DepthCore", "DepthIO", "DepthModel",
                "EmbeddedFormats",
                "ImageCodecs", "ImageContainers", "Isobath", "MovieWriting", "Movies", "PhotoEditing",
                "PhotoWriting", "PointClouds", "RasterContainers", "RecordingWriting", "Recordings",
            ]),
        tests("RasterContainersTests", in: "Formats", ["ByteParsing", "RasterContainers"]),
        tests(
            "DepthRasterTests", in: "Scenes",
            [
                "ByteParsing", "DepthCore", "DepthIO", "DepthModel", "EmbeddedFormats", "ImageCodecs",
                "ImageContainers", "RasterContainers",
            ]),
    ]
)

// Programs for those who work on the library itself: what they call is no part of its interface.
if Context.environment["ISOBATH_DEVELOPMENT"] != nil {
    let plain: [SwiftSetting] =
        [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")] + ownChecks
    let library: [Target.Dependency] = [
        "AtomicFiles", "ByteParsing", "Compositing", "ContainerWriting", "DepthCore", "DepthIO", "DepthModel",
        "EmbeddedFormats", "Fusion", "HEVCEncoding", "ImageCodecs",
        "ImageContainers", "Isobath", "IsobathCommands", "Movies", "Networks", "PhotoEditing", "PointClouds",
        "RasterContainers", "Recordings",
        "Sequences", "StereoMatching",
        "XMLEvents",
    ]
    package.targets += [
        // Tools/fuzz/run has the flags.
        .target(name: "CFuzzer", path: "Tools/fuzz/CFuzzer", publicHeadersPath: "."),
        .executableTarget(
            name: "Fuzz", dependencies: library + ["CFuzzer", "PhotoWriting", "RecordingWriting"],
            path: "Tools/fuzz/Fuzz",
            swiftSettings: plain),
        // Renders and writes TestImages/: Tools/make-test-images.
        .systemLibrary(
            name: "CHEIF", path: "Tests/TestImageMaker/CHEIF", pkgConfig: "libheif",
            providers: [.apt(["libheif-dev"])]),
        .target(
            name: "CJPEGEncoding", path: "Tests/TestImageMaker/CJPEGEncoding",
            linkerSettings: [.linkedLibrary("jpeg")]),
        .target(
            name: "CJPEGXLEncoding", path: "Tests/TestImageMaker/CJPEGXLEncoding",
            linkerSettings: [.linkedLibrary("jxl")]),
        .executableTarget(
            name: "TestImageMaker",
            dependencies: [
                "CHEIF", "CJPEGEncoding", "CJPEGXLEncoding", "CZlib", "ContainerWriting", "PhotoWriting",
            ],
            path: "Tests/TestImageMaker",
            exclude: [
                "CHEIF", "CJPEGEncoding", "CJPEGXLEncoding", "build", "expected.py", "expected_formats.py",
                "expected_google.py", "malformed.py",
            ], swiftSettings: plain),
        .executableTarget(
            name: "InProcessBench", dependencies: library, path: "Tools/benchmarks/InProcessBench",
            swiftSettings: plain),
    ]
}
