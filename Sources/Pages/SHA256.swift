/// SHA-256 (FIPS 180-4 §6.2), by which a Content-Security-Policy names the script and the style of a page.
struct SHA256 {
    /// The 32 bytes of the digest.
    let digest: [UInt8]

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (§4.2.2).
    private static let constants: [UInt32] = words(
        """
        428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5d807aa9812835b01243185be550c7dc3\
        72be5d7480deb1fe9bdc06a7c19bf174e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da\
        983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca63511429296727b70a852e1b21384d2c6dfc53380d13\
        650a7354766a0abb81c2c92e92722c85a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070\
        19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3748f82ee78a5636f84c878148cc70208\
        90befffaa4506cebbef9a3f7c67178f2
        """)
    /// The same of the square roots of the first 8 primes (§5.3.3).
    private static let start = words("6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19")

    /// The digest of these bytes.
    init(_ message: [UInt8]) {
        var state = Self.start
        var padded = message
        padded.append(0x80)
        padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
        for shift in stride(from: 56, through: 0, by: -8) {
            padded.append(UInt8(truncatingIfNeeded: (message.count * 8) >> shift))
        }
        for block in stride(from: 0, to: padded.count, by: 64) {
            Self.add(padded[block..<block + 64], to: &state)
        }
        digest = state.flatMap { word in
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words = [UInt32](repeating: 0, count: 64)
        for index in 0..<16 {
            for byte in 0..<4 {
                words[index] = words[index] << 8 | UInt32(block[block.startIndex + 4 * index + byte])
            }
        }
        for index in 16..<64 {
            let (a, b) = (words[index - 15], words[index - 2])
            let low = turned(a, 7) ^ turned(a, 18) ^ a >> 3
            let high = turned(b, 17) ^ turned(b, 19) ^ b >> 10
            words[index] = words[index - 16] &+ low &+ words[index - 7] &+ high
        }
        var s = state
        for index in 0..<64 {
            let choice = s[4] & s[5] ^ ~s[4] & s[6]
            let mix = turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)
            let first = s[7] &+ mix &+ choice &+ constants[index] &+ words[index]
            let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
            let second = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) &+ majority
            s = [first &+ second, s[0], s[1], s[2], s[3] &+ first, s[4], s[5], s[6]]
        }
        for index in 0..<8 { state[index] = state[index] &+ s[index] }
    }

    private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    private static func words(_ hexadecimal: String) -> [UInt32] {
        let nibbles = hexadecimal.utf8.map { UInt32($0 < 0x40 ? $0 - 0x30 : $0 - 0x57) }
        return stride(from: 0, to: nibbles.count, by: 8).map { place in
            nibbles[place..<place + 8].reduce(0) { $0 << 4 | $1 }
        }
    }
}
