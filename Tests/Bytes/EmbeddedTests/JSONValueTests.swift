import Bytes
import Testing

@testable import Embedded

/// Texts that RFC 8259 allows and forbids, like JSONTestSuite: texts that a reader must accept, must reject, or may
/// either accept or reject.
@Suite("JSON values")
struct JSONValueTests {
    private func parsed(_ text: String) throws(ContainerError) -> JSONValue {
        try JSONValue(parsing: Array(text.utf8), limits: DecodingLimits())
    }

    @Test(
        "What RFC 8259 allows is read, and written in one form",
        arguments: [
            ("null", "null"), (" true ", "true"), ("\t\r\nfalse\n", "false"), ("[]", "[]"), ("{}", "{}"),
            ("[ ]", "[]"), ("{ }", "{}"), ("\"\"", "\"\""), ("[[], {}]", "[[], {}]"),
            ("[1,2 ,\n3]", "[1, 2, 3]"),
            ("0", "0"), ("-0", "0"), ("-1", "-1"), ("10", "10"), ("0.5", "0.5"), ("-0.5", "-0.5"),
            ("0e0", "0.0"), ("0E+1", "0.0"), ("1e2", "100.0"), ("1E-2", "0.01"), ("1.5e+3", "1500.0"),
            ("20.0", "20.0"), ("1e-400", "0.0"), ("0.0000001", "1e-07"),
            (#"{"a": 1, "a": 2}"#, #"{"a": 1, "a": 2}"#), (#"{"": 0}"#, #"{"": 0}"#),
            (#""\"\\\/\b\f\n\r\t""#, #""\"\\/\u0008\u000c\u000a\u000d\u0009""#),
            (#""\u0041\u00e9\u00E9""#, #""A\u00e9\u00e9""#), (#""\uD834\uDD1E""#, #""\ud834\udd1e""#),
            (#""\u0000""#, #""\u0000""#),
            ("\"\u{7F}é\u{2028}\u{1D11E}\"", #""\u007f\u00e9\u2028\ud834\udd1e""#),
            ("\"// is not a comment ~\"", "\"// is not a comment ~\""),
        ])
    func allowed(text: String, written: String) throws {
        #expect(try parsed(text).serialized == written)
    }

    @Test(
        "What RFC 8259 refuses is malformed or cut off",
        arguments: [
            // Numbers.
            "+1", "01", "-01", "00", ".5", "-.5", "5.", "1.e1", "1e", "1e+", "1E-", "-", "--1", "- 1", "1 2",
            "1_0",
            "0x10", "1.2.3", "1e1.5", "1ee2", "0e+-1", "NaN", "-NaN", "Infinity", "-Infinity", "inf", "1a",
            "\u{FF11}", "[-]", "[1.]", "[+1]", "[012]", "[1,.5]", "1d2", "0b1",
            // Text.
            "\"", "\"a", "\"\\", "\"\\\"", "\"\\x41\"", "\"\\u\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\u+123\"",
            "\"\\u 123\"", "\"\\U0041\"", "\"\\a\"", "\"\\'\"", "'a'", "a", "\"a\nb\"", "\"a\tb\"",
            "\"a\rb\"",
            "\"a\u{0}b\"", "\"\u{1F}\"", "\"a\"b", "\"\\\n\"", "“a”",
            // Arrays and objects.
            "[", "]", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1}", "[\"a\",", "[1]]", "[*]",
            "{", "}", "{]", "{\"a\"", "{\"a\":", "{\"a\":}", "{\"a\" 1}", "{\"a\":1", "{\"a\":1,",
            "{\"a\":1,}",
            "{,\"a\":1}", "{\"a\":1,,\"b\":2}", "{\"a\":1 \"b\":2}", "{a:1}", "{1:1}", "{null:1}", "{'a':1}",
            "{\"a\"::1}", "{\"a\",1}", "{\"a\":1}}", "{\"a\":1}#", "{[1]:2}",
            // Literals, comments and space.
            "", " ", "nul", "nulll", "True", "TRUE", "none", "tru", "truefalse", "true false", "// a\n1",
            "1 // a",
            "/* a */ 1", "# a", "\u{C}1", "\u{B}1", "\u{A0}1", "\u{2060}1", "\u{0}", "1\u{0}", "[1];",
        ])
    func refused(text: String) throws {
        let error = try #require(throws: ContainerError.self, "\(text)") { try parsed(text) }
        #expect(["malformed", "truncated"].contains(error.code), "\(text)")
        #expect(error.offset.map { $0 <= text.utf8.count } == true, "\(text)")
    }

    @Test(
        "A mark before the text, a number beyond a Double and values too deep are refused, which a reader may do"
    )
    func decided() throws {
        #expect(throws: ContainerError.self) { try parsed("\u{FEFF}1") }
        #expect(throws: ContainerError.self) { try parsed("1e400") }
        #expect(throws: ContainerError.self) { try parsed(String(repeating: "9", count: 400)) }
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(try #require(throws: ContainerError.self) { try parsed(deep) }.code == "limit-exceeded")
    }

    @Test("The deepest values that a limit can allow are read, and deeper ones refused")
    func deepest() throws {
        var limits = DecodingLimits()
        limits[.nesting] = .max
        #expect(limits[.nesting] == 256)
        for (depth, isRead) in [(256, true), (258, false), (100_000, false)] {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let value = try? JSONValue(parsing: Array(text.utf8), limits: limits)
            #expect((value != nil) == isRead, "\(depth)")
        }
    }

    @Test("Text that is not Unicode is repaired, and said to be")
    func repaired() throws {
        let cases: [(bytes: [UInt8], text: String, isRepaired: Bool)] = [
            (Array(#""\ud800""#.utf8), "\u{FFFD}", true), (Array(#""a\udc00b""#.utf8), "a\u{FFFD}b", true),
            (Array(#""\ud834x\udd1e""#.utf8), "\u{FFFD}x\u{FFFD}", true),
            (Array(#""\udd1e\ud834""#.utf8), "\u{FFFD}\u{FFFD}", true),
            ([0x22, 0x61, 0xFF, 0x22], "a\u{FFFD}", true),
            // An overlong slash, and a surrogate in UTF-8.
            ([0x22, 0xC0, 0xAF, 0x22], "\u{FFFD}\u{FFFD}", true),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], "\u{FFFD}\u{FFFD}\u{FFFD}", true),
            (Array("\"\u{FFFD}\"".utf8), "\u{FFFD}", false), (Array(#""\ufffd""#.utf8), "\u{FFFD}", false),
        ]
        for (bytes, text, isRepaired) in cases {
            let read = try JSONValue.read(bytes, limits: DecodingLimits())
            #expect(read.value.text == text && read.isRepaired == isRepaired, "\(bytes)")
        }
    }

    @Test("Whole numbers of 64 bits keep their value")
    func integers() throws {
        for value in [1 << 53, 1 << 53 + 1, -(1 << 53) - 1, 1_764_028_800_123_456_789, Int.max, Int.min] {
            let read = try parsed("\(value)")
            #expect(read.integer == value && read.serialized == "\(value)")
        }
        #expect(try parsed("12.0").integer == 12)
        #expect(try parsed("1e3").integer == 1000)
        #expect(try parsed("9007199254740991.0").integer == 1 << 53 - 1)
        // The nearest Double is 2⁵³, too.
        #expect(try parsed("9007199254740993.0").integer == nil)
        #expect(try parsed("9007199254740992.0").integer == nil)
        #expect(try parsed("9223372036854775808").integer == nil)
        #expect(try parsed("1.5").integer == nil)
        #expect(try parsed("\"1\"").integer == nil)
    }
}
