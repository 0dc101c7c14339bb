import Foundation
import TestSupport
import Testing

@Suite("isobath info")
struct InfoTests {
    private let folder = TemporaryFolder()
    private static let pictures = [
        "portrait.heic", "portrait-rotated.heic", "absolute-depth.heic", "plain.heic", "portrait.jpg",
        "portrait-rotated.jpg", "absolute-depth.jpg", "plain.jpg",
    ]

    @Test("The JSON of info has every field of its schema, null if undeclared", arguments: pictures)
    func schema(name: String) throws {
        let record = try #require(try Tool.run("info --json {\(name)}").objects().first)
        #expect(record.text("schema") == "isobath.info/1")
        let fields: Set = [
            "schema", "path", "container", "width", "height", "orientation", "camera", "planes", "stereo",
            "trailers", "warnings",
        ]
        #expect(Set(record.keys) == fields)
        #expect(Set(record.object("camera").keys) == ["make", "model", "focalLength35mm"])
        #expect(record.isNull("stereo"))
        let planeFields: Set = [
            "kind", "index", "width", "height", "bitDepth", "codec", "source", "unit", "minimum", "maximum",
            "accuracy", "quality", "filtered", "type", "experimental", "calibration",
        ]
        for plane in record.objects("planes") {
            #expect(planeFields.isSubset(of: Set(plane.keys)))
            let kind = plane.text("kind")
            if kind == "depth" || kind == "disparity" {
                let calibration = plane.object("calibration")
                #expect(Set(calibration.keys) == ["intrinsics", "distortion", "extrinsics", "pixelSize"])
                let names: Set = ["fx", "fy", "cx", "cy", "width", "height"]
                #expect(Set(calibration.object("intrinsics").keys) == names)
            } else {
                for field in ["unit", "minimum", "maximum", "quality", "filtered", "calibration"] {
                    #expect(plane.isNull(field), "\(field)")
                }
                #expect(plane.text("accuracy") == "unknown")
            }
        }
    }

    @Test("info gives the calibration of the stored frame from the first pixel's center")
    func calibration() throws {
        let run = try Tool.run("info --json {portrait-rotated.jpg}")
        let plane = try #require(try run.objects().first?.objects("planes").first)
        let calibration = plane.object("calibration")
        let intrinsics = calibration.object("intrinsics")
        #expect(intrinsics.number("fx") == 1200)
        #expect([intrinsics.number("cx"), intrinsics.number("cy")] == [355.5, 473.5])
        #expect([intrinsics.number("width"), intrinsics.number("height")] == [720, 960])
        let lens = calibration.object("distortion")
        #expect([lens.number("centerX"), lens.number("centerY")] == [357.5, 477.5])
        #expect(lens.numbers("inverseCoefficients") == [0, 0, 0.06, 0.01, 0.001, 0, 0, 0])
        #expect(calibration.object("extrinsics").numbers("rotation") == [1, 0, 0, 0, 1, 0, 0, 0, 1])
        #expect(calibration.number("pixelSize") == 0.005)
    }

    @Test("info takes several inputs in order and continues after a bad one")
    func several() throws {
        let paths = ["plain.jpg", "missing.jpg", "portrait.heic"].map(TestImages.path)
        let run = try Tool.run("info --json \(paths)", status: 1)
        let records = try run.objects()
        #expect(records.map { $0.text("path") } == paths)
        let error = records[1].object("error")
        #expect(Set(error.keys) == ["code", "message", "offset", "where"])
        #expect(error.text("code") == "unreadable")
        #expect(
            run.messages == "isobath: \(paths[1]): error: cannot be read: No such file or directory\n"
                + "isobath: 3 inputs: 2 read, 1 failed\n")
    }

    @Test("info reads standard input for -", arguments: ["portrait.heic", "portrait.jpg"])
    func standardInput(name: String) throws {
        let run = try Tool.run(["info", "--json", "-"], input: Data(try TestImages.bytes(name)))
        let record = try #require(try run.objects().first)
        #expect(record.text("path") == "-")
        let file = try #require(try Tool.run("info --json {\(name)}").objects().first)
        #expect(record.objects("planes").count == file.objects("planes").count)
        #expect(run.status == 0)
    }

    @Test("info recognizes a photo by its bytes, not by its name")
    func wrongExtension() throws {
        let path = try folder.write(TestImages.bytes("portrait.jpg"), to: "portrait.heic")
        let run = try Tool.run("info --json \(path)")
        #expect(try run.objects().first?.text("container") == "jpeg")
    }

    @Test("Control characters in a file name are escaped")
    func terminal() throws {
        let run = try Tool.run(
            "info \("/nonexistent/\u{1B}[31m\u{202E}.jpg")", status: 1, says: "\\u{1b}[31m\\u{202e}.jpg")
        #expect(!run.messages.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
    }

    @Test("info ends quietly when its output is closed")
    func closedOutput() throws {
        // A few hundred kilobytes, more than a pipe holds.
        let paths = [String](repeating: TestImages.path("portrait.heic"), count: 300)
        let script = #"{ "$0" info --json "$@"; echo $? > status; } | head -c 1"#
        let run = try Tool.shell(script, paths, folder: folder.path)
        #expect(run.text == "{")
        #expect(run.messages == "")
        #expect(try folder.text(of: "status") == "0\n")
    }
}
