/// SHA-256 (FIPS 180-4 §6.2): identifies known networks, and names a page's script and style in its Content-Security-Policy.
package struct SHA256 {
    /// The 32 bytes of the digest.
    package let digest: [UInt8]

    /// The digest in lowercase hexadecimal digits.
    package var hexadecimal: String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The digest of these bytes.
    package init(_ message: [UInt8]) {
        var state = Self.start
        var schedule = [UInt32](repeating: 0, count: 64)
        let wholeBlocks = message.count / 64
        for block in 0..<wholeBlocks {
            Self.mix(message.span.extracting(block * 64..<block * 64 + 64), &schedule, &state)
        }
        // A one bit, zeros, and the length in bits fill the last one or two blocks.
        var rest = Array(message[(wholeBlocks * 64)...]) + [0x80]
        while rest.count % 64 != 56 { rest.append(0) }
        let bits = UInt64(message.count) * 8
        rest += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        for block in 0..<rest.count / 64 {
            Self.mix(rest.span.extracting(block * 64..<block * 64 + 64), &schedule, &state)
        }
        digest = state.flatMap { word in
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
    }

    private static func mix(_ block: Span<UInt8>, _ schedule: inout [UInt32], _ state: inout [UInt32]) {
        var words = schedule.mutableSpan
        for index in 0..<16 {
            words[index] =
                UInt32(block[4 * index]) << 24 | UInt32(block[4 * index + 1]) << 16
                | UInt32(block[4 * index + 2]) << 8 | UInt32(block[4 * index + 3])
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = turned(early, 7) ^ turned(early, 18) ^ early >> 3
            let second = turned(late, 17) ^ turned(late, 19) ^ late >> 10
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        let table = constants.span
        for index in 0..<64 {
            let high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
            let one = h &+ high &+ (e & f ^ ~e & g) &+ table[index] &+ words[index]
            let low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
            let two = low &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e) = (g, f, e, d &+ one)
            (d, c, b, a) = (c, b, a, one &+ two)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

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
    /// The same for the square roots of the first 8 primes (§5.3.3).
    private static let start = words("6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19")

    private static func words(_ hexadecimal: String) -> [UInt32] {
        let nibbles = hexadecimal.utf8.map { UInt32($0 < 0x40 ? $0 - 0x30 : $0 - 0x57) }
        return stride(from: 0, to: nibbles.count, by: 8).map { place in
            nibbles[place..<place + 8].reduce(0) { $0 << 4 | $1 }
        }
    }
}
