import Bytes
import DepthMaps
import DepthTypes
import Scenes

/// A new source in one file: frames of a checkerboard in front of a wall.
final class Checkerboard: SceneSequence, @unchecked Sendable {
    static let size = PixelSize(width: 64, height: 48)
    let description: SceneDescription
    let diagnostics: [Diagnostic] = []
    private var index = -1

    init() {
        var description = SceneDescription()
        description.colorSize = Self.size
        description.setFrameDepth(Self.size, .absolute, unitsPerMeter: nil)
        self.description = description
    }

    var extent: SequenceExtent {
        var extent = SequenceExtent("checkerboard")
        (extent.frameCount, extent.rate) = (3, 30)
        return extent
    }

    func advance() -> Double? {
        guard index < 2 else { return nil }
        index += 1
        return Double(index) / 30
    }

    func describe() -> SceneDescription {
        var description = description
        (description.index, description.time) = (index, Double(index) / 30)
        return description
    }

    func restarted() -> (any SceneSequence)? { Checkerboard() }

    func begin(_ planes: Set<PlaneID>, into frame: inout FramePlanes) {
        let (width, height) = (Self.size.width, Self.size.height)
        func isBoard(_ place: Int) -> Bool { place % width < width / 2 }
        let places = 0..<width * height
        frame.color = FramePlane(
            width: width, height: height,
            samples: places.map { place in
                let isWhite = (place % width / 8 + place / width / 8) % 2 == 0 && isBoard(place)
                let gray: UInt8 = isWhite ? 255 : 32
                return RGB(red: gray, green: gray, blue: 128)
            })
        frame.depth = FramePlane(
            width: width, height: height, samples: places.map { isBoard($0) ? 1 : 3 + Float($0 % 5) / 10 })
    }
}
