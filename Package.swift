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
        .executable(name: "isobath", targets: ["Tool"]),
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
        // FFmpeg's libraries are loaded when a movie is named: nothing of them is needed to build.
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

        module(
            "Bytes", in: "Bytes", ["CSystemShims", .product(name: "SystemPackage", package: "swift-system")],
            exclude: ["README.md", "Outputs/README.md", "Processes/README.md"]),
        module("Embedded", in: "Bytes", ["Bytes", "CEXPAT"], exclude: ["README.md", "XML/README.md"]),
        module("DepthTypes", in: "Depth", exclude: ["README.md"]),
        module("PhotoFormats", in: "Formats", ["Bytes", "DepthTypes", "Embedded"], exclude: ["README.md"]),
        module("RasterFormats", in: "Formats", ["Bytes", "DepthTypes", "Embedded"], exclude: ["README.md"]),
        module("PhotoWriting", in: "Formats", exclude: ["README.md"]),
        module("HEVCEncoding", in: "Formats", exclude: ["README.md"]),
        module("DepthMaps", in: "Depth", ["DepthTypes"], exclude: ["README.md"]),
        module("Geometry", in: "Effects", ["DepthMaps", "DepthTypes"], exclude: ["README.md"]),
        module("StereoMatching", in: "Effects", ["DepthMaps", "DepthTypes"], exclude: ["README.md"]),
        module(
            "Codecs", in: "Formats",
            [
                "Bytes", "CCodecShims", "CDE265", "CLCMS", "CYUV", "DepthMaps", "DepthTypes", "PhotoFormats",
                "RasterFormats",
            ], exclude: ["README.md"]),
        module("Effects", in: "Effects", ["DepthMaps", "DepthTypes"], exclude: ["README.md"]),
        module(
            "Scenes", in: "Scenes",
            [
                "Bytes", "Codecs", "DepthMaps", "DepthTypes", "Effects", "Embedded", "Geometry",
                "PhotoFormats", "PhotoWriting", "RasterFormats", "StereoMatching",
            ], exclude: ["README.md"]),
        module(
            "Movies", in: "Recordings", ["Bytes", "CMovieShims", "DepthMaps", "DepthTypes", "Scenes"],
            exclude: ["README.md"]),
        module(
            "PhotoEditing", in: "Scenes",
            [
                "Bytes", "Codecs", "DepthMaps", "DepthTypes", "Effects", "Embedded", "Geometry",
                "HEVCEncoding", "PhotoFormats", "PhotoWriting", "Scenes",
            ], exclude: ["README.md"]),
        // What is in Web/ becomes part of the program, so that it stays one file.
        .target(
            name: "Pages",
            dependencies: [
                "Bytes", "Effects", "DepthMaps", "Scenes", "DepthTypes",
                "Embedded", "Reconstruction", "Codecs", "Geometry", "Recordings",
            ], path: "Sources/Interfaces/Pages", exclude: ["README.md"], resources: [.embedInCode("Web")],
            swiftSettings: settings),
        module(
            "Networks", in: "Scenes",
            [
                "Bytes", "Codecs", "COnnxShims", "DepthMaps", "DepthTypes", "Effects", "Embedded", "Geometry",
                "PhotoFormats", "Scenes",
            ], exclude: ["README.md"]),
        module(
            "Recordings", in: "Recordings",
            [
                "Bytes", "CInflateShims", "Codecs", "DepthMaps", "DepthTypes", "Effects", "Embedded",
                "Movies", "RasterFormats", "Scenes",
            ], exclude: ["README.md"]),
        module(
            "Reconstruction", in: "Recordings",
            [
                "Bytes", "Codecs", "DepthMaps", "DepthTypes", "Embedded", "Geometry", "Recordings", "Scenes",
            ],
            exclude: [
                "README.md", "DataSets/README.md", "Fusion/README.md", "Models/README.md",
                "Odometry/README.md", "Texturing/README.md",
            ]),
        module(
            "Isobath", in: "Interfaces",
            [
                "Bytes", "Codecs", "DepthMaps", "DepthTypes", "Effects", "Geometry", "Networks",
                "PhotoEditing", "Reconstruction", "Recordings", "Scenes",
            ]),
        // isobath.h, and what implements it. Tools/library makes libisobath.so of it: a dynamic product would not have the
        // runtime of Swift inside.
        .systemLibrary(name: "CIsobath", path: "Sources/Interfaces/CIsobath"),
        module(
            "CInterface", in: "Interfaces",
            [
                "Bytes", "CIsobath", "Codecs", "CSystemShims", "DepthMaps", "DepthTypes", "Effects",
                "Embedded", "Geometry", "Networks", "PhotoFormats", "Reconstruction", "Recordings", "Scenes",
            ], exclude: ["README.md", "exports.map"]),
        // All of the tool but `main`, so that tests and fuzz targets reach what it reads.
        module(
            "Commands", in: "Interfaces",
            [
                "Bytes", "CSystemShims", "Embedded", "Isobath", "Movies", "Networks", "Pages", "PhotoFormats",
                .product(name: "ArgumentParser", package: "swift-argument-parser"), "RasterFormats",
                "Reconstruction", "Recordings", "Scenes",
            ], exclude: ["README.md"]),
        .executableTarget(
            name: "Tool", dependencies: ["Commands"], path: "Sources/Interfaces/Tool"),

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
            name: "TestFrames", dependencies: ["Bytes", "DepthMaps", "DepthTypes", "Scenes"],
            path: "Tests/TestFrames",
            swiftSettings: settings),
        .target(
            name: "RecordingWriting",
            dependencies: [
                "Bytes", "DepthMaps", "DepthTypes", "Embedded", "Codecs", "Recordings", "Scenes",
                "TestFrames", "TestSupport",
            ], path: "Tests/RecordingWriting", swiftSettings: settings),
        .target(
            name: "PhotoBuilders",
            dependencies: [
                "Bytes", "PhotoWriting", "DepthTypes", "PhotoFormats", "TestSupport",
            ],
            path: "Tests/PhotoWriting", swiftSettings: settings),
        .target(
            name: "MovieWriting", dependencies: ["HEVCEncoding", "Movies", "Scenes", "TestSupport"],
            path: "Tests/MovieWriting",
            swiftSettings: settings),
        // Calls the library as C does.
        .testTarget(
            name: "CInterfaceTests",
            dependencies: [
                "Bytes", "CInterface", "CIsobath", "DepthTypes", "Recordings", "RecordingWriting",
                "TestSupport",
            ], path: "Tests/Interfaces/CInterfaceTests",
            swiftSettings: unsafeSettings),
        tests("BytesTests", in: "Bytes", ["Bytes", "CSystemShims"]),
        tests("EmbeddedTests", in: "Bytes", ["Bytes", "Embedded"]),
        tests("DepthTypesTests", in: "Depth", ["DepthTypes"]),
        tests(
            "PhotoFormatsTests", in: "Formats",
            ["Bytes", "CExifReading", "DepthTypes", "Embedded", "PhotoFormats"]),
        tests("DepthMapsTests", in: "Depth", ["DepthMaps", "DepthTypes"]),
        tests(
            "EffectsTests", in: "Effects", ["DepthMaps", "DepthTypes", "Effects", "Scenes", "TestFrames"]),
        tests("GeometryTests", in: "Effects", ["DepthMaps", "DepthTypes", "Geometry"]),
        tests("StereoMatchingTests", in: "Effects", ["DepthMaps", "DepthTypes", "StereoMatching"]),
        tests(
            "RecordingsTests", in: "Recordings",
            [
                "Bytes", "Codecs", "DepthMaps", "DepthTypes", "Effects", "Embedded", "Geometry", "Movies",
                "MovieWriting", "Pages", "PhotoEditing", "Recordings", "RecordingWriting", "Scenes",
                "TestFrames",
            ]),
        tests(
            "PagesTests", in: "Interfaces",
            ["Bytes", "Codecs", "DepthMaps", "DepthTypes", "Embedded", "Geometry", "Pages", "Scenes"]),
        tests(
            "ReconstructionTests", in: "Recordings",
            [
                "Bytes", "Codecs", "DepthMaps", "DepthTypes", "Embedded", "Geometry", "Movies",
                "MovieWriting",
                "Reconstruction", "Recordings", "RecordingWriting", "Scenes", "TestFrames",
            ]),
        tests(
            "CodecsTests", in: "Formats",
            [
                "Bytes", "Codecs", "DepthMaps", "DepthTypes", "HEVCEncoding", "PhotoBuilders", "PhotoFormats",
                "PhotoWriting", "RasterFormats", "Scenes",
            ]),
        tests(
            "ScenesTests", in: "Scenes",
            [
                "Bytes", "Codecs", "DepthMaps", "DepthTypes", "Effects", "Geometry", "HEVCEncoding",
                "PhotoBuilders", "PhotoFormats", "PhotoWriting", "Scenes", "TestFrames",
            ]),
        tests(
            "NetworksTests", in: "Scenes",
            [
                "Bytes", "Codecs", "DepthMaps", "DepthTypes", "Effects", "Embedded", "Networks", "Scenes",
            ]),
        tests(
            "MoviesTests", in: "Recordings",
            ["Bytes", "DepthMaps", "DepthTypes", "Movies", "MovieWriting", "Scenes", "TestFrames"]),
        tests("PhotoWritingTests", in: "Formats", ["CExifReading", "PhotoBuilders", "PhotoWriting"]),
        tests(
            "HEVCEncodingTests", in: "Formats",
            ["Bytes", "Codecs", "DepthMaps", "HEVCEncoding", "PhotoFormats"]),
        tests(
            "PhotoEditingTests", in: "Scenes",
            [
                "Bytes", "Codecs", "DepthMaps", "DepthTypes", "Embedded", "HEVCEncoding", "PhotoBuilders",
                "PhotoEditing", "PhotoFormats", "PhotoWriting", "Scenes",
            ]),
        tests(
            "CommandsTests", in: "Interfaces",
            [
                "Bytes", "Commands", "CSystemCalls", "CSystemShims", "DepthMaps", "DepthTypes", "Effects",
                "Embedded", "Isobath", "Movies", "MovieWriting", "PhotoBuilders", "PhotoFormats",
                "PhotoWriting", "Reconstruction", "Recordings", "RecordingWriting", "Scenes",
            ], exclude: ["Golden"]),
        tests(
            "SampleTests",
            ["Bytes", "DepthMaps", "Embedded", "Isobath", "PhotoEditing", "PhotoFormats", "RasterFormats"]),
        tests(
            "RobustnessTests",
            [
                "Bytes", "Codecs", "DepthMaps", "DepthTypes", "Embedded", "Geometry", "Isobath", "Movies",
                "MovieWriting", "PhotoBuilders", "PhotoEditing", "PhotoFormats", "PhotoWriting",
                "RasterFormats", "Recordings", "RecordingWriting", "Scenes",
            ]),
        tests("RasterFormatsTests", in: "Formats", ["Bytes", "DepthTypes", "RasterFormats"]),
        tests(
            "DepthRasterTests", in: "Scenes",
            [
                "Bytes", "Codecs", "DepthMaps", "DepthTypes", "Embedded", "PhotoFormats", "RasterFormats",
                "Scenes",
            ]),
    ]
)

// Programs for those who work on the library itself: what they call is no part of its interface.
if Context.environment["ISOBATH_DEVELOPMENT"] != nil {
    let plain: [SwiftSetting] =
        [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")] + ownChecks
    let library: [Target.Dependency] = [
        "Bytes", "Codecs", "Commands", "DepthMaps", "DepthTypes", "Effects", "Embedded", "Geometry",
        "HEVCEncoding", "Isobath", "Movies", "Networks", "PhotoEditing", "PhotoFormats", "PhotoWriting",
        "RasterFormats", "Reconstruction", "Recordings", "Scenes", "StereoMatching",
    ]
    package.targets += [
        // Tools/fuzz/run has the flags.
        .target(name: "CFuzzer", path: "Tools/fuzz/CFuzzer", publicHeadersPath: "."),
        .executableTarget(
            name: "Fuzz", dependencies: library + ["CFuzzer", "PhotoBuilders", "RecordingWriting"],
            path: "Tools/fuzz/Fuzz", swiftSettings: plain),
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
                "CHEIF", "CJPEGEncoding", "CJPEGXLEncoding", "CZlib", "PhotoBuilders", "PhotoWriting",
                "TestSupport",
            ],
            path: "Tests/TestImageMaker",
            exclude: [
                "CHEIF", "CJPEGEncoding", "CJPEGXLEncoding", "build", "expected.py", "expected_formats.py",
                "expected_google.py", "malformed.py",
            ], swiftSettings: plain),
        // The C interface as a program uses it, with the library linked in: .ci/sanitize.
        .executableTarget(
            name: "InterfaceProgram", dependencies: ["CInterface"], path: "Tests/PythonTests",
            sources: ["interface.c"],
            cSettings: [.headerSearchPath("../../Sources/Interfaces/CIsobath")],
            linkerSettings: [.linkedLibrary("m")]),
        .executableTarget(
            name: "InProcessBench", dependencies: library, path: "Tools/benchmarks/InProcessBench",
            swiftSettings: plain),
    ]
}
