package import DepthMaps
package import DepthTypes
package import Scenes

/// A frame that a test makes, or that a sequence decoded.
package struct TestFrame: Sendable {
    package var index = 0
    /// Seconds since the first frame.
    package var time = 0.0
    package var scale = DepthScale.unitless
    package var pose: CameraPose?
    package var calibration: CameraCalibration?
    package var lens: RecordedLens?
    /// Planes that are empty are missing.
    package var planes = FramePlanes()

    package init() {}

    package var color: FramePlane<RGB<UInt8>> {
        get { planes.color }
        set { planes.color = newValue }
    }
    package var right: FramePlane<RGB<UInt8>> {
        get { planes.right }
        set { planes.right = newValue }
    }
    package var depth: FramePlane<Float> {
        get { planes.depth }
        set { planes.depth = newValue }
    }
    package var confidence: FramePlane<UInt8> {
        get { planes.confidence }
        set { planes.confidence = newValue }
    }
    package var matte: FramePlane<UInt8> {
        get { planes.matte }
        set { planes.matte = newValue }
    }
    package var skin: FramePlane<UInt8> { planes.skin }
    package var sky: FramePlane<UInt8> { planes.sky }

    /// What is known of the frame.
    package var description: SceneDescription {
        var description = SceneDescription()
        (description.index, description.time, description.pose) = (index, time, pose)
        description.cameras.file = calibration
        description.lens = lens
        description.colorSize = color.isEmpty ? nil : color.size
        if !depth.isEmpty { description.setFrameDepth(depth.size, scale, unitsPerMeter: nil) }
        if !confidence.isEmpty { description.planes.append(.confidence) }
        if !matte.isEmpty { description.planes.append(.matte) }
        return description
    }

    /// The frame as a scene.
    package var scene: DepthScene {
        let read = (planes, Set<PlaneID>.everything)
        return DepthScene(FrameBuffer(description) { _ in read })
    }

    /// Takes what a sequence says of a frame.
    package mutating func take(_ description: SceneDescription, _ planes: FramePlanes) {
        (index, time) = (description.index ?? 0, description.time ?? 0)
        (pose, calibration, lens) = (description.pose, description.calibrationOfFrame, description.lens)
        scale = description.depth?.scale ?? .unitless
        self.planes = planes
    }
}

extension SceneSequence {
    /// Decodes planes of the frame that ``advance()`` moved to.
    package func read(_ planes: Set<PlaneID>, into frame: inout TestFrame) throws {
        frame.planes.clear()
        let description = describe()
        var decoded = FramePlanes()
        swap(&decoded, &frame.planes)
        defer { frame.take(description, decoded) }
        try begin(planes, into: &decoded)
        try finish(planes, of: description, into: &decoded)
    }
}

extension FrameEffect {
    /// Renders a frame of a test.
    package func render(_ frame: TestFrame, into output: inout RenderedFrame) throws {
        try render(frame.scene, &output)
    }
}
