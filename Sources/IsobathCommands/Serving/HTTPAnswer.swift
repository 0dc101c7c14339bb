/// Why a page server refuses a request.
enum HTTPRefusal: Error {
    /// Not a request, or not one that a page makes.
    case badRequest
    /// For another host.
    case otherHost
    /// Neither GET nor HEAD.
    case otherMethod
    /// Not HTTP/1.
    case unknownVersion
    /// Too many bytes.
    case tooLong
    /// Not complete in time.
    case tooSlow
    /// No such page, or the token is wrong.
    case notFound
    /// The photo cannot be shown, for this reason.
    case unreadable(String)
}

/// The response of a page server.
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

    /// The response to a refused request. It contains nothing about the folder.
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

    /// The complete response. The connection closes after it, the browser caches nothing, and other sites do not learn
    /// the address.
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
