/// Items that belong together in a way that references do not express (ISO/IEC 14496-12 §8.18, `grpl`).
public struct HEIFEntityGroup: Hashable, Sendable {
    /// What binds the items: `altr` for alternatives with the preferred one first, `ster` for the left and
    /// the right view of a stereo pair, in this order.
    public var type: FourCC
    /// The group's own number, from the number space of the items.
    public var id: UInt32
    /// The items, in the order that the type requires.
    public var members: [ItemID]
}
