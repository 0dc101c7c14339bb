internal import Bytes
internal import DepthTypes

/// Extensible Device Metadata 1.0 (Intel and Google, 2015), which came between GDepth and Dynamic Depth: cameras in
/// the photo's XMP, each with images in base64. Its depth maps have the properties of GDepth's.
///
/// `Device:Cameras` is a list of structures: `Camera:DepthMap` with `DepthMap:Format`, `Near`, `Far`, `Data` …,
/// `Camera:Image` with `Image:Data`, `Camera:ImagingModel` with a perspective model. No photo of a camera was available:
/// structure and names follow xdmlib and Intel's depth-reader-js, and `TestImages/xdm.jpg` follows them. So its planes
/// are experimental.
extension XDM: VendorReader {
    static func discover(
        in file: inout JPEGFile, _ photo: DescribedPhoto
    ) throws(ContainerError) -> VendorDiscovery {
        var found = VendorDiscovery()
        guard let (xmp, failure) = try file.xmp(holding: "ns.xdm.org/photos/1.0/") else { return found }
        if let failure { found.addUnreadable(failure) }
        guard let cameras = xmp[XDM.device, "Cameras"]?.items else { return found }
        let payloads = XMPPayloads(file, xmp, carrier: .xdm, orientation: photo.photo.orientation)
        let limits = file.limits
        found.collect { (found) throws(ContainerError) in
            try limits.check(.images, cameras.count, at: payloads.offset)
            for (index, camera) in cameras.enumerated() {
                var path = XMPPath(XDM.device, "Cameras").item(index)
                var fields = camera.fields ?? XMPProperties()
                if let inner = fields[XDM.device, "Camera"]?.fields {
                    (fields, path) = (inner, path.field(XDM.device, "Camera"))
                }
                XDM.addPlanes(of: fields, at: path, isFirst: index == 0, payloads, to: &found)
            }
        }
        return found
    }
}

enum XDM {
    private static let names = "http://ns.xdm.org/photos/1.0/"
    static let device = names + "device/"
    private static let camera = names + "camera/"
    private static let depthMap = names + "depthmap/"
    private static let image = names + "image/"

    /// Adds the planes of one camera. Each may be missing or damaged without affecting the others.
    fileprivate static func addPlanes(
        of fields: XMPProperties, at path: XMPPath, isFirst: Bool, _ payloads: XMPPayloads,
        to found: inout VendorDiscovery
    ) {
        if let map = fields[camera, "DepthMap"]?.fields {
            let mapPath = path.field(camera, "DepthMap")
            found.collect { (found) throws(ContainerError) in
                try addDepth(map, of: fields, at: mapPath.field(depthMap, "Data"), payloads, to: &found)
            }
            if map[depthMap, "Confidence"] != nil {
                found.collect { (found) throws(ContainerError) in
                    found.planes.append(
                        try plane(
                            .confidence, "DepthMap:Confidence", at: mapPath.field(depthMap, "Confidence"),
                            payloads))
                }
            }
        }
        guard fields[camera, "Image"]?.fields?[image, "Data"] != nil else { return }
        found.collect { (found) throws(ContainerError) in
            // The first camera is the photo's; the file does not describe the content of the others.
            found.planes.append(
                try plane(
                    isFirst ? .original : .unknown, "Image:Data",
                    at: path.field(camera, "Image").field(image, "Data"), payloads))
        }
    }

    private static func addDepth(
        _ map: XMPProperties, of fields: XMPProperties, at path: XMPPath, _ payloads: XMPPayloads,
        to found: inout VendorDiscovery
    ) throws(ContainerError) {
        var plane = try plane(.depth, "DepthMap:Data", at: path, payloads)
        let model = model(fields, plane, at: payloads.offset)
        plane.calibration = model?.calibration
        let range = DistanceRange(map, depthMap, defaultUnit: .meters)
        let assumption = plane.description.take(range, at: payloads.offset)
        found.planes.append(plane)
        found.diagnostics += model?.diagnostics ?? []
        if let assumption { found.diagnostics.append(assumption) }
    }

    private static func plane(
        _ kind: PlaneKind, _ type: String, at path: XMPPath, _ payloads: XMPPayloads
    ) throws(ContainerError) -> AuxiliaryPlane {
        var plane = try payloads.plane(kind, type, at: path)
        plane.isExperimental = true
        return plane
    }

    /// The pinhole camera, if there is one.
    private static func model(
        _ fields: XMPProperties, _ plane: AuxiliaryPlane, at offset: Int
    ) -> ImagingModel? {
        let holder = fields[camera, "ImagingModel"]?.fields ?? fields
        let model = holder[names + "imagingmodel/", "PerspectiveModel"]?.fields ?? holder
        let found = ImagingModel(
            model, names + "perspectivemodel/", planeWidth: plane.width, planeHeight: plane.height,
            at: offset)
        return found.calibration == nil && found.diagnostics.isEmpty ? nil : found
    }
}
