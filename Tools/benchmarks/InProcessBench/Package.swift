// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of the library never build it.
let package = Package(
    name: "InProcessBench",
    dependencies: [.package(name: "isobath", path: "../../..")],
    targets: [
        .executableTarget(
            name: "InProcessBench",
            dependencies: [.product(name: "Isobath", package: "isobath")])
    ]
)
