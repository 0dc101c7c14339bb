extension XMPNamespace {
    private static let google = "http://ns.google.com/photos/"
    private static let dynamicDepth = google + "dd/1.0/"

    /// A depth map in the photo's XMP.
    package static let gDepth = XMPNamespace(prefix: "GDepth", uri: google + "1.0/depthmap/")
    /// The directory of the data after the photo, in Ultra HDR and later formats.
    package static let container = XMPNamespace(prefix: "Container", uri: google + "1.0/container/")
    /// One item of that directory.
    package static let containerItem = XMPNamespace(prefix: "Item", uri: google + "1.0/container/item/")
    /// Adobe's gain map.
    package static let hdrgm = XMPNamespace(prefix: "hdrgm", uri: "http://ns.adobe.com/hdr-gain-map/1.0/")
    /// The reference from the main packet to the extended one.
    package static let note = XMPNamespace(prefix: "xmpNote", uri: "http://ns.adobe.com/xmp/note/")

    /// The namespaces of Dynamic Depth, by their last part: `device`, `camera`, `depthmap` …
    package static func dynamicDepth(_ prefix: String) -> XMPNamespace {
        XMPNamespace(prefix: prefix, uri: dynamicDepth + prefix.lowercased() + "/")
    }
}
