internal import ArgumentParser
internal import Isobath

/// What is done to a map that is written as a raster.
struct PreviewOptions: ParsableArguments {
    @Flag(help: "Write depth and mattes at the photo's size, edges following the photo.")
    var upsample = false

    @Option(help: ArgumentHelp("Color a preview.", valueName: "name"))
    var colormap: ColorMap?

    @Flag(help: "Spread the shades of a preview evenly.")
    var equalize = false

    /// Whether a preview is asked for.
    var isForPreview: Bool { colormap != nil || equalize }
}
