internal import Bytes
package import DepthTypes
package import Embedded

/// A file that describes a camera, in one of the forms that data sets use.
///
/// JSON: Open3D's `intrinsic_matrix` (column by column, with `width` and `height`); `K` (row by row, with `resolution`,
/// height first); BOP's `camera.json` (`fx`, `fy`, `cx`, `cy`, `depth_scale` in millimeters per unit); Replica's
/// `cam_params.json` (the same in `camera`, `scale` in units per meter); nerfstudio's `transforms.json` (`fl_x`, `fl_y`, `cx`,
/// `cy`). Text: ETH3D's `calibration.txt` (`fx fy cx cy`), a matrix of 3 × 3 or 4 × 4, or the first camera of COLMAP's
/// `cameras.txt`. Pixel coordinates start at the center of the first pixel; those of nerfstudio and COLMAP at its corner.
package struct CameraFile {
    package private(set) var intrinsics: Intrinsics
    /// The frame that they are for; `nil` if the file does not state it.
    package let size: PixelSize?
    /// Stored depth units per meter; `nil` if the file does not state them.
    package let unitsPerMeter: Double?

    /// The camera in a file of JSON; `nil` if it holds none.
    package init?(_ json: JSONValue) {
        let fields = json["camera"] ?? json
        let found: Intrinsics? =
            if let matrix = json["intrinsic_matrix"]?.numbers {
                Intrinsics(columnMajor: matrix, from: .center)
            } else if let matrix = json["K"] {
                Intrinsics(
                    matrix: matrix.numbers ?? matrix.elements.compactMap(\.numbers).flatMap(\.self),
                    from: .center)
            } else if let fx = json["fl_x"]?.double {
                Intrinsics(
                    fx: fx, fy: json["fl_y"]?.double ?? fx, cx: json["cx"]?.double, cy: json["cy"]?.double,
                    from: .corner)
            } else {
                Intrinsics(
                    fx: fields["fx"]?.double, fy: fields["fy"]?.double, cx: fields["cx"]?.double,
                    cy: fields["cy"]?.double, from: .center)
            }
        guard let found else { return nil }
        intrinsics = found
        if json["fl_x"] != nil {
            intrinsics.lens = LensCoefficients(model: json["camera_model"]?.text) { json[$0]?.double }
        }
        let resolution = json["resolution"]?.numbers?.compactMap { Int(exactly: $0) } ?? []
        size =
            resolution.count == 2
            ? PixelSize(resolution[1], resolution[0])
            : PixelSize((fields["width"] ?? fields["w"])?.integer, (fields["height"] ?? fields["h"])?.integer)
        let units = json["depth_scale"]?.double.map(Self.units(ofScale:)) ?? fields["scale"]?.double
        unitsPerMeter = units.flatMap(Self.plausible)
    }

    /// The camera of a text that is numbers and nothing else; `nil` for another text.
    package init?(_ numbers: [Double]) {
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
        (intrinsics, size, unitsPerMeter) = (found, nil, nil)
    }

    /// The camera in a text; `nil` if it is in none of the forms.
    package init?(text: String) {
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
        let words = lines.map { $0.split { " \t,".contains($0) } }
        let numbers = words.joined().compactMap { Double($0) }
        if numbers.count == words.joined().count {
            self.init(numbers)
        } else {
            self.init(colmap: words.first ?? [])
        }
    }

    /// A line of `cameras.txt`: number, model, width, height and parameters.
    private init?(colmap words: [Substring]) {
        guard words.count > 6, let size = PixelSize(Int(words[2]), Int(words[3])),
            let (center, lensCount) = Self.colmapModels[String(words[1])]
        else { return nil }
        let numbers = words[4...].map { Double($0) }
        guard numbers.count == center + 2 + lensCount else { return nil }
        guard
            let found = Intrinsics(
                fx: numbers[0], fy: numbers[center - 1], cx: numbers[center], cy: numbers[center + 1],
                from: .corner)
        else { return nil }
        (intrinsics, self.size, unitsPerMeter) = (found, size, nil)
        let lens = numbers[(center + 2)...].map { $0 ?? .nan }
        intrinsics.lens = LensCoefficients(lens, isFisheye: words[1].hasSuffix("FISHEYE"))
        guard lensCount == 0 || intrinsics.lens != nil || lens.allSatisfy({ $0 == 0 }) else { return nil }
    }

    /// COLMAP's models that are read: how many focal lengths they have, and how many coefficients of the lens, in OpenCV's order.
    private static let colmapModels: [String: (focalLengths: Int, lens: Int)] = [
        "SIMPLE_PINHOLE": (1, 0), "PINHOLE": (2, 0), "SIMPLE_RADIAL": (1, 1), "RADIAL": (1, 2),
        "OPENCV": (2, 4), "FULL_OPENCV": (2, 8), "OPENCV_FISHEYE": (2, 4), "SIMPLE_RADIAL_FISHEYE": (1, 1),
        "RADIAL_FISHEYE": (1, 2),
    ]

    /// The units per meter of a `depth_scale`: BOP stores millimeters per unit, 0.1 or 1; RealSense's tools meters per unit,
    /// such as 0.001; others units per meter, such as 1000.
    private static func units(ofScale scale: Double) -> Double {
        scale < 0.01 ? 1 / scale : scale < 100 ? 1000 / scale : scale
    }

    private static func plausible(_ units: Double) -> Double? { units > 1e-3 && units < 1e9 ? units : nil }
}

extension LensCoefficients {
    /// The lens in `transforms.json`, by the name of nerfstudio's model: `number` gives k1 to k4, p1 and p2; of COLMAP's complete
    /// model k1 to k6. `nil` without distortion.
    package init?(model: String?, _ number: (String) -> Double?) {
        let isFisheye = model?.hasSuffix("FISHEYE") ?? false
        let names =
            isFisheye
            ? ["k1", "k2", "k3", "k4"]
            : ["k1", "k2", "p1", "p2", "k3"] + (model == "FULL_OPENCV" ? ["k4", "k5", "k6"] : [])
        self.init(names.map { number($0) ?? 0 }, isFisheye: isFisheye)
    }
}
