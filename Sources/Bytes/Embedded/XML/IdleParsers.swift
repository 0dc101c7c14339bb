internal import CEXPAT
internal import Synchronization

/// Parsers kept for the next document: making one takes as long as reading a small packet of metadata.
enum IdleParsers {
    /// A parser that is not in use.
    @safe
    private struct Idle: @unchecked Sendable {
        let parser: XML_Parser
    }

    /// Nothing waits for this lock: in a forked process, whose parent had it locked in another thread, a wait could be
    /// indefinite.
    private static let idle = Mutex<[Idle]>([])
    /// Programs that read more documents at once make more parsers.
    private static let most = 16
    /// A parser keeps memory for the longest names and tags that it has read, so parsers of larger documents are freed.
    private static let largestDocument = 1 << 16

    /// The random key of expat's tables of names. With a known key, an attacker could prepare a document whose names are all
    /// found slowly. Without this key, expat would request one from the system for each document.
    private static let hashSalt = (UInt64.random(in: 1...UInt64.max), UInt64.random(in: 0...UInt64.max))

    /// A parser for one document in UTF-8, with namespaces; `nil` if memory runs out.
    static func take() -> XML_Parser? {
        let waiting = idle.withLockIfAvailable { $0.popLast() } ?? nil
        guard let parser = unsafe waiting?.parser ?? XML_ParserCreateNS("UTF-8", separator) else {
            return nil
        }
        unsafe isobath_expat_set_salt(parser, hashSalt.0, hashSalt.1)
        return unsafe parser
    }

    /// Takes back a parser that has read, or begun to read, a document of `documentSize` bytes.
    static func giveBack(_ parser: XML_Parser, documentSize: Int) {
        let isKept =
            unsafe documentSize <= largestDocument && XML_ParserReset(parser, "UTF-8") == XML_TRUE
            && idle.withLockIfAvailable { idle in
                guard idle.count < most else { return false }
                idle.append(unsafe Idle(parser: parser))
                return true
            } == true
        if !isKept { unsafe XML_ParserFree(parser) }
    }
}
