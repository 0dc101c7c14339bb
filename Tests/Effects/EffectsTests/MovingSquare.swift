import DepthMaps
import DepthTypes
import Effects
import Scenes
import TestFrames

/// A picture of the object, the wall behind it, and the depth of both, without noise, so all positions are known
/// exactly.
struct MovingSquare {
    static let (width, height) = (320, 240)
    static let depthSize = (width: 160, height: 120)

    /// The object's box in pixels, and its distance.
    static func object(_ index: Int) -> (box: TrackingBox, distance: Float) {
        let step = Double(index)
        return (
            TrackingBox(left: 60 + 2 * step, top: 70 + 0.5 * step, width: 60, height: 60), 2
        )
    }

    /// The left edge of a bar, 70 pixels wide and 1 m away, that passes in front of the object.
    static func bar(_ index: Int) -> Int? { (30..<70).contains(index) ? -70 + (index - 30) * 10 : nil }

    static func fill(_ index: Int, hasBar: Bool, _ frame: inout TestFrame) {
        let (box, distance) = object(index)
        let bar = hasBar ? bar(index) : nil
        func layer(_ x: Double, _ y: Double) -> Int {
            if let bar, x >= Double(bar), x < Double(bar + 70) { return 2 }
            let isInside =
                x >= box.left && x < box.left + box.width && y >= box.top && y < box.top + box.height
            return isInside ? 1 : 0
        }
        frame.color.overwrite(width: width, height: height, fill: .black) { pixels in
            for y in 0..<height {
                for x in 0..<width {
                    let pixel: RGB<UInt8>
                    switch layer(Double(x) + 0.5, Double(y) + 0.5) {
                    case 1:
                        let (u, v) = (Int(Double(x) - box.left) / 12, Int(Double(y) - box.top) / 12)
                        let gray = UInt8((u * 7 + v * 11 + u * v) % 5 * 50 + 30)
                        pixel = RGB(red: gray, green: gray / 2, blue: 255 - gray)
                    case 2: pixel = RGB(red: 90, green: 90, blue: UInt8(y))
                    default:
                        let gray = UInt8(100 + (x / 16 * 3 + y / 16 * 5) % 7 * 10)
                        pixel = RGB(red: gray, green: gray, blue: gray)
                    }
                    pixels[y * width + x] = pixel
                }
            }
        }
        let (columns, rows) = (depthSize.width, depthSize.height)
        frame.depth.overwrite(width: columns, height: rows, fill: 0) { depth in
            for row in 0..<rows {
                for column in 0..<columns {
                    let kind = layer(Double(column) * 2 + 1, Double(row) * 2 + 1)
                    depth[row * columns + column] = kind == 2 ? 1 : kind == 1 ? distance : 4
                }
            }
        }
        frame.scale = .absolute
        frame.calibration = CameraCalibration(
            focalLengthX: 300, focalLengthY: 300, principalPointX: 159.5, principalPointY: 119.5,
            width: width,
            height: height)
    }
}

extension ObjectTracker {
    /// Follows the object to a frame of a test.
    mutating func follow(_ frame: TestFrame) -> Observation {
        follow(frame.color.image, frame.map, at: frame.time, pose: frame.pose)
    }
}

extension TestFrame {
    /// The depth; `nil` if missing.
    var map: DepthMap? {
        guard !depth.isEmpty else { return nil }
        return DepthMap(
            width: depth.width, height: depth.height, meters: depth.samples, scale: scale,
            calibration: calibration)
    }
}
