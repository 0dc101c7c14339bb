internal import ByteParsing
internal import DepthModel

/// Extensible Device Metadata 1.0 (Intel and Google, 2015), which came between GDepth and Dynamic Depth: cameras in
/// the photo's XMP, each with images in base64. Its depth maps have the properties of GDepth's.
///
/// `Device:Cameras` is a list of structures: `Camera:DepthMap` with `DepthMap:Format`, `Near`, `Far`, `Data` …,
/// `Camera:Image` with `Image:Data`, `Camera:ImagingModel` with a perspective model. No photo of a camera was at hand:
/// structure and names are those of xdmlib and of Intel's depth-reader-js, read by `TestImages/xdm.jpg`. So its planes
/// are experimental.
extension XDM: JPEGPlaneSource {
    static func look(_ file: inout JPEGFile, _ photo: inout JPEGContainer) throws(ContainerError) {
        guard let xmp = try file.xmp(holding: "ns.xdm.org/photos/1.0/", &photo),
            let cameras = xmp[XDM.device, "Cameras"]?.items
        else { return }
        try file.limits.check(.images, cameras.count, at: file.header.xmp?.lowerBound ?? 0)
        let payloads = XMPPayloads(file, xmp, source: "xdm", orientation: photo.photo.orientation)
        for (index, camera) in cameras.enumerated() {
            var path = XMPPath(XDM.device, "Cameras").item(index)
            var fields = camera.fields ?? XMPProperties()
            if let inner = fields[XDM.device, "Camera"]?.fields {
                (fields, path) = (inner, path.field(XDM.device, "Camera"))
            }
            XDM.addPlanes(of: fields, at: path, isFirst: index == 0, payloads, to: &photo)
        }
    }
}

enum XDM {
    private static let names = "http://ns.xdm.org/photos/1.0/"
    static let device = names + "device/"
    private static let camera = names + "camera/"
    private static let depthMap = names + "depthmap/"
    private static let image = names + "image/"

    static func addPlanes(
        of fields: XMPProperties, at path: XMPPath, isFirst: Bool, _ payloads: XMPPayloads,
        to photo: inout JPEGContainer
    ) {
        func attempt(_ body: () throws(ContainerError) -> Void) {
            do throws(ContainerError) { try body() } catch { photo.add(lost: error) }
        }
        func plane(_ kind: PlaneKind, _ type: String, at path: XMPPath) throws(ContainerError)
            -> AuxiliaryPlane
        {
            var plane = try payloads.plane(kind, type, at: path)
            plane.isExperimental = true
            return plane
        }
        if let map = fields[camera, "DepthMap"]?.fields {
            let place = path.field(camera, "DepthMap")
            attempt { () throws(ContainerError) in
                var plane = try plane(.depth, "DepthMap:Data", at: place.field(depthMap, "Data"))
                let model = model(fields, plane, at: payloads.place)
                plane.calibration = model?.calibration
                let range = DistanceRange(map, depthMap, defaultUnit: .meters)
                let assumption = plane.take(range, at: payloads.place)
                photo.add(plane)
                for diagnostic in model?.diagnostics ?? [] { photo.add(diagnostic) }
                if let assumption { photo.add(assumption) }
            }
            if map[depthMap, "Confidence"] != nil {
                attempt { () throws(ContainerError) in
                    photo.add(
                        try plane(
                            .confidence, "DepthMap:Confidence", at: place.field(depthMap, "Confidence")))
                }
            }
        }
        let picture = path.field(camera, "Image").field(image, "Data")
        guard fields[camera, "Image"]?.fields?[image, "Data"] != nil else { return }
        attempt { () throws(ContainerError) in
            // The first camera took the photo; what others saw is not told apart.
            photo.add(try plane(isFirst ? .original : .unknown, "Image:Data", at: picture))
        }
    }

    /// The pinhole camera, where there is one.
    private static func model(
        _ fields: XMPProperties, _ plane: AuxiliaryPlane, at place: Int
    ) -> ImagingModel? {
        let holder = fields[camera, "ImagingModel"]?.fields ?? fields
        let model = holder[names + "imagingmodel/", "PerspectiveModel"]?.fields ?? holder
        let found = ImagingModel(
            model, names + "perspectivemodel/", planeWidth: plane.width, planeHeight: plane.height,
            at: place)
        return found.calibration == nil && found.diagnostics.isEmpty ? nil : found
    }
}
