import Bytes
import DepthTypes
import Foundation
import Reconstruction
import RecordingWriting
import TestSupport
import Testing

@Suite("The scale of a model of COLMAP")
struct ScaleModelTests {
    private static let names = (0..<6).map { "IMG_\($0).jpg" }

    /// Photos with depth of all images but the last, which is relative, and the model.
    private func room(_ form: String, _ change: (inout SparseModelText) -> Void = { _ in }) throws
        -> TemporaryFolder
    {
        let folder = TemporaryFolder()
        for name in ["photos", "model"] { try folder.folder(name) }
        for index in 0..<5 {
            try RoomModel.writePhoto(
                index, to: "photos/IMG_\(index).jpg",
                orientation: index == 2 ? .right : index == 3 ? .down : .up,
                factor: index == 4 ? 3 : 1, in: folder)
        }
        try folder.write(try TestImages.bytes("portrait.jpg"), to: "photos/IMG_5.jpg")
        var model = RoomModel(Self.names).model
        change(&model)
        try write(model, form, in: folder)
        return folder
    }

    private func write(_ model: SparseModelText, _ form: String, in folder: borrowing TemporaryFolder) throws
    {
        for (name, bytes) in form == "bin" ? model.binaries : model.texts {
            try folder.write(bytes, to: "model/\(name)")
        }
    }

    @Test(
        "A model gets meters from photos with exact depth, in the form it has, and all else stays",
        arguments: [("bin", []), ("txt", ["--isolate"])])
    func scale(form: String, more: [String]) throws {
        let folder = try room(form)
        let run = try folder.run(
            "convert photos --scale-model model -o scaled --json \(more)",
            says: "1 photo whose depth has no exact unit", "(IMG_5.jpg)",
            "1 photo whose scale differs grossly from that of the others (IMG_4.jpg)")
        let record = try #require(try run.objects().first)
        let factor = try #require(record.number("metersPerUnit"))
        // Disparity has 8 bits, and a quarter of the points of a median is on one side.
        #expect(abs(factor * RoomModel.unitsPerMeter - 1) < 0.003, "\(factor)")
        let error = try #require(record.number("standardError"))
        #expect(error > 0 && error < 0.005)
        #expect(record.integer("photos") == 4 && (500...600).contains(record.integer("points") ?? 0))
        let camera = try #require(record.objects("cameras").first)
        #expect(camera.integer("id") == 1 && camera.number("metersPerUnit") == factor)
        let unused = record.objects("unused")
        #expect(unused.map { $0.text("photo") } == ["IMG_5.jpg", "IMG_4.jpg"])
        let scaled = RoomModel(Self.names).model.scaled(by: factor)
        let expected = form == "bin" ? scaled.binaries : scaled.texts
        let written = try FileManager.default.contentsOfDirectory(atPath: folder.file("scaled"))
        #expect(Set(written) == Set(expected.keys))
        for (name, bytes) in expected { #expect(try folder.bytes(of: "scaled/\(name)") == bytes, "\(name)") }
    }

    @Test(
        "A photo in the form that the camera made is used for the JPEG that COLMAP got, in a folder with one model"
    )
    func namesake() throws {
        let folder = try room("txt") { model in
            for index in model.images.indices { model.images[index].name = "IMG_\(index).png" }
        }
        try folder.folder("sparse")
        try FileManager.default.moveItem(atPath: folder.file("model"), toPath: folder.file("sparse/0"))
        try folder.write(try TestImages.bytes("plain.jpg"), to: "photos/IMG_0.png")
        try folder.run("convert photos --scale-model sparse", says: "in 4 photos) → photos-scaled/")
    }

    @Test("A folder that exists stays, unless --force replaces a model, and inputs are never replaced")
    func existing() throws {
        let folder = try room("txt")
        let arguments = ["convert", "photos", "--scale-model", "model", "-o", "scaled"]
        try folder.run("\(arguments)")
        try folder.run("\(arguments)", status: 1, says: "--force")
        try folder.run("\(arguments) --skip-existing", says: "already exists and was kept")
        try folder.run("\(arguments) --force")
        try folder.write([1], to: "scaled/letter.txt")
        try folder.run("\(arguments) --force", status: 1, says: "letter.txt")
        for output in ["model", "photos", "."] {
            try folder.run(
                "convert photos --scale-model model -o \(output) --force", status: 1,
                says: "would replace an input")
        }
    }

    @Test(
        "What gives no scale is refused with the reason",
        arguments: [
            (["photos", "--scale-model", "photos"], 1, "not a model of COLMAP"),
            (["model", "--scale-model", "model"], 1, "none of the photos"),
            (["relative", "--scale-model", "model"], 1, "no photo gives the model a size"),
            (["missing", "--scale-model", "model"], 1, "No such file"),
            (["photos/IMG_0.jpg", "--scale-model", "model"], 64, "not a folder"),
            (["photos", "model", "--scale-model", "model"], 64, "one input"),
            (["photos", "--scale-model", "model", "-r"], 64, "one input"),
            (["photos", "--scale-model", "model", "--to", "colmap"], 64, "--scale-model has no effect"),
            (["photos", "--scale-model", "model", "--quality", "3"], 64, "--quality has no effect"),
        ] as [([String], Int, String)])
    func refusals(arguments: [String], status: Int, message: String) throws {
        let folder = try room("txt") { $0.images[5].name = "../photos/IMG_5.jpg" }
        try folder.folder("relative")
        try FileManager.default.copyItem(
            atPath: folder.file("photos/IMG_5.jpg"), toPath: folder.file("relative/IMG_1.jpg"))
        try folder.run("convert \(arguments) -o out", status: status, says: message)
        #expect(!folder.contents.contains("out"))
    }

    // MARK: Damage

    @Test("A truncated file of a model is an error with the file's name", arguments: ["bin", "txt"])
    func truncated(form: String) throws {
        let folder = TemporaryFolder()
        try folder.folder("model")
        let model = RoomModel(["a.jpg"]).model
        try write(model, form, in: folder)
        _ = try COLMAPModel(folder.file("model"), limits: DecodingLimits())
        // A text ends early only inside a line: 12 bytes are a comment.
        for (name, bytes) in form == "bin" ? model.binaries : model.texts {
            for count in form == "bin" ? [0, 1, 7, 8, 9, 30, bytes.count / 2, bytes.count - 1] : [16, 20] {
                try folder.write(bytes[..<min(count, bytes.count - 1)], to: "model/\(name)")
                #expect("\(name) \(count)") {
                    _ = try COLMAPModel(folder.file("model"), limits: DecodingLimits())
                } throws: { ($0 as? ContainerError)?.file == name }
            }
            try folder.write(bytes, to: "model/\(name)")
        }
    }

    @Test("Damaged models are read or refused, and take no memory for what they only declare")
    func damaged() throws {
        let folder = TemporaryFolder()
        try folder.folder("model")
        let model = RoomModel(["a.jpg", "b.jpg"]).model
        for form in ["bin", "txt"] {
            try write(model, form, in: folder)
            for (name, bytes) in form == "bin" ? model.binaries : model.texts {
                for seed in 0..<60 {
                    var random = SplitMix(seed: UInt64(seed))
                    var damaged = bytes
                    random.damage(&damaged, changes: 1 + seed % 4, within: seed % 2 == 0 ? 64 : nil)
                    try folder.write(damaged, to: "model/\(name)")
                    do {
                        let read = try COLMAPModel(folder.file("model"), limits: DecodingLimits())
                        #expect(throws: (any Error).self) {
                            try ModelScale(of: read, photos: folder.path, limits: DecodingLimits())
                        }
                    } catch let error as ContainerError {
                        #expect(error.file == name, "seed \(seed)")
                    }
                }
                try folder.write(bytes, to: "model/\(name)")
            }
            for name in model.binaries.keys {
                try? FileManager.default.removeItem(atPath: folder.file("model/\(name)"))
            }
        }
    }

    @Test(
        "A hostile field is refused",
        arguments: [
            ("images.txt", "1 0 0 0 0 1 2 3 1 a.jpg\n\n", "quaternion"),
            ("images.txt", "1 1 0 0 0 1 nan 3 1 a.jpg\n\n", "not finite"),
            ("images.txt", "1 1 0 0 0 1 1e300 3 1 a.jpg\n\n", "1e100"),
            ("images.txt", "1 1 0 0 0 1 2 3 1 a.jpg\n1 2\n", "last field"),
            ("images.txt", "99999999999 1 0 0 0 1 2 3 1 a.jpg\n\n", "whole number"),
            ("cameras.txt", "1 PINHOLE 0 10 1 1 1 1\n", "0 × 10"),
        ])
    func hostile(name: String, text: String, message: String) throws {
        let folder = TemporaryFolder()
        try folder.folder("model")
        try write(RoomModel(["a.jpg"]).model, "txt", in: folder)
        try folder.write(Array(text.utf8), to: "model/\(name)")
        let run = try folder.run("convert model --scale-model model -o out", status: 1, says: message)
        #expect(run.messages.contains(name))
    }
}
