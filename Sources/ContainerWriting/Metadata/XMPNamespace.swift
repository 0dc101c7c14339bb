/// A namespace of XMP properties. Readers go by the URI; the prefix is only customary.
public struct XMPNamespace: Hashable, Sendable {
    /// The prefix to write.
    public var prefix: String
    /// The namespace name.
    public var uri: String

    /// A namespace.
    public init(prefix: String, uri: String) {
        self.prefix = prefix
        self.uri = uri
    }
}

extension XMPNamespace {
    /// The sample format of an auxiliary image.
    public static let pixelDataInfo = XMPNamespace(
        prefix: "apdi", uri: "http://ns.apple.com/pixeldatainfo/1.0/")
    /// Depth and disparity: quality, accuracy, calibration.
    public static let depthData = XMPNamespace(
        prefix: "depthData", uri: "http://ns.apple.com/depthData/1.0/")
    /// The blur of the camera's portrait mode.
    public static let depthBlurEffect = XMPNamespace(
        prefix: "depthBlurEffect", uri: "http://ns.apple.com/depthBlurEffect/1.0/")
    /// The portrait matte.
    public static let portraitEffectsMatte = XMPNamespace(
        prefix: "portraitEffectsMatte", uri: "http://ns.apple.com/portraitEffectsMatte/1.0/")
    /// Mattes of skin, hair, teeth, glasses, sky.
    public static let semanticSegmentationMatte = XMPNamespace(
        prefix: "semanticSegmentationMatte", uri: "http://ns.apple.com/semanticSegmentationMatte/1.0/")
    /// The HDR gain map.
    public static let hdrGainMap = XMPNamespace(
        prefix: "HDRGainMap", uri: "http://ns.apple.com/HDRGainMap/1.0/")
}
