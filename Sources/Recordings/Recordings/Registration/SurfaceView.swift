internal import Bytes
internal import DepthMaps
internal import DepthTypes
internal import Scenes

/// How frames are seen where their surface matters: by the camera that measured the depth, whose pictures show the color of
/// each sample.
struct SurfaceView: Hashable, Sendable {
    /// What becomes of the lens of the depth camera.
    enum Lens: Sendable {
        /// Samples stay where they are, on rays that the lens bends.
        case kept
        /// Samples move to the grid of a pinhole, because fusion projects with straight lines.
        case corrected
    }

    /// The size of the result.
    let size: PixelSize
    /// The camera of the result, for its size.
    let camera: Intrinsics
    /// The camera that measured the depth, for a frame of `measured` samples.
    let depth: Intrinsics
    let measured: PixelSize
    /// The camera of the pictures, for a frame of `picture` pixels.
    let color: Intrinsics
    let picture: PixelSize
    /// The pose of the depth camera in the axes of the pictures' camera.
    let pose: CameraPose

    /// The view of depth that another camera measured than the one of the pictures.
    init(_ registration: CameraRegistration, _ lens: Lens) {
        let cameras = registration.cameras
        self.init(
            cameras.depth.camera, registration.depth, cameras.color.camera, registration.color,
            cameras.color.pose, lens)
    }

    /// The view of depth in the pictures' view through a lens, on the grid of a pinhole. The sizes are the usual ones.
    init(through camera: CameraCalibration, depth: PixelSize, picture: PixelSize) {
        self.init(
            Intrinsics(camera.scaled(toWidth: depth.width, height: depth.height)), depth,
            Intrinsics(camera.scaled(toWidth: picture.width, height: picture.height)), picture, .identity,
            .corrected)
    }

    private init(
        _ depth: Intrinsics, _ measured: PixelSize, _ color: Intrinsics, _ picture: PixelSize,
        _ pose: CameraPose, _ lens: Lens
    ) {
        (self.depth, self.measured, self.color, self.picture) = (depth, measured, color, picture)
        self.pose = pose
        (size, camera) =
            lens == .corrected && depth.lens != nil
            ? Self.pinhole(of: depth, measured) : (measured, depth)
    }

    /// A pinhole of the same focal length that sees all rays, at most twice as wide and high.
    private static func pinhole(of camera: Intrinsics, _ size: PixelSize) -> (PixelSize, Intrinsics) {
        let lens = LensCamera(camera)
        let (right, bottom) = (Double(size.width - 1), Double(size.height - 1))
        var (least, most) = (SIMD2<Double>.zero, SIMD2(right, bottom))
        for step in 0...64 {
            let share = Double(step) / 64
            for (x, y) in [
                (share * right, 0), (share * right, bottom), (0, share * bottom), (right, share * bottom),
            ] {
                guard let ray = lens.ray(x, y) else { continue }
                let pixel = SIMD2(ray.x * camera.fx + camera.cx, ray.y * camera.fy + camera.cy)
                least = pointwiseMin(least, pixel)
                most = pointwiseMax(most, pixel)
            }
        }
        let reach = SIMD2(right, bottom) / 2
        let start = pointwiseMax(least, -reach).rounded(.down)
        let end = pointwiseMin(most, SIMD2(right, bottom) + reach).rounded(.up)
        let pinhole = Intrinsics(
            fx: camera.fx, fy: camera.fy, cx: camera.cx - start.x, cy: camera.cy - start.y)
        return (PixelSize(width: Int(end.x - start.x) + 1, height: Int(end.y - start.y) + 1), pinhole)
    }

    /// Bytes of memory for each sample of the result, and for each one measured, in ``SurfaceProjection``.
    static let bytesPerSample = 40
}

/// Brings frames to a ``SurfaceView``.
struct SurfaceProjection: Sendable {
    let view: SurfaceView
    /// For each sample of the result, its position at a distance of 1, in the axes of the pictures' camera; `nan` outside the lens.
    private let rays: [SIMD3<Float>]
    /// For each sample of the result, its position among those measured; empty if these are the same.
    private let origins: [SIMD2<Float>]

    /// Computes the rays of all samples.
    init(_ view: SurfaceView) {
        self.view = view
        let (size, seen, lens) = (view.size, LensCamera(view.camera), LensCamera(view.depth))
        let isMoved = view.camera != view.depth
        let unknown = (SIMD3<Float>(repeating: .nan), SIMD2<Float>(repeating: -1e6))
        let samples = (0..<size.width * size.height).map { index -> (SIMD3<Float>, SIMD2<Float>) in
            let (column, row) = (Double(index % size.width), Double(index / size.width))
            guard let ray = seen.ray(column, row) else { return unknown }
            let turned = SIMD3<Float>(view.pose.turned(SIMD3(ray.x, ray.y, 1)))
            guard isMoved else { return (turned, .zero) }
            return lens.project(ray.x, ray.y).map { (turned, SIMD2<Float>($0)) } ?? unknown
        }
        rays = samples.map(\.0)
        origins = isMoved ? samples.map(\.1) : []
    }

    /// Replaces the depth and the picture of a frame.
    func apply(to frame: inout FramePlanes) {
        guard !frame.depth.isEmpty else { return }
        if !origins.isEmpty || frame.depth.size != view.size { frame.depth = resampled(frame.depth) }
        if !frame.color.isEmpty { frame.color = colors(of: frame.color, at: frame.depth) }
    }

    /// Depth on the grid of the result: between samples of one surface 1/z is linear, at edges the nearest sample is taken.
    private func resampled(_ depth: FramePlane<Float>) -> FramePlane<Float> {
        let (width, height, size) = (depth.width, depth.height, view.size)
        let from = origins.isEmpty ? size : view.measured
        let scale = SIMD2(Float(width) / Float(from.width), Float(height) / Float(from.height))
        let last = SIMD2(Float(width - 1), Float(height - 1))
        let meters: [Float] = parallelMapRows(width: size.width, height: size.height) { rows, output in
            let samples = depth.samples.span
            for index in output.indices {
                let place = rows.lowerBound * size.width + index
                let own =
                    origins.isEmpty
                    ? SIMD2(Float(place % size.width), Float(place / size.width)) : origins[place]
                let position = (own + 0.5) * scale - 0.5
                output[index] = .nan
                guard position.x >= -0.5, position.y >= -0.5, position.x <= last.x + 0.5,
                    position.y <= last.y + 0.5
                else { continue }
                let inside = pointwiseMin(pointwiseMax(position, .zero), last)
                let (column, row) = (Int(inside.x), Int(inside.y))
                let part = inside - SIMD2(Float(column), Float(row))
                let start = row * width + column
                let (across, down) = (column + 1 < width ? 1 : 0, row + 1 < height ? width : 0)
                let corners = SIMD4(
                    samples[start], samples[start + across], samples[start + down],
                    samples[start + across + down])
                let inverses = 1 / corners
                if all(corners .> 0), inverses.max() <= inverses.min() * Self.mostSlope {
                    let upper = inverses.x + (inverses.y - inverses.x) * part.x
                    let lower = inverses.z + (inverses.w - inverses.z) * part.x
                    output[index] = 1 / (upper + (lower - upper) * part.y)
                } else {
                    output[index] = samples[start + (part.x < 0.5 ? 0 : across) + (part.y < 0.5 ? 0 : down)]
                }
            }
        }
        return FramePlane(width: size.width, height: size.height, samples: meters)
    }

    /// The largest ratio of 1/z among four neighbors of one surface.
    private static let mostSlope: Float = 1.08

    /// The color that the picture shows of each sample; gray outside of the picture, and behind another surface.
    private func colors(
        of picture: FramePlane<RGB<UInt8>>, at depth: FramePlane<Float>
    ) -> FramePlane<RGB<UInt8>> {
        let (camera, offset) = (LensCamera(view.color), SIMD3<Float>(view.pose.position))
        let (width, height) = (picture.width, picture.height)
        let scale = SIMD2(
            Double(width) / Double(view.picture.width), Double(height) / Double(view.picture.height))
        // Cells are as large as samples, so that a surface hides all that is behind it.
        let step = max(1, (view.color.fx * scale.x / view.depth.fx / 0.8).rounded(.up))
        let columns = Int(Double(width) / step) + 1
        let isBeside = view.pose != .identity
        var nearest = [Float](
            repeating: .infinity, count: isBeside ? columns * (Int(Double(height) / step) + 1) : 0)
        func cell(_ place: Int) -> Int {
            Int(Double(place / width) / step) * columns + Int(Double(place % width) / step)
        }
        var places = [Int32](repeating: -1, count: depth.samples.count)
        for index in places.indices where depth.samples[index] > 0 {
            let point = rays[index] * depth.samples[index] + offset
            guard point.z > 0,
                let seen = camera.project(Double(point.x / point.z), Double(point.y / point.z))
            else { continue }
            let pixel = (seen + 0.5) * scale
            guard pixel.x >= 0, pixel.y >= 0, pixel.x < Double(width), pixel.y < Double(height) else {
                continue
            }
            let place = Int(pixel.y) * width + Int(pixel.x)
            places[index] = Int32(truncatingIfNeeded: place)
            if isBeside { nearest[cell(place)] = min(nearest[cell(place)], point.z) }
        }
        // Surfaces that are seen at an angle have several distances in a cell.
        let limit = Float(1.03 + 3 / view.depth.fx)
        let colors = places.indices.map { index -> RGB<UInt8> in
            let place = Int(places[index])
            guard place >= 0 else { return RGB.unseen }
            let distance = rays[index].z * depth.samples[index] + offset.z
            return isBeside && distance > nearest[cell(place)] * limit
                ? RGB.unseen : picture.samples[place]
        }
        return FramePlane(width: depth.width, height: depth.height, samples: colors)
    }
}
