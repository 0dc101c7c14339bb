/// Writes a ZIP archive whose members are stored (APPNOTE 6.3).
public struct ZIPWriter {
    private var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private let hasDescriptors: Bool
    /// Where each member ends.
    public private(set) var ends: [Int] = []

    /// An empty archive, whose sizes are behind the data of each member where it `hasDescriptors`.
    public init(hasDescriptors: Bool = false) { self.hasDescriptors = hasDescriptors }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func checksum(_ bytes: [UInt8]) -> Int {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return Int(~value)
    }

    /// Adds a member.
    public mutating func add(_ name: String, _ data: [UInt8]) {
        let sizes =
            Self.number(Self.checksum(data), 4) + Self.number(data.count, 4) + Self.number(data.count, 4)
        let flags = Self.number(hasDescriptors ? 8 : 0, 2)
        let start = bytes.count
        bytes += [0x50, 0x4B, 3, 4, 20, 0] + flags + [0, 0, 0, 0, 0, 0]
        bytes +=
            (hasDescriptors ? [UInt8](repeating: 0, count: 12) : sizes) + Self.number(name.utf8.count, 2) + [
                0, 0,
            ]
        bytes += Array(name.utf8) + data
        if hasDescriptors { bytes += [0x50, 0x4B, 7, 8] + sizes }
        ends.append(bytes.count)
        directory += [0x50, 0x4B, 1, 2, 20, 0, 20, 0] + flags + [0, 0, 0, 0, 0, 0] + sizes
        directory +=
            Self.number(name.utf8.count, 2) + [UInt8](repeating: 0, count: 12) + Self.number(start, 4)
        directory += Array(name.utf8)
    }

    /// The archive with its directory.
    public var finished: [UInt8] {
        let count = Self.number(ends.count, 2)
        return bytes + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + count + count
            + Self.number(directory.count, 4) + Self.number(bytes.count, 4) + [0, 0]
    }
}
