/// The distortion of a lens in OpenCV's models, which map a point (X/Z, Y/Z) to where a pinhole would show it.
///
/// The usual model has six radial coefficients, in a quotient of two polynomials, and two tangential ones; with k4 to k6 of 0
/// it is the model of Brown and Conrady. The model of fisheye lenses (Kannala and Brandt) is a polynomial of the angle from
/// the axis: θ · (1 + k1·θ² + k2·θ⁴ + k3·θ⁶ + k4·θ⁸).
package struct LensCoefficients: Hashable, Sendable {
    /// k1 to k3.
    package var radial = SIMD3<Double>.zero
    /// k4 to k6; of a fisheye lens k4.
    package var radialBelow = SIMD3<Double>.zero
    /// p1 and p2.
    package var tangential = SIMD2<Double>.zero
    /// Whether coefficients are those of a fisheye lens.
    package var isFisheye = false
    /// The largest radius √((X/Z)² + (Y/Z)²) inside the lens; infinity if unknown.
    package var greatestRadius = Double.infinity

    /// A lens without distortion.
    package init() {}

    /// Coefficients in OpenCV's order: k1, k2, p1, p2, k3, k4, k5, k6, of which all after p2 may be missing; of a fisheye lens k1
    /// to k4. `nil` for other numbers, and without distortion.
    package init?(_ numbers: [Double], isFisheye: Bool = false) {
        guard numbers.count <= (isFisheye ? 4 : 8), numbers.allSatisfy({ abs($0) < 100 }),
            isFisheye || numbers.contains(where: { $0 != 0 })
        else { return nil }
        let k = numbers + [Double](repeating: 0, count: 8 - numbers.count)
        self.isFisheye = isFisheye
        if isFisheye {
            (radial, radialBelow.x) = (SIMD3(k[0], k[1], k[2]), k[3])
        } else {
            (radial, radialBelow) = (SIMD3(k[0], k[1], k[4]), SIMD3(k[5], k[6], k[7]))
            tangential = SIMD2(k[2], k[3])
            greatestRadius = fold
        }
    }

    /// Whether a point stays where it is.
    package var isNone: Bool { radial == .zero && radialBelow == .zero && tangential == .zero && !isFisheye }

    /// The simplest model of COLMAP that holds the lens.
    package var model: String {
        if isFisheye { return "OPENCV_FISHEYE" }
        return radial.z == 0 && radialBelow == .zero ? "OPENCV" : "FULL_OPENCV"
    }

    /// The coefficients of that model, in the order of ``init(_:isFisheye:)``.
    package var numbers: [Double] {
        if isFisheye { return [radial.x, radial.y, radial.z, radialBelow.x] }
        let simple = [radial.x, radial.y, tangential.x, tangential.y]
        return model == "OPENCV"
            ? simple : simple + [radial.z, radialBelow.x, radialBelow.y, radialBelow.z]
    }

    /// Where a pinhole would show a point (x, y, 1); `nil` outside the lens.
    @inline(__always)
    package func distorted(_ x: Double, _ y: Double) -> SIMD2<Double>? {
        let square = x * x + y * y
        guard square <= greatestRadius * greatestRadius else { return nil }
        if isFisheye { return SIMD2(x, y) * fisheyeFactor(square.squareRoot()) }
        let (k, l) = (radial, radialBelow)
        let over = 1 + square * (k.x + square * (k.y + square * k.z))
        let under = 1 + square * (l.x + square * (l.y + square * l.z))
        guard under != 0 else { return nil }
        let factor = over / under
        let (p1, p2) = (tangential.x, tangential.y)
        return SIMD2(
            x * factor + (square + 2 * x * x) * p2 + 2 * x * y * p1,
            y * factor + (square + 2 * y * y) * p1 + 2 * x * y * p2)
    }

    private func fisheyeFactor(_ radius: Double) -> Double {
        guard radius > 1e-8 else { return 1 }
        let angle = arctangent(radius)
        let square = angle * angle
        let (k, k4) = (radial, radialBelow.x)
        return angle * (1 + square * (k.x + square * (k.y + square * (k.z + square * k4)))) / radius
    }

    /// The point (x, y, 1) that a camera shows at a pixel, by Newton's method; `nil` if it does not converge.
    package func ray(_ pixel: SIMD2<Double>, focal: SIMD2<Double>, center: SIMD2<Double>) -> SIMD2<Double>? {
        var point = (pixel - center) / focal
        func project(_ x: Double, _ y: Double) -> SIMD2<Double>? {
            distorted(x, y).map { $0 * focal + center }
        }
        let step = 1e-6
        for _ in 0..<20 {
            guard let seen = project(point.x, point.y), let right = project(point.x + step, point.y),
                let below = project(point.x, point.y + step)
            else { return nil }
            let miss = pixel - seen
            if abs(miss.x) < 1e-4, abs(miss.y) < 1e-4 { return point }
            let (a, b) = ((right - seen) / step, (below - seen) / step)
            let determinant = a.x * b.y - b.x * a.y
            guard abs(determinant) > 1e-9 else { return nil }
            point += SIMD2(miss.x * b.y - b.x * miss.y, a.x * miss.y - miss.x * a.y) / determinant
        }
        return nil
    }

    /// The radius where the radial model folds back, so that two points would be one in the picture; infinity if it does not below
    /// 4, which is 76° from the axis.
    private var fold: Double {
        var previous = 0.0
        for step in 1...400 {
            let radius = Double(step) / 100
            var axial = self
            axial.tangential = .zero
            guard let next = axial.distorted(radius, 0)?.x, next > previous else { return radius - 0.01 }
            previous = next
        }
        return .infinity
    }

    /// The lens of a camera that is turned with its picture.
    func oriented(by orientation: Orientation) -> LensCoefficients {
        // The tangential part is r²·t + 2·(t·p)·p with t = (p2, p1), a vector that turns with the points p.
        let (turn, t) = (orientation.matrix, (x: tangential.y, y: tangential.x))
        var lens = self
        lens.tangential = SIMD2(
            Double(turn.c) * t.x + Double(turn.d) * t.y, Double(turn.a) * t.x + Double(turn.b) * t.y)
        return lens
    }

    /// The coefficients k1, k2, p1, p2, k3 of Brown and Conrady that fit the lens best, by least squares, up to a radius.
    package func polynomial(upTo radius: Double) -> LensCoefficients {
        guard !isFisheye, radialBelow != .zero else { return self }
        var lens = self
        (lens.tangential, lens.radialBelow, lens.greatestRadius) = (.zero, .zero, .infinity)
        // Normal equations of r³, r⁵ and r⁷, with radii as fractions of the largest.
        var (rows, right) = ([SIMD3<Double>](repeating: .zero, count: 3), SIMD3<Double>.zero)
        var axial = self
        axial.tangential = .zero
        for step in 1...200 {
            let t = Double(step) / 200
            guard let seen = axial.distorted(t * radius, 0) else { break }
            let (square, miss) = (t * t, seen.x / radius - t)
            let terms = SIMD3(t * square, t * square * square, t * square * square * square)
            for index in 0..<3 { rows[index] += terms[index] * terms }
            right += terms * miss
        }
        for pivot in 0..<3 {
            guard rows[pivot][pivot] != 0 else { return self }
            for other in 0..<3 where other != pivot {
                let factor = rows[other][pivot] / rows[pivot][pivot]
                rows[other] -= factor * rows[pivot]
                right[other] -= factor * right[pivot]
            }
        }
        let scale = 1 / (radius * radius)
        for (index, power) in [scale, scale * scale, scale * scale * scale].enumerated() {
            lens.radial[index] = right[index] / rows[index][index] * power
        }
        lens.tangential = tangential
        return lens
    }
}
