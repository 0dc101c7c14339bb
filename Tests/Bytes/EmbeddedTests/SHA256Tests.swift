import Embedded
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    /// The messages "abc" and of 448 bits in FIPS 180-2, appendix B; the others by `printf TEXT | sha256sum` of coreutils 9.1.
    @Test(
        "Digests are those of the standard's examples and of sha256sum",
        arguments: [
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (
                String(repeating: "a", count: 1000),
                "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
            ),
        ])
    func digest(message: String, expected: String) {
        #expect(SHA256(Array(message.utf8)).hexadecimal == expected)
    }
}
