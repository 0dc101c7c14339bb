import TestSupport

/// The damage to one file of an input.
enum Damage: CustomStringConvertible {
    /// Only so many bytes are left.
    case cut(String, Int)
    /// Bytes that become zero.
    case zeroed(String, Range<Int>)
    /// The file is gone.
    case missing(String)

    var description: String {
        switch self {
        case .cut(let file, let count): "\(file) is cut to \(count) bytes"
        case .zeroed(let file, let range):
            "bytes \(range.lowerBound) to \(range.upperBound) of \(file) are zero"
        case .missing(let file): "\(file) is missing"
        }
    }

    /// The files with the damage in one; `nil` where that changes nothing.
    func applied(to files: [(path: String, bytes: [UInt8])]) -> [(path: String, bytes: [UInt8])]? {
        var files = files
        switch self {
        case .missing(let name): files.removeAll { $0.path == name }
        case .cut(let name, let count):
            guard let index = files.firstIndex(where: { $0.path == name }) else { return nil }
            files[index].bytes.removeSubrange(count...)
        case .zeroed(let name, let range):
            guard let index = files.firstIndex(where: { $0.path == name }),
                files[index].bytes[range].contains(where: { $0 != 0 })
            else { return nil }
            files[index].bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
        }
        return files
    }

    /// Cuts at twenty points of an input, ten ranges of zeros, and each kind of file once that can be missing.
    static func all(of input: IntactInput, random: inout SplitMix) -> [Damage] {
        let files = input.files.filter { !$0.bytes.isEmpty }
        var damages: [Damage] = (0..<20).map { part in
            let file = files[part % files.count]
            let point = (Double(part) + Double(random.fraction())) / 20
            return .cut(file.path, min(Int(point * Double(file.bytes.count)), file.bytes.count - 1))
        }
        damages += (0..<10).compactMap { _ in
            guard let file = files.randomElement(using: &random) else { return nil }
            let length = min(max(16, file.bytes.count / 20), file.bytes.count)
            let start = Int.random(in: 0...file.bytes.count - length, using: &random)
            return .zeroed(file.path, start..<start + length)
        }
        guard files.count > 1 else { return damages }
        // One file of each folder and extension: the middle one.
        let groups = Dictionary(grouping: files.map(\.path)) { path in
            path.split(separator: "/").dropLast().joined(separator: "/") + "."
                + (path.split(separator: ".").suffix(2).joined(separator: ".").filter { !$0.isNumber })
        }
        let missing = groups.values.map { $0[$0.count / 2] }.sorted()
        return damages + missing.filter { $0 != input.argument }.map { .missing($0) }
    }
}
