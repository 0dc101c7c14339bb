import Foundation
import TestSupport
import Testing

@testable import Pages

@Suite("Scripts of pages, bundled from modules")
struct PageScriptTests {
    private let entries = ["page.js", "recording.js", "album.js"]
    private let folder = URL(filePath: repositoryRoot + "/Sources/Interfaces/Pages/Web")

    private func script(_ modules: [String: String], from name: String) -> String {
        let script = PageScript(name, from: modules.mapValues { Array($0.utf8) })
        return String(decoding: script.bytes, as: UTF8.self)
    }

    @Test("Each module comes once, after those that it imports, without imports and exports")
    func order() {
        let modules = [
            "a.js":
                "import { b } from \"./b.js\";\nimport { c } from \"./c.js\";\n\nexport class A extends b {}",
            "b.js": "import { c } from \"./c.js\";\nexport const b = c;",
            "c.js": "/** Text: \"export it\" */\nexport const c = class {};", "d.js": "unused();",
        ]
        let text = script(modules, from: "a.js")
        let lines = text.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "\"use strict\";", "/** Text: \"export it\" */", "const c = class {};", "const b = c;",
                "class A extends b {}",
            ])
    }

    @Test("All files in Web/ are modules of a page")
    func files() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".js") }
        #expect(Set(files) == Set(PageResources.modules.keys))
        let used = entries.flatMap { PageScript($0, from: PageResources.modules).names }
        #expect(Set(used) == Set(files))
    }

    @Test("Modules do not import each other in a cycle", arguments: ["page.js", "recording.js", "album.js"])
    func cycles(entry: String) throws {
        let names = PageScript(entry, from: PageResources.modules).names
        for (index, name) in names.enumerated() {
            let source = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for match in source.matches(of: /import .* from "\.\/(.*)";/) {
                #expect(names[..<index].contains(String(match.1)), "\(name) imports \(match.1)")
            }
        }
    }

    @Test("Modules of a page declare different names", arguments: ["page.js", "recording.js", "album.js"])
    func names(entry: String) {
        let text = String(decoding: PageScript(entry, from: PageResources.modules).bytes, as: UTF8.self)
        let names = text.matches(of: /(?m)^(?:async )?(?:const|let|class|function) (\w+)/).map {
            String($0.1)
        }
        #expect(names.count > 5 && Set(names).count == names.count)
        let parted = text.matches(of: /(?m)^(?:const|let) [\[{]|^(?:import|export)\b/)
        #expect(parted.isEmpty, "\(parted.map(\.0))")
    }
}
