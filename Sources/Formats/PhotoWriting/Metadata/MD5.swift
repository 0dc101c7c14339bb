/// The MD5 digest (RFC 1321), which names extended XMP. Not suitable for security.
///
/// swift-crypto offers it as `Insecure.MD5`, but then every build would compile BoringSSL.
package enum MD5 {
    private static let shifts: [[UInt32]] = [
        [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
    ]
    /// The integer parts of 2³² · |sin(i)|, i = 1…64.
    private static let sines: [UInt32] = (1...64).map { UInt32(sine(Double($0)).magnitude * 4_294_967_296) }

    /// The sine by its series, after reduction by full turns: exact to 10⁻¹³, and so to the 32nd bit.
    private static func sine(_ angle: Double) -> Double {
        let x = angle.remainder(dividingBy: 2 * .pi)
        var (term, sum) = (x, x)
        for step in 1...16 {
            term *= -x * x / Double(2 * step * (2 * step + 1))
            sum += term
        }
        return sum
    }

    /// The digest in uppercase hexadecimal.
    package static func hexadecimal(of message: [UInt8]) -> String {
        var words: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        var padded = message + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        let bits = UInt64(message.count) * 8
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            padded.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
        for start in stride(from: 0, to: padded.count, by: 64) { add(padded[start..<start + 64], to: &words) }
        return words.map { word in
            [0, 8, 16, 24].map { hexadecimal(UInt8(truncatingIfNeeded: word >> $0)) }.joined()
        }.joined()
    }

    private static func add(_ block: ArraySlice<UInt8>, to words: inout [UInt32]) {
        let input = (0..<16).map { index in
            (0..<4).reduce(UInt32(0)) { $0 | UInt32(block[block.startIndex + 4 * index + $1]) << (8 * $1) }
        }
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        for step in 0..<64 {
            let (mixed, index): (UInt32, Int) =
                switch step / 16 {
                case 0: (b & c | ~b & d, step)
                case 1: (d & b | ~d & c, (5 * step + 1) % 16)
                case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                default: (c ^ (b | ~d), 7 * step % 16)
                }
            let sum = a &+ mixed &+ sines[step] &+ input[index]
            let shift = shifts[step / 16][step % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
        }
        words = [words[0] &+ a, words[1] &+ b, words[2] &+ c, words[3] &+ d]
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count < 2 ? "0" + digits : digits
    }
}
