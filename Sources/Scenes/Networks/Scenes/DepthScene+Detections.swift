internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Geometry
package import Scenes

extension DepthScene {
    /// The detections with their distance and size. The distance is the median of the nearest large surface in the box, and the size is the
    /// size of the box at this distance.
    ///
    /// Without depth in meters, both are `nil`; without a camera, the size is. Throws errors of decoding.
    package func measured(_ detections: [Detection]) throws -> [Detection] {
        guard description.depth?.scale.hasUnit == true, let picture = description.colorSize else {
            return detections
        }
        let camera = description.cameras.camera(for: picture)
        return try disparity().measured(
            detections, camera.source == .assumed ? nil : camera.calibration, picture)
    }
}

extension DisparityMap {
    /// The detections with their distance and size.
    fileprivate func measured(
        _ detections: [Detection], _ camera: CameraCalibration?, _ picture: PixelSize
    ) -> [Detection] {
        let camera = camera?.scaled(toWidth: picture.width, height: picture.height)
        return detections.map { detection in
            guard let disparity = nearestSurface(in: detection.box), disparity > 0 else {
                return detection
            }
            let distance = 1 / disparity
            let box = detection.box
            var measured = detection
            measured.distance = distance
            measured.size = camera.map { camera in
                SIMD2(
                    Float((box.right - box.left) * Double(picture.width) / camera.focalLengthX),
                    Float((box.bottom - box.top) * Double(picture.height) / camera.focalLengthY)) * distance
            }
            return measured
        }
    }
}

extension DisparityMap {
    /// The median disparity of the nearest surface that is large within a box; `nil` if all samples are unknown.
    fileprivate func nearestSurface(in box: PictureBox) -> Float? {
        let columns = Self.indices(box.left, box.right, width)
        let rows = Self.indices(box.top, box.bottom, height)
        let samples = rows.flatMap { row in columns.map { reciprocalMeters[row * width + $0] } }
        let part = DisparityMap(
            width: columns.count, height: rows.count, reciprocalMeters: samples, scale: scale)
        guard let mode = part.focusDisparity(of: nil) else { return nil }
        let near = samples.filter { $0.isFinite && abs($0 - mode) <= 0.15 * abs(mode) }.sorted()
        return near.isEmpty ? mode : near[near.count / 2]
    }

    /// The samples whose centers are between two fractions of a side; if there are no such samples, the nearest one.
    private static func indices(_ from: Double, _ to: Double, _ count: Int) -> Range<Int> {
        let first = min(max(Int((from * Double(count)).rounded()), 0), count - 1)
        let end = min(max(Int((to * Double(count)).rounded()), first + 1), count)
        return first..<end
    }
}
