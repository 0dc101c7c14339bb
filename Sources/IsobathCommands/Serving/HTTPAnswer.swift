/// Why a server of pages does not do what it was asked for.
enum HTTPRefusal: Error {
    /// It is not a request, or not one that a page makes.
    case badRequest
    /// It is meant for another host.
    case otherHost
    /// Neither GET nor HEAD.
    case otherMethod
    /// Not HTTP/1.
    case unknownVersion
    /// It has too many bytes.
    case tooLong
    /// It does not come to its end.
    case tooSlow
    /// There is no such page, or the address is not the one that was given out.
    case notFound
    /// The photo cannot be shown, and why.
    case unreadable(String)
}

/// What a server of pages sends back.
struct HTTPAnswer: Sendable {
    /// Status code and reason.
    var status = "200 OK"
    /// The media type of the body.
    var type = "text/plain; charset=utf-8"
    /// The Content-Security-Policy.
    var policy = "default-src 'none'"
    var body: [UInt8]

    /// A page or a picture.
    init(type: String, policy: String = "default-src 'none'", _ body: [UInt8]) {
        (self.type, self.policy, self.body) = (type, policy, body)
    }

    /// The answer to what is refused. It says nothing of what is in the folder.
    init(_ refusal: HTTPRefusal) {
        var text: String?
        switch refusal {
        case .badRequest: status = "400 Bad Request"
        case .otherHost: status = "421 Misdirected Request"
        case .otherMethod: status = "405 Method Not Allowed"
        case .unknownVersion: status = "505 HTTP Version Not Supported"
        case .tooLong: status = "431 Request Header Fields Too Large"
        case .tooSlow: status = "408 Request Timeout"
        case .notFound: status = "404 Not Found"
        case .unreadable(let reason): (status, text) = ("422 Unprocessable Content", reason)
        }
        body = Array((text ?? status).utf8) + [0x0A]
    }

    /// All of it as bytes. Each connection has one answer, nothing is kept by the browser, and no other site learns the address.
    func bytes(isHeadOnly: Bool) -> [UInt8] {
        var head = "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n"
        if status.hasPrefix("405") { head += "Allow: GET, HEAD\r\n" }
        head += """
            Content-Security-Policy: \(policy); frame-ancestors 'none'\r
            X-Content-Type-Options: nosniff\r
            Referrer-Policy: no-referrer\r
            Cross-Origin-Resource-Policy: same-origin\r
            Cross-Origin-Opener-Policy: same-origin\r
            Cache-Control: no-store\r
            Connection: close\r
            \r

            """
        return Array(head.utf8) + (isHeadOnly ? [] : body)
    }
}
