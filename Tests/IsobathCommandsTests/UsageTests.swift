import Isobath
import TestSupport
import Testing

@Suite("Wrong usage")
struct UsageTests {
    private static let wrong: [[String]] = [
        [], ["info"], ["extract"], ["info", "--nonsense", "x.jpg"],
        ["extract", "x.heic"],
        ["extract", "x.heic", "-o", "d.png", "--output-directory", "out"],
        ["extract", "x.heic", "y.heic", "-o", "d.png"],
        ["extract", "x.heic", "--plane", "all", "-o", "d.png"],
        ["extract", "-", "-", "--output-directory", "out"],
        ["extract", "x.heic", "-o", "d.bmp"], ["extract", "x.heic", "-o", "depth"],
        ["extract", "x.heic", "-o", "d.png", "--format", "tiff"],
        ["extract", "x.heic", "-o", "d.png", "--format", "jpeg"],
        ["extract", "x.heic", "-o", "d.tiff", "--png", "preview"],
        ["extract", "x.heic", "--output-directory", "out", "--format", "tiff", "--png", "normalized"],
        ["extract", "x.heic", "-o", "d.png", "--png", "pretty"],
        ["extract", "x.heic", "-o", "d.png", "--plane", "nose"],
        ["extract", "x.heic", "-o", "d.png", "--plane", "unknown"],
        ["extract", "x.heic", "-o", "d.png", "--plane", "matte", "--as", "depth"],
        ["extract", "x.heic", "-o", "d.png", "--plane", "gain-map", "--png", "millimeters"],
        ["extract", "x.heic", "-o", "d.png", "--plane", "photo", "--as", "depth"],
        ["extract", "x.heic", "-o", "d.png", "--plane", "photo", "--sidecar"],
        ["extract", "x.heic", "-o", "d.png", "--as", "matte"],
        ["extract", "x.heic", "-o", "d.png", "--as", "disparity", "--png", "millimeters"],
        ["extract", "x.heic", "-o", "-", "--sidecar"],
        ["animate", "x.heic", "-o", "a.mp4", "--aperture", "2"],
        ["animate", "x.heic", "-o", "a.mp4", "--aspect", "2"],
        ["convert", "x.heic", "--to", "rgbd", "--bits", "16", "-o", "a.png"],
        ["convert", "x.heic", "--to", "exr", "--far", "3", "-o", "a.exr"],
        ["sequence", "x.mp4", "-o", "a.mp4", "--background", "red"],
        ["sequence", "x.mp4", "-o", "a.mp4", "--view", "mask", "--background", "red", "--layer", "y.png"],
        ["sequence", "x.mp4", "-o", "a.mp4", "--layer-width", "2"],
        ["sequence", "x.mp4", "-o", "f-%04d-%04d.png"],
        ["cloud", "x.heic", "--mesh", "--format", "obj", "-o", "-"],
        ["info", "x.heic", "--limit=items=-1"], ["info", "x.heic", "--limit", "items=many"],
        ["extract", "x.heic", "-o", "d.png", "--limit=pixels=-5"],
    ]

    /// Swift parses each of these as a number.
    private static let numbers = ["0x10", "0x1p-3", "inf", "infinity", "nan", "1e999"]

    @Test(
        "Numbers that are not decimal and finite are refused", arguments: numbers,
        [
            "extract x.png -o d.exr --scale=", "extract x.png -o d.exr --focal=",
            "extract x.png -o d.exr --baseline=",
            "extract x.png -o d.exr --focal 5 --principal=3,", "blur x.heic -o o.jpg --aperture=",
            "blur x.heic -o o.jpg --focus-distance=", "blur x.heic -o o.jpg --focus=0.5,",
            "composite x.heic -o o.png --background red --far=",
            "composite x.heic -o o.png --background red --softness=",
            "composite x.heic -o o.png --background red --near=1%--far=",
            "occlude x.heic --layer y.png -o o.png --distance=", "cloud x.heic -o c.ply --voxel=",
            "cloud x.heic -o c.ply --near=",
        ])
    func number(number: String, command: String) throws {
        let arguments = (command + number).split(separator: " ").map(String.init)
        let run = try Tool.run(arguments)
        #expect(run.status == 64, "\(run.messages)")
        #expect(run.messages.hasPrefix("Error: "))
    }

    @Test("Wrong usage ends with status 64 and a message before any work", arguments: wrong)
    func usage(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(arguments, folder: folder.path)
        // The tool without arguments shows its help, which is not an error.
        #expect(run.status == (arguments.isEmpty ? 0 : 64))
        #expect(run.messages.contains("Usage:") || arguments.isEmpty)
        #expect(run.output.isEmpty || arguments.isEmpty)
        #expect(folder.contents == [])
    }

    @Test(
        "Several inputs for one output are quoted, among them the value of a misspelled option",
        arguments: [["extract"], ["composite", "--background", "white"]])
    func severalInputs(subcommand: [String]) throws {
        let run = try Tool.run(subcommand + ["x.heic", "-o", "d.png", "--limits", "1000"])
        #expect(run.status == 64)
        #expect(
            run.messages.contains("2 inputs, 'x.heic', '1000'; use --output-directory"), "\(run.messages)")
    }

    @Test(
        "A file whose name begins with a dash is not taken for flags",
        arguments: ["-x.heic", "-h.heic", "--a.heic"])
    func dash(name: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(try TestImages.bytes("portrait.heic"), to: name)
        for arguments in [["info", name], ["extract", "--output-directory", "out", name]] {
            let run = try Tool.run(arguments, folder: folder.path)
            #expect(run.status == 64 && run.output.isEmpty)
            #expect(
                run.messages.contains(
                    "\(name): the file begins with a dash: give it after '--', or as './\(name)'"))
        }
        #expect(folder.contents == [name])
        for arguments in [["--", name], ["./" + name], ["--json", "--", name]] {
            #expect(try Tool.run(["info"] + arguments, folder: folder.path).status == 0)
        }
    }

    @Test("The help names every plane and every limit")
    func help() throws {
        let run = try Tool.run(["extract", "--help"])
        #expect(run.status == 0)
        let kinds = [
            "depth", "disparity", "matte", "skin", "hair", "teeth", "glasses", "sky", "confidence",
            "gain-map", "alpha",
            "photo", "all",
        ]
        for kind in kinds { #expect(run.text.contains(kind)) }
        let limits = try Tool.run(["help", "limits"])
        #expect(limits.status == 0)
        for name in DecodingLimits.Name.allCases {
            let line = limits.text.split(separator: "\n").first { $0.hasPrefix("  \(name.rawValue) ") }
            #expect(line?.contains(" \(name.defaultValue) ") == true, "\(name)")
        }
    }

    @Test("--version prints the version")
    func version() throws {
        let run = try Tool.run(["--version"])
        #expect(run.status == 0)
        #expect(run.text.split(separator: ".").count == 3)
    }
}
