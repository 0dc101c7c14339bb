/// A descriptive or transformative property of an item (ISO/IEC 23008-12 §6.5), stored once per file, however many items use
/// it.
package struct ItemProperty: Hashable, Sendable {
    /// The property's box type.
    package var type: FourCC
    /// The bytes after the box header, including version and flags if the box has them.
    package var payload: [UInt8]
    /// Whether a reader that does not know the property must ignore the item (`ipma`, `essential`).
    package var isEssential: Bool

    /// A property in its serialized form, e.g. one copied from another file.
    package init(type: FourCC, payload: [UInt8], isEssential: Bool) {
        (self.type, self.payload, self.isEssential) = (type, payload, isEssential)
    }
}

extension ItemProperty {
    /// `ispe`: the size in pixels before any transformation (ISO/IEC 23008-12 §6.5.3).
    package static func imageSpatialExtents(width: UInt32, height: UInt32) -> ItemProperty {
        var writer = ByteWriter()
        writer.append(UInt32(0))  // version and flags
        writer.append(width)
        writer.append(height)
        return ItemProperty(type: "ispe", payload: writer.bytes, isEssential: false)
    }

    /// `pixi`: the bit depth of each channel (ISO/IEC 23008-12 §6.5.6); `[8]` for a plane, `[8, 8, 8]` for a photo.
    package static func pixelInformation(bitsPerChannel: [UInt8]) throws(ContainerWritingError)
        -> ItemProperty
    {
        let count: UInt8 = try narrow(bitsPerChannel.count, field: "pixi num_channels")
        return ItemProperty(type: "pixi", payload: [0, 0, 0, 0, count] + bitsPerChannel, isEssential: false)
    }

    /// `hvcC`: the HEVC decoder configuration record, unchanged (ISO/IEC 14496-15 §8.3.3.1).
    package static func hevcConfiguration(_ record: [UInt8]) -> ItemProperty {
        ItemProperty(type: "hvcC", payload: record, isEssential: true)
    }

    /// `auxC`: the type of an auxiliary image (ISO/IEC 23008-12 §6.5.8).
    ///
    /// - Parameters:
    ///   - urn: the `aux_type`, e.g. `urn:mpeg:hevc:2015:auxid:2` for depth and disparity.
    ///   - subtype: the bytes of `aux_subtype`; for HEVC depth a ``DepthRepresentationEncoder``.
    package static func auxiliaryType(
        _ urn: String, subtype: [UInt8] = []
    ) throws(ContainerWritingError) -> ItemProperty {
        var writer = ByteWriter()
        writer.append(UInt32(0))  // version and flags
        try writer.append(terminated: urn, field: "auxC aux_type")
        writer.append(subtype)
        return ItemProperty(type: "auxC", payload: writer.bytes, isEssential: true)
    }
}
