import Bytes
import Embedded
import Testing

@testable import Pages

@Suite("Text in pages")
struct HTMLTextTests {
    @Test(
        "Markup, quotes and marks of direction are shown and not obeyed",
        arguments: [
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("\" onload='x' &amp;", "&quot; onload=&#39;x&#39; &amp;amp;"),
            ("a\u{202E}gpj.exe", "a\\u{202e}gpj.exe"),
            ("line\nend\u{2028}\u{0}", "line\\u{a}end\\u{2028}\\u{0}"),
            ("Zürich 東京", "Zürich 東京"),
        ])
    func escaped(text: String, expected: String) { #expect(text.forPage == expected) }

    @Test("JSON cannot end the script element that it is in, and keeps its meaning")
    func json() throws {
        let text = "</script><!--<script>\u{2028}\u{2029}&"
        let bytes = JSONValue.object([("text", .text(text))]).forPage
        #expect(!bytes.contains { [UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&")].contains($0) })
        #expect(bytes.allSatisfy { $0 < 0x7F && $0 >= 0x20 })
        #expect(try JSONValue(parsing: bytes, limits: DecodingLimits())["text"]?.text == text)
    }
}
