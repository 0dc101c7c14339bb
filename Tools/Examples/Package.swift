// swift-tools-version: 6.2
import PackageDescription

// Programs that use the library as any package does: `swift run --package-path Tools/Examples MetricDepth photo.heic`.
func example(_ name: String) -> Target {
    .executableTarget(name: name, dependencies: [.product(name: "Isobath", package: "isobath")])
}

// `run` writes the code of the README and of the articles into Sources/Articles.
let articles = Context.environment["ISOBATH_ARTICLES"] == nil ? [] : [example("Articles")]

let package = Package(
    name: "Examples",
    dependencies: [.package(name: "isobath", path: "../..")],
    targets: [example("MetricDepth"), example("CutOut"), example("Cloud"), example("Room")] + articles)
