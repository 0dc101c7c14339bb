import DepthMaps
import DepthTypes
import Glibc
import Testing

@testable import StereoMatching

@Suite("StereoRectification")
struct StereoRectificationTests {
    /// Rotations in degrees about x, y and z, and where the right camera is, in meters.
    static let pairs: [(turn: SIMD3<Double>, position: SIMD3<Double>, focal: Double)] = [
        ([0, 0.5, 0], [0.06, 0, 0], 300),
        ([0, -2, 0], [0.06, 0, 0], 300),
        ([0.7, 1, -0.5], [0.06, 0, 0], 300),
        ([2, 0, 2], [0.06, 0, 0], 300),
        // The left picture has to be turned too.
        ([0.5, -1, 1], [0.06, 0.004, 0.003], 300),
        // Two focal lengths.
        ([0, 0.5, 0.5], [0.06, 0, 0], 306),
    ]

    @Test("The distance that a turned camera sees is exact to 1 % at the median", arguments: pairs.indices)
    func rotated(index: Int) throws {
        let (turn, position, focal) = Self.pairs[index]
        let scene = TurnedCameras(turn: turn, position: position, focalLength: focal)
        let rectification = try #require(StereoRectification(left: scene.left, right: scene.right))
        let match = try StereoMatcher().match(
            left: scene.leftPicture, right: scene.rightPicture, rectifiedBy: rectification)
        // Disparities of 11 to 18 pixels: 1 % is a seventh of a pixel.
        let baseline = (position * position).sum().squareRoot()
        let errors = scene.errors(match, baseline)
        try #require(errors.count > scene.depth.count * 3 / 4)
        #expect(errors[errors.count / 2] <= 0.01)
        // Two pixels are 14 % of a typical disparity: a fiftieth may be off by that, mostly at the box's edges.
        #expect(errors[errors.count * 98 / 100] <= 0.15)
    }

    @Test(
        "Without rectification, a camera toed in by two degrees gives distances that are wrong by a third or more"
    )
    func unrectified() throws {
        let scene = TurnedCameras(turn: [0, -2, 0], position: [0.06, 0, 0], focalLength: 300)
        let match = try StereoMatcher().match(left: scene.leftPicture, right: scene.rightPicture)
        let errors = scene.errors(match, 0.06)
        #expect(errors.isEmpty || errors[errors.count / 2] >= 0.33)
    }

    @Test("Cameras that differ by a shift along rows alone need no rectification")
    func parallel() {
        var right = TurnedCameras.camera(300)
        right.principalPointX += 12
        right.extrinsics = .init(rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], translation: [0.06, 0, 0])
        var left = TurnedCameras.camera(300)
        #expect(StereoRectification(left: left, right: right) == nil)
        left.extrinsics = .init(rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], translation: [0, 0, 0])
        #expect(StereoRectification(left: left, right: right) == nil)
        // A pixel of height is not such a shift.
        right.principalPointY += 1
        #expect(StereoRectification(left: left, right: right) != nil)
    }

    @Test("Calibrations that make no pair are not used")
    func impossible() {
        let left = TurnedCameras.camera(300)
        var behind = left
        behind.extrinsics = .init(rotation: [-1, 0, 0, 0, 1, 0, 0, 0, -1], translation: [0.06, 0, 0])
        var reference = left
        reference.extrinsics = .init(rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], translation: [0, 0, 0])
        #expect(StereoRectification(left: reference, right: behind) == nil)
        var above = reference
        above.extrinsics?.translation = [0, 0.06, 0]
        #expect(StereoRectification(left: reference, right: above) == nil)
        var stretched = reference
        stretched.extrinsics?.rotation = [2, 0, 0, 0, 1, 0, 0, 0, 1]
        #expect(StereoRectification(left: reference, right: stretched) == nil)
        var blind = left
        blind.focalLengthX = .nan
        #expect(StereoRectification(left: left, right: blind) == nil)
    }
}

/// A slanted wall and a box in front of it, seen by two cameras, ray by ray.
private struct TurnedCameras {
    let left = camera(300, .init(rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], translation: [0, 0, 0]))
    let right: CameraCalibration
    /// Meters along the left camera's axis.
    private(set) var depth: [Double] = []
    private(set) var leftPicture: ColorImage
    private(set) var rightPicture: ColorImage

    static func camera(
        _ focalLength: Double, _ extrinsics: CameraCalibration.Extrinsics? = nil
    ) -> CameraCalibration {
        CameraCalibration(
            focalLengthX: focalLength, focalLengthY: focalLength, principalPointX: 159.5,
            principalPointY: 99.5, width: 320, height: 200, extrinsics: extrinsics)
    }

    init(turn: SIMD3<Double>, position: SIMD3<Double>, focalLength: Double) {
        let rotation = Self.rotation(turn * .pi / 180)
        right = Self.camera(
            focalLength,
            .init(rotation: rotation, translation: [position.x, position.y, position.z]))
        let first = Self.picture(left)
        depth = first.depth
        (leftPicture, rightPicture) = (first.image, Self.picture(right).image)
    }

    /// Rz · Ry · Rx, row by row.
    private static func rotation(_ angles: SIMD3<Double>) -> [Double] {
        let (a, b) = (cos(angles.x), sin(angles.x))
        let (c, d) = (cos(angles.y), sin(angles.y))
        let (e, f) = (cos(angles.z), sin(angles.z))
        var rows = [e * c, e * d * b - f * a, e * d * a + f * b]
        rows += [f * c, f * d * b + e * a, f * d * a - e * b]
        rows += [-d, c * b, c * a]
        return rows
    }

    private static func picture(_ camera: CameraCalibration) -> (image: ColorImage, depth: [Double]) {
        let rotation = camera.extrinsics?.rotation ?? []
        let place = camera.extrinsics?.translation ?? []
        let from = SIMD3(place[0], place[1], place[2])
        var generator = SplitMix(state: 3)
        var pixels: [RGB<UInt8>] = []
        var depth: [Double] = []
        for y in 0..<camera.height {
            for x in 0..<camera.width {
                let u = (Double(x) - camera.principalPointX) / camera.focalLengthX
                let v = (Double(y) - camera.principalPointY) / camera.focalLengthY
                let ray = SIMD3(
                    rotation[0] * u + rotation[1] * v + rotation[2],
                    rotation[3] * u + rotation[4] * v + rotation[5],
                    rotation[6] * u + rotation[7] * v + rotation[8])
                // The wall is z = 1.6 + 0.2 x, the box z = 1 for |x| < 0.2 and |y| < 0.15.
                let far = (1.6 + 0.2 * from.x - from.z) / (ray.z - 0.2 * ray.x)
                let near = (1 - from.z) / ray.z
                let front = from + near * ray
                let isBox = abs(front.x) < 0.2 && abs(front.y) < 0.15
                let point = isBox ? front : from + far * ray
                let value = StereoScene.texture(point.x * 200, point.y * 200, isBox ? 2 : 1)
                let code = 128 + 40 * value + (generator.unit() - 0.5) * 3
                let gray = UInt8(min(max(code.rounded(), 0), 255))
                pixels.append(RGB(red: gray, green: gray, blue: gray))
                depth.append(point.z)
            }
        }
        let image = ColorImage(
            width: camera.width, height: camera.height, pixels: .uint8(pixels), colorProfile: [])
        return (image, depth)
    }

    /// The relative error of each found distance, sorted.
    func errors(_ match: StereoMatch, _ baseline: Double) -> [Double] {
        depth.indices.compactMap { index in
            let disparity = Double(match.disparity[index])
            guard disparity == disparity else { return nil }
            let found = disparity > 0 ? left.focalLengthX * baseline / disparity : .infinity
            return abs(found / depth[index] - 1)
        }.sorted()
    }
}
