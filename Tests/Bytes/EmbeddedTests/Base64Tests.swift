import Embedded
import Testing

@Suite("Base64")
struct Base64Tests {
    /// RFC 4648 §10.
    @Test(
        "Base64 decodes the examples of RFC 4648",
        arguments: [
            ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ])
    func examples(text: String, decoded: String) {
        #expect(decodeBase64(text) == Array(decoded.utf8))
    }

    @Test(
        "Base64 may contain white space anywhere and lack padding",
        arguments: ["Zm9\n vYg", "\tZm9vYg=\r\n=", " Z m 9 v Y g "])
    func lenient(text: String) {
        #expect(decodeBase64(text) == Array("foob".utf8))
    }

    @Test("Base64 decodes all 64 digits")
    func digits() {
        let text = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        // 16 groups of the digits 4n … 4n + 3, most significant first.
        let decoded = stride(from: 0, to: 64, by: 4).flatMap { digit in
            let group = digit << 18 | (digit + 1) << 12 | (digit + 2) << 6 | digit + 3
            return [UInt8(group >> 16), UInt8(group >> 8 & 0xFF), UInt8(group & 0xFF)]
        }
        #expect(decodeBase64(text) == decoded)
    }

    @Test("Invalid base64 is refused", arguments: ["Zm9*", "Zm9v=Yg", "Z", "Zm9vY", "Zm9-", "Zm9_", "é"])
    func garbage(text: String) {
        #expect(decodeBase64(text) == nil)
    }
}
