internal import CEXPAT
internal import Synchronization

/// Parsers that wait for the next document: to make one costs as much as reading a small packet of metadata.
enum IdleParsers {
    /// A parser that nothing uses.
    @safe
    private struct Idle: @unchecked Sendable {
        let parser: XML_Parser
    }

    /// Nobody waits for it: a process that was forked while another thread had it could wait indefinitely.
    private static let idle = Mutex<[Idle]>([])
    /// More would be needed where more documents are read at once, and are made then.
    private static let most = 16
    /// A parser keeps memory for the longest names and tags that it has met, so those of larger documents are freed.
    private static let largestDocument = 1 << 16

    /// What expat's tables of names depend on, so that nobody can prepare a document whose names are all found slowly. expat would
    /// ask the system for another one for each document.
    private static let hashSalt = UInt.random(in: 1...UInt.max)

    /// A parser for one document in UTF-8, with namespaces; `nil` without memory for it.
    static func take() -> XML_Parser? {
        let waiting = idle.withLockIfAvailable { $0.popLast() } ?? nil
        guard let parser = unsafe waiting?.parser ?? XML_ParserCreateNS("UTF-8", separator) else {
            return nil
        }
        _ = unsafe XML_SetHashSalt(parser, hashSalt)
        return unsafe parser
    }

    /// Takes back a parser that has read a document of so many bytes, to its end or not.
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
