internal import DepthMaps
internal import DepthTypes
internal import PhotoFormats
internal import PhotoWriting
internal import Scenes

/// The metadata of a depth map in Google's forms.
enum GoogleMetadata {
    /// `Format`, `Near` and `Far`: values that are linear in 1/m range from the nearest to the farthest distance.
    private static func range(
        _ depth: CodedDepth, _ namespace: XMPNamespace
    ) throws(ContainerWritingError) -> [XMPProperty] {
        let (low, high) = (Double(depth.mapping.low), Double(depth.mapping.high))
        let isInverse = depth.mapping.quantity == .disparity
        func text(_ name: String, _ value: Double) throws(ContainerWritingError) -> XMPProperty {
            XMPProperty(
                namespace, name,
                .text(try DecimalText.shortest(value, field: "\(namespace.prefix):\(name)")))
        }
        return [
            XMPProperty(namespace, "Format", .text(isInverse ? "RangeInverse" : "RangeLinear")),
            try text("Near", isInverse ? 1 / high : low), try text("Far", isInverse ? 1 / low : high),
        ]
    }

    /// `GDepth`, without the image (Google, Depthmap Metadata); without a unit `Units` is omitted, as in Lens Blur.
    static func gDepth(
        _ depth: CodedDepth, photo: PhotoDescription
    ) throws(ContainerWritingError) -> [XMPProperty] {
        let units = depth.mapping.hasUnit ? [XMPProperty(.gDepth, "Units", .text("m"))] : []
        return try range(depth, .gDepth) + units + [
            XMPProperty(.gDepth, "Mime", .text("image/png")),
            XMPProperty(.gDepth, "MeasureType", .text("OpticalAxis")),
            XMPProperty(.gDepth, "ImageWidth", .text("\(photo.width)")),
            XMPProperty(.gDepth, "ImageHeight", .text("\(photo.height)")),
        ]
    }

    /// `Device:Profiles` and `Device:Cameras` (Dynamic Depth 1.0). `original` names the picture from before an effect.
    static func dynamicDepth(
        _ depth: CodedDepth, hasConfidence: Bool, original: String?
    ) throws(ContainerWritingError) -> [XMPProperty] {
        let (device, profile, camera) = (name("Device"), name("Profile"), name("Camera"))
        let (image, map) = (name("Image"), name("DepthMap"))
        func text(_ namespace: XMPNamespace, _ name: String, _ text: String) -> XMPProperty {
            XMPProperty(namespace, name, .text(text))
        }
        var fields =
            try range(depth, map) + [
                text(map, "Units", "Meters"), text(map, "DepthURI", "android/depthmap"),
                text(map, "ItemSemantic", "Depth"), text(map, "MeasureType", "OpticalAxis"),
            ]
        if hasConfidence { fields.append(text(map, "ConfidenceURI", "android/confidencemap")) }
        var parts = [
            text(camera, "Trait", "Physical"),
            XMPProperty(
                camera, "Image",
                .structure([
                    text(image, "ItemSemantic", original == nil ? "Primary" : "Original"),
                    text(image, "ItemURI", original ?? "primary_image"),
                ])), XMPProperty(camera, "DepthMap", .structure(fields)),
        ]
        if let calibration = depth.calibration {
            parts.append(XMPProperty(camera, "ImagingModel", .structure(try imagingModel(calibration))))
        }
        return [
            XMPProperty(
                device, "Profiles",
                .structures([
                    [
                        XMPProperty(
                            device, "Profile",
                            .structure([
                                text(profile, "Type", "DepthPhoto"),
                                XMPProperty(profile, "CameraIndices", .sequence(["0"])),
                            ]))
                    ]
                ])),
            XMPProperty(
                device, "Cameras", .structures([[XMPProperty(device, "Camera", .structure(parts))]])),
        ]
    }

    /// Intrinsics in pixels from the corner of the first pixel, as phones write them.
    private static func imagingModel(
        _ camera: CameraCalibration
    ) throws(ContainerWritingError) -> [XMPProperty] {
        let namespace = name("ImagingModel")
        var properties: [XMPProperty] = []
        for (name, value) in [
            ("FocalLengthX", camera.focalLengthX), ("FocalLengthY", camera.focalLengthY),
            ("ImageWidth", Double(camera.width)), ("ImageHeight", Double(camera.height)),
            ("PrincipalPointX", camera.principalPointX + 0.5),
            ("PrincipalPointY", camera.principalPointY + 0.5), ("Skew", 0), ("PixelAspectRatio", 1),
        ] {
            let text = try DecimalText.shortest(value, field: "ImagingModel:\(name)")
            properties.append(XMPProperty(namespace, name, .text(text)))
        }
        return properties
    }

    /// `Device:Container` with the files that follow the photo, which is its first item.
    static func directory(_ items: [(uri: String, length: Int)]) -> XMPProperty {
        let (container, item) = (name("Container"), name("Item"))
        let entries = [("primary_image", "image/jpeg", 0)] + items.map { ($0.uri, "image/png", $0.length) }
        let structures = entries.map { uri, mime, length in
            [
                XMPProperty(
                    container, "Item",
                    .structure([
                        XMPProperty(item, "Mime", .text(mime)),
                        XMPProperty(item, "Length", .text("\(length)")),
                        XMPProperty(item, "DataURI", .text(uri)),
                    ]))
            ]
        }
        return XMPProperty(
            name("Device"), "Container",
            .structure([XMPProperty(container, "Directory", .structures(structures))]))
    }

    private static func name(_ part: String) -> XMPNamespace { .dynamicDepth(part) }
}

extension CodedDepth {
    /// The codes with 0 as the nearest distance, Google's order.
    var inGoogleOrder: SamplePlane {
        mapping.quantity == .disparity ? codes.complemented : codes
    }
}
