internal import Bytes
internal import DepthTypes
internal import Embedded

/// A file beside a recording that describes its camera, in one of the forms that data sets use.
///
/// JSON: Open3D's `intrinsic_matrix` (column by column, with `width` and `height`); `K` (row by row, with `resolution`,
/// height first); BOP's `camera.json` (`fx`, `fy`, `cx`, `cy`, `depth_scale` in millimeters per unit); Replica's
/// `cam_params.json` (the same in `camera`, `scale` in units per meter). Text: ETH3D's `calibration.txt` (`fx fy cx cy`), or
/// a matrix of 3 × 3 or 4 × 4. Pixel coordinates start at the center of the first pixel.
struct CameraFile {
    /// The file's name.
    let name: String
    let intrinsics: Intrinsics
    /// The frame that they are for; `nil` if the file does not state it.
    let size: PixelSize?
    /// Stored depth units per meter; `nil` if the file does not state them.
    let unitsPerMeter: Double?

    private static let textNames = [
        "calibration.txt", "camera-intrinsics.txt", "camera_intrinsics.txt", "intrinsics.txt", "cam_K.txt",
        "camera.txt",
    ]
    /// A folder with more JSON files has one for each frame.
    private static let mostFiles = 16
    private static let mostBytes = 1 << 16

    /// The first such file of a folder, by name; `nil` without one. Damaged JSON files are reported.
    init?(in folder: RecordingFolder, _ limits: DecodingLimits, _ draft: inout RecordingDraft) {
        let names = folder.files.filter { $0.hasSuffix(".json") }.prefix(Self.mostFiles)
        for name in names where folder.size(of: name) < Self.mostBytes {
            do throws(ContainerError) {
                guard let camera = CameraFile(name, try folder.json(name, limits)) else { continue }
                self = camera
                return
            } catch {
                draft.diagnostics.append(Diagnostic(error, .unreadableLines, name))
            }
        }
        for name in Self.textNames where folder.holds(name) && folder.size(of: name) < Self.mostBytes {
            guard let numbers = try? folder.numbers(name, limits), let camera = CameraFile(name, numbers)
            else {
                continue
            }
            self = camera
            return
        }
        return nil
    }

    private init?(_ name: String, _ json: JSONValue) {
        let fields = json["camera"] ?? json
        let found: Intrinsics? =
            if let matrix = json["intrinsic_matrix"]?.numbers {
                Intrinsics(columnMajor: matrix, from: .center)
            } else if let matrix = json["K"] {
                Intrinsics(
                    matrix: matrix.numbers ?? matrix.elements.compactMap(\.numbers).flatMap(\.self),
                    from: .center)
            } else {
                Intrinsics(
                    fx: fields["fx"]?.double, fy: fields["fy"]?.double, cx: fields["cx"]?.double,
                    cy: fields["cy"]?.double, from: .center)
            }
        guard let found else { return nil }
        self.name = name
        intrinsics = found
        let resolution = json["resolution"]?.numbers?.compactMap { Int(exactly: $0) } ?? []
        size =
            resolution.count == 2
            ? PixelSize(resolution[1], resolution[0])
            : PixelSize((fields["width"] ?? fields["w"])?.integer, (fields["height"] ?? fields["h"])?.integer)
        let units = json["depth_scale"]?.double.map(Self.units(ofScale:)) ?? fields["scale"]?.double
        unitsPerMeter = units.flatMap(Self.plausible)
    }

    private init?(_ name: String, _ numbers: [Double]) {
        let found: Intrinsics? =
            switch numbers.count {
            case 9: Intrinsics(matrix: numbers, from: .center)
            case 16:
                Intrinsics(fx: numbers[0], fy: numbers[5], cx: numbers[2], cy: numbers[6], from: .center)
            // Coefficients of the lens may follow.
            case 4...8:
                Intrinsics(fx: numbers[0], fy: numbers[1], cx: numbers[2], cy: numbers[3], from: .center)
            default: nil
            }
        guard let found else { return nil }
        (self.name, intrinsics, size, unitsPerMeter) = (name, found, nil, nil)
    }

    /// The units per meter of a `depth_scale`: BOP stores millimeters per unit, 0.1 or 1; RealSense's tools meters per unit,
    /// such as 0.001; others units per meter, such as 1000.
    private static func units(ofScale scale: Double) -> Double {
        scale < 0.01 ? 1 / scale : scale < 100 ? 1000 / scale : scale
    }

    private static func plausible(_ units: Double) -> Double? { units > 1e-3 && units < 1e9 ? units : nil }
}

extension RecordingDraft {
    /// Uses a camera that a file beside the frames describes, and the unit of the depth if the file states it.
    mutating func use(_ camera: CameraFile) {
        (intrinsics, cameraFrame, cameraOrigin) = (camera.intrinsics, camera.size, .file)
        guard let units = camera.unitsPerMeter else { return }
        (coding.depth.unitsPerMeter, coding.depth.isUnitCertain) = (units, true)
    }
}
