/// A path with a placeholder for a number, in printf's form: `out-%04d.jpg`, `%d.png`.
package struct FramePattern: Equatable, Sendable {
    /// The folder of the files.
    package let folder: String
    private let start: String
    private let end: String
    private let digits: Int

    /// `nil` unless the last component of the path has exactly one placeholder.
    package init?(_ path: String) {
        let name = path.lastPathComponent
        guard let place = Self.place(in: name[...]), Self.place(in: name[place.range.upperBound...]) == nil
        else { return nil }
        digits = place.digits
        start = String(name[..<place.range.lowerBound])
        end = String(name[place.range.upperBound...])
        folder = path.folderPath
    }

    /// Whether the last component of a path has several placeholders.
    package static func hasSeveralPlaces(_ path: String) -> Bool {
        let name = path.lastPathComponent
        guard let place = place(in: name[...]) else { return false }
        return self.place(in: name[place.range.upperBound...]) != nil
    }

    private static func place(in name: Substring) -> (range: Range<String.Index>, digits: Int)? {
        guard let percent = name.firstIndex(of: "%"), let letter = name[percent...].firstIndex(of: "d") else {
            return nil
        }
        let width = name[name.index(after: percent)..<letter]
        guard width.allSatisfy({ $0.isASCII && $0.isNumber }), width.count <= 2,
            width.first.map({ $0 == "0" }) ?? true
        else { return nil }
        return (percent..<name.index(after: letter), Int(width) ?? 0)
    }

    /// The path of a numbered file.
    package func path(number: Int) -> String {
        let text = String(number)
        let padding = String(repeating: "0", count: max(0, digits - text.count))
        let name = "\(start)\(padding)\(text)\(end)"
        return folder == "." ? name : folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// The number in a file's name; `nil` for another file.
    package func number(in name: String) -> Int? {
        guard name.hasPrefix(start), name.hasSuffix(end), name.count > start.count + end.count else {
            return nil
        }
        let text = name.dropFirst(start.count).dropLast(end.count)
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }), text.count >= digits else { return nil }
        guard text.count == digits || text.first != "0" || text == "0" else { return nil }
        return Int(text)
    }
}
