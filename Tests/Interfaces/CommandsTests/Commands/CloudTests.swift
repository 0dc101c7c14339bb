import Foundation
import TestSupport
import Testing

@Suite("isobath cloud")
struct CloudTests {
    private let folder = TemporaryFolder()

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
            let starts = stride(from: 0, to: points.count, by: size)
            positions = starts.map { start in
                SIMD3(points.float(at: start), points.float(at: start + 4), points.float(at: start + 8))
            }
            colors = hasColors ? starts.map { Array(points.dropFirst($0 + size - 3).prefix(3)) } : []
        }

        var count: Int? {
            header.first { $0.hasPrefix("element vertex ") }.flatMap { Int($0.dropFirst(15)) }
        }
    }

    @Test(
        "A photo's cloud is upright, colored and documented in its header",
        arguments: ["portrait.heic", "portrait.jpg"])
    func photo(name: String) throws {
        let run = try folder.run("cloud {\(name)} -o c.ply --json --no-edge-filter")
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
        let plane = try #require(try TestImages.expected("portrait.heic").objects("planes").first)
        try folder.run("cloud {portrait.heic} -o c.ply --axes opencv --no-edge-filter --no-dequantize")
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

    @Test("A raster's cloud follows the camera flags")
    func raster() throws {
        try folder.write(pgm([1000, 0, 2000, 3000], width: 2), to: "d.pgm")
        try folder.write(Array("P6 2 2 255\n".utf8) + (0..<12).map { UInt8($0 * 20) }, to: "c.ppm")
        try folder.run("cloud d.pgm -o c.ply --scale 1000 --camera 2,0,0 --axes opencv --no-edge-filter")
        let cloud = try Written(folder.bytes(of: "c.ply"))
        #expect(cloud.positions == [SIMD3(0, 0, 1), SIMD3(0, 1, 2), SIMD3(1.5, 1.5, 3)])
        #expect(cloud.colors.isEmpty)
        #expect(cloud.header.contains("comment camera intrinsics as given"))
        #expect(cloud.header.contains("comment accuracy absolute"))
    }

    @Test("Splats of a raster are gray, y down, and as many as points")
    func splats() throws {
        try folder.write(pgm([1000, 1000, 1000, 1000], width: 2), to: "d.pgm")
        let flags = ["--scale", "1000", "--camera", "2,0,0", "--splats", "--json"]
        let run = try folder.run("cloud d.pgm -o c.ply \(flags)", says: "splats are gray")
        let record = try #require(try run.objects().first)
        #expect(record.integer("points") == 4 && record.text("axes") == "opencv")
        #expect(record["splats"] as? Bool == true)
        let bytes = try folder.bytes(of: "c.ply")
        let last = Array(bytes.suffix(68))
        #expect((0..<3).map { last.float(at: 4 * $0) } == [0.5, 0.5, 1])
        // The spacing is 1 m / 2: a standard deviation of 0.5 / √2.
        #expect(abs(last.float(at: 44) - Foundation.log(Float(0.5) * Float(0.5).squareRoot())) < 1e-5)
        let glb = try folder.run("cloud d.pgm -o c.glb \(flags)")
        #expect(try glb.objects().first?.text("axes") == "opengl")
    }

    @Test("Missing intrinsics and a missing unit are reported")
    func assumed() throws {
        try folder.write(pgm([1000, 1000, 2000, 3000], width: 2), to: "d\n.pgm")
        let run = try folder.run(
            "cloud \("d\n.pgm") -o c.ply --json", says: "assumed, 65 degrees", "the scale is unknown")
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
        try folder.write(pgm([1000, 1000, 2000, 3000], width: 2), to: "d.pgm")
        let run = try folder.run("cloud d.pgm -o - --scale 1000 --ascii --quiet --no-edge-filter --normals")
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
        try folder.write(pgm([1000] + [Int](repeating: 2000, count: 15), width: 4), to: "d.pgm")
        try folder.run("cloud d.pgm -o c.ply --scale 1000 --camera 4 \(flags)")
        #expect(try Written(folder.bytes(of: "c.ply")).positions.count == count)
    }

    @Test("cloud requires depth, keeps existing files and never overwrites an input")
    func refused() throws {
        try folder.run("cloud {plain.jpg} -o c.ply", status: 3)
        try folder.write([1], to: "c.ply")
        try folder.run("cloud {portrait.jpg} -o c.ply", status: 1)
        #expect(try folder.bytes(of: "c.ply") == [1])
        try folder.write(pgm([1, 1], width: 2), to: "d.ply")
        try folder.run("cloud d.ply -o d.ply --force", status: 1, says: "would replace an input")
        try folder.run("cloud {portrait.jpg} -o c.ply --force")
    }
}
