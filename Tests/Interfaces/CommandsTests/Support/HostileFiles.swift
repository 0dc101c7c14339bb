import Foundation
import TestSupport

/// Files that name other files, addresses and programs in every way that their formats allow, and the named files.
///
/// Everything is in one temporary folder: `in` has the files, `outside` the targets that they must not reach, `out` the
/// outputs, and the tool runs in `work`. Names without a folder lead to files beside the hostile one that no command
/// names.
struct HostileFiles {
    private let root: TemporaryFolder
    /// Movies, and other files with the name of one.
    private(set) var movies: [String] = []
    /// Photos and rasters, and other files with the name of one.
    private(set) var pictures: [String] = []
    /// Networks.
    private(set) var networks: [String] = []
    /// A few files of each kind that name others, for tests that process one file at a time.
    var some: [String] { pictures.prefix(11) + movies.prefix(1) + movies.suffix(6) }
    /// Folders and archives that are recordings.
    private(set) var recordings: [String] = []

    /// The folder of the files.
    var folder: String { root.file("in") }
    /// Where the tool runs.
    var work: String { root.file("work") }
    /// A path for an output.
    func output(_ name: String) -> String { root.file("out/" + name) }
    /// Where outputs go.
    var outputs: String { root.file("out") }
    /// A depth map that is as it should be.
    var depth: String { root.file("in/depth.png") }
    private var outside: String { root.file("outside") }

    init() throws {
        root = TemporaryFolder()
        for name in ["in", "outside", "out", "work"] { try root.folder(name) }
        for name in ["outside", "in"] {
            for suffix in ["png", "jpg", "mkv", "ts", "m4a", "bin", "dtd", "sub"] {
                try root.write(text: "canary", to: "\(name)/canary.\(suffix)")
            }
        }
        let room = TemporaryFolder()
        try RecordingTests.write(room, frames: 1)
        try root.write(room.bytes(of: "frame-000000.depth.png"), to: "in/depth.png")
        try writeMovies()
        try writePictures()
        try writeNetworks()
        try writeRecordings()
        try writeRequests()
    }

    /// The forms of a name in a file: beside it, above it, absolute, and behind each kind of prefix.
    private func names(_ file: String) -> [String] {
        [
            file, "../outside/\(file)", "\(outside)/\(file)", "file://\(outside)/\(file)",
            "http://127.0.0.1:9/\(file)", "/etc/passwd",
        ]
    }

    // MARK: Movies

    private mutating func writeMovies() throws {
        func write(_ name: String, _ text: String) throws -> String {
            try root.write(text: text, to: "in/\(name)")
        }
        let names = names("canary.mkv") + ["concat:\(outside)/canary.mkv", "tcp://127.0.0.1:9"]
        for (index, name) in names.enumerated() {
            movies.append(try write("concat-\(index).mp4", "ffconcat version 1.0\nfile '\(name)'\n"))
        }
        for (index, name) in [names[0], names[2], names[4]].enumerated() {
            let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"\(name)\""
            movies.append(
                try write(
                    "playlist-\(index).mp4",
                    "#EXTM3U\n#EXT-X-TARGETDURATION:9\n\(key)\n#EXTINF:9,\n\(name)\n#EXT-X-ENDLIST\n"))
        }
        movies += [
            try write(
                "session.mp4",
                "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 45004 RTP/AVP 96\na=rtpmap:96 H264/90000\n"
            ),
            try write(
                "dash.mp4",
                """
                <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT9S">
                <BaseURL>file://\(outside)/</BaseURL><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1">
                <BaseURL>\(outside)/canary.mkv</BaseURL><SegmentBase/></Representation></AdaptationSet></Period></MPD>
                """),
            try write(
                "imf.mp4",
                """
                <?xml version="1.0"?><!DOCTYPE c [<!ENTITY e SYSTEM "file://\(outside)/canary.dtd">]>
                <CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"><Id>urn:uuid:0</Id>&e;</CompositionPlaylist>
                """),
            try write(
                "subtitle.mp4", "# VobSub index file, v7 (do not modify this line!)\nid: en, index: 0\n"),
            try write("redirect.mp4", "[Reference]\nRef1=http://127.0.0.1:9/canary.mkv\n"),
            try write("script.mp4", "AviSource(\"\(outside)/canary.mkv\")\n"),
            try write("drawing.mp4", drawing), try write("pipe.mp4", "pipe:0\n"),
            try root.write(aliasMovie, to: "in/alias.mov"),
        ]
    }

    private var drawing: String {
        """
        <?xml version="1.0"?><!DOCTYPE svg [<!ENTITY e SYSTEM "file://\(outside)/canary.dtd">]>
        <?xml-stylesheet href="\(outside)/canary.bin"?>
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="48">
        <image xlink:href="\(outside)/canary.png" width="64" height="48"/><use href="http://127.0.0.1:9/a.svg#b"/>&e;</svg>
        """
    }

    /// A movie whose frames are in another file, by a data reference of type `alis` (QuickTime File Format, "Data Reference Atoms").
    private var aliasMovie: [UInt8] {
        func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }
        func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
        func name(_ text: String, _ count: Int) -> [UInt8] {
            [UInt8(text.utf8.count)] + Array(text.utf8) + zeros(count - text.utf8.count)
        }
        let path = Array("\(outside)/canary.bin".utf8)
        // Version, volume, kind and dates, then the name, and how to get there from the movie; the absolute path is record 2.
        let alias = join(
            zeros(10), name("disk", 27), zeros(12), name("canary.bin", 63), zeros(16), bigEndian(1, 2),
            bigEndian(1, 2), zeros(16), bigEndian(2, 2), bigEndian(path.count, 2), path,
            zeros(path.count % 2),
            bigEndian(0xFFFF, 2), zeros(2))
        let matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap { bigEndian($0) }
        let sample = box(
            "raw ", zeros(6), bigEndian(1, 2), zeros(16), bigEndian(16, 2), bigEndian(16, 2), zeros(14),
            bigEndian(1, 2),
            zeros(32), bigEndian(24, 2), bigEndian(0xFFFF, 2))
        let table = box(
            "stbl", box("stsd", zeros(4), bigEndian(1), sample),
            box("stts", zeros(4), bigEndian(1), bigEndian(1), bigEndian(100)),
            box("stsc", zeros(4), bigEndian(1), bigEndian(1), bigEndian(1), bigEndian(1)),
            box("stsz", zeros(4), bigEndian(768), bigEndian(1)), box("stco", zeros(4), bigEndian(1), zeros(4))
        )
        let reference = box("dinf", box("dref", zeros(4), bigEndian(1), box("alis", zeros(4), alias)))
        let media = box(
            "mdia", box("mdhd", zeros(12), bigEndian(1000), bigEndian(100), zeros(4)),
            box("hdlr", zeros(4), Array("mhlrvide".utf8), zeros(13)),
            box("minf", box("vmhd", zeros(12)), reference, table))
        let track = box(
            "trak",
            box(
                "tkhd", bigEndian(7), zeros(8), bigEndian(1), zeros(4), bigEndian(100), zeros(16), matrix,
                bigEndian(16, 2), zeros(2), bigEndian(16, 2), zeros(2)),
            media)
        return box("ftyp", Array("qt  ".utf8), zeros(4), Array("qt  ".utf8))
            + box(
                "moov",
                box(
                    "mvhd", zeros(12), bigEndian(1000), bigEndian(100), bigEndian(0x10000), zeros(12), matrix,
                    zeros(24), bigEndian(2)),
                track)
    }

    // MARK: Photos and rasters

    private mutating func writePictures() throws {
        for (index, packet) in packets.enumerated() {
            pictures.append(try root.write(photo(packet), to: "in/packet-\(index).jpg"))
        }
        for name in ["drawing.png", "drawing.jpg", "drawing.heic"] {
            pictures.append(try root.write(text: drawing, to: "in/\(name)"))
        }
        pictures.append(
            try root.write(text: "ffconcat version 1.0\nfile canary.png\n", to: "in/list.png"))
        for suffix in ["tiff", "exr", "pfm", "npy", "png"] {
            let path = root.file("in/raster.\(suffix)")
            let made = try Tool.run(["extract", TestImages.path("absolute-depth.jpg"), "-o", path])
            guard made.status == 0 else { throw CocoaError(.fileWriteUnknown) }
            pictures.append(path)
        }
        for name in [
            "portrait.heic", "portrait.jpg", "depth.avif", "depth.dng", "depth.jxl", "dynamic-depth.jpg",
            "samsung-dualshot.jpg", "leia-lif.jpg", "stereo.mpo", "spatial.heic",
        ] {
            pictures.append(try root.write(TestImages.bytes(name), to: "in/\(name)"))
        }
    }

    /// XMP packets with external entities and links.
    private var packets: [String] {
        func packet(_ head: String, _ attributes: String, _ elements: String = "") -> String {
            """
            \(head)<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/"
            xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/"
            xmlns:Device="http://ns.google.com/photos/dd/1.0/device/" xmlns:xi="http://www.w3.org/2001/XInclude" \(attributes)>
            \(elements)</rdf:Description></rdf:RDF></x:xmpmeta>
            """
        }
        let canary = "file://\(outside)/canary"
        let depth =
            #"GDepth:Format="RangeInverse" GDepth:Near="1" GDepth:Far="9" GDepth:Mime="image/png" GDepth:Data="#
        return [
            packet("<!DOCTYPE x [<!ENTITY e SYSTEM \"\(canary).dtd\">]>", "", "<x>&e;</x>"),
            packet("<!DOCTYPE x SYSTEM \"\(canary).dtd\">", ""),
            packet("<!DOCTYPE x [<!ENTITY % p SYSTEM \"\(canary).dtd\"> %p;]>", ""),
            packet("<?xml-stylesheet href=\"\(canary).bin\"?>", "", "<xi:include href=\"\(canary).dtd\"/>"),
            packet("", depth + "\"\(canary).png\""), packet("", depth + "\"http://127.0.0.1:9/canary.png\""),
            packet(
                "", "",
                """
                <Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Item:Mime>image/png</Item:Mime>
                <Item:DataURI>\(canary).png</Item:DataURI><Item:URI rdf:resource="\(canary).png"/><Item:Length>6</Item:Length>
                </rdf:li></rdf:Seq></Container:Directory>
                """),
        ]
    }

    /// A photo without depth, with a packet in its first segment.
    private func photo(_ packet: String) throws -> [UInt8] {
        let body = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8)
        let size = body.count + 2
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(size >> 8), UInt8(size & 0xFF)] + body
            + (try TestImages.bytes("plain.jpg").dropFirst(2))
    }

    // MARK: Networks

    private mutating func writeNetworks() throws {
        for (index, name) in names("canary.bin").enumerated() {
            try writeNetwork("constant-\(index)") { $0.tensor(at: [7, 5], file: name) }
        }
        try writeNetwork("sparse") { $0.sparseTensor(at: [7, 15], file: "canary.bin") }
        // Attributes, lists, graphs inside of attributes, functions, training: the numbers of fields in `onnx.proto`.
        for fields in [
            [7, 1, 5, 5], [7, 1, 5, 22, 1], [7, 1, 5, 10], [7, 1, 5, 6, 5], [25, 7, 5, 5], [20, 1, 5],
        ] {
            try writeNetwork("field-" + fields.map(String.init).joined(separator: "-")) {
                $0.tensor(at: fields, file: "canary.bin")
            }
        }
    }

    private mutating func writeNetwork(_ name: String, _ change: (inout OnnxFile) -> Void) throws {
        var file = OnnxFile()
        file.input("x", [1, 3, 32, 32])
        file.node("ReduceMean", ["x"], ["y"], ["axes": .integers([1])])
        file.output("y", [1, 1, 32, 32])
        change(&file)
        file.metadata("isobath.profile", #"{"meaning": "matte", "size": 32}"#)
        networks.append(try root.write(file.bytes, to: "in/\(name).onnx"))
    }

    // MARK: Recordings

    private mutating func writeRecordings() throws {
        recordings.append(try writeTransforms())
        recordings.append(try writeLists())
        for (index, sound) in [
            "ffconcat version 1.0\nfile canary.m4a\n",
            "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 45006 RTP/AVP 0\n",
            "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n\(outside)/canary.m4a\n#EXT-X-ENDLIST\n",
        ].enumerated() {
            recordings.append(try root.write(archive(sound: sound), to: "in/sound-\(index).r3d"))
        }
    }

    private func writeTransforms() throws -> String {
        try root.folder("in/nerf/images")
        try root.write(TestImages.bytes("plain.jpg"), to: "in/nerf/images/0.jpg")
        try root.write(root.bytes(of: "in/depth.png"), to: "in/nerf/images/0.png")
        let pose = "[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]"
        func frame(_ color: String, _ depth: String) -> String {
            #"{"file_path": "\#(color)", "depth_file_path": "\#(depth)", "mask_path": "\#(depth)", "transform_matrix": \#(pose)}"#
        }
        let frames =
            [frame("images/0.jpg", "images/0.png")]
            + zip(names("canary.jpg"), names("canary.png")).flatMap { color, depth in
                [frame(color, depth), frame("images/../../\(color)", "./images/../../\(depth)")]
            }
        let text =
            #"{"fl_x": 40, "cx": 20, "cy": 15, "w": 40, "h": 30, "ply_file_path": "\#(outside)/canary.bin", "frames": [\#(frames.joined(separator: ","))]}"#
        try root.write(text: text, to: "in/nerf/transforms.json")
        return root.file("in/nerf")
    }

    private func writeLists() throws -> String {
        for name in ["rgb", "depth"] { try root.folder("in/tum/" + name) }
        try root.write(TestImages.bytes("plain.jpg"), to: "in/tum/rgb/0.jpg")
        try root.write(root.bytes(of: "in/depth.png"), to: "in/tum/depth/0.png")
        let (colors, depths) = (["rgb/0.jpg"] + names("canary.jpg"), ["depth/0.png"] + names("canary.png"))
        var (rgb, depth, both, poses) = ("", "", "", "")
        for (index, (color, map)) in zip(colors, depths).enumerated() {
            rgb += "\(index).0 \(color)\n"
            depth += "\(index).0 \(map)\n"
            both += "\(index).0 \(color) \(index).0 \(map)\n"
            poses += "\(index).0 0 0 0 0 0 0 1\n"
        }
        for (name, text) in [
            ("rgb", rgb), ("depth", depth), ("associations", both), ("association", both),
            ("groundtruth", poses),
        ] { try root.write(text: text, to: "in/tum/\(name).txt") }
        return root.file("in/tum")
    }

    /// Record3D's archive of one frame at 2 m, with sound.
    private func archive(sound: String) throws -> [UInt8] {
        let (width, height) = (16, 12)
        let metadata =
            #"{"w": 960, "h": 720, "dw": \#(width), "dh": \#(height), "fps": 30, "K": [900,0,0,0,900,0,480,360,1], "poses": [[0,0,0,1,0,0,0]]}"#
        let map = littleEndian([Float](repeating: 2, count: width * height))
        var zip = ZIPWriter()
        zip.add("metadata", Array(metadata.utf8))
        zip.add("rgbd/0.jpg", try TestImages.bytes("plain.jpg"))
        zip.add("rgbd/0.depth", uncompressedLZFSE(map))
        zip.add("sound.m4a", Array(sound.utf8))
        return zip.finished
    }

    // MARK: Requests

    /// Requests to a worker. One cannot be parsed, and its payload contains another request.
    var requests: String { root.file("in/requests") }

    private func writeRequests() throws {
        let smuggled =
            #"{"id": 2, "verb": "extract", "path": "\#(outside)/canary.png", "output": "smuggled.png"}"#
        let payload = Array("photo\n\(smuggled)\n".utf8)
        var bytes = Array(#"{"id": 0, "verb": "info", "path": "\#(depth)"}\#n"#.utf8)
        bytes += Array(
            #"{"id": 1, "verb": "extract", "bytes": \#(payload.count), "output": "inline", "options": {"scale": NaN}}\#n"#
                .utf8)
        try root.write(bytes + payload, to: "in/requests")
    }
}
