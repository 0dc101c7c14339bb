/// The meaning of the stored values of a recording's mattes. All frames have the same scale: in a frame without the
/// subject, a value of 1 may be almost nothing, or everything.
enum MatteScale {
    /// 0 means no coverage, 1 full coverage.
    case labels
    /// 0…255 mean no to full coverage, in 8 or 16 bits.
    case bytes
    /// 0…65535 mean no to full coverage.
    case codes16

    /// How many mattes are examined.
    static let mostFrames = 32

    /// The scale of mattes whose highest value is this.
    init(highest: UInt16) { self = highest <= 1 ? .labels : highest <= 255 ? .bytes : .codes16 }

    /// The subject's fraction of a pixel, of 255, rounded.
    @inline(__always)
    func coverage(of code: UInt8) -> UInt8 {
        if case .labels = self { code == 0 ? 0 : 255 } else { code }
    }

    /// The subject's fraction of a pixel, of 255, rounded.
    @inline(__always)
    func coverage(of code: UInt16) -> UInt8 {
        switch self {
        case .labels: code == 0 ? 0 : 255
        case .bytes: UInt8(min(code, 255))
        case .codes16: UInt8((UInt32(code) * 255 + 32767) / 65535)
        }
    }
}
