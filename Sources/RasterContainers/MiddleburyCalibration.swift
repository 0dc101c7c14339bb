package import ByteParsing

/// The `calib.txt` of the Middlebury stereo data sets, version 3: a line `name=value` for each fact.
///
/// The depth of a disparity d in pixels is `Z = baseline · f / (d + doffs)`.
package struct MiddleburyCalibration: Hashable, Sendable {
    /// The focal length of the left camera, in pixels.
    package var focalLength: Double
    /// The principal point's column in the left picture, in pixels.
    package var principalPointX: Double
    /// The principal point's row in the left picture, in pixels.
    package var principalPointY: Double
    /// The difference between the principal points' columns in both pictures, in pixels.
    package var disparityOffset: Double
    /// The distance of the cameras, in millimeters.
    package var baseline: Double
    /// The width of the pictures; `nil` if missing.
    package var width: Int?
    /// The height of the pictures.
    package var height: Int?

    /// Reads the text of a `calib.txt`.
    package init(parsing bytes: [UInt8]) throws(ContainerError) {
        var fields: [String: (value: String, offset: Int)] = [:]
        var offset = 0
        for var line in bytes.split(omittingEmptySubsequences: false, whereSeparator: { $0 == 0x0A }) {
            let byteCount = line.count
            defer { offset += byteCount + 1 }
            while let last = line.last, isHeaderSpace(last) { line.removeLast() }
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = String(decoding: line[..<equals].filter { !isHeaderSpace($0) }, as: UTF8.self)
            let value = line[(equals + 1)...].drop(while: isHeaderSpace)
            fields[name] = (String(decoding: value, as: UTF8.self), offset)
        }
        func number(_ name: String) throws(ContainerError) -> Double? {
            guard let field = fields[name] else { return nil }
            guard let number = Double(field.value), number.isFinite else {
                throw Self.malformed(
                    "'\(name)' is '\(field.value.prefix(100))', not a number", at: field.offset)
            }
            return number
        }
        guard let camera = fields["cam0"] else {
            throw Self.malformed("calib.txt has no line cam0=[…]")
        }
        let matrix = camera.value.split { "[]; ,".contains($0) }.compactMap { Double($0) }
        guard matrix.count == 9, matrix.allSatisfy(\.isFinite), matrix[0] > 0 else {
            throw Self.malformed(
                "cam0 is '\(camera.value.prefix(100))', not nine numbers of which the first is positive",
                at: camera.offset)
        }
        guard let baseline = try number("baseline"), baseline > 0 else {
            throw Self.malformed("calib.txt has no line baseline=… with a positive number of millimeters")
        }
        focalLength = matrix[0]
        principalPointX = matrix[2]
        principalPointY = matrix[5]
        disparityOffset = try number("doffs") ?? 0
        self.baseline = baseline
        width = try number("width").flatMap { Int(exactly: $0) }
        height = try number("height").flatMap { Int(exactly: $0) }
    }

    private static func malformed(_ rule: String, at offset: Int? = nil) -> ContainerError {
        ContainerError(.malformed(rule: rule), at: offset)
    }
}
