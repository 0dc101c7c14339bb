import Foundation
import TestSupport
import Testing

@testable import Pages

@Suite("Scripts of pages, bundled from modules")
struct PageScriptTests {
    /// A page of a photo and of a recording with every tab that it can have, and an album.
    private static let pages = [
        [
            "depthview.js", "focus.js", "background.js", "move.js", "solid.js", "measure.js", "page.js",
        ], ["depthview.js", "background.js", "cloud.js", "page.js"], ["album.js"],
    ]
    private let folder = URL(filePath: repositoryRoot + "/Sources/Interfaces/Pages/Web")

    private func script(_ modules: [String: String], from names: [String]) -> String {
        let script = PageScript(names, from: modules.mapValues { Array($0.utf8) })
        return String(decoding: script.bytes, as: UTF8.self)
    }

    @Test(
        "Each module comes once, after those that it imports, without imports, exports, comments and indentation"
    )
    func order() {
        let modules = [
            "a.js":
                "import { b } from \"./b.js\";\nimport { c } from \"./c.js\";\n\nexport class A extends b {}",
            "b.js": "import { c } from \"./c.js\";\nexport const b = c;",
            "c.js":
                "/** Text: \"export it\" */\nexport const c = class {\n    // None\n    /**\n     * a\n     */\n    d = 4; // Five\n};",
            "d.js": "unused();", "e.js": "import { c } from \"./c.js\";\nused();",
        ]
        let text = script(modules, from: ["a.js", "e.js"])
        let lines = text.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "\"use strict\";", "const c = class {", "d = 4; // Five", "};", "const b = c;",
                "class A extends b {}", "used();",
            ])
    }

    @Test("All files in Web/ are modules of a page")
    func files() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".js") }
        #expect(Set(files) == Set(PageResources.modules.keys))
        let used = Self.pages.flatMap { PageScript($0, from: PageResources.modules).names }
        #expect(Set(used) == Set(files))
    }

    @Test("Modules do not import each other in a cycle", arguments: pages)
    func cycles(page: [String]) throws {
        let names = PageScript(page, from: PageResources.modules).names
        for (index, name) in names.enumerated() {
            let source = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for match in source.matches(of: /import .* from "\.\/(.*)";/) {
                #expect(names[..<index].contains(String(match.1)), "\(name) imports \(match.1)")
            }
        }
    }

    @Test("Modules of a page declare different names", arguments: pages)
    func names(page: [String]) {
        let script = PageScript(page, from: PageResources.modules)
        let text = script.names.map { String(decoding: PageResources.modules[$0] ?? [], as: UTF8.self) }
            .joined(separator: "\n")
        let names = text.matches(of: /(?m)^(?:export )?(?:async )?(?:const|let|class|function) (\w+)/).map {
            String($0.1)
        }
        #expect(names.count > 5 && Set(names).count == names.count)
        let parted =
            text.matches(of: /(?m)^(?:export )?(?:const|let) [\[{]/)
            + String(decoding: script.bytes, as: UTF8.self).matches(of: /(?m)^(?:import|export)\b/)
        #expect(parted.isEmpty, "\(parted.map(\.0))")
    }
}
