// swift-tools-version: 6.2
import PackageDescription

// Renders and writes TestImages/. Apart from the root package, so that its users need no HEVC encoder.
let package = Package(
    name: "TestImageMaker",
    dependencies: [
        // Named, because the identity of a package at a path is the name of the folder it was cloned into.
        .package(name: "isobath", path: "../..")
    ],
    targets: [
        .systemLibrary(name: "CHEIF", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),
        .systemLibrary(name: "CZLIB", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CJPEGEncoding", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CJPEGXLEncoding", linkerSettings: [.linkedLibrary("jxl")]),
        .executableTarget(
            name: "TestImageMaker",
            dependencies: [
                "CHEIF", "CJPEGEncoding", "CJPEGXLEncoding", "CZLIB",
                .product(name: "ContainerWriting", package: "isobath"),
            ],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .treatAllWarnings(as: .error),
            ]),
    ]
)
