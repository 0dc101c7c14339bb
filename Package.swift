// swift-tools-version: 6.2
import PackageDescription

/// One set of settings for every Swift target: strict concurrency and memory safety, warnings are errors.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: settings)
}

func system(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let package = Package(
    name: "isobath",
    products: [
        .library(name: "Isobath", targets: ["Isobath"]),
        .library(name: "ContainerWriting", targets: ["ContainerWriting"]),
        .executable(name: "isobath", targets: ["IsobathTool"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
    ],
    targets: [
        // System libraries: a module map and a header each.
        system("CEXPAT", pkgConfig: "expat", apt: "libexpat1-dev"),
        system("CDE265", pkgConfig: "libde265", apt: "libde265-dev"),
        system("CJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev"),
        system("CPNG", pkgConfig: "libpng", apt: "libpng-dev"),
        system("CTIFF", pkgConfig: "libtiff-4", apt: "libtiff-dev"),
        // C: longjmp, varargs and what needs _GNU_SOURCE end here.
        .target(name: "CCodecShims", dependencies: ["CJPEG", "CPNG", "CTIFF"]),
        .target(name: "CFileShims"),

        module("ByteParsing"),
        module("XMLEvents", ["ByteParsing", "CEXPAT"]),
        module("DepthModel"),
        module("ImageContainers", ["ByteParsing", "DepthModel", "XMLEvents"]),
        module("ContainerWriting"),
        module("DepthCore", ["DepthModel"], exclude: ["README.md"]),
        module("ImageCodecs", ["ByteParsing", "CCodecShims", "CDE265", "DepthCore", "ImageContainers"]),
        module(
            "DepthIO",
            ["ByteParsing", "CFileShims", "DepthCore", "DepthModel", "ImageCodecs", "ImageContainers"]),
        module(
            "Isobath",
            ["ByteParsing", "DepthCore", "DepthIO", "DepthModel", "ImageCodecs", "ImageContainers"]),
        .executableTarget(
            name: "IsobathTool",
            dependencies: ["Isobath", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: settings),

        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        tests("ByteParsingTests", ["ByteParsing"]),
        tests("ContainerWritingTests", ["ContainerWriting"]),
        tests("DepthCoreTests", ["DepthCore", "DepthModel"]),
    ]
)
