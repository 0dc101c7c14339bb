extension XMPNamespace {
    private static let google = "http://ns.google.com/photos/"
    private static let dynamicDepth = google + "dd/1.0/"
    private static let xdm = "http://ns.xdm.org/photos/1.0/"

    /// A depth map in the photo's XMP.
    public static let gDepth = XMPNamespace(prefix: "GDepth", uri: google + "1.0/depthmap/")
    /// The photo before its background was blurred.
    public static let gImage = XMPNamespace(prefix: "GImage", uri: google + "1.0/image/")
    /// The focus, and the strength of the blur.
    public static let gFocus = XMPNamespace(prefix: "GFocus", uri: google + "1.0/focus/")
    /// The camera app.
    public static let gCamera = XMPNamespace(prefix: "GCamera", uri: google + "1.0/camera/")
    /// The directory of the data after the photo, in Ultra HDR and later formats.
    public static let container = XMPNamespace(prefix: "Container", uri: google + "1.0/container/")
    /// One item of that directory.
    public static let containerItem = XMPNamespace(prefix: "Item", uri: google + "1.0/container/item/")
    /// Adobe's gain map.
    public static let hdrgm = XMPNamespace(prefix: "hdrgm", uri: "http://ns.adobe.com/hdr-gain-map/1.0/")
    /// The reference from the main packet to the extended one.
    public static let note = XMPNamespace(prefix: "xmpNote", uri: "http://ns.adobe.com/xmp/note/")

    /// The namespaces of Dynamic Depth, by their last part: `device`, `camera`, `depthmap` …
    public static func dynamicDepth(_ prefix: String) -> XMPNamespace {
        XMPNamespace(prefix: prefix, uri: dynamicDepth + prefix.lowercased() + "/")
    }

    /// XDM's namespaces, by their last part.
    public static func xdm(_ prefix: String) -> XMPNamespace {
        XMPNamespace(prefix: prefix, uri: xdm + prefix.lowercased() + "/")
    }
}
