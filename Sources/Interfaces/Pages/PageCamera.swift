internal import DepthMaps
internal import DepthTypes
internal import Embedded
internal import Geometry
internal import Scenes

/// The camera of a scene in a page: a pinhole camera for viewing, and if its lens has distortion, corrected rays through a grid of
/// points in the picture.
struct PageCamera: Sendable {
    private static let columns = 33
    private static let rows = 25

    private let calibration: CameraCalibration
    private let source: CameraSource
    /// Corrected rays through a grid of points; `nil` for a lens without distortion.
    private let grid: (x: [Float], y: [Float])?

    /// `nil` without a valid camera.
    init?(_ scene: DepthScene) {
        guard let resolved = try? scene.resolvedCamera() else { return nil }
        let camera = resolved.calibration
        guard camera.width > 0, camera.height > 0,
            (try? Unprojection(camera, width: Self.columns, height: Self.rows)) != nil
        else { return nil }
        (calibration, source) = (camera, resolved.source)
        grid = camera.distortion == nil && camera.lens == nil ? nil : Self.rays(of: camera)
    }

    /// `nil` where the lens model folds back, so that some points have no ray.
    private static func rays(of camera: CameraCalibration) -> (x: [Float], y: [Float])? {
        let grid = CameraRays(camera, width: columns, height: rows, correctsLens: true)
        var (x, y): ([Float], [Float]) = ([], [])
        var row = ([Float](repeating: 0, count: columns), [Float](repeating: 0, count: columns))
        for index in 0..<rows {
            grid.load(row: index, x: &row.0, y: &row.1)
            x += row.0
            y += row.1
        }
        return (x + y).allSatisfy(\.isFinite) ? (x, y) : nil
    }

    /// A pinhole camera, except what `other` has, too; lengths are fractions of the picture's width and height.
    func pinholeFields(unlike other: PageCamera? = nil) -> [(String, JSONValue)] {
        guard calibration != other?.calibration else { return [] }
        let (width, height) = (Double(calibration.width), Double(calibration.height))
        let numbers = [
            ("scaleX", calibration.focalLengthX / width), ("scaleY", calibration.focalLengthY / height),
            ("centerX", (calibration.principalPointX + 0.5) / width),
            ("centerY", (calibration.principalPointY + 0.5) / height),
        ]
        return numbers.map { ($0, .number(($1 * 1e6).rounded() / 1e6)) }
    }

    /// The parameters for the page's script.
    var record: JSONValue {
        func numbers(_ values: [Float]) -> JSONValue {
            .numbers(values.map { (Double($0) * 100_000).rounded() / 100_000 })
        }
        var millimeters: Int?
        if case .focalLength35mm(let length) = source { millimeters = length }
        let source = JSONValue.object([
            ("name", .text(source.name)), ("millimeters", .optional(millimeters)),
        ])
        let rays: [(String, JSONValue)]? = grid.map {
            [
                ("columns", .integer(Self.columns)), ("rows", .integer(Self.rows)), ("x", numbers($0.x)),
                ("y", numbers($0.y)),
            ]
        }
        return .object([("source", source)] + pinholeFields() + (rays ?? []))
    }
}
