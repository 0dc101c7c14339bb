package import PhotoWriting

/// Items that belong together in a way that references cannot express (ISO/IEC 14496-12 §8.18, `grpl`).
package struct HEIFEntityGroup: Hashable, Sendable {
    /// How the items are related: `altr` for alternatives, the preferred one first; `ster` for the left and the right view of
    /// a stereo pair, in this order.
    package var type: FourCC
    /// The number of the group. Groups and items share one range of numbers.
    package var id: UInt32
    /// The items, in the order that the type requires.
    package var members: [ItemID]
}
