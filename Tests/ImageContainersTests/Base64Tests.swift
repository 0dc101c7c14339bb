import Testing

@testable import ImageContainers

@Suite("Base64 in XMP")
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
        let decoded =
            "00108310518720928b30d38f41149351559761969b71d79f"
            + "8218a39259a7a29aabb2dbafc31cb3d35db7e39ebbf3dfbf"
        #expect(decodeBase64(text) == bytes(decoded))
    }

    @Test("Invalid base64 is refused", arguments: ["Zm9*", "Zm9v=Yg", "Z", "Zm9vY", "Zm9-", "Zm9_", "é"])
    func garbage(text: String) {
        #expect(decodeBase64(text) == nil)
    }
}
