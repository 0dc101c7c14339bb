import Bytes
import TestSupport

/// Makes mutants of files by a few changes, mostly where their structure is.
struct Mutator {
    let seedFile: SeedFile
    /// A file that spliced bytes sometimes come from.
    let other: SeedFile
    private var random: SplitMix
    private var mutant: PatchedSource
    /// Offsets of the seed file no longer match after bytes were removed or inserted, but are close enough.
    private var size: Int { mutant.byteCount }

    /// The mutant for the state of a random generator.
    static func mutant(
        of seedFile: SeedFile, and other: SeedFile, _ random: SplitMix
    ) throws(ContainerError) -> PatchedSource {
        var mutator = Mutator(
            seedFile: seedFile, other: other, random: random, mutant: PatchedSource(seedFile.source))
        // Half of the mutants have a single change, which no other can hide.
        let count = mutator.random.chance(oneIn: 2) ? 1 : Int.random(in: 2...4, using: &mutator.random)
        for _ in 0..<count where mutator.size > 0 { try mutator.change() }
        return mutator.mutant
    }

    private mutating func change() throws(ContainerError) {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: try changeInteger()
        case 8..<10: try flipBits()
        case 10..<12: setBytes()
        case 12..<14: seedFile.numbers.isEmpty ? stretchBox() : changeText()
        case 14: random.chance(oneIn: 2) ? insertTokens() : stretchBox()
        case 15: splice(from: PatchedSource(seedFile.source))
        case 16: splice(from: PatchedSource(other.source))
        case 17: remove()
        case 18: repeatPart()
        default: random.chance(oneIn: 3) ? truncate() : try changeInteger()
        }
    }

    /// A random offset: near a landmark, in a range that is read, or anywhere.
    private mutating func offset() -> Int {
        let wanted: Int
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<7:
            let reach = 1 << Int.random(in: 2...8, using: &random)
            wanted =
                (seedFile.landmarks.randomElement(using: &random) ?? 0)
                + Int.random(in: -8..<reach, using: &random)
        case 7..<9:
            wanted =
                seedFile.readRanges.randomElement(using: &random).map {
                    Int.random(in: $0, using: &random)
                } ?? 0
        default: wanted = Int.random(in: 0..<size, using: &random)
        }
        return min(max(wanted, 0), size - 1)
    }

    private func range(_ offset: Int, _ count: Int) -> Range<Int> { offset..<min(offset + count, size) }

    private mutating func overwrite(_ offset: Int, _ bytes: [UInt8]) {
        let range = range(offset, bytes.count)
        mutant.replace(range, with: PatchedSource(Array(bytes.prefix(range.count))))
    }

    /// Replaces 1, 2, 4 or 8 bytes by a boundary value in either byte order, as a size, a count or an offset.
    private mutating func changeInteger() throws(ContainerError) {
        let offset = offset()
        let width = [1, 2, 2, 4, 4, 4, 8].randomElement(using: &random) ?? 4
        let isBig = random.chance(oneIn: 2)
        let stored = try mutant.read(range(offset, width))
        let old = (isBig ? stored : stored.reversed()).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let full: UInt64 = width == 8 ? .max : 1 << UInt64(8 * width) - 1
        let rest = UInt64(size - offset)
        let values: [UInt64] = [
            0, 1, 2, 3, 7, 8, 15, 16, full, full - 1, full - 7, full >> 1, full >> 1 + 1, full >> 1 - 7,
            UInt64(size), rest, rest &- UInt64(width), rest + 1, rest &- 1, UInt64(offset), old &+ 1,
            old &- 1,
            old &* 2, old >> 1, old &* 256, old | full ^ (full >> 1), old ^ full, 1 << 31, 1 << 32 - 1,
            1 << 62,
            65_536, 1_000_000,
        ]
        let value = (values.randomElement(using: &random) ?? 0) & full
        let bytes = (0..<width).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
        overwrite(offset, isBig ? bytes.reversed() : bytes)
    }

    /// Gives a 64-bit size to the box (ISO/IEC 14496-12 §4.2) whose name is a landmark.
    private mutating func stretchBox() {
        let name = seedFile.landmarks.randomElement(using: &random) ?? 0
        guard name >= 4, name + 12 <= size else { return }
        let sizes: [UInt64] = [0, 1, 15, 16, UInt64(size), 1 << 31, 1 << 62, .max >> 1, .max >> 1 - 7, .max]
        let large = sizes.randomElement(using: &random) ?? 0
        overwrite(name - 4, [0, 0, 0, 1])
        overwrite(name + 4, (0..<8).map { UInt8(truncatingIfNeeded: large >> UInt64(56 - 8 * $0)) })
    }

    private mutating func flipBits() throws(ContainerError) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let offset = offset()
            let byte = try mutant.read(offset..<offset + 1)[0]
            overwrite(offset, [byte ^ 1 << UInt8.random(in: 0..<8, using: &random)])
        }
    }

    private mutating func setBytes() {
        let byte =
            [0, 0xFF, 0x7F, 0x80, UInt8.random(in: 0...255, using: &random)]
            .randomElement(using: &random) ?? 0
        let count = random.chance(oneIn: 3) ? Int.random(in: 2...32, using: &random) : 1
        overwrite(offset(), [UInt8](repeating: byte, count: count))
    }

    /// Replaces a number in text by another, which may be longer.
    private mutating func changeText() {
        guard let number = seedFile.numbers.randomElement(using: &random), number.upperBound <= size else {
            return
        }
        let texts = [
            "1e308", "-1e308", "3.5e38", "1e-320", "1e-45", "-1", "0", "-0", "1", "inf", "nan", "", " ",
            "0x10",
            "1/0", "0/0", "4294967296", "2147483648", "-2147483649", "9223372036854775807",
            "9223372036854775808", "-9223372036854775808", "65536", "1e9", "0.5",
            String(repeating: "9", count: 400), "0." + String(repeating: "0", count: 400) + "1",
        ]
        mutant.replace(number, with: PatchedSource(Array((texts.randomElement(using: &random) ?? "").utf8)))
    }

    /// Inserts tokens that have a meaning in some grammar.
    private mutating func insertTokens() {
        let tokens = [
            "<!DOCTYPE x [<!ENTITY a \"b\">]>", "&a;", "&#0;", "&#x110000;", "<a>", "</a>", "<rdf:li>",
            "<x:y/>", "\"",
            "'", "<", ">", "{", "[", "}", "]", ",", ":", "\\u", "\\ud800", "=", "/9j/", "\0", "\u{FEFF}",
            "SEFT",
            "edof", "PK\u{5}\u{6}", "None", "(", "True", "\n", " ", "\r",
        ]
        let token = tokens.randomElement(using: &random) ?? ""
        let count = random.chance(oneIn: 4) ? Int.random(in: 2...200, using: &random) : 1
        let offset = offset()
        mutant.replace(
            offset..<offset, with: PatchedSource(Array(String(repeating: token, count: count).utf8)))
    }

    /// Puts a part of a file over or between other bytes.
    private mutating func splice(from file: PatchedSource) {
        let from = min(offset(), file.byteCount)
        let part = file.part(from..<min(from + 1 << Int.random(in: 1...10, using: &random), file.byteCount))
        let to = offset()
        let count = random.chance(oneIn: 2) ? part.byteCount : 0
        mutant.replace(range(to, count), with: part)
    }

    private mutating func remove() {
        let from = offset()
        mutant.replace(range(from, 1 << Int.random(in: 0...8, using: &random)), with: PatchedSource([]))
    }

    private mutating func repeatPart() {
        let from = offset()
        let part = mutant.part(range(from, 1 << Int.random(in: 2...8, using: &random)))
        for _ in 0..<Int.random(in: 1...8, using: &random) { mutant.replace(from..<from, with: part) }
    }

    private mutating func truncate() {
        mutant = mutant.part(0..<offset())
    }
}
