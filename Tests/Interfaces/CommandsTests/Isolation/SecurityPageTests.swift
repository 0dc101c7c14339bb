import Foundation
import Testing

@testable import Commands

@Suite("SECURITY.md")
struct SecurityPageTests {
    private static let root = #filePath.components(separatedBy: "/Tests/")[0]
    private let page: String

    init() throws { page = try String(contentsOfFile: Self.root + "/SECURITY.md", encoding: .utf8) }

    @Test("Every library that is loaded late is in the table and in the list")
    func libraries() throws {
        let names = [
            "seccomp": "libseccomp", "de265": "libde265", "OpenEXRCore": "OpenEXR", "jxl": "libjxl",
            "dav1d": "dav1d",
            "tiff": "libtiff", "zstd": "libzstd", "sqlite": "SQLite", "bz": "libbz2",
            "onnxruntime": "ONNX Runtime",
            "": "FFmpeg",
        ]
        let list = try #require(page.components(separatedBy: "Libraries that are loaded late (").last)
        let sources = try FileManager.default.subpathsOfDirectory(atPath: Self.root + "/Sources")
        var found: Set<String> = []
        for path in sources where path.hasSuffix(".c") {
            let text = try String(contentsOfFile: Self.root + "/Sources/" + path, encoding: .utf8)
            for line in text.split(separator: "\n") {
                guard let match = line.firstMatch(of: /"lib([A-Za-z]*(?:265|1d)?)[^"]*\.so\./) else {
                    continue
                }
                let name = try #require(names[String(match.1)], "\(line)")
                found.insert(name)
                let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains(name) }
                #expect(!rows.isEmpty, "\(name)")
                let isListed = list.prefix { $0 != ")" }.replacing("\n", with: " ").contains(name)
                #expect(isListed, "\(name)")
            }
        }
        #expect(found.count == names.count)
    }

    @Test("The variables of isolated processes are named")
    func variables() {
        for name in IsolatedProcess.passedVariables { #expect(page.contains("`\(name)`")) }
    }
}
