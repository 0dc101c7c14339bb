package import PhotoWriting

extension ItemProperty {
    /// `av1C`: the AV1 decoder configuration record, unchanged (AV1 Codec ISO Media File Format Binding §2.3).
    package static func av1Configuration(_ record: [UInt8]) -> ItemProperty {
        ItemProperty(type: "av1C", payload: record, isEssential: true)
    }
}
