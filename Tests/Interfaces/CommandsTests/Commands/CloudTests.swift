import Foundation
import TestSupport
import Testing

@Suite("isobath cloud")
struct CloudTests {
    /// The lines of a written cloud's header and its points.
    private struct Written {
        let header: [String]
        let positions: [SIMD3<Float>]
        let colors: [[UInt8]]

        init(_ bytes: [UInt8]) throws {
            let end = Array("end_header\n".utf8)
            let start = try #require(bytes.indices.first { bytes[$0...].starts(with: end) })
            header = String(decoding: bytes[..<start], as: UTF8.self).split(separator: "\n").map(String.init)
            let properties = header.filter { $0.hasPrefix("property") }
            let hasColors = properties.contains("property uchar red")
            let size = properties.count { $0.hasPrefix("property float") } * 4 + (hasColors ? 3 : 0)
            let points = bytes[(start + end.count)...]
            try #require(points.count % size == 0)
            func float(_ place: Int) -> Float {
                Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(points[place + $1]) << (8 * UInt32($1)) })
            }
            let starts = stride(from: points.startIndex, to: points.endIndex, by: size)
            positions = starts.map { SIMD3(float($0), float($0 + 4), float($0 + 8)) }
            colors = hasColors ? starts.map { Array(points[$0 + size - 3..<$0 + size]) } : []
        }

        var count: Int? {
            header.first { $0.hasPrefix("element vertex ") }.flatMap { Int($0.dropFirst(15)) }
        }
    }

    /// A 16-bit PGM, big-endian as the format requires.
    private func pgm(_ values: [UInt16], width: Int) -> [UInt8] {
        Array("P5 \(width) \(values.count / width) 65535\n".utf8)
            + values.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    @Test(
        "A photo's cloud is upright, colored and documented in its header",
        arguments: ["portrait.heic", "portrait.jpg"])
    func photo(name: String) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(
            ["cloud", TestImages.path(name), "-o", folder.file("c.ply"), "--json", "--no-edge-filter"])
        #expect(run.status == 0)
        let cloud = try Written(folder.bytes(of: "c.ply"))
        #expect(cloud.count == cloud.positions.count)
        #expect(cloud.colors.count == cloud.positions.count)
        #expect(cloud.header[1] == "format binary_little_endian 1.0")
        #expect(cloud.header.contains("comment source \(name)"))
        #expect(cloud.header.contains("comment axes opengl: x right, y up, z backward"))
        let record = try #require(try run.objects().first)
        #expect(record.text("schema") == "isobath.cloud/1")
        #expect(record.integer("points") == cloud.positions.count)
        #expect(record.text("unit") == "m")
        let low = record.object("bounds").numbers("minimum").map { Float($0) }
        #expect(low == (0..<3).map { axis in cloud.positions.map { $0[axis] }.min() ?? 0 })
        // y up: the first point of the picture lies above the last, and all before the camera.
        #expect((cloud.positions.first?.y ?? 0) > (cloud.positions.last?.y ?? 0))
        #expect(cloud.positions.allSatisfy { $0.z < 0 })
    }

    @Test("Known pixels have their depth in the cloud")
    func depths() throws {
        let folder = try TemporaryFolder()
        let plane = try #require(try TestImages.expected("portrait.heic").objects("planes").first)
        _ = try Tool.run(
            [
                "cloud", TestImages.path("portrait.heic"), "-o", folder.file("c.ply"), "--axes", "opencv",
                "--no-edge-filter", "--no-dequantize",
            ])
        let cloud = try Written(folder.bytes(of: "c.ply"))
        let width = try #require(plane.integer("width"))
        try #require(cloud.positions.count == width * (plane.integer("height") ?? 0))
        for pixel in plane.objects("pixels") {
            let place = pixel.numbers("upright").map { Int($0) }
            let meters = try #require(pixel.number("meters"))
            // Float32
            #expect(abs(Double(cloud.positions[place[1] * width + place[0]].z) - meters) < 1e-5 * meters)
        }
    }

    @Test("Without --raw, points leave the layers of 8-bit codes by half a step at most")
    func layers() throws {
        let folder = try TemporaryFolder()
        let plane = try #require(try TestImages.expected("portrait.heic").objects("planes").first)
        let step = Float(((plane.number("maximum") ?? 0) - (plane.number("minimum") ?? 0)) / 255)
        func distances(_ flags: [String]) throws -> [Float] {
            _ = try Tool.run(
                [
                    "cloud", TestImages.path("portrait.heic"), "-o", folder.file("c.ply"), "--no-edge-filter",
                    "-f",
                ]
                    + flags)
            return try Written(folder.bytes(of: "c.ply")).positions.map { -$0.z }
        }
        let (stored, smooth) = (try distances(["--no-dequantize"]), try distances([]))
        #expect(Set(stored).count <= 256)
        #expect(Set(smooth).count > 4 * Set(stored).count)
        // Float32 rounds both ends of the comparison.
        for (a, b) in zipEqual(stored, smooth) where abs(1 / a - 1 / b) > step * 0.50001 {
            Issue.record("\(a) became \(b)")
        }
        let both = try Tool.run(
            ["cloud", TestImages.path("portrait.heic"), "-o", "-", "--no-dequantize", "--dequantize"])
        #expect(both.status == 64)
    }

    @Test("A raster's cloud follows the camera flags")
    func raster() throws {
        let folder = try TemporaryFolder()
        try folder.write(pgm([1000, 0, 2000, 3000], width: 2), to: "d.pgm")
        try folder.write(Array("P6 2 2 255\n".utf8) + (0..<12).map { UInt8($0 * 20) }, to: "c.ppm")
        let run = try Tool.run(
            [
                "cloud", "d.pgm", "-o", "c.ply", "--scale", "1000", "--camera", "2,0,0",
                "--axes", "opencv", "--no-edge-filter",
            ], folder: folder.path)
        #expect(run.status == 0)
        let cloud = try Written(folder.bytes(of: "c.ply"))
        #expect(cloud.positions == [SIMD3(0, 0, 1), SIMD3(0, 1, 2), SIMD3(1.5, 1.5, 3)])
        #expect(cloud.colors.isEmpty)
        #expect(cloud.header.contains("comment camera intrinsics as given"))
        #expect(cloud.header.contains("comment accuracy absolute"))
    }

    @Test("Splats of a raster are gray, y down, and as many as points")
    func splats() throws {
        let folder = try TemporaryFolder()
        try folder.write(pgm([1000, 1000, 1000, 1000], width: 2), to: "d.pgm")
        let flags = ["--scale", "1000", "--camera", "2,0,0", "--splats", "--json"]
        let run = try Tool.run(["cloud", "d.pgm", "-o", "c.ply"] + flags, folder: folder.path)
        #expect(run.status == 0)
        #expect(run.messages.contains("splats are gray"))
        let record = try #require(try run.objects().first)
        #expect(record.integer("points") == 4 && record.text("axes") == "opencv")
        #expect(record["splats"] as? Bool == true)
        let bytes = try folder.bytes(of: "c.ply")
        let last = Array(bytes.suffix(68))
        func float(_ index: Int) -> Float {
            Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(last[4 * index + $1]) << (8 * UInt32($1)) })
        }
        #expect((0..<3).map(float) == [0.5, 0.5, 1])
        // The spacing is 1 m / 2: a standard deviation of 0.5 / √2.
        #expect(abs(float(11) - Foundation.log(Float(0.5) * Float(0.5).squareRoot())) < 1e-5)
        let glb = try Tool.run(["cloud", "d.pgm", "-o", "c.glb"] + flags, folder: folder.path)
        #expect(glb.status == 0)
        #expect(try glb.objects().first?.text("axes") == "opengl")
    }

    @Test("Missing intrinsics and a missing unit are reported")
    func assumed() throws {
        let folder = try TemporaryFolder()
        try folder.write(pgm([1000, 1000, 2000, 3000], width: 2), to: "d\n.pgm")
        let run = try Tool.run(["cloud", "d\n.pgm", "-o", "c.ply", "--json"], folder: folder.path)
        #expect(run.status == 0)
        #expect(run.messages.contains("assumed, 65 degrees"))
        #expect(run.messages.contains("the scale is unknown"))
        let record = try #require(try run.objects().first)
        #expect(record.isNull("unit"))
        #expect(record.text("accuracy") == "unknown")
        #expect(record.object("camera").text("source") == "assumed")
        let header = try Written(folder.bytes(of: "c.ply")).header
        #expect(header.contains("comment source d%0A.pgm"))
        #expect(header.contains("comment unit unknown"))
    }

    @Test("A cloud is written to standard output, and as text with --ascii")
    func standardOutput() throws {
        let folder = try TemporaryFolder()
        try folder.write(pgm([1000, 1000, 2000, 3000], width: 2), to: "d.pgm")
        let run = try Tool.run(
            [
                "cloud", "d.pgm", "-o", "-", "--scale", "1000", "--ascii", "--quiet", "--no-edge-filter",
                "--normals",
            ],
            folder: folder.path)
        #expect(run.status == 0)
        #expect(run.messages.isEmpty)
        let lines = run.text.split(separator: "\n")
        #expect(lines.first == "ply")
        #expect(lines.last?.split(separator: " ").count == 6)
        #expect(folder.contents == ["d.pgm"])
    }

    @Test(
        "Flags reduce the number of points",
        arguments: [
            (["--near", "1.5"], 15), (["--far", "1.5"], 1), (["--stride", "2"], 4),
            (["--max-points", "5"], 5),
            (["--voxel", "100"], 1), (["--voxel", "100", "--max-points", "5"], 1), (["--no-edge-filter"], 16),
            (["--remove-outliers", "--max-points", "7"], 7),
        ])
    func thinned(flags: [String], count: Int) throws {
        let folder = try TemporaryFolder()
        try folder.write(pgm([1000] + [UInt16](repeating: 2000, count: 15), width: 4), to: "d.pgm")
        let run = try Tool.run(
            ["cloud", "d.pgm", "-o", "c.ply", "--scale", "1000", "--camera", "4"] + flags, folder: folder.path
        )
        #expect(run.status == 0)
        #expect(try Written(folder.bytes(of: "c.ply")).positions.count == count)
    }

    @Test(
        "A cloud without points is not written",
        arguments: [[], ["--voxel", "1"], ["--normals", "--remove-outliers"]])
    func empty(flags: [String]) throws {
        let folder = try TemporaryFolder()
        try folder.write(pgm([0, 0, 0, 0], width: 2), to: "d.pgm")
        let run = try Tool.run(["cloud", "d.pgm", "-o", "c.ply"] + flags, folder: folder.path)
        #expect(run.status == 1)
        #expect(run.messages.contains("no sample is known"))
        #expect(folder.contents == ["d.pgm"])
    }

    @Test("cloud requires depth, keeps existing files and never overwrites an input")
    func refused() throws {
        let folder = try TemporaryFolder()
        #expect(
            try Tool.run(["cloud", TestImages.path("plain.jpg"), "-o", folder.file("c.ply")]).status == 3)
        try folder.write([1], to: "c.ply")
        #expect(
            try Tool.run(["cloud", TestImages.path("portrait.jpg"), "-o", folder.file("c.ply")]).status == 1)
        #expect(try folder.bytes(of: "c.ply") == [1])
        try folder.write(pgm([1, 1], width: 2), to: "d.ply")
        let run = try Tool.run(["cloud", folder.file("d.ply"), "-o", folder.file("d.ply"), "--force"])
        #expect(run.status == 1)
        #expect(run.messages.contains("would replace an input"))
        #expect(
            try Tool.run(["cloud", TestImages.path("portrait.jpg"), "-o", folder.file("c.ply"), "--force"])
                .status == 0)
    }

    @Test("A color image of another aspect ratio is refused")
    func otherAspect() throws {
        let folder = try TemporaryFolder()
        try folder.write(pgm([UInt16](repeating: 9, count: 64), width: 32), to: "d.pgm")
        let run = try Tool.run(
            ["cloud", "d.pgm", "--color", TestImages.path("plain.jpg"), "-o", "c.ply"], folder: folder.path)
        #expect(run.status == 1)
        #expect(run.messages.contains("another shape"))
    }

    private static let wrong: [[String]] = [
        ["cloud"], ["cloud", "x.heic", "-o", "c.xyzzy"], ["cloud", "x.heic", "-o", "c"],
        ["cloud", "x.heic", "-o", "c.ply", "--voxel", "0"],
        ["cloud", "x.heic", "-o", "c.ply", "--voxel", "nan"],
        ["cloud", "x.heic", "-o", "c.ply", "--near", "2", "--far", "1"],
        ["cloud", "x.heic", "-o", "c.ply", "--near", "2", "--far", "2"],
        ["cloud", "x.heic", "-o", "c.ply", "--far", "-1"],
        ["cloud", "x.heic", "-o", "c.ply", "--far", "inf"],
        ["cloud", "x.heic", "-o", "c.ply", "--stride", "0"],
        ["cloud", "x.heic", "-o", "c.ply", "--stride", "-2"],
        ["cloud", "x.heic", "-o", "c.ply", "--max-points", "0"],
        ["cloud", "x.heic", "-o", "c.ply", "--axes", "blender"],
        ["cloud", "x.heic", "-o", "c.ply", "--camera", "0"], ["cloud", "x.heic", "-o", "-", "--json"],
        ["cloud", "x.heic", "-o", "c.ply", "--resolution", "large"],
        ["cloud", "x.heic", "-o", "c.las", "--splats"], ["cloud", "x.heic", "-o", "c.usdz", "--splats"],
        ["cloud", "x.heic", "-o", "c.ply", "--splats", "--mesh"],
        ["cloud", "x.heic", "-o", "c.ply", "--splats", "--normals"],
        ["cloud", "x.heic", "-o", "c.ply", "--splats", "--ascii"],
        ["cloud", "x.heic", "-o", "c.ply", "--splats", "--axes", "opengl"],
        ["cloud", "x.heic", "-o", "c.glb", "--splats", "--axes", "opencv"],
    ]

    @Test("Wrong usage of cloud ends with status 64", arguments: wrong)
    func usage(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(arguments, folder: folder.path)
        #expect(run.status == 64)
        #expect(folder.contents == [])
    }
}
