internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import Geometry
internal import Scenes

/// The camera of a scene in a page: lens-corrected rays through a grid of points in the picture, and a pinhole camera at the
/// same position for viewing.
struct PageCamera: Sendable {
    private static let columns = 33
    private static let rows = 25

    private let calibration: CameraCalibration
    private let source: CameraSource
    private let (x, y): ([Float], [Float])

    /// `nil` without a valid camera.
    init?(_ scene: DepthScene) {
        guard let resolved = try? scene.resolvedCamera() else { return nil }
        let camera = resolved.calibration
        guard camera.width > 0, camera.height > 0,
            (try? Unprojection(camera, width: Self.columns, height: Self.rows)) != nil
        else { return nil }
        (calibration, source) = (camera, resolved.source)
        func rays(correctsLens: Bool) -> ([Float], [Float]) {
            let grid = CameraRays(
                camera, width: Self.columns, height: Self.rows, correctsLens: correctsLens)
            var (x, y): ([Float], [Float]) = ([], [])
            var row = ([Float](repeating: 0, count: Self.columns), [Float](repeating: 0, count: Self.columns))
            for index in 0..<Self.rows {
                grid.load(row: index, x: &row.0, y: &row.1)
                x += row.0
                y += row.1
            }
            return (x, y)
        }
        let corrected = rays(correctsLens: true)
        // There are no rays where the lens model folds back.
        let isWhole = (corrected.0 + corrected.1).allSatisfy(\.isFinite)
        (x, y) = isWhole ? corrected : rays(correctsLens: false)
    }

    /// The parameters for the page's script; lengths are fractions of the picture's width and height.
    var record: JSONValue {
        let (width, height) = (Double(calibration.width), Double(calibration.height))
        func numbers(_ values: [Float]) -> JSONValue {
            .numbers(values.map { (Double($0) * 100_000).rounded() / 100_000 })
        }
        var millimeters: Int?
        if case .focalLength35mm(let length) = source { millimeters = length }
        return .object([
            (
                "source",
                .object([("name", .text(source.name)), ("millimeters", .optional(millimeters))])
            ),
            ("columns", .integer(Self.columns)), ("rows", .integer(Self.rows)), ("x", numbers(x)),
            ("y", numbers(y)),
            ("scaleX", .number(calibration.focalLengthX / width)),
            ("scaleY", .number(calibration.focalLengthY / height)),
            ("centerX", .number((calibration.principalPointX + 0.5) / width)),
            ("centerY", .number((calibration.principalPointY + 0.5) / height)),
        ])
    }
}
