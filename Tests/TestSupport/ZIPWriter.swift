/// Writes a ZIP archive (APPNOTE 6.3).
public struct ZIPWriter {
    private var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private let hasDescriptors: Bool
    private let isDeflated: Bool
    /// Where each member ends.
    public private(set) var ends: [Int] = []

    /// An empty archive, whose sizes are behind the data of each member where it `hasDescriptors`. A deflated member is one
    /// block that is not compressed.
    public init(hasDescriptors: Bool = false, isDeflated: Bool = false) {
        (self.hasDescriptors, self.isDeflated) = (hasDescriptors, isDeflated)
    }

    /// Adds a member.
    public mutating func add(_ name: String, _ data: [UInt8]) {
        let lengths = littleEndian(data.count, 2) + littleEndian(~data.count, 2)
        let packed = isDeflated ? [1] + lengths + data : data
        let sizes =
            littleEndian(HandMadePNG.checksum(data)) + littleEndian(packed.count) + littleEndian(data.count)
        let head =
            littleEndian(20, 2) + littleEndian(hasDescriptors ? 8 : 0, 2)
            + littleEndian(isDeflated ? 8 : 0, 2)
            + littleEndian(0)
        let text = Array(name.utf8)
        directory += Array("PK\u{1}\u{2}".utf8) + littleEndian(20, 2) + head + sizes
        directory += littleEndian(text.count, 2) + littleEndian(0, 12) + littleEndian(bytes.count) + text
        bytes += Array("PK\u{3}\u{4}".utf8) + head + (hasDescriptors ? littleEndian(0, 12) : sizes)
        bytes += littleEndian(text.count, 2) + [0, 0] + text + packed
        if hasDescriptors { bytes += Array("PK\u{7}\u{8}".utf8) + sizes }
        ends.append(bytes.count)
    }

    /// The archive with its directory.
    public var finished: [UInt8] {
        let count = littleEndian(ends.count, 2)
        return bytes + directory + Array("PK\u{5}\u{6}".utf8) + littleEndian(0) + count + count
            + littleEndian(directory.count) + littleEndian(bytes.count) + [0, 0]
    }
}
