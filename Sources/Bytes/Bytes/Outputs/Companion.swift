/// A small file that is written beside another one.
package struct Companion: Sendable {
    /// Its path.
    package let file: OutputFile
    /// Its contents.
    package let bytes: [UInt8]

    /// Names a file and its bytes.
    package init(file: OutputFile, bytes: [UInt8]) {
        self.file = file
        self.bytes = bytes
    }

    /// Whether the file has these bytes already, as after a run that was killed before the main file appeared.
    var isThere: Bool {
        guard let source = try? FileSource(path: file.path), source.byteCount == bytes.count else {
            return false
        }
        return (try? source.read(0..<bytes.count)) == bytes
    }
}
