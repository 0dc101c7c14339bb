/// GIF's variable-length-code LZW (GIF89a, appendix F): codes of 9 to 12 bits, least significant bit first, for 8-bit
/// samples.
struct GIFCompression {
    private static let clear = 256
    private static let end = 257
    private static let mostCodes = 4096

    /// The codes of strings, indexed by the code of the string without its last sample, and that sample. 0 if missing.
    private var codes = [UInt16](repeating: 0, count: mostCodes << 8)
    /// The used indices of ``codes``.
    private var used: [Int] = []

    /// The samples as blocks of up to 255 bytes, each preceded by its size, terminated by an empty one.
    mutating func blocks(of samples: [UInt8]) -> [UInt8] {
        var writer = BitWriter()
        var (size, next) = (9, Self.end + 1)
        forgetAll()
        writer.append(Self.clear, size)
        guard var string = samples.first.map(Int.init) else {
            writer.append(Self.end, size)
            return writer.blocks
        }
        for sample in samples.dropFirst() {
            let place = string << 8 | Int(sample)
            if codes[place] != 0 {
                string = Int(codes[place])
                continue
            }
            writer.append(string, size)
            if next < Self.mostCodes {
                codes[place] = UInt16(truncatingIfNeeded: next)
                used.append(place)
                // Readers learn a code one string later.
                if next == 1 << size, size < 12 { size += 1 }
                next += 1
            } else {
                writer.append(Self.clear, size)
                forgetAll()
                (size, next) = (9, Self.end + 1)
            }
            string = Int(sample)
        }
        writer.append(string, size)
        if next == 1 << size, size < 12 { size += 1 }
        writer.append(Self.end, size)
        return writer.blocks
    }

    private mutating func forgetAll() {
        for place in used { codes[place] = 0 }
        used.removeAll(keepingCapacity: true)
    }
}

private struct BitWriter {
    private var bytes: [UInt8] = []
    private var (bits, count): (UInt32, Int) = (0, 0)

    mutating func append(_ code: Int, _ size: Int) {
        bits |= UInt32(code) << UInt32(count)
        count += size
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            count -= 8
        }
    }

    /// All bits, with the last byte padded.
    var blocks: [UInt8] {
        let all = count > 0 ? bytes + [UInt8(truncatingIfNeeded: bits)] : bytes
        var blocks: [UInt8] = []
        blocks.reserveCapacity(all.count + all.count / 255 + 2)
        for start in stride(from: 0, to: all.count, by: 255) {
            let block = all[start..<min(start + 255, all.count)]
            blocks.append(UInt8(block.count))
            blocks += block
        }
        return blocks + [0]
    }
}
