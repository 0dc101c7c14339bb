internal import Bytes
internal import Codecs
internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import PhotoFormats

extension DepthPhoto: SceneSource {
    package func describe() -> SceneDescription { described.description(made) }

    /// The description of the scene, made from the file's structure and XMP.
    private func made() -> SceneDescription {
        let upright = description.orientation.size(width: description.width, height: description.height)
        let plane = depthPlane?.description
        let behind = picture?.describe()
        let hasAlpha = storedPlane(.alpha).map { $0.readError == nil } ?? false
        var scene = SceneDescription(
            planes: planes, depth: plane, colorSize: PixelSize(width: upright.width, height: upright.height),
            isLaidOverWhite: behind?.isLaidOverWhite ?? hasAlpha)
        if let plane {
            scene.depth?.coding = plane.coding
            scene.depth?.isNearSideAssumed = isNearSideAssumed
            scene.cameras.given = givenCamera
        }
        (scene.cameraMake, scene.cameraModel) = (description.make, description.model)
        scene.cameras.focalLength35mm =
            behind?.file?.kind == .photo ? behind?.focalLength35mm : description.focalLength35mm
        scene.hasGainMap = behind?.hasGainMap ?? (storedPlane(.gainMap) != nil)
        scene.stereo = description.stereo
        scene.absence = absence
        scene.file = SceneDescription.StoredFile(
            kind: .photo, format: format.rawValue,
            size: PixelSize(width: description.width, height: description.height),
            orientation: description.orientation, limits: limits, trailers: trailers,
            usesReading: isPair || range != nil,
            isWithoutDepth: plane == nil && container.unreadablePlane == nil,
            isPlain: !hasAlpha && description.orientation == .up && isPlain)
        if let left = description.stereo?.left {
            scene.file?.isLeftPicture = left.location == description.location && left.crop == description.crop
        }
        if let behind {
            (scene.faces, scene.focusMarks) = (behind.faces, scene.focusMarks + behind.focusMarks)
        } else {
            let regions = regions()
            scene.faces = PhotoRegion.middles(of: .face, in: regions)
            scene.focusMarks += PhotoRegion.middles(of: .focus, in: regions)
        }
        let subject = description.subject
        scene.subjectMarks = subject.points(
            in: PixelSize(width: description.width, height: description.height),
            turnedBy: description.orientation
        ).map { NormalizedPoint(x: $0.x, y: $0.y) }
        scene.isCutFromFrame = frameOfMarks?.isLarger ?? false
        scene.subjectDistance = subject.distance.map { Float($0) }
        scene.isBlurredByCamera = scene.isBlurredByCamera || subject.isBackgroundBlurred
        scene.captureTime = description.captureTime
        return scene
    }

    /// Why planes are missing.
    private var absence: SceneDescription.Absence {
        // The wanted plane may be one that could not be described or identified.
        if let lost = container.unreadablePlane { return .lost(lost) }
        if planes.contains(where: { $0.kind == .unknown }),
            let error = diagnostics.lazy.compactMap(\.error).first
        {
            return .defective(error)
        }
        return .listed
    }

    package func decode(_ id: PlaneID, as request: PlaneRequest, into plane: inout DecodedPlane) throws {
        switch id {
        case .picture: try decodePicture(as: request, into: &plane)
        case .eye(let eye):
            guard let stereo = description.stereo else { return }
            plane.content = .color(
                try image(of: eye == .left ? stereo.left : stereo.right, frame: request.frame))
        case .gainMap:
            if let picture { return try picture.decode(id, as: request, into: &plane) }
            if let map = try gainMap() { plane.content = .gainMap(map) }
        case .plane(let kind, let index):
            guard let stored = storedPlanes.first(where: { $0.kind == kind && $0.index == index }) else {
                return
            }
            try decode(stored, as: request, into: &plane)
        }
    }

    private func decodePicture(as request: PlaneRequest, into plane: inout DecodedPlane) throws {
        if let picture { return try picture.decode(.picture, as: request.ofSeparatePicture, into: &plane) }
        let alpha = storedPlane(.alpha).flatMap { $0.readError == nil ? $0.description : nil }
        if let alpha, request.opacity != .ignored {
            let image = RGBAImage(
                try opaqueImage(frame: request.frame),
                alpha: Matte(try codes(of: alpha, frame: request.frame)))
            plane.show(alpha.isPremultiplied ? image.straight : image, request.opacity)
        } else if let size = request.size, request.isGlance {
            plane.content = .color(try glance(atLeast: size))
        } else if request.frame == .stored || description.orientation == .up, plane.hasMemory,
            try decodePixels(atLeast: request.size, into: &plane)
        {
            return
        } else {
            plane.content = .color(
                try opaqueImage(frame: request.frame, atLeast: request.size, keepsHDR: request.keepsHDR))
        }
    }

    private func decode(
        _ stored: AuxiliaryPlane, as request: PlaneRequest, into plane: inout DecodedPlane
    ) throws(ContainerError) {
        let description = stored.description
        if request.codesOnly, stored.kind == .original { return }
        // Planes of an unknown type may be color pictures, such as Apple's linear thumbnail.
        if !request.codesOnly, [.gainMap, .original, .unknown].contains(stored.kind),
            let image = try color(of: description, frame: request.frame)
        {
            plane = DecodedPlane(image)
            plane.description = description
            return
        }
        plane = DecodedPlane(
            try codes(of: description, frame: request.frame), description,
            calibration: description.calibration(in: request.frame))
        if !request.codesOnly { settle(&plane) }
        if description.isMeasuredAlongRay, !request.codesOnly { plane = plane.alongAxis }
        guard request.keepsCoding else { return }
        // A damaged packet was reported when the photo was opened.
        if let xmp = try? container.planeXMP(stored) { plane.xmp = xmp }
        if stored.components == 1, stored.crop == nil, case .jpegStream = stored.location {
            plane.stream = (try codedBytes(of: description), stored.orientation)
        }
    }

    /// Finds the codes that are unknown in a plane without a declared range, with a remark.
    private func settle(_ plane: inout DecodedPlane) {
        guard let mapping = plane.mapping, range != nil || !mapping.isDeclared else { return }
        plane.settle(noData)
        // Only pairs are read with the value for unknown samples.
        guard let remark = plane.storedCounts?.remark(isPair ? .noDataSamples : .unknownSamples) else {
            return
        }
        described.note(remark)
    }

    /// The photo's own gain map, upright; `nil` without one.
    private func gainMap() throws(ContainerError) -> GainMap? {
        guard let plane = storedPlane(.gainMap) else { return nil }
        if let error = plane.readError { throw error }
        let parameters = try container.gainMapParameters(of: plane, limits: limits)
        if let color = try color(of: plane.description) { return GainMap(color, parameters: parameters) }
        return GainMap(try codes(of: plane.description), parameters: parameters)
    }

    /// The frame of Exif's positions; `nil` if it was turned.
    private var frameOfMarks: CutFrame? {
        CutFrame(
            description.subject.frame,
            around: PixelSize(width: description.width, height: description.height))
    }
}

extension PlaneDescription {
    /// The integer coding of the depth; `nil` unless it is coded along the optical axis in the plane's quantity.
    fileprivate var coding: SceneDescription.Coding? {
        guard let mapping, let step = mapping.step, step != 0, !isAlongRay else { return nil }
        return SceneDescription.Coding(
            step: step.magnitude, codeCount: mapping.highCode - mapping.lowCode + 1)
    }
}

extension PhotoRegion {
    /// The centers of the regions of a kind, largest region first.
    fileprivate static func middles(of kind: Kind, in regions: [PhotoRegion]) -> [NormalizedPoint] {
        regions.filter { $0.kind == kind }.sorted { $0.width * $0.height > $1.width * $1.height }
            .map { NormalizedPoint(x: min(max($0.x, 0), 1), y: min(max($0.y, 0), 1)) }
    }
}
