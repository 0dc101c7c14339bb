internal import DepthTypes
internal import Scenes
internal import Sequences

extension SceneDescription {
    /// The description of a frame with these parts.
    init(_ head: SequenceFrame, with parts: FrameParts, of sequence: SequenceDescription) {
        self.init()
        (index, time, pose) = (head.index, head.time, head.pose)
        if parts.contains(.color) { colorSize = sequence.colorSize }
        if parts.contains(.depth) {
            planes.append(.depth)
            depth = sequence.depth.map { Depth(size: $0.size, quantity: .depth, scale: head.scale) }
        }
        if parts.contains(.confidence) { planes.append(.confidence) }
        planes += sequence.mattes.filter { parts.contains(.matte($0)) }
        highestConfidence = 2
        (eyes, lens, simulatedAperture) = (sequence.eyes, head.lens, head.lens?.fNumber)
        if sequence.isCameraGiven {
            cameras.given = head.calibration
        } else {
            cameras.file = head.calibration
        }
    }
}

extension SequenceDescription {
    /// The parts that frames have.
    var parts: FrameParts {
        var parts: FrameParts = []
        if colorSize != nil { parts.insert(.color) }
        if depth != nil { parts.insert(.depth) }
        if hasConfidence { parts.insert(.confidence) }
        for kind in mattes { parts.insert(.matte(kind)) }
        return parts
    }
}
