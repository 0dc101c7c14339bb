internal import Embedded

/// The data blocks of a page for its script, by name.
struct DataBlocks {
    private(set) var bytes: [UInt8] = []

    /// Appends JSON, escaped so that nothing in it ends the block.
    mutating func append(_ name: String, json content: [UInt8]) {
        append(name, "application/json", content)
    }

    /// Appends bytes in base64.
    mutating func append(_ name: String, base64 content: [UInt8]) {
        append(name, "text/plain", Array(encodeBase64(content).utf8))
    }

    private mutating func append(_ name: String, _ type: String, _ content: [UInt8]) {
        bytes += Array("<script type=\"\(type)\" id=\"\(name)\">".utf8)
        bytes += content
        bytes += Array("</script>\n".utf8)
    }
}
