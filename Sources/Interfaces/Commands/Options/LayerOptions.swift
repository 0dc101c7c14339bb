internal import ArgumentParser
internal import Isobath

/// The picture that is inserted into a scene.
struct LayerOptions: FlagGroup {
    static let kinds: FlagKinds = [
        "layer": .all, "layer-distance": .all, "layer-position": .all, "layer-width": .all,
    ]

    @Option(
        help: ArgumentHelp(
            "Insert this picture into the scene, hidden by what is nearer.", valueName: "file"),
        completion: .file())
    var layer: String?

    @Option(
        help: ArgumentHelp("The distance of the inserted picture.", valueName: "meters"), transform: decimal)
    var layerDistance: Float?

    @Option(
        help: ArgumentHelp(
            "The position of its center: fractions, or pixels (default: 0.5,0.5).", valueName: "x,y"))
    var layerPosition: PicturePosition?

    @Option(
        help: ArgumentHelp(
            "Its width (default: a third of what the photo shows there).", valueName: "meters"),
        transform: decimal)
    var layerWidth: Float?

    func validate() throws {
        for (name, value) in [("layer-distance", layerDistance), ("layer-width", layerWidth)] {
            guard let value, !(value > 0 && value.isFinite) else { continue }
            throw ValidationError("--\(name) is \(value); it must be a positive number of meters")
        }
        if layer != nil, layerDistance == nil { throw ValidationError("--layer needs --layer-distance") }
        guard layer == nil else { return }
        let others = [
            ("layer-distance", layerDistance != nil), ("layer-position", layerPosition != nil),
            ("layer-width", layerWidth != nil),
        ]
        if let other = others.first(where: \.1) {
            throw ValidationError("--\(other.0) has no effect without --layer")
        }
    }

    /// The flags as a job takes them; `nil` without a picture.
    var inserted: InsertedPicture? {
        guard let layer, let layerDistance else { return nil }
        return InsertedPicture(
            path: layer, distance: layerDistance, position: layerPosition, width: layerWidth)
    }
}

/// A picture that is inserted into a scene.
struct InsertedPicture: Sendable {
    var path: String
    /// Meters.
    var distance: Float
    /// The position of its center; `nil` for the middle of the picture.
    var position: PicturePosition?
    /// Meters; `nil` for a third of the width that the picture shows at that distance.
    var width: Float?
}
