/// Where a camera stands, and how it is turned: from the camera's axes to the world's.
///
/// Axes of the camera are OpenCV's: x right, y down, z forward. A point p of the camera, in meters, is at R·p + t in the world.
/// Each recording's own convention is converted to this one once, when it is read.
package struct CameraPose: Hashable, Sendable {
    /// R, the 3 × 3 rotation, row by row.
    package var rotation: [Double]
    /// t, the camera's position in the world, in meters.
    package var translation: [Double]

    /// The rotation has nine numbers, row by row, the translation three.
    package init(rotation: [Double], translation: [Double]) {
        precondition(rotation.count == 9 && translation.count == 3)
        self.rotation = rotation
        self.translation = translation
    }

    /// A camera in the origin, that looks along the world's z.
    package static var identity: CameraPose {
        CameraPose(rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], translation: [0, 0, 0])
    }
}
