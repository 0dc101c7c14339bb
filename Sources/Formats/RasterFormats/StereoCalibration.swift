package import Bytes
package import DepthTypes

/// The calibration of a rectified stereo pair, from a text file of a stereo data set.
///
/// | data set | lines | baseline |
/// |---|---|---|
/// | Middlebury 2014, ETH3D two-view | `cam0=[f 0 cx; 0 f cy; 0 0 1]`, `cam1=[…]`, `doffs=`, `baseline=`, `width=`, `height=` | in millimeters |
/// | KITTI `calib_cam_to_cam.txt` | `P_rect_02: ` and the 3 × 4 matrix in rows, `S_rect_02: width height` | (P₂₀₃ − P₃₀₃) / f, in meters |
/// | KITTI odometry, object, stereo | `P2: ` and the matrix | the same |
///
/// The depth of a disparity d in pixels is `Z = baseline · f / (d + doffs)`.
package struct StereoCalibration: Hashable, Sendable {
    /// The left camera.
    package let left: Intrinsics
    /// The principal point's column in the right picture, less that in the left one, in pixels.
    package private(set) var disparityOffset: Double
    /// The distance of the cameras, in meters.
    package private(set) var baseline: Double
    /// The width of the pictures; `nil` if missing.
    package private(set) var width: Int?
    /// The height of the pictures.
    package private(set) var height: Int?
    /// The names of both cameras' matrices in a file of more than two cameras.
    package private(set) var cameras: (left: String, right: String)? {
        get { names.map { ($0[0], $0[1]) } }
        set { names = newValue.map { [$0.left, $0.right] } }
    }
    private var names: [String]?

    /// Reads the text of a file. Of a file with several pairs, `camera` is the number of the left camera; `nil` is 2, KITTI's
    /// left color camera, or 0 if it is missing.
    package init(parsing bytes: [UInt8], camera: Int? = nil) throws(ContainerError) {
        let lines = CalibrationLines(bytes)
        if lines["cam0"] != nil {
            try self.init(middlebury: lines)
        } else {
            try self.init(kitti: lines, camera: camera)
        }
    }

    private init(middlebury lines: CalibrationLines) throws(ContainerError) {
        let left = try lines.numbers("cam0", count: 9)
        let right = lines["cam1"] == nil ? nil : try lines.numbers("cam1", count: 9)
        guard let baseline = try lines.number("baseline"), baseline > 0 else {
            throw Self.malformed("calib.txt has no line baseline=… with a positive number of millimeters")
        }
        let offset = try lines.number("doffs") ?? right.map { $0[2] - left[2] } ?? 0
        try self.init(left, focalLengthY: left[4], rowOffset: left[5], offset, baseline / 1000)
        width = try lines.number("width").flatMap { Int(exactly: $0) }
        height = try lines.number("height").flatMap { Int(exactly: $0) }
    }

    private init(kitti lines: CalibrationLines, camera: Int?) throws(ContainerError) {
        func name(_ camera: Int) -> String {
            lines["P\(camera)"] == nil ? "P_rect_0\(camera)" : "P\(camera)"
        }
        let camera = camera ?? (lines[name(2)] != nil && lines[name(3)] != nil ? 2 : 0)
        let (first, second) = (name(camera), name(camera + 1))
        guard lines[first] != nil, lines[second] != nil else {
            throw Self.malformed(
                "the calibration has neither cam0=[…] (Middlebury, ETH3D) nor P\(camera): and P\(camera + 1): (KITTI)"
            )
        }
        let (left, right) = (try lines.numbers(first, count: 12), try lines.numbers(second, count: 12))
        guard left[0] > 0 else { throw Self.malformed("the focal length of \(first) is \(left[0])") }
        let baseline = (left[3] - right[3]) / left[0]
        guard baseline > 0 else {
            throw Self.malformed("\(second) is \(-baseline) m to the left of \(first), not to its right")
        }
        try self.init(left, focalLengthY: left[5], rowOffset: left[6], right[2] - left[2], baseline)
        cameras = (first, second)
        if first.hasPrefix("P_"), lines["S_rect_0\(camera)"] != nil {
            let size = try lines.numbers("S_rect_0\(camera)", count: 2)
            (width, height) = (Int(exactly: size[0]), Int(exactly: size[1]))
        }
    }

    private init(
        _ matrix: [Double], focalLengthY: Double, rowOffset: Double, _ offset: Double, _ baseline: Double
    ) throws(ContainerError) {
        guard matrix[0] > 0, focalLengthY > 0 else {
            throw Self.malformed("the focal lengths are \(matrix[0]) and \(focalLengthY), not positive")
        }
        left = Intrinsics(fx: matrix[0], fy: focalLengthY, cx: matrix[2], cy: rowOffset)
        (disparityOffset, self.baseline) = (offset, baseline)
    }

    private static func malformed(_ rule: String) -> ContainerError { ContainerError(.malformed(rule: rule)) }
}

/// Lines of a name, `=` or `:`, and a value.
private struct CalibrationLines {
    private var fields: [String: (value: String, offset: Int)] = [:]

    init(_ bytes: [UInt8]) {
        var offset = 0
        for line in bytes.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0A }) {
            defer { offset += line.count + 1 }
            guard let end = line.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") })
            else { continue }
            let name = String(decoding: line[..<end].filter { !isHeaderSpace($0) }, as: UTF8.self)
            fields[name] = (String(decoding: line[(end + 1)...], as: UTF8.self), offset)
        }
    }

    subscript(name: String) -> String? { fields[name]?.value }

    /// The only number of a line; `nil` if the line is missing.
    func number(_ name: String) throws(ContainerError) -> Double? {
        fields[name] == nil ? nil : try numbers(name, count: 1)[0]
    }

    /// The numbers of a line, with or without brackets.
    func numbers(_ name: String, count: Int) throws(ContainerError) -> [Double] {
        let field = fields[name] ?? ("", 0)
        let words = field.value.split { "[]; ,\t\r".contains($0) }
        let numbers = words.compactMap { Double($0) }.filter(\.isFinite)
        guard numbers.count == count, words.count == count else {
            let wanted = count == 1 ? "a number" : "\(count) numbers"
            throw ContainerError(
                .malformed(rule: "'\(name)' is '\(field.value.prefix(100))', not \(wanted)"), at: field.offset
            )
        }
        return numbers
    }
}
