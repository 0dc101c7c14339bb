internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Geometry

/// The back layer of a mesh, on a grid of its own.
struct MeshBack {
    private let layer: BackLayer
    /// The layer's distances; unknown outside the layer.
    private let map: DepthMap
    private let unprojection: Unprojection

    /// The layer has no details, so larger maps are reduced to about this many samples.
    private static let mostSamples = 400_000

    /// The layer behind the edges of a map, and behind the known samples that the front's mesh omits.
    ///
    /// Throws ``CloudError`` if the camera is invalid.
    init(
        behind map: DepthMap, omitting isOmitted: [Bool], _ photo: ColorImage?, _ camera: CameraCalibration,
        _ export: CloudExport
    ) throws(CloudError) {
        var factor = 1
        while map.meters.count / (factor * factor) > Self.mostSamples { factor += 1 }
        let front = map.resampled(
            toWidth: max(map.width / factor, 1), height: max(map.height / factor, 1), by: .nearest)
        let colors = photo.map { sampleColors(of: $0, like: front) } ?? []
        let omitted = Matte(width: map.width, height: map.height, coverage: isOmitted.map { $0 ? 255 : 0 })
            .resampled(toWidth: front.width, height: front.height, by: .nearest)
        layer = BackLayer(
            behind: colors, DisparityMap(reciprocalOf: front), omitted: omitted.coverage.map { $0 > 0 })
        self.map = front.replacing(meters: layer.disparity.map { 1 / $0 })
        unprojection = try export.unprojection(of: front, camera)
    }

    /// Whether nothing is hidden.
    var isEmpty: Bool { layer.isEmpty }

    /// The layer's colors as a picture; `nil` without a layer or colors.
    var picture: ColorImage? {
        guard !isEmpty, !layer.colors.isEmpty else { return nil }
        return ColorImage(
            width: map.width, height: map.height, pixels: .uint8(layer.colors), colorProfile: [])
    }

    /// The layer's surface, with a quarter of the export's triangles at most, and the attributes of the front's vertices. The
    /// layer is not measured: where points have a confidence, its own is 0.
    func mesh(
        _ export: CloudExport, like front: CloudHeader, within tolerance: SurfaceTolerance,
        texture: TextureArea?, _ provenance: CloudProvenance
    ) -> TriangleMesh {
        var options = export.gridOptions
        (options.keepsEdges, options.joinsSteps, options.stride) = (true, true, 1)
        let cloud = GridCloud(
            map, unprojection, colors: front.hasColors ? layer.colors : [],
            confidences: front.hasConfidences ? map.meters.map { _ in 0 } : [], options: options,
            provenance: provenance
        ).withoutSpecks().cloud
        let outline = MeshOutline(cloud, .none)
        let mesh = SimplifiedMesh(
            cloud, without: outline, within: tolerance, maximumCount: export.maximumTriangles.map { $0 / 4 },
            texture: texture)
        return OutlinedMesh(mesh, outline).collected()
    }
}
