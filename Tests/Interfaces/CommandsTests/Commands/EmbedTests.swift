import Foundation
import TestSupport
import Testing

@Suite("The subcommand embed")
struct EmbedTests {
    private let folder = TemporaryFolder()
    private let photo = TestImages.path("plain.jpg")
    private let map = TestImages.path("portrait.heic")

    @Test("A map extracted to a PNG file and embedded again has the same codes")
    func throughPNG() throws {
        let (png, jpeg, again) = (folder.file("d.png"), folder.file("e.jpg"), folder.file("again.png"))
        try Tool.run("extract \(map) -o \(png)")
        try Tool.run("embed \(photo) --depth \(png) -o \(jpeg)", says: "exact")
        try Tool.run("extract \(jpeg) -o \(again)")
        #expect(try RasterFile(again).samples == RasterFile(png).samples)
    }

    @Test(
        "--in-place keeps permissions and time of change, and needs --force", arguments: [[], ["--isolate"]])
    func inPlace(more: [String]) throws {
        let file = try folder.write(TestImages.bytes("plain.jpg"), to: "p.jpg")
        let time = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes(
            [.modificationDate: time, .posixPermissions: 0o640], ofItemAtPath: file)
        try Tool.run("embed \(file) --depth \(map) --in-place", status: 64)
        try Tool.run("embed \(file) --depth \(map) --in-place --force \(more)")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.modificationDate] as? Date == time)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(folder.contents == ["p.jpg"])
        let planes = try Tool.run("info \(file) --json").objects()[0].objects("planes")
        #expect(planes.map { $0.text("kind") } == ["disparity"])
    }

    @Test("--in-place keeps extended attributes and the access list", arguments: [[], ["--isolate"]])
    func attributes(more: [String]) throws {
        typealias Set =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, CInt) -> CInt
        typealias Get =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int) -> Int
        // Swift's module of the C library lacks them.
        let set = unsafe unsafeBitCast(try #require(unsafe dlsym(nil, "setxattr")), to: Set.self)
        let get = unsafe unsafeBitCast(try #require(unsafe dlsym(nil, "getxattr")), to: Get.self)
        let file = try folder.write(TestImages.bytes("plain.jpg"), to: "p.jpg")
        // user::rw-, user 1000 rw-, group::---, mask::rw-, other::--- (acl(5), as the kernel stores it).
        var list: [UInt8] = [2, 0, 0, 0]
        for (tag, rights, user) in [(1, 6, nil), (2, 6, 1000), (4, 0, nil), (0x10, 6, nil), (0x20, 0, nil)]
            as [(UInt8, UInt8, Int?)]
        {
            list += [tag, 0, rights, 0] + littleEndian(user ?? -1)
        }
        let attributes = [("user.xdg.tags", Array("family".utf8)), ("system.posix_acl_access", list)]
        for (name, value) in attributes {
            // Not every file system has them.
            guard unsafe set(file, name, value, value.count, 0) == 0 else { return }
        }
        try Tool.run("embed \(file) --depth \(map) --in-place --force \(more)")
        for (name, value) in attributes {
            var found = [UInt8](repeating: 0, count: 100)
            let count = unsafe get(file, name, &found, found.count)
            #expect(count == value.count && Array(found.prefix(max(0, count))) == value)
        }
    }

    @Test("--in-place of a link into another folder works in an isolated process, too")
    func linked() throws {
        let (real, link) = (folder.file("real"), folder.file("link"))
        for name in [real, link] {
            try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: false)
        }
        _ = try folder.write(TestImages.bytes("plain.jpg"), to: "real/p.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: link + "/p.jpg", withDestinationPath: "../real/p.jpg")
        try Tool.run("embed \(link + "/p.jpg") --depth \(map) --in-place --force --isolate")
        #expect(try folder.bytes(of: "real/p.jpg") != TestImages.bytes("plain.jpg"))
    }

    @Test("The photo is never written unless --in-place says so, and errors leave nothing")
    func refused() throws {
        let file = try folder.write(TestImages.bytes("portrait.jpg"), to: "p.jpg")
        try Tool.run("embed \(file) --depth \(map) -o \(file) --force", status: 1)
        try folder.run(
            "embed \(file) --depth \(map) -o o.jpg", status: 1,
            says: "has a disparity plane already; --replace puts the new one in its place")
        try folder.run("embed \(file) --depth none -o o.jpg", status: 1, says: "none: ")
        #expect(folder.contents == ["p.jpg"])
        #expect(try folder.bytes(of: "p.jpg") == TestImages.bytes("portrait.jpg"))
    }

    @Test("To remove a plane that is not there is status 3")
    func absent() throws {
        let run = try folder.run("embed \(photo) --remove depth -o o.jpg --json", status: 3)
        #expect(run.text.contains("no-plane"))
        #expect(folder.contents == [])
    }

    @Test("A line of JSON names format and output")
    func json() throws {
        let run = try folder.run("embed \(photo) --depth \(map) --to dynamic-depth -o o.jpg --json")
        let object = try #require(try run.objects().first)
        #expect(object.text("schema") == "isobath.embed/1")
        #expect(object.text("format") == "dynamic-depth")
        #expect(object.objects("outputs").first?.text("path") == "o.jpg")
    }

    @Test("Unknown samples stay unknown through embed and extract, isolated, piped and in place")
    func holes() throws {
        // 12 × 9 samples of NPY: every fifth is nan (IEEE 754: 0x7FC00000), little-endian.
        let values: [Float] = (0..<108).map { index in
            index % 5 == 2 ? Float(bitPattern: 0x7FC0_0000) : 1 + Float(index) / 7
        }
        let map = try folder.write(npy(littleEndian(values), type: "<f4", shape: "9, 12"), to: "map.npy")
        let run = try folder.run(
            "embed \(photo) --depth \(map) -o a.jpg", says: "22 samples are unknown",
            "lossless JPEG (SOF3) of 16 bits")
        #expect(!run.messages.contains("--bits 16 keeps"))
        try folder.run("extract a.jpg -o a.tiff")
        let found = try RasterFile(folder.file("a.tiff")).samples
        #expect(found.map(\.isNaN) == values.map(\.isNaN))
        for (sample, value) in zip(found, values) where !value.isNaN {
            #expect(abs(sample - Double(value)) < 2e-4)
        }
        try folder.run("embed \(photo) --depth \(map) -o b.jpg --isolate")
        let piped = try Tool.shell(#""$0" embed - --depth map.npy -o - < "$1""#, [photo], folder: folder.path)
        #expect(try folder.bytes(of: "a.jpg") == folder.bytes(of: "b.jpg"))
        #expect(try folder.bytes(of: "a.jpg") == [UInt8](piped.output))
        let place = try folder.write(TestImages.bytes("plain.jpg"), to: "place.jpg")
        try Tool.run("embed \(place) --depth \(map) --in-place --force --isolate")
        #expect(try folder.bytes(of: "place.jpg") == folder.bytes(of: "a.jpg"))
        let gdepth = ["embed", photo, "--depth", map, "--to", "gdepth", "-o", folder.file("d.jpg")]
        try Tool.run("\(gdepth)", status: 1, says: "22 samples of the map are unknown")
        try Tool.run("\(gdepth) --fill-holes")
    }
}
