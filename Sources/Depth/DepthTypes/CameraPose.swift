/// The position and rotation of a camera: from the camera's axes to the world's.
///
/// The camera's axes are OpenCV's: x right, y down, z forward. A point p of the camera, in meters, is at R·p + t in the
/// world. The conventions of recordings are converted to this one when they are read.
public struct CameraPose: Hashable, Sendable {
    /// The direction of the camera's x axis in the world, of length 1: the first column of R.
    public var right: SIMD3<Double>
    /// The direction of its y axis: the second column.
    public var down: SIMD3<Double>
    /// The direction of its optical axis: the third column.
    public var forward: SIMD3<Double>
    /// t, the camera's position in the world, in meters.
    public var position: SIMD3<Double>

    /// A pose of right-handed orthonormal directions.
    public init(
        right: SIMD3<Double>, down: SIMD3<Double>, forward: SIMD3<Double>, position: SIMD3<Double>
    ) {
        (self.right, self.down, self.forward, self.position) = (right, down, forward, position)
    }

    /// The rotation has nine numbers, row by row; the translation has three.
    package init(rotation: [Double], translation: [Double]) {
        precondition(rotation.count == 9 && translation.count == 3)
        self.init(
            right: SIMD3(rotation[0], rotation[3], rotation[6]),
            down: SIMD3(rotation[1], rotation[4], rotation[7]),
            forward: SIMD3(rotation[2], rotation[5], rotation[8]),
            position: SIMD3(translation[0], translation[1], translation[2]))
    }

    /// R, the 3 × 3 rotation, row by row.
    public var rotation: [Double] {
        [right.x, down.x, forward.x, right.y, down.y, forward.y, right.z, down.z, forward.z]
    }

    /// t, as an array.
    public var translation: [Double] { [position.x, position.y, position.z] }

    /// A camera at the origin that looks along the world's z.
    public static var identity: CameraPose {
        CameraPose(
            right: SIMD3(1, 0, 0), down: SIMD3(0, 1, 0), forward: SIMD3(0, 0, 1), position: .zero)
    }

    /// Converts a point from camera to world coordinates: R·p + t.
    public func world(_ point: SIMD3<Double>) -> SIMD3<Double> {
        right * point.x + down * point.y + forward * point.z + position
    }

    /// Converts a point from world to camera coordinates: Rᵀ·(p − t).
    public func camera(_ point: SIMD3<Double>) -> SIMD3<Double> {
        let offset = point - position
        return SIMD3((offset * right).sum(), (offset * down).sum(), (offset * forward).sum())
    }

    /// Converts a direction from the camera's to the world's axes: R·d.
    package func turned(_ direction: SIMD3<Double>) -> SIMD3<Double> {
        right * direction.x + down * direction.y + forward * direction.z
    }

    /// The pose of `other`, which is relative to this pose, in this pose's world: R·R′, and R·t′ + t.
    package func appending(_ other: CameraPose) -> CameraPose {
        CameraPose(
            right: turned(other.right), down: turned(other.down), forward: turned(other.forward),
            position: world(other.position))
    }

    /// Rᵀ, and −Rᵀ·t.
    package var inverse: CameraPose {
        CameraPose(
            right: SIMD3(right.x, down.x, forward.x), down: SIMD3(right.y, down.y, forward.y),
            forward: SIMD3(right.z, down.z, forward.z), position: camera(.zero))
    }
}
