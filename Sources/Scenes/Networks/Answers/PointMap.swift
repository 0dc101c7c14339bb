internal import DepthTypes

/// The points of a network's answer, one for each pixel: x to the right, y down, z away from the camera.
struct PointMap {
    let size: PixelSize
    let z: [Float]
    private let x: [Float]
    private let y: [Float]

    /// A tensor of H × W × 3 or 3 × H × W, with a side of 1 before. Throws ``NetworkError/answer(_:)`` for other shapes.
    init(_ tensor: NetworkTensor, named name: String) throws(NetworkError) {
        let sides =
            tensor.shape.count == 4 && tensor.shape[0] == 1 ? Array(tensor.shape.dropFirst()) : tensor.shape
        guard sides.count == 3, sides[0] == 3 || sides[2] == 3,
            tensor.values.count == sides[0] * sides[1] * sides[2]
        else {
            let text = tensor.shape.map(String.init).joined(separator: " × ")
            throw .answer("'\(name)' is \(text), and not points of three coordinates")
        }
        let isPlanar = sides[2] != 3
        size =
            isPlanar
            ? PixelSize(width: sides[2], height: sides[1]) : PixelSize(width: sides[1], height: sides[0])
        let count = size.width * size.height
        let (step, next) = isPlanar ? (1, count) : (3, 1)
        func coordinates(_ number: Int) -> [Float] {
            (0..<count).map { tensor.values[$0 * step + number * next] }
        }
        (x, y, z) = (coordinates(0), coordinates(1), coordinates(2))
    }

    /// The camera that sees points whose z is off by an unknown shift.
    struct Lens {
        /// In pixels of the map.
        var focalLength: Double
        /// Added to every z, it makes the points lie on the rays of their pixels.
        var shift: Double
    }

    /// The lens with its principal point in the middle that projects the points to their pixels, by least squares in pixels;
    /// with a known focal length, only the shift. Points with a flag are omitted.
    ///
    /// Throws ``NetworkError/answer(_:)`` if no camera sees the points like this.
    func lens(focalLength: Double?, omitting flags: [Bool]?) throws(NetworkError) -> Lens {
        let samples = samples(omitting: flags)
        var lens = try first(of: samples, focalLength)
        let nearest = samples.map(\.z).min() ?? 0
        for _ in 0..<20 {
            var (ff, fs, ss, f, s) = (0.0, 0.0, 0.0, 0.0, 0.0)
            for sample in samples {
                let depth = sample.z + lens.shift
                for (side, pixel) in [(sample.x, sample.column), (sample.y, sample.row)] {
                    let (byFocal, byShift) = (side / depth, -lens.focalLength * side / (depth * depth))
                    let error = pixel - lens.focalLength * side / depth
                    (ff, fs, ss) = (ff + byFocal * byFocal, fs + byFocal * byShift, ss + byShift * byShift)
                    (f, s) = (f + byFocal * error, s + byShift * error)
                }
            }
            if focalLength != nil { (ff, fs, f) = (1, 0, 0) }
            let determinant = ff * ss - fs * fs
            guard determinant > 1e-9 * ff * ss else { break }
            let shift = (ff * s - fs * f) / determinant
            lens.focalLength += (ss * f - fs * s) / determinant
            // All points stay in front of the camera.
            lens.shift = max(lens.shift + shift, 0.5 * (lens.shift - nearest))
            if abs(shift) < 1e-7 * (nearest + lens.shift) { break }
        }
        guard lens.focalLength > 0, lens.focalLength.isFinite, lens.shift.isFinite else { throw Self.unseen }
        return lens
    }

    private static let unseen = NetworkError.answer("its points are not in the view of a camera")

    private struct Sample {
        var x: Double
        var y: Double
        var z: Double
        /// The pixel, from the middle of the map.
        var column: Double
        var row: Double
    }

    /// At most about 64 × 64 points, evenly spread.
    private func samples(omitting flags: [Bool]?) -> [Sample] {
        let (across, down) = (max(1, size.width / 64), max(1, size.height / 64))
        return stride(from: down / 2, to: size.height, by: down).flatMap { row in
            stride(from: across / 2, to: size.width, by: across).compactMap { column in
                let index = row * size.width + column
                guard flags?[index] != true else { return nil }
                return Sample(
                    x: Double(x[index]), y: Double(y[index]), z: Double(z[index]),
                    column: Double(column) + 0.5 - Double(size.width) / 2,
                    row: Double(row) + 0.5 - Double(size.height) / 2)
            }
        }
    }

    /// The solution of f·x − u·s = u·z for all points, which is linear, and weights far points more.
    private func first(of samples: [Sample], _ focalLength: Double?) throws(NetworkError) -> Lens {
        var (xx, xu, uu, xz, uz) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for sample in samples {
            for (side, pixel) in [(sample.x, sample.column), (sample.y, sample.row)] {
                (xx, xu, uu) = (xx + side * side, xu + side * pixel, uu + pixel * pixel)
                (xz, uz) = (xz + side * pixel * sample.z, uz + pixel * pixel * sample.z)
            }
        }
        let determinant = xx * uu - xu * xu
        guard samples.count > 2, xx > 0, uu > 0 else { throw Self.unseen }
        var lens: Lens
        if let focalLength {
            lens = Lens(focalLength: focalLength, shift: (focalLength * xu - uz) / uu)
        } else if determinant > 1e-12 * xx * uu {
            lens = Lens(
                focalLength: (uu * xz - xu * uz) / determinant, shift: (xu * xz - xx * uz) / determinant)
        } else {
            // A plane that faces the camera leaves the shift open.
            lens = Lens(focalLength: xz / xx, shift: 0)
        }
        let nearest = samples.map(\.z).min() ?? 0
        lens.shift = max(lens.shift, 1e-3 * abs(nearest) - nearest)
        return lens
    }
}
