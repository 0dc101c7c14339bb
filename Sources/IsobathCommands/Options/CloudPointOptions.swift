internal import ArgumentParser
internal import Isobath

/// Which points of a cloud are written.
struct CloudPointOptions: ParsableArguments {
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Drop what is nearer.", valueName: "meters"),
        transform: decimal)
    var near: Float?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Drop what is farther.", valueName: "meters"),
        transform: decimal)
    var far: Float?

    @Flag(help: "Keep samples that hang in the air between two surfaces.")
    var keepEdges = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Take every n-th sample of every n-th row.", valueName: "n"))
    var stride: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Keep so many points at most, spread evenly.", valueName: "n"))
    var maxPoints: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "One point for each cube of this edge: the mean of those in it.", valueName: "meters"),
        transform: decimal)
    var voxel: Float?

    @Flag(help: "Drop points that stand alone: farther from their 20 nearest than 2 standard deviations.")
    var removeOutliers = false

    /// The flag's name until 0.1.0.
    @Flag(name: .customLong("outliers"), help: .hidden)
    var removeOutliersAsBefore = false

    @Option(
        help: ArgumentHelp(
            "A point for each sample of the depth plane, or for each pixel of the photo.",
            valueName: "plane|photo"))
    var resolution: CloudExport.Resolution = .plane

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            "Take colors from the photo as it is, or from the original from before the camera's own blur (default where there is one).",
            valueName: "picture"))
    var pictureOrigin: PictureOrigin?

    func validate() throws {
        for (name, value) in [("near", near), ("far", far), ("voxel", voxel)] {
            guard let value, !(value.isFinite && value > 0) else { continue }
            throw ValidationError("'--\(name)' must be a positive number of meters.")
        }
        if let near, let far, near >= far { throw ValidationError("'--near' must be less than '--far'.") }
        for (name, value) in [("stride", stride), ("max-points", maxPoints)] {
            guard let value, value < 1 else { continue }
            throw ValidationError("'--\(name)' must be 1 or more.")
        }
    }

    /// Whether points that stand alone are dropped.
    var removesOutliers: Bool { removeOutliers || removeOutliersAsBefore }

    /// Writes the flags into what the library takes.
    func apply(to export: inout CloudExport) {
        export.options.near = near ?? 0
        export.options.far = far ?? CloudOptions.farthest
        export.options.keepsEdges = keepEdges
        export.options.stride = stride ?? 1
        export.options.maximumCount = maxPoints
        export.voxelSize = voxel
        export.removesOutliers = removesOutliers
        export.resolution = resolution
        export.pictureOrigin = pictureOrigin
    }
}
