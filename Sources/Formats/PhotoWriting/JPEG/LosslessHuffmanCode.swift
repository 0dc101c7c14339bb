/// A Huffman code for the categories of differences, 0 to 16 (ITU-T T.81 Annex H, Annex K.2).
struct LosslessHuffmanCode: Hashable, Sendable {
    /// How many codes are 1, 2, … 16 bits long (`BITS`).
    private(set) var codesOfLength: [UInt8]
    /// The categories in order of their codes (`HUFFVAL`).
    private(set) var categories: [UInt8]
    /// The code of each category and its length, which is 0 if the category has no code.
    private(set) var codes: [(bits: UInt64, count: Int)] = []

    static func == (left: Self, right: Self) -> Bool {
        left.codesOfLength == right.codesOfLength && left.categories == right.categories
    }

    func hash(into hasher: inout Hasher) { hasher.combine(categories) }

    /// Four bits for the categories 0 to 13 and five for 14 to 16. One code of five bits is unused, since a code must not be
    /// all ones.
    static let fixed = LosslessHuffmanCode(
        codesOfLength: [0, 0, 0, 14, 3] + [UInt8](repeating: 0, count: 11), categories: Array(0...16))

    private init(codesOfLength: [UInt8], categories: [UInt8]) {
        self.codesOfLength = codesOfLength
        self.categories = categories
        codes = Array(repeating: (0, 0), count: 17)
        var (code, index) = (UInt64(0), 0)
        for (length, count) in codesOfLength.enumerated() {
            for _ in 0..<count {
                codes[Int(categories[index])] = (code, length + 1)
                (code, index) = (code + 1, index + 1)
            }
            code <<= 1
        }
    }

    /// The shortest code for categories of these frequencies. No code is longer than the permitted 16 bits: with 17
    /// categories and the reserved code, the tree has at most 18 leaves, and lengths beyond 16 are reduced.
    init(frequencies: [Int]) {
        // The last symbol would get the code of all ones (Annex K.2). Its weight is 1, so its code is the longest.
        var weights = frequencies + [1]
        var lengths = [Int](repeating: 0, count: weights.count)
        var members = weights.indices.map { [$0] }
        while true {
            let used = weights.indices.filter { weights[$0] > 0 }
            // Of equal weights the later one comes first, so that the reserved symbol gets the longest code.
            let order = used.sorted { (weights[$0], $1) < (weights[$1], $0) }
            guard order.count > 1 else { break }
            let (first, second) = (order[0], order[1])
            members[second] += members[first]
            for symbol in members[second] { lengths[symbol] += 1 }
            weights[second] += weights[first]
            weights[first] = 0
        }
        var counts = [Int](repeating: 0, count: 33)
        for length in lengths where length > 0 { counts[length] += 1 }
        for length in stride(from: 32, to: 16, by: -1) {
            while counts[length] > 0 {
                var shorter = length - 2
                while counts[shorter] == 0 { shorter -= 1 }
                counts[length] -= 2
                counts[length - 1] += 1
                counts[shorter + 1] += 2
                counts[shorter] -= 1
            }
        }
        if let longest = counts.lastIndex(where: { $0 > 0 }) { counts[longest] -= 1 }
        let ordered = frequencies.indices.filter { frequencies[$0] > 0 }.sorted {
            (lengths[$0], $0) < (lengths[$1], $1)
        }
        self.init(
            codesOfLength: counts[1...16].map { UInt8($0) }, categories: ordered.map { UInt8($0) })
    }
}
