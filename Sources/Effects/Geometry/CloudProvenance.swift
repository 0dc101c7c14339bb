package import DepthTypes

/// The origin and accuracy of a cloud, for its file and its readers.
package struct CloudProvenance: Hashable, Sendable {
    /// The program that made it, such as `isobath 1.0`; may be empty.
    package var tool: String
    /// The base name of the file that it was made from; any text.
    package var source: String
    /// The scale of coordinates.
    package var scale: DepthScale
    /// The directions of the axes.
    package var axes: CloudAxes
    /// The origin of the camera's values.
    package var camera: CameraSource

    /// A provenance with these facts.
    package init(
        tool: String = "", source: String = "", scale: DepthScale, axes: CloudAxes,
        camera: CameraSource
    ) {
        (self.tool, self.source, self.scale, self.axes, self.camera) = (tool, source, scale, axes, camera)
    }

    /// The unit of coordinates: `m`; `nil` if the source has no unit.
    package var unit: String? { scale.hasUnit ? "m" : nil }

    /// The provenance as lines for a file's header, in printable ASCII for any source name.
    package var comments: [String] {
        var lines: [String] = []
        if !tool.isEmpty { lines.append("made by \(tool.percentEscaped)") }
        if !source.isEmpty { lines.append("source \(source.percentEscaped)") }
        lines.append("unit \(unit ?? "unknown")")
        lines.append("accuracy \(scale.accuracy.rawValue)\(scaleRemark.map { ": \($0)" } ?? "")")
        lines.append("axes \(axes.rawValue): \(axes.words)")
        lines.append("camera \(camera)")
        return lines
    }

    /// A remark on the meaning of a scale that is not absolute; `nil` for an absolute one.
    package var scaleRemark: String? {
        switch scale {
        case .absolute: nil
        case .relative: "the scale may be off by tens of percent"
        case .unknown, .affine, .unitless: "the scale is unknown"
        }
    }
}

extension String {
    /// The text in printable ASCII; everything else, and `%` itself, becomes `%` and two hexadecimal digits for each byte of
    /// its UTF-8 (RFC 3986 §2.1). The characters U+10FF80…U+10FFFF, which represent bytes of file names that are not UTF-8,
    /// become those bytes.
    package var percentEscaped: String {
        var text = ""
        for byte in unicodeScalars.flatMap({
            $0.value < 0x10FF80 ? Array(String($0).utf8) : [UInt8($0.value & 0xFF)]
        }) {
            if (0x20..<0x7F).contains(byte), byte != UInt8(ascii: "%") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return text
    }
}
