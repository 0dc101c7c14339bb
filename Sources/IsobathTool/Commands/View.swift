internal import ArgumentParser
internal import Isobath
internal import Pages

/// `isobath view`
struct View: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view",
        abstract: "Make a web page of a photo and its depth: one file that needs no network.",
        discussion: """
            The page shows the photo, refocuses it by click, shows depth in colors with its value under the pointer, mattes, \
            other backgrounds, and the surface from other sides, with the record of the file. It has no metadata of \
            the photo but what the record shows: not where it was taken.
            """)

    @Argument(help: "Photos and depth rasters; - is standard input.")
    var inputs: [String] = []

    @OptionGroup(title: "Page") var page: PageFlags

    @OptionGroup(title: "Output") var files: OutputOptions

    @OptionGroup(title: "Rasters") var rasters: RasterOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        try files.check(inputs)
        if let output = files.output, output != "-", !["html", "htm"].contains(output.pathExtension) {
            throw ValidationError("'\(output.forTerminal)' does not end in .html: a page is an HTML file.")
        }
    }

    func run() throws {
        try InputRun.perform(
            ViewJob(
                limits: common.limits, reading: rasters.reading, options: page.options,
                destination: files.destination(suffix: "", fileExtension: "html"), json: files.json,
                nameFile: files.batch.nameFile, existing: files.existing.existing),
            on: files.batch.names(inputs, common), files.batch, common, folder: files.outputDirectory,
            hasResults: files.json)
    }
}

/// How a page is made.
struct PageFlags: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Pixels on the longer side of the photo in the page.", valueName: "pixels"))
    var size = PageOptions().longestSide

    @Option(
        help: ArgumentHelp(
            "The quality of the photo's JPEG, 1 to 100 (default: the best with which the page keeps to 1.5 MB).",
            valueName: "q"))
    var quality: Int?

    func validate() throws {
        if let quality, !(1...100).contains(quality) { throw ValidationError("'--quality' is 1 to 100.") }
        guard (64...16384).contains(size) else { throw ValidationError("'--size' is 64 to 16384.") }
    }

    /// The flags as the library takes them.
    var options: PageOptions {
        var options = PageOptions()
        (options.longestSide, options.quality) = (size, quality)
        return options
    }
}
