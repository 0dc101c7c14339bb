/// A namespace of XMP properties. Readers go by the URI; the prefix is only customary.
package struct XMPNamespace: Hashable, Sendable {
    /// The prefix to write.
    package var prefix: String
    package var uri: String

    package init(prefix: String, uri: String) {
        self.prefix = prefix
        self.uri = uri
    }
}

extension XMPNamespace {
    /// The sample format of an auxiliary image.
    package static let pixelDataInfo = XMPNamespace(
        prefix: "apdi", uri: "http://ns.apple.com/pixeldatainfo/1.0/")
    /// Depth and disparity: quality, accuracy, calibration.
    package static let depthData = XMPNamespace(
        prefix: "depthData", uri: "http://ns.apple.com/depthData/1.0/")
    package static let portraitEffectsMatte = XMPNamespace(
        prefix: "portraitEffectsMatte", uri: "http://ns.apple.com/portraitEffectsMatte/1.0/")
    /// Mattes of skin, hair, teeth, glasses, sky.
    package static let semanticSegmentationMatte = XMPNamespace(
        prefix: "semanticSegmentationMatte", uri: "http://ns.apple.com/semanticSegmentationMatte/1.0/")
    package static let hdrGainMap = XMPNamespace(
        prefix: "HDRGainMap", uri: "http://ns.apple.com/HDRGainMap/1.0/")
}
