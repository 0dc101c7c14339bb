package import PhotoWriting

/// Namespaces that are read and never written.
extension XMPNamespace {
    /// The blur of the camera's portrait mode.
    package static let depthBlurEffect = XMPNamespace(
        prefix: "depthBlurEffect", uri: "http://ns.apple.com/depthBlurEffect/1.0/")
    /// The photo before its background was blurred.
    package static let gImage = XMPNamespace(prefix: "GImage", uri: "http://ns.google.com/photos/1.0/image/")
    /// The focus, and the strength of the blur.
    package static let gFocus = XMPNamespace(prefix: "GFocus", uri: "http://ns.google.com/photos/1.0/focus/")
    /// The camera app.
    package static let gCamera = XMPNamespace(
        prefix: "GCamera", uri: "http://ns.google.com/photos/1.0/camera/")

    /// XDM's namespaces, by their last part.
    package static func xdm(_ prefix: String) -> XMPNamespace {
        XMPNamespace(prefix: prefix, uri: "http://ns.xdm.org/photos/1.0/" + prefix.lowercased() + "/")
    }
}
