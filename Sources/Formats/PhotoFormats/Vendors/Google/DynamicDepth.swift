internal import Bytes
internal import DepthTypes

/// Dynamic Depth 1.0 (Google, 2019) and the container of Ultra HDR: images after the photo, listed in its XMP.
///
/// The directory gives lengths; the items follow the photo in its order (``PayloadSearch``). An annotated dump of
/// `TestImages/dynamic-depth.jpg` is in this module's README.
extension DynamicDepth: VendorReader {
    static func discover(
        in file: inout JPEGFile, _ photo: DescribedPhoto
    ) throws(ContainerError) -> VendorDiscovery {
        var found = VendorDiscovery()
        var readable = try file.xmp(holding: "ns.google.com/photos/dd/1.0/")
        if readable == nil { readable = try file.xmp(holding: "ns.google.com/photos/1.0/container/") }
        guard let (xmp, failure) = readable else { return found }
        if let failure { found.addUnreadable(failure) }
        let file = file
        found.collect { (found) throws(ContainerError) in
            try DynamicDepth(xmp).addImages(listedIn: xmp, of: file, photo, to: &found)
        }
        return found
    }

    /// Adds the images of the container directory, if there is one.
    private func addImages(
        listedIn xmp: XMPProperties, of file: JPEGFile, _ photo: DescribedPhoto,
        to found: inout VendorDiscovery
    ) throws(ContainerError) {
        let offset = file.header.xmp?.lowerBound ?? 0
        try file.limits.check(.images, cameras.count, at: offset, in: StructurePath("XMP"))
        guard let directory = try ContainerDirectory(xmp, at: offset, limits: file.limits) else {
            if hasDepth {
                throw file.malformedXMP("the photo describes a depth map, but lists no images behind it")
            }
            return
        }
        let roles = directory.items.enumerated().map { $0 == 0 ? .ignored : role(of: $1) }
        let holdsDepth = roles.contains { $0 != .gainMap && $0 != .ignored }
        // Gain maps that a multi-picture index also announces have already been found.
        let searches = holdsDepth || file.header.multiPicture == nil && roles.contains(.gainMap)
        let ranges = try PayloadSearch(file, directory).ranges(
            known: photo.planes.compactMap(\.location.start), walksPhoto: searches)
        // A PNG file at the end is not a trailer.
        if let last = ranges.compactMap(\.self).last, last.upperBound == file.source.byteCount {
            found.trailerRange = last
        }
        var missing: [String] = []
        for (index, role) in roles.enumerated() where role != .ignored {
            let item = directory.items[index]
            guard let range = ranges[index] else {
                missing.append(item.name)
                continue
            }
            found.collect { (found) throws(ContainerError) in
                try add(item, role, at: range, file, photo, to: &found)
            }
        }
        guard searches, !missing.isEmpty else { return }
        let isAll = missing.count == roles.count { $0 != .ignored }
        let error = file.malformedXMP(
            "the photo announces \(missing.joined(separator: ", ")) behind it, "
                + (isAll
                    ? "but nothing is there: what followed the photo was stripped" : "but that is missing"))
        guard holdsDepth else { return found.diagnostics.append(error) }
        throw error
    }
}

/// The cameras in the XMP of Dynamic Depth, and their depth maps.
struct DynamicDepth {
    private typealias Names = DynamicDepthNames

    /// The meaning of an item of the directory.
    enum Role: Hashable {
        /// Distances from a camera.
        case depth(camera: Int?)
        case confidence
        case original
        case gainMap
        /// Any other kind, with the name of its type.
        case unknown(type: String)
        /// The photo itself, videos and the like.
        case ignored
    }

    private struct Camera {
        var depthMap: XMPProperties?
        var imagingModel: XMPProperties?
        var image: XMPProperties?
    }

    private let cameras: [Camera]

    init(_ xmp: XMPProperties) {
        cameras = (xmp[Names.device, "Cameras"]?.items ?? []).map { entry in
            let fields = (entry.fields?[Names.device, "Camera"] ?? entry).fields ?? XMPProperties()
            func part(_ name: String) -> XMPProperties? { fields[Names.camera, name]?.fields }
            return Camera(
                depthMap: part("DepthMap"), imagingModel: part("ImagingModel"), image: part("Image"))
        }
    }

    var hasDepth: Bool { cameras.contains { $0.depthMap != nil } }

    /// The role of an item: from the camera that refers to it, otherwise from the item's name.
    func role(of item: ContainerDirectory.Item) -> Role {
        guard item.isImage else { return .ignored }
        if let uri = item.uri {
            for (index, camera) in cameras.enumerated() {
                if camera.depthMap?[Names.depthMap, "DepthURI"]?.text == uri { return depthRole(index) }
                if camera.depthMap?[Names.depthMap, "ConfidenceURI"]?.text == uri { return .confidence }
                if camera.image?[Names.image, "ItemURI"]?.text == uri { return imageRole(camera) }
            }
        }
        switch item.name {
        case "Depth", "android/depthmap": return depthRole(cameras.firstIndex { $0.depthMap != nil })
        case "Confidence", "android/confidencemap": return .confidence
        case "Original", "android/original_image": return .original
        case "GainMap": return .gainMap
        case "Primary", "primary_image", "MotionPhoto": return .ignored
        default: return .unknown(type: item.name)
        }
    }

    /// A depth map may hold a segmentation, which is not depth.
    private func depthRole(_ camera: Int?) -> Role {
        let semantic = camera.flatMap { cameras[$0].depthMap?[Names.depthMap, "ItemSemantic"]?.text }
        guard let semantic, semantic != "Depth" else { return .depth(camera: camera) }
        return .unknown(type: semantic)
    }

    private func imageRole(_ camera: Camera) -> Role {
        camera.image?[Names.image, "ItemSemantic"]?.text == "Primary" ? .ignored : .original
    }

    /// Adds an item, described by the first bytes of its image.
    fileprivate func add(
        _ item: ContainerDirectory.Item, _ role: Role, at range: Range<Int>, _ file: JPEGFile,
        _ photo: DescribedPhoto, to found: inout VendorDiscovery
    ) throws(ContainerError) {
        if role == .gainMap,
            var known = (found.imagesBehindPhoto.reversed() + photo.planes).first(where: {
                $0.location.start == range.lowerBound
            }), known.kind == .gainMap
        {
            known.carrier = .googleContainer
            return found.imagesBehindPhoto.append(known)
        }
        let header = try StreamHeader(file.source, at: range.lowerBound, limits: file.limits)
        var (kind, type) = (PlaneKind.unknown, item.name)
        switch role {
        case .depth: kind = .depth
        case .confidence: kind = .confidence
        case .original: kind = .original
        case .gainMap: kind = .gainMap
        case .unknown(let name): type = name
        case .ignored: return
        }
        var plane = AuxiliaryPlane(
            kind: kind, width: header.width, height: header.height, codedWidth: header.width,
            codedHeight: header.height, bitDepth: header.bitDepth, components: header.components,
            codec: header.format.rawValue,
            carrier: kind == .gainMap ? .googleContainer : .googleDynamicDepth,
            type: type, orientation: photo.photo.orientation,
            location: header.format == .png ? .pngStream(range) : .jpegStream(range))
        if case .depth(let camera) = role {
            let offset = file.header.xmp?.lowerBound ?? 0
            found.diagnostics += describe(&plane, camera.map { cameras[$0] }, limits: file.limits, at: offset)
        }
        found.imagesBehindPhoto.append(plane)
    }

    /// Adds range and camera to a depth plane, and returns assumptions.
    private func describe(
        _ plane: inout AuxiliaryPlane, _ camera: Camera?, limits: DecodingLimits, at offset: Int
    ) -> [Diagnostic] {
        let path = StructurePath("XMP")
        var diagnostics: [Diagnostic] = []
        if let fields = camera?.imagingModel {
            let model = ImagingModel(
                fields, Names.imagingModel, planeWidth: plane.width, planeHeight: plane.height, at: offset)
            plane.calibration = model.calibration
            diagnostics += model.diagnostics
        }
        var range = camera?.depthMap.flatMap { DistanceRange($0, Names.depthMap, defaultUnit: .none) }
        // Pixel phones declare diopters but store meters. In diopters, Far would be nearer than Near.
        if let stated = range, stated.unit == .diopters, stated.near < stated.far {
            let table = camera?.depthMap?[Names.depthMap, "FocalTable"]?.text.flatMap {
                FocalTable(base64: $0, limits: limits)
            }
            let agrees = table?.agrees(near: stated.near, far: stated.far) ?? false
            diagnostics.append(
                .note(
                    .assumedUnit,
                    (agrees
                        ? "Units is Diopters but the focal table runs from Near to Far in meters"
                        : "Units is Diopters but Near < Far only makes sense in meters") + "; meters assumed",
                    at: offset, in: path))
            range?.unit = .meters
        }
        if let assumption = plane.description.take(range, at: offset) { diagnostics.append(assumption) }
        return diagnostics
    }
}
