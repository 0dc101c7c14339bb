import Foundation
import PhotoBuilders
import PhotoWriting

/// Depth as Google's camera apps and XDM keep it in a JPEG. The photo is half as wide and high as elsewhere.
enum GoogleJPEG {
    /// The range of `RangeInverse` and `RangeLinear`, in meters.
    static let near = 1.4
    static let far = 20.0
    /// Lens Blur does not know its unit: here, a tenth of a meter that nobody is told of.
    private static let lensBlurScale = 10.0

    static func files(photo: Raster) throws -> [(name: String, bytes: [UInt8])] {
        let half = photo.halved
        return [
            ("gdepth-lens-blur.jpg", try lensBlur(half)), ("gdepth-portrait.jpg", try portrait(half)),
            ("gdepth-linear-ray.jpg", try linearRay(half)), ("dynamic-depth.jpg", try dynamicDepth(half)),
            ("dynamic-depth-ultrahdr.jpg", try ultraHDR(half)), ("xdm.jpg", try xdm(half)),
        ]
    }

    // MARK: In XMP

    private static func lensBlur(_ photo: Raster) throws -> [UInt8] {
        let depth = Render.inverse(near: near, far: far)
        let rgba = Raster(width: depth.width, height: depth.height, channels: 4) { x, y in
            let code = depth[x, y].first ?? 0
            return [code, code, code, 255]
        }
        var file = ExtendedXMPJPEG(
            photo: try jpeg(photo, .level),
            properties: [
                text(.gFocus, "BlurAtInfinity", "0.0125"), text(.gFocus, "FocalDistance", "15.0"),
                text(.gFocus, "FocalPointX", "0.45"), text(.gFocus, "FocalPointY", "0.375"),
                text(.gImage, "Mime", "image/jpeg"), text(.gDepth, "Format", "RangeInverse"),
                text(.gDepth, "Near", "\(near * lensBlurScale)"),
                text(.gDepth, "Far", "\(far * lensBlurScale)"),
                text(.gDepth, "Mime", "image/png"),
            ],
            extendedProperties: [
                text(.gImage, "Data", base64(try original(photo))),
                text(.gDepth, "Data", base64(try PNGEncoder.encode(rgba))),
            ]
        )
        file.pieceSize = 12_000  // three segments
        return try file.serialized()
    }

    private static func portrait(_ photo: Raster) throws -> [UInt8] {
        try ExtendedXMPJPEG(
            photo: jpeg(photo, .level),
            properties: [
                text(.gDepth, "Mime", "image/jpeg"), text(.gDepth, "Format", "RangeInverse"),
                text(.gDepth, "Near", "\(near)"), text(.gDepth, "Far", "\(far)"),
                text(.gDepth, "ImageWidth", "480"), text(.gDepth, "ImageHeight", "360"),
                text(.gDepth, "Data", base64(try depth(.level))), text(.gImage, "Mime", "image/jpeg"),
                text(.gCamera, "PortraitVersion", "0"),
            ], extendedProperties: [text(.gImage, "Data", base64(try original(photo)))]
        ).serialized()
    }

    /// Millimeters along rays, linear, with confidence, and no camera that would turn them into depth.
    private static func linearRay(_ photo: Raster) throws -> [UInt8] {
        let rays = Render.plane(width: reduced(192), height: reduced(144)) { ray in
            let length = Render.distance(ray) * (ray.x * ray.x + ray.y * ray.y + 1).squareRoot()
            return (length - near) / (far - near)
        }
        return try ExtendedXMPJPEG(
            photo: jpeg(photo, .level),
            properties: [
                text(.gDepth, "Mime", "image/png"), text(.gDepth, "Format", "RangeLinear"),
                text(.gDepth, "Near", "1400"), text(.gDepth, "Far", "20000"), text(.gDepth, "Units", "mm"),
                text(.gDepth, "MeasureType", "OpticalRay"), text(.gDepth, "Manufacturer", "Isobath"),
                text(.gDepth, "Data", base64(try PNGEncoder.encode(rays))),
                text(.gDepth, "ConfidenceMime", "image/png"),
                text(.gDepth, "Confidence", base64(try PNGEncoder.encode(confidenceRaster))),
            ]
        ).serialized()
    }

    private static func xdm(_ photo: Raster) throws -> [UInt8] {
        let depth = Render.plane(width: reduced(192), height: reduced(144)) {
            (Render.distance($0) - near) / (far - near)
        }
        let (device, camera, map, image) = (
            XMPNamespace.xdm("Device"), XMPNamespace.xdm("Camera"), XMPNamespace.xdm("DepthMap"),
            XMPNamespace.xdm("Image")
        )
        let model = XMPNamespace.xdm("PerspectiveModel")
        return try ExtendedXMPJPEG(
            photo: jpeg(photo, .level), properties: [text(device, "Revision", "1.0")],
            extendedProperties: [
                XMPProperty(
                    device, "Cameras",
                    .structures([
                        [
                            structure(
                                camera, "DepthMap",
                                [
                                    text(map, "Format", "RangeLinear"), text(map, "Near", "\(near)"),
                                    text(map, "Far", "\(far)"), text(map, "Units", "m"),
                                    text(map, "Mime", "image/png"),
                                    text(map, "Data", base64(try PNGEncoder.encode(depth))),
                                ]),
                            structure(
                                camera, "ImagingModel",
                                [
                                    text(model, "FocalLengthX", "1.25"),
                                    text(model, "FocalLengthY", "1.6666666666666667"),
                                    text(model, "PrincipalPointX", "0.50625"),
                                    text(model, "PrincipalPointY", "0.49444444444444444"),
                                ]),
                            structure(
                                camera, "Image",
                                [
                                    text(image, "Mime", "image/jpeg"),
                                    text(image, "Data", base64(try original(photo))),
                                ]),
                        ]
                    ]))
            ]
        ).serialized()
    }

    // MARK: Behind the photo

    /// As a Pixel 3 writes it: says diopters, holds meters, and has a focal table to tell.
    private static func dynamicDepth(_ photo: Raster) throws -> [UInt8] {
        let (container, item) = (XMPNamespace.dynamicDepth("Container"), XMPNamespace.dynamicDepth("Item"))
        let trailer = [
            ("android/original_image", try original(photo, .turned)),
            ("android/depthmap", try depth(.turned)), ("android/confidencemap", try confidence(.turned)),
        ]
        let entries = [("primary_image", 0)] + trailer.map { ($0.0, $0.1.count) }
        let directory = entries.map { name, length in
            typed(
                "container/:Item",
                [
                    text(item, "Mime", "image/jpeg"), text(item, "Length", "\(length)"),
                    text(item, "DataURI", name),
                ])
        }
        let table = (0..<256).flatMap { step -> [UInt8] in
            let distance = Float(far * near / (far - Double(step) / 255 * (far - near)))
            return [distance.bitPattern, 0].flatMap { word in
                [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> $0) }
            }
        }
        let map = XMPNamespace.dynamicDepth("DepthMap")
        let units = [
            text(map, "Units", "Diopters"), text(map, "FocalTableEntryCount", "256"),
            text(map, "FocalTable", base64(table)),
        ]
        let model = [
            ("FocalLengthX", "1200"), ("FocalLengthY", "1200"), ("ImageWidth", "720"), ("ImageHeight", "960"),
            ("PrincipalPointX", "356"), ("PrincipalPointY", "474"),
        ]
        return try ExtendedXMPJPEG(
            photo: jpeg(photo, .turned), properties: [text(.gCamera, "PortraitVersion", "0")],
            extendedProperties: [
                structure(
                    XMPNamespace.dynamicDepth("Device"), "Container",
                    [XMPProperty(container, "Directory", .structures(directory))]),
                cameras(units: units, measureType: "OpticalAxis", model: model),
            ], trailer: trailer.map(\.1)
        ).serialized()
    }

    /// As newer Pixels write it, beside a gain map that the multi-picture index names, too; along rays, and with a
    /// camera in parts of the frame.
    private static func ultraHDR(_ photo: Raster) throws -> [UInt8] {
        let gain = MultiPictureJPEG.Picture(
            jpeg: try JPEGEncoder.encode(
                Render.plane(width: reduced(240), height: reduced(180), Render.gain), quality: 90),
            xmp: try XMPPacketBuilder([text(.hdrgm, "Version", "1.0")]).serialized())
        let rays = Render.inverse(near: near, far: far, alongRay: true)
        let trailer = [
            ("Original", try original(photo)), ("Depth", try JPEGEncoder.encode(rays, quality: 100)),
            ("Confidence", try confidence(.level)),
        ]
        let model = [
            ("FocalLengthX", "1.25"), ("FocalLengthY", "1.6666666666666667"), ("ImageWidth", "960"),
            ("ImageHeight", "720"), ("PrincipalPointX", "0.50625"),
            ("PrincipalPointY", "0.49444444444444444"),
        ]
        let units = [text(XMPNamespace.dynamicDepth("DepthMap"), "Units", "Meters")]
        let extended = [cameras(units: units, measureType: "OpticRay", model: model)]
        // The index is in the photo, and its place depends on the packet: the sizes of images do not.
        let plain = try jpeg(photo, .level)
        func file(gainLength: Int) throws -> [UInt8] {
            let entries = [("Primary", 0), ("GainMap", gainLength)] + trailer.map { ($0.0, $0.1.count) }
            let directory = entries.map { name, length in
                [
                    structure(
                        .container, "Item",
                        [
                            text(.containerItem, "Mime", "image/jpeg"),
                            text(.containerItem, "Length", "\(length)"),
                            text(.containerItem, "Semantic", name),
                        ])
                ]
            }
            let photo = try ExtendedXMPJPEG(
                photo: plain,
                properties: [
                    text(.hdrgm, "Version", "1.0"),
                    XMPProperty(.container, "Directory", .structures(directory)),
                ], extendedProperties: extended
            ).serialized()
            return try MultiPictureJPEG(primary: .init(jpeg: photo), auxiliaries: [gain]).serialized()
        }
        let draft = try file(gainLength: 10_000)
        guard let gainStart = draft.indices.last(where: { draft[$0...].starts(with: [0xFF, 0xD8, 0xFF]) })
        else {
            throw MakerError("no gain map")
        }
        return try file(gainLength: draft.count - gainStart) + trailer.flatMap(\.1)
    }

    private static func cameras(
        units: [XMPProperty], measureType: String, model: [(String, String)]
    ) -> XMPProperty {
        let (camera, image, map, imaging) = (
            XMPNamespace.dynamicDepth("Camera"), XMPNamespace.dynamicDepth("Image"),
            XMPNamespace.dynamicDepth("DepthMap"), XMPNamespace.dynamicDepth("ImagingModel")
        )
        return XMPProperty(
            XMPNamespace.dynamicDepth("Device"), "Cameras",
            .structures([
                typed(
                    "device/:Camera",
                    [
                        text(camera, "Trait", "Physical"),
                        structure(
                            camera, "Image",
                            [
                                text(image, "ItemSemantic", "Original"),
                                text(image, "ItemURI", "android/original_image"),
                            ]),
                        structure(
                            camera, "DepthMap",
                            [
                                text(map, "ItemSemantic", "Depth"), text(map, "Format", "RangeInverse"),
                                text(map, "Near", "\(near)"), text(map, "Far", "\(far)"),
                                text(map, "DepthURI", "android/depthmap"),
                                text(map, "ConfidenceURI", "android/confidencemap"),
                                text(map, "MeasureType", measureType),
                            ] + units),
                        structure(camera, "ImagingModel", model.map { text(imaging, $0.0, $0.1) }),
                    ])
            ]))
    }

    /// A structure with a type, as Adobe's toolkit writes it: the type is a qualifier.
    private static func typed(_ name: String, _ fields: [XMPProperty]) -> [XMPProperty] {
        let rdf = XMPNamespace(prefix: "rdf", uri: "http://www.w3.org/1999/02/22-rdf-syntax-ns#")
        return [
            structure(rdf, "value", fields), text(rdf, "type", "http://ns.google.com/photos/dd/1.0/" + name),
        ]
    }

    // MARK: Images

    private static func jpeg(_ photo: Raster, _ posture: Posture) throws -> [UInt8] {
        let picture = MultiPictureJPEG.Picture(
            jpeg: try JPEGEncoder.encode(posture.stored(photo), quality: 80),
            exif: try posture.exif.serialized(), iccProfile: ICCProfile.displayP3)
        return try MultiPictureJPEG(primary: picture).serialized()
    }

    /// The same picture as the photo: nothing is blurred here.
    private static func original(_ photo: Raster, _ posture: Posture = .level) throws -> [UInt8] {
        let picture = MultiPictureJPEG.Picture(
            jpeg: try JPEGEncoder.encode(posture.stored(photo), quality: 70), iccProfile: ICCProfile.displayP3
        )
        return try MultiPictureJPEG(primary: picture).serialized()
    }

    private static func depth(_ posture: Posture) throws -> [UInt8] {
        try JPEGEncoder.encode(posture.stored(Render.inverse(near: near, far: far)), quality: 100)
    }

    private static func confidence(_ posture: Posture) throws -> [UInt8] {
        try JPEGEncoder.encode(posture.stored(confidenceRaster), quality: 100)
    }

    /// Certain on the left, doubtful on the right.
    private static var confidenceRaster: Raster {
        Raster(width: reduced(192), height: reduced(144), channels: 1) { x, _ in [UInt8(255 - x)] }
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    private static func text(_ namespace: XMPNamespace, _ name: String, _ value: String) -> XMPProperty {
        XMPProperty(namespace, name, .text(value))
    }

    private static func structure(
        _ namespace: XMPNamespace, _ name: String, _ fields: [XMPProperty]
    ) -> XMPProperty {
        XMPProperty(namespace, name, .structure(fields))
    }
}

extension Render {
    /// Codes of `RangeInverse`: 0 at `near`, 255 at `far`, even steps of 1/distance.
    fileprivate static func inverse(near: Double, far: Double, alongRay: Bool = false) -> Raster {
        plane(width: reduced(192), height: reduced(144)) { ray in
            let stretch = alongRay ? (ray.x * ray.x + ray.y * ray.y + 1).squareRoot() : 1
            let distance = distance(ray) * stretch
            return far * (distance - near) / (distance * (far - near))
        }
    }
}

extension Raster {
    /// Half as wide and high, each pixel the mean of four.
    fileprivate var halved: Raster {
        Raster(width: width / 2, height: height / 2, channels: channels) { x, y in
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map { Array(self[2 * x + $0.0, 2 * y + $0.1]) }
            return (0..<channels).map { channel in
                UInt8((four.reduce(2) { $0 + Int($1[channel]) }) / 4)
            }
        }
    }
}
