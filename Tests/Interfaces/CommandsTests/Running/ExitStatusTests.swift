import TestSupport
import Testing

@Suite("Exit status of several inputs")
struct ExitStatusTests {
    private let folder = TemporaryFolder()

    @Test(
        "The exit status is 1 if an input failed, else 3 if one lacks the plane, else 0",
        arguments: [
            (["portrait.jpg", "absolute-depth.heic"], 0), (["portrait.jpg", "plain.heic"], 3),
            (["plain.jpg", "missing.jpg", "portrait.jpg"], 1), (["missing.jpg"], 1), (["plain.jpg"], 3),
        ])
    func extract(names: [String], status: Int) throws {
        try Tool.run("extract \(names.map(TestImages.path)) -o \(folder.path)", status: status)
        // Inputs with depth are written all the same.
        let expected = names.compactMap { name -> String? in
            let stem = String(name.prefix { $0 != "." })
            return stem == "portrait"
                ? "portrait-disparity.png" : stem == "absolute-depth" ? "\(stem)-depth.png" : nil
        }
        #expect(folder.contents == expected.sorted())
    }

    @Test("Messages come in the order of the inputs")
    func order() throws {
        let paths = ["portrait.heic", "missing.jpg", "absolute-depth.jpg", "plain.jpg"].map(TestImages.path)
        let run = try Tool.run("extract \(paths) -o \(folder.path)", status: 1)
        let named = run.messages.split(separator: "\n").map { line in
            line.dropFirst("isobath: ".count).prefix { $0 != ":" }
        }
        #expect(named.map(String.init) == paths + ["4 inputs"])
    }
}
