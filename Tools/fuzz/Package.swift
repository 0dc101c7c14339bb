// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of the library never build it. Tools/fuzz/run has the flags.
let package = Package(
    name: "Fuzz",
    dependencies: [
        // Named, because the identity of a package at a path is the name of the folder it was cloned into.
        .package(name: "isobath", path: "../..")
    ],
    targets: [
        .target(name: "CFuzzer", publicHeadersPath: "."),
        .executableTarget(
            name: "Fuzz",
            dependencies: ["CFuzzer", .product(name: "Isobath", package: "isobath")],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .treatAllWarnings(as: .error),
            ]),
    ]
)
