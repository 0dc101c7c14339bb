package import Bytes
internal import Codecs
public import DepthMaps
public import DepthTypes
internal import Effects
public import Geometry
internal import PhotoFormats

extension DepthScene {
    /// The cloud of the depth, upright, with the colors of the photo if there is one.
    ///
    /// Points are on the rays of the camera that measured the depth, in the axes of the picture's camera; the picture is looked up
    /// at each of them.
    ///
    /// Throws ``SceneError`` without depth or without another plane that is needed, ``CloudError`` if the camera is invalid
    /// or no point remains, ``ContainerError`` when a plane cannot be read, and `CancellationError` when the calling task is
    /// cancelled.
    public func cloud(_ export: CloudExport = CloudExport()) throws -> ExportedCloud {
        try cancellable {
            try (source.measured ?? self).dequantized(unless: export.keepsSteps).completed(for: export)
                .made(export)
        }
    }

    /// The scene without the staircase of 8-bit samples, which would appear as layers of points.
    private func dequantized(unless keepsSteps: Bool) -> DepthScene {
        guard !keepsSteps, description.depth?.coding?.isCoarse == true else { return self }
        return treated(dequantizing: true)
    }

    /// The scene with holes filled and noise smoothed, as the export wants them.
    private func completed(for export: CloudExport) -> DepthScene {
        let isUsual = export.isMesh && description.depth?.isMatched == true
        return treated(
            fillingHoles: export.fillsHoles ?? isUsual, smoothing: export.smooths ?? isUsual)
    }

    private func made(_ export: CloudExport) throws -> ExportedCloud {
        let described = try requireDepth()
        guard !described.isHeight else { throw SceneError.heights }
        let size = described.size
        let (shown, pictureOrigin) = try showing(export.pictureOrigin)
        let (read, stored) = try concurrently({ try shown.photo(export, size) }, { try self.depth() })
        let photo = read.image
        let resolved = description.cameras.camera(for: size)
        let (camera, source) = (resolved.calibration, resolved.source)
        let map = try brought(stored, to: export, photo, camera)
        let unprojection = try export.unprojection(of: map, camera)
        let colors = photo.map { sampleColors(of: $0, like: map) } ?? []
        let matte = try export.isMesh ? subjectMatte(like: map) : nil
        let guide = OutlineGuide(matte: matte, colors: colors, width: map.width, height: map.height)
        let depth =
            export.isMesh && !export.options.keepsEdges
            ? map.takingSides(guide, unprojection).settled(along: matte) : map
        let provenance = CloudProvenance(
            tool: export.tool, source: export.sourceName, scale: depth.scale, axes: export.axes,
            camera: source)
        var diagnostics = read.diagnostics
        diagnostics += try remarks(
            on: provenance, lost: unprojection.invalidSampleCount(of: depth),
            hasSplats: export.options.hasSplats, photo)
        let confidences = try confidences(like: depth)
        func grid(_ colors: [RGB<UInt8>], _ options: CloudOptions) -> (cloud: GridCloud, specks: Int) {
            let cloud = GridCloud(
                depth, unprojection, colors: colors, confidences: confidences,
                options: options,
                provenance: provenance)
            return export.isMesh ? cloud.withoutSpecks() : (cloud, 0)
        }
        var allSamples = export.gridOptions
        allSamples.stride = 1
        let back =
            try export.isMesh && export.hasBackLayer
            ? MeshBack(
                behind: depth, omitting: grid([], allSamples).cloud.omissions, photo, camera, export) : nil
        if back?.isEmpty == true {
            diagnostics.append(.note(.noBackLayer, "no edge hides anything, so there is no back layer"))
        }
        let texture =
            try export.isMesh && export.hasTexture ? photo?.texture(beside: back?.picture) : nil
        let pointColors = texture == nil ? colors : []
        let (fullGrid, specks) = grid(pointColors, export.gridOptions)
        if export.isMesh, described.isMatched { diagnostics += export.completions }
        if specks > 0 {
            diagnostics.append(
                .note(
                    .omittedSpecks,
                    specks == 1 ? "1 speck of surface is omitted" : "\(specks) specks of surface are omitted")
            )
        }
        let backMesh = back?.mesh(
            export, like: fullGrid.header, within: export.tolerance(description.depth),
            texture: texture?.back,
            provenance)
        let surface =
            export.isMesh
            ? try export.leaving(backMesh?.triangleCount ?? 0).surface(
                of: fullGrid, guide, description.depth, texture: texture?.front,
                coarser: { grid(pointColors, $0).cloud })
            : nil
        diagnostics += surface?.diagnostics ?? []
        var mesh = surface.map { joined($0.mesh, backMesh) }
        var points = try mesh?.vertices ?? export.thinned(fullGrid, provenance)
        guard points.header.pointCount > 0 else { throw CloudError.noPoints }
        if let pose = description.depthPose {
            let unseen = points.header.hasColors ? points.collected().colors.count { $0 == .unseen } : 0
            if unseen > 0 {
                diagnostics.append(
                    .note(.omittedSamples, "\(unseen) points that the picture does not show are gray"))
            }
            if let known = mesh {
                let moved = known.collected().moved(by: pose, export.axes)
                (mesh, points) = (moved, moved.vertices)
            } else {
                points = points.collected().moved(by: pose, export.axes)
            }
        }
        return ExportedCloud(
            pointSource: points, meshSource: mesh, meshError: surface?.error, texture: texture?.file ?? [],
            provenance: provenance,
            camera: camera.scaled(toWidth: depth.width, height: depth.height),
            correctsLens: unprojection.correctsLens,
            pictureOrigin: photo == nil ? nil : pictureOrigin, diagnostics: diagnostics)
    }

    /// Diagnostics for a cloud without `lost` samples, which are outside the lens model.
    private func remarks(
        on provenance: CloudProvenance, lost: Int, hasSplats: Bool, _ photo: ColorImage?
    ) throws -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        if lost > 0 {
            diagnostics.append(
                .note(
                    .omittedSamples, "\(lost) samples lie where the lens model folds back, and are left out"))
        }
        if let remark = provenance.camera.remark { diagnostics.append(.note(.assumedCamera, remark)) }
        if hasSplats, photo == nil {
            diagnostics.append(
                .note(.graySplats, "there is no photo to take colors from, so splats are gray"))
        }
        if let doubt = try doubtOfNearSide() { diagnostics.append(doubt) }
        if let remark = provenance.scaleRemark { diagnostics.append(.note(.uncertainScale, remark)) }
        if photo?.hasUsableProfile == false {
            diagnostics.append(
                .warning(
                    .unusableColorProfile,
                    "the photo's color profile cannot be used, so colors are taken as sRGB"))
        }
        return diagnostics
    }

    /// The photo, decoded no larger than its colors need. A damaged photo is skipped, unless the points lie on its grid.
    private func photo(
        _ export: CloudExport, _ size: PixelSize
    ) throws -> (image: ColorImage?, diagnostics: [Diagnostic]) {
        guard export.resolution == .plane else { return (try picture(atLeast: nil), []) }
        do {
            // Outlines follow the colors, and are the same with and without a texture.
            return (try picture(atLeast: export.isMesh || export.hasTexture ? nil : size), [])
        } catch let error as ContainerError {
            var warning = Diagnostic(error)
            warning.code = .unreadablePhoto
            warning.message =
                "the photo itself cannot be read, so points have no colors: \(error.message)"
            return (nil, [warning])
        }
    }

    /// The map on the wanted grid. Flying samples are removed before upsampling would spread them over many pixels.
    private func brought(
        _ map: DepthMap, to export: CloudExport, _ photo: ColorImage?, _ camera: CameraCalibration
    ) throws -> DepthMap {
        guard export.resolution == .photo else { return map }
        let guide = try checkedGuide(photo, width: map.width, height: map.height)
        guard !export.options.keepsEdges else { return try map.upsampled(guidedBy: guide) }
        return try map.removingFlyingPixels(export.unprojection(of: map, camera)).upsampled(guidedBy: guide)
    }

    /// The matte of the subject, if it shows what the map shows. A damaged one is not used.
    private func subjectMatte(like map: DepthMap) throws -> Matte? {
        guard description.planes.contains(.matte) else { return nil }
        let matte: Matte?
        do { matte = try self.matte() } catch is ContainerError { return nil }
        guard let matte, matte.width > 0, matte.height > 0 else { return nil }
        let shape = Double(matte.width * map.height) / Double(matte.height * map.width)
        return abs(shape - 1) < 0.02 ? matte : nil
    }

    private func confidences(like depth: DepthMap) throws -> [Float] {
        guard description.planes.contains(.confidence), let plane = try confidence() else { return [] }
        let shares = plane.shares(atWidth: depth.width, height: depth.height)
        guard let highest = description.highestConfidence else { return shares }
        return shares.map { min($0 * Float(plane.maximumCode) / Float(highest), 1) }
    }
}

extension CloudExport {
    /// How depth in the mesh of a matched stereo pair differs from the matches by default.
    fileprivate var completions: [Diagnostic] {
        let filling = Diagnostic.note(.filledMatches, "samples without a match are filled from behind")
        let smoothing = Diagnostic.note(.smoothedMatches, "noise of the matches is smoothed")
        return (fillsHoles == nil ? [filling] : []) + (smooths == nil ? [smoothing] : [])
    }

    func unprojection(
        of map: DepthMap, _ camera: CameraCalibration
    ) throws(CloudError) -> Unprojection {
        try Unprojection(
            camera, width: map.width, height: map.height, axes: axes, correctsLens: correctsLens)
    }

    /// The options of the grid, without the count limits that are applied later.
    var gridOptions: CloudOptions {
        var options = options
        if voxelSize != nil || removesOutliers { options.maximumCount = nil }
        return options
    }

    /// The surface of a grid. `coarser` makes the grid with other options.
    ///
    /// Throws ``CloudError`` if points are filtered, or if there is no triangle.
    fileprivate func surface(
        of grid: GridCloud, _ guide: OutlineGuide, _ depth: SceneDescription.Depth?, texture: TextureArea?,
        coarser: (CloudOptions) -> GridCloud
    ) throws(CloudError) -> CloudSurface {
        guard voxelSize == nil, !removesOutliers, options.maximumCount == nil else { throw .filteredMesh }
        guard !options.hasSplats else { throw .splatsOfMesh }
        let outline = MeshOutline(grid, guide)
        let full = OutlinedMesh(
            GridMesh(grid, without: outline, texture: texture), outline)
        guard full.triangleCount > 0 else { throw .noTriangles }
        let tolerance = tolerance(depth)
        let limit = maximumTriangles ?? .max
        if tolerance.bound == 0, full.triangleCount <= limit { return CloudSurface(mesh: full) }
        func simplified(_ grid: GridCloud) -> (mesh: OutlinedMesh<SimplifiedMesh>, bound: SurfaceTolerance) {
            let outline = MeshOutline(grid, guide)
            let mesh = SimplifiedMesh(
                grid, without: outline, within: tolerance, maximumCount: maximumTriangles,
                texture: texture)
            return (OutlinedMesh(mesh, outline), mesh.bound)
        }
        var (mesh, bound) = simplified(grid)
        // If depth has too many cuts, a coarser grid cuts with fewer triangles.
        var options = gridOptions
        while mesh.triangleCount > limit {
            options.stride *= 2
            let next = simplified(coarser(options))
            guard next.mesh.triangleCount > 0 else { break }
            (mesh, bound) = next
        }
        var remark: String?
        if options.stride > gridOptions.stride {
            remark =
                "depth is cut in so many places that \(limit) triangles hold only one of every \(options.stride) samples in rows "
                + "and columns"
        } else if bound.bound > tolerance.bound {
            let unit = bound.measure == .distance ? "m" : "1/m"
            let wanted = tolerance.bound > 0 ? ", where \(tolerance.bound) was wanted" : ""
            remark =
                "\(mesh.triangleCount) of \(full.triangleCount) triangles: up to \(bound.bound) \(unit) off\(wanted)"
        }
        return CloudSurface(
            mesh: mesh, error: bound,
            diagnostics: [remark].compactMap(\.self).map { .note(.coarseMesh, $0) })
    }

    /// The export with fewer triangles at most.
    fileprivate func leaving(_ count: Int) -> CloudExport {
        var export = self
        export.maximumTriangles = maximumTriangles.map { max($0 - count, 1) }
        return export
    }

    /// The requested error; by default half the difference between successive stored values.
    func tolerance(_ depth: SceneDescription.Depth?) -> SurfaceTolerance {
        if let maximumMeshError { return SurfaceTolerance(.distance, bound: maximumMeshError) }
        guard let depth, let coding = depth.coding else { return SurfaceTolerance(.disparity, bound: 0) }
        return SurfaceTolerance(depth.quantity == .depth ? .distance : .disparity, bound: coding.step / 2)
    }

    /// The cloud after filters that need all points at once; without filters, the grid itself.
    fileprivate func thinned(_ grid: GridCloud, _ provenance: CloudProvenance) throws -> any CloudSource {
        guard voxelSize != nil || removesOutliers else { return grid }
        var cloud = grid.collected()
        cloud.provenance = provenance
        if let voxelSize { cloud = try cloud.downsampled(voxelSize: voxelSize) }
        if removesOutliers { cloud = cloud.removingOutliers() }
        if let limit = options.maximumCount { cloud = cloud.limited(to: limit) }
        return cloud
    }
}

extension Diagnostic.Code {
    /// The mesh of a stereo pair has samples that were not matched.
    package static let filledMatches: Self = "filled-matches"
    /// The mesh of a stereo pair is smoother than its matches.
    package static let smoothedMatches: Self = "smoothed-matches"
    /// Splats have no colors, because there is no photo.
    package static let graySplats: Self = "gray-splats"
    /// A mesh has no back layer, because nothing is hidden.
    package static let noBackLayer: Self = "no-back-layer"
    /// Small pieces of a mesh are omitted.
    package static let omittedSpecks: Self = "omitted-specks"
}

/// The surface of a cloud's grid.
private struct CloudSurface {
    let mesh: any MeshSource
    /// The maximum error; `nil` if no sample is omitted.
    var error: SurfaceTolerance?
    var diagnostics: [Diagnostic] = []
}

/// Two meshes as one.
private func joined(_ front: some MeshSource, _ back: TriangleMesh?) -> any MeshSource {
    guard let back, back.triangleCount > 0 else { return front }
    return JoinedMesh(front, back)
}

extension DepthMap {
    /// The map with the edge of the subject where a matte has it.
    fileprivate func settled(along matte: Matte?) -> DepthMap {
        guard let matte else { return self }
        return DepthMap(reciprocalOf: DisparityMap(reciprocalOf: self).settled(along: matte))
    }
}

/// The color of each sample of a map, sRGB: the mean over the area of the photo that the sample covers.
func sampleColors(of photo: ColorImage, like depth: DepthMap) -> [RGB<UInt8>] {
    let (width, height) = (depth.width, depth.height)
    return photo.resized(toWidth: width, height: height).inSRGB.eightBitPixels
}

extension PointCloud {
    /// The points of a map, in meters as far as its accuracy goes, with the colors of a photo in the same frame: calibrated,
    /// lens-corrected, without flying samples.
    ///
    /// Without a calibration, a usual field of view is assumed, and files record this. Empty if the calibration is
    /// invalid.
    public init(
        _ depth: DepthMap, color photo: ColorImage? = nil, axes: CloudAxes = .opengl,
        options: CloudOptions = CloudOptions()
    ) {
        let camera = CameraCandidates(file: depth.calibration).camera(
            for: PixelSize(width: depth.width, height: depth.height))
        let provenance = CloudProvenance(
            tool: "isobath \(isobathVersion)", scale: depth.scale,
            axes: axes, camera: camera.source)
        self.init()
        if let unprojection = try? Unprojection(
            camera.calibration, width: depth.width, height: depth.height, axes: axes)
        {
            let colors = photo.map { sampleColors(of: $0, like: depth) } ?? []
            self = GridCloud(depth, unprojection, colors: colors, options: options).collected()
        }
        self.provenance = provenance
    }
}

extension PointCloud {
    /// The scale of positions; `nil` for a cloud that was not made from a map.
    public var scale: DepthScale? { provenance?.scale }

    /// Writes a file in the format of the name's extension; `-` is standard output, as PLY.
    ///
    /// Throws ``OutputError`` when the extension is unknown, when the file exists and `replacingExisting` is not set, and
    /// when it cannot be written. No file remains then.
    public func write(to path: String, replacingExisting: Bool = false, asText: Bool = false) throws {
        try writeFile(path, replacingExisting: replacingExisting, asText: asText)
    }

    /// The bytes of the file that ``write(to:replacingExisting:asText:)`` writes in a format.
    ///
    /// Throws ``CloudError`` if the format cannot hold points, or not as many.
    public func encoded(as format: CloudFormat, asText: Bool = false) throws -> [UInt8] {
        try encodedFile(as: format, asText: asText)
    }
}

extension CloudSource {
    /// Writes a file in the format of the name's extension. Throws as ``PointCloud/write(to:replacingExisting:asText:)``
    /// does.
    package func writeFile(_ path: String, replacingExisting: Bool, asText: Bool) throws {
        let encoder = try CloudFormat(writing: path).encoder(header, isText: asText)
        try write(with: encoder, to: OutputFile(path: path, replacesExisting: replacingExisting))
    }

    /// The bytes of a file. Throws as ``PointCloud/encoded(as:asText:)`` does.
    package func encodedFile(as format: CloudFormat, asText: Bool) throws(CloudError) -> [UInt8] {
        let encoder = try format.encoder(header, isText: asText)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoder.byteCount(of: header) ?? 0)
        write(with: encoder) { bytes += $0 }
        return bytes
    }

    /// Writes a cloud to a file or to standard output.
    package func write(with encoder: any CloudEncoder, to file: OutputFile) throws(OutputError) {
        let byteCount = encoder.byteCount(of: header) ?? 0
        try file.writeInOrder(byteCount: byteCount) { (descriptor) throws(WriteError) in
            try write(with: encoder) { (bytes) throws(WriteError) in
                try writeAll(bytes, to: descriptor)
            }
        }
    }
}

extension CloudEncoder {
    /// The bytes of a file up to the last point; `nil` where points differ in size.
    fileprivate func byteCount(of header: CloudHeader) -> Int? {
        pointSize.map { opening.count + header.pointCount * $0 }
    }
}
