internal import DepthMaps
internal import DepthTypes
internal import Geometry

/// Which images show which points of a cloud, and where.
///
/// An image shows a point that is inside of it and not behind its depth. Positions are projections, so that they fit the
/// cameras exactly: bundle adjustment starts from them, and finds nothing to improve.
struct PointTracks {
    /// A point that an image shows.
    struct Observation {
        /// Pixels, from the center of the first.
        var position: SIMD2<Float>
        /// The point's index among those that stay.
        var point: Int
    }

    /// Of each frame.
    private(set) var observations: [[Observation]] = []
    /// The indices of points that enough images show, in the cloud.
    let points: [Int]
    /// Of each of these: the frame, and the index among the frame's observations.
    private(set) var tracks: [[(frame: Int, index: Int)]]

    /// The most images of a point, evenly chosen: more make files larger, and nothing better.
    private static let longestTrack = 12
    /// The difference from the image's depth that a point of the surface may have, as a fraction.
    private static let tolerance: Float = 0.03

    init(_ cloud: [SIMD3<Float>], _ frames: [DataSetFrame]) {
        let seen = frames.map { Self.visible(cloud, in: $0) }
        var counts = [Int](repeating: 0, count: cloud.count)
        for observation in seen.joined() { counts[observation.point] += 1 }
        // Two images make a track. A set of one image has none, and all points.
        let fewest = frames.count > 1 ? 2 : 0
        points = cloud.indices.filter { counts[$0] >= fewest }
        var newIndices = [Int](repeating: -1, count: cloud.count)
        for (new, old) in points.enumerated() { newIndices[old] = new }
        tracks = [[(frame: Int, index: Int)]](repeating: [], count: points.count)
        var numbers = [Int](repeating: 0, count: cloud.count)
        for (frame, all) in seen.enumerated() {
            var kept: [Observation] = []
            for observation in all where newIndices[observation.point] >= 0 {
                let (point, count) = (observation.point, counts[observation.point])
                let number = numbers[point]
                numbers[point] += 1
                // Of a longer track, the images where the quotient changes.
                guard
                    count <= Self.longestTrack
                        || number * Self.longestTrack / count != (number - 1) * Self.longestTrack / count
                        || number == 0
                else { continue }
                tracks[newIndices[point]].append((frame, kept.count))
                kept.append(Observation(position: observation.position, point: newIndices[point]))
            }
            observations.append(kept)
        }
    }

    /// The points that a frame shows, by their index in the cloud.
    private static func visible(_ cloud: [SIMD3<Float>], in frame: DataSetFrame) -> [Observation] {
        guard let pose = frame.pose, !frame.seen.isEmpty else { return [] }
        let (camera, depth) = (frame.camera, frame.seen)
        let focal = SIMD2(camera.focalLengthX, camera.focalLengthY)
        let center = SIMD2(camera.principalPointX, camera.principalPointY)
        let scale = SIMD2(
            Double(depth.width) / Double(camera.width), Double(depth.height) / Double(camera.height))
        var found: [Observation] = []
        for (index, point) in cloud.enumerated() {
            let offset = SIMD3<Double>(point) - pose.position
            let z = (offset * pose.forward).sum()
            guard z > 0 else { continue }
            let ray = SIMD2((offset * pose.right).sum(), (offset * pose.down).sum()) / z
            guard let bent = camera.lens.map({ $0.distorted(ray.x, ray.y) }) ?? ray else { continue }
            let position = bent * focal + center
            let place = (position + 0.5) * scale
            guard place.x >= 0, place.y >= 0, place.x < Double(depth.width), place.y < Double(depth.height)
            else { continue }
            let meters = depth.samples[Int(place.y) * depth.width + Int(place.x)]
            guard (meters - Float(z)).magnitude < tolerance * meters else { continue }
            found.append(Observation(position: SIMD2<Float>(position), point: index))
        }
        return found
    }
}
