internal import Isobath

/// A request to a page server: GET or HEAD of a path (RFC 9110, RFC 9112), and nothing else.
struct HTTPRequest: Sendable {
    /// Whether the response has no body (HEAD).
    let isHeadOnly: Bool
    /// The components of the path, without escapes and without the leading slash; the last is empty for a folder. No
    /// component is `.` or `..` or contains a slash or a zero byte, and only the last may be empty.
    let path: [String]

    /// The maximum bytes of a request.
    static let mostBytes = 8192

    /// Parses a request that ends with its empty line. `hosts` are the names of the server. A page of another site that
    /// resolves its name to this address sends another name (DNS rebinding). Throws the refusal of an invalid request.
    init(parsing bytes: [UInt8], hosts: Set<String>) throws(HTTPRefusal) {
        let text = bytes.dropLast(4)
        guard !text.contains(where: { $0 < 0x20 && $0 != 0x0D && $0 != 0x0A && $0 != 0x09 || $0 == 0x7F })
        else { throw .badRequest }
        var lines: [ArraySlice<UInt8>] = []
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            lines.append(line)
        }
        // Each line but the last still has its CR; other CRs are not allowed.
        for index in lines.indices.dropLast() {
            guard lines[index].popLast() == 0x0D else { throw .badRequest }
        }
        guard !lines.contains(where: { $0.contains(0x0D) }), let first = lines.first else {
            throw .badRequest
        }
        let words = first.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 3, words[2].hasPrefix("HTTP/") else { throw .badRequest }
        guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { throw .unknownVersion }
        try Self.check(lines.dropFirst(), hosts)
        guard words[0] == "GET" || words[0] == "HEAD" else { throw .otherMethod }
        isHeadOnly = words[0] == "HEAD"
        path = try Self.parts(of: Array(words[1].utf8))
    }

    /// Throws unless the Host field is known, and no field declares a body.
    private static func check(_ lines: ArraySlice<ArraySlice<UInt8>>, _ hosts: Set<String>)
        throws(HTTPRefusal)
    {
        var host: String?
        for line in lines {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy(isTokenByte)
            else { throw .badRequest }
            let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
                .trimming { $0 == " " || $0 == "\t" }
            switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
            case "host":
                guard host == nil else { throw .badRequest }
                host = value.lowercased()
            case "content-length":
                guard value == "0" else { throw .badRequest }
            case "transfer-encoding", "upgrade", "expect": throw .badRequest
            default: break
            }
        }
        guard let host else { throw .badRequest }
        guard hosts.contains(host) else { throw .otherHost }
    }

    /// Whether a field's name may contain a byte (RFC 9110 §5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// The components of a path, without escapes (RFC 3986 §2.1).
    private static func parts(of target: [UInt8]) throws(HTTPRefusal) -> [String] {
        guard target.first == UInt8(ascii: "/") else { throw .badRequest }
        var parts: [String] = []
        for part in target.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            var name: [UInt8] = []
            var place = part.startIndex
            while place < part.endIndex {
                let byte = part[place]
                guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "?"), byte != UInt8(ascii: "#") else {
                    throw .badRequest
                }
                guard byte == UInt8(ascii: "%") else {
                    name.append(byte)
                    place += 1
                    continue
                }
                guard place + 2 < part.endIndex, let high = hexadecimal(part[place + 1]),
                    let low = hexadecimal(part[place + 2])
                else { throw .badRequest }
                name.append(high << 4 | low)
                place += 3
            }
            guard !name.contains(0), !name.contains(UInt8(ascii: "/")), name != Array(".".utf8),
                name != Array("..".utf8)
            else { throw .badRequest }
            parts.append(String(fileNameBytes: name))
        }
        guard !parts.dropLast().contains("") else { throw .badRequest }
        return parts
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension String {
    /// The text without the characters at both ends that satisfy `isOuter`.
    fileprivate func trimming(_ isOuter: (Character) -> Bool) -> String {
        String(drop(while: isOuter).reversed().drop(while: isOuter).reversed())
    }
}
