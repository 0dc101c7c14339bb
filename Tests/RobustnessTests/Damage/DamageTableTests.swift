import Foundation
import TestSupport
import Testing

/// Inputs of every kind, damaged in every way, with every verb: no crash, and no success with less than the intact input gives.
///
/// `ISOBATH_DAMAGES` is how many damages of each input are tried (`all` for all of them, each with every verb), `ISOBATH_MUTATION_SEED`
/// chooses them.
@Suite("Damaged inputs of every kind")
struct DamageTableTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = UInt64(environment["ISOBATH_MUTATION_SEED"] ?? "") ?? 20_261
    private static let count = Int(environment["ISOBATH_DAMAGES"] ?? "") ?? 12
    private static let triesAll = environment["ISOBATH_DAMAGES"] == "all"

    @Test("No verb crashes, or succeeds with less data", arguments: IntactInput.names)
    func table(name: String) throws {
        guard let input = try IntactInput.named(name) else { return }
        var random = SplitMix(seed: name.utf8.reduce(Self.seed) { $0 &* 31 &+ UInt64($1) })
        let intact = try input.commands.map { try Outcome(of: $0, input, input.files) }
        // A verb that refuses the intact input is not looked at.
        let verbs = intact.indices.filter { intact[$0].status == 0 }
        try #require(!verbs.isEmpty, "\(intact.map(\.messages))")
        var damages = Damage.all(of: input, random: &random)
        if !Self.triesAll {
            damages.shuffle(using: &random)
            damages = Array(damages.prefix(Self.count))
        }
        var (crashes, losses): ([String], [String]) = ([], [])
        for (number, damage) in damages.enumerated() {
            guard let files = damage.applied(to: input.files) else { continue }
            let chosen = Self.triesAll ? verbs : Array(Set([verbs[0], verbs[number % verbs.count]]))
            for verb in chosen {
                let command = input.commands[verb]
                let outcome = try Outcome(of: command, input, files)
                let run = "\(command[0]): \(damage): "
                if outcome.status >= 128 { crashes.append(run + "a signal ended it: \(outcome.status)") }
                guard let loss = outcome.loss(beside: intact[verb], damage) else { continue }
                if !Unknowable.all.contains(where: { $0.covers(name, damage) }) { losses.append(run + loss) }
            }
        }
        #expect(crashes.isEmpty, "seed \(Self.seed), \(name):\n\(crashes.joined(separator: "\n"))")
        #expect(losses.isEmpty, "seed \(Self.seed), \(name):\n\(losses.joined(separator: "\n"))")
    }
}

/// The result of a run.
struct Outcome {
    var status: Int
    var messages: String
    /// The bytes of each output.
    private var files: [String: [UInt8]]
    /// The number of items of each kind, from the tool's JSON.
    private var counts: [String: Int]

    /// Runs a command in a new folder with these files.
    init(of command: [String], _ input: IntactInput, _ files: [(path: String, bytes: [UInt8])]) throws {
        let folder = TemporaryFolder()
        let manager = FileManager.default
        for folderName in Set(
            input.files.map { URL(filePath: folder.file($0.path)).deletingLastPathComponent() })
        {
            try manager.createDirectory(at: folderName, withIntermediateDirectories: true)
        }
        for (path, bytes) in files { try folder.write(bytes, to: path) }
        try manager.createDirectory(atPath: folder.file("out"), withIntermediateDirectories: true)
        if command.contains("layer.png") {
            try folder.write(TestImages.bytes("pair_depth.png"), to: "layer.png")
        }
        let piped = input.standardInput.flatMap { name in files.first { $0.path == name }?.bytes } ?? []
        let run = try Tool.run(command, input: Data(piped), folder: folder.path)
        (status, messages) = (run.status, run.messages)
        self.files = [:]
        for name in try manager.subpathsOfDirectory(atPath: folder.file("out")) {
            guard let bytes = try? folder.bytes(of: "out/" + name) else { continue }
            self.files[name] = bytes
        }
        counts = [:]
        for object in (try? run.objects()) ?? [] {
            for name in ["frames", "points", "triangles", "planes"] {
                counts[name, default: 0] += object.integer(name) ?? object.objects(name).count
            }
            counts["poses", default: 0] += object.object("poses").integer("count") ?? 0
            for name in ["color", "depth", "confidence", "matte"] where !object.isNull(name) {
                counts[name, default: 0] += object.object(name).isEmpty ? 0 : 1
            }
        }
    }

    /// The missing output of a run with exit status 0; `nil` if the output is complete.
    func loss(beside intact: Outcome, _ damage: Damage) -> String? {
        guard status == 0 else { return nil }
        for (name, count) in intact.counts where counts[name, default: 0] < count {
            return "exit 0 with \(counts[name, default: 0]) of \(count) \(name)"
        }
        let missing = Set(intact.files.keys).subtracting(files.keys).sorted()
        if !missing.isEmpty { return "exit 0 without \(missing.joined(separator: ", "))" }
        // A format without a checksum cannot distinguish zeros from valid content. Removed bytes always change the
        // output.
        if case .zeroed = damage { return nil }
        let changed = intact.files.filter { files[$0.key] != $0.value }.keys.sorted()
        return changed.isEmpty ? nil : "exit 0 with other bytes in \(changed.joined(separator: ", "))"
    }
}

/// Damage that a format cannot know of.
private struct Unknowable {
    /// The names of the inputs.
    var inputs: Set<String>
    /// Why not.
    var reason: String
    /// Whether it is damage of this kind.
    var isOfKind: @Sendable (Damage) -> Bool

    func covers(_ input: String, _ damage: Damage) -> Bool { inputs.contains(input) && isOfKind(damage) }

    private static let endings = ["txt", "csv", "traj", "log", "json", "pincam"]

    private static func isText(_ file: String) -> Bool { endings.contains { file.hasSuffix("." + $0) } }

    static let all: [Unknowable] = [
        Unknowable(
            inputs: [
                "raster.pfm", "raster.npy", "raster.pgm", "raster.tiff", "stdin.raw", "stdin.y4m",
                "movie.y4m", "scannet-sens", "multiscan",
            ],
            reason: "samples without a checksum: zeros are unknown samples, or black",
            isOfKind: { if case .zeroed = $0 { true } else { false } }),
        Unknowable(
            inputs: [
                "depth.dng", "gdepth-portrait.jpg", "samsung-dualshot.jpg", "movie.mkv", "movie.mp4",
            ],
            reason: "structure without a checksum: zeros where planes or frames are announced announce none",
            isOfKind: { if case .zeroed = $0 { true } else { false } }),
        Unknowable(
            inputs: ["stray-scanner", "arkitscenes"],
            reason: "lines of numbers: one that ends early may be complete, with a shorter last number",
            isOfKind: {
                switch $0 {
                case .cut(let file, _), .zeroed(let file, _): isText(file)
                case .missing: false
                }
            }),
        Unknowable(
            inputs: [
                "tum", "stray-scanner", "arkitscenes", "7-scenes", "open3d", "nerfstudio", "nerfcapture",
                "3d-scanner-app", "polycam", "record3d-exr", "bop",
            ],
            reason: "lists, poses and cameras that the layout does not need, and that no other file names",
            isOfKind: { if case .missing(let file) = $0 { isText(file) } else { false } }),
        Unknowable(
            inputs: ["arkitscenes", "3d-scanner-app"],
            reason: "files that are paired by time, and pictures that only some frames have",
            isOfKind: {
                if case .missing(let file) = $0 {
                    file.contains("lowres_") || file.contains("frame_")
                } else {
                    false
                }
            }),
        Unknowable(
            inputs: ["pair.jpg"], reason: "a photo without depth beside it is a photo",
            isOfKind: { if case .missing = $0 { true } else { false } }),
    ]
}
