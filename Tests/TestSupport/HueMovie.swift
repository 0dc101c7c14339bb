/// Movies as Record3D writes them: the depth as hues on the left, the picture on the right, and a description at the end of
/// the file.
public enum HueMovie {
    /// The color of a distance: HSV with full saturation and value, whose hue is the position in the range; red, which is
    /// unknown, outside of it.
    public static func color(_ meters: Float, in range: ClosedRange<Float>) -> [UInt8] {
        let hue = (meters - range.lowerBound) / (range.upperBound - range.lowerBound)
        guard (0...1).contains(hue) else { return [255, 0, 0] }
        return [5, 3, 1].map { (offset: Float) in
            let position = (offset + 6 * hue).truncatingRemainder(dividingBy: 6)
            return UInt8((255 * (1 - max(0, min(position, 4 - position, 1)))).rounded())
        }
    }

    /// The description of a movie. `camera` is the focal length, twice, and the principal point from the corner of the
    /// picture; `nil` if unknown.
    public static func description(of range: ClosedRange<Float>, camera: [Double]? = nil) -> [UInt8] {
        let matrix = camera.map { "[\($0[0]),0,0,0,\($0[1]),0,\($0[2]),\($0[3]),1]" } ?? "null"
        return Array(
            #"{"intrinsicMatrix":\#(matrix),"rangeOfEncodedDepth":[\#(range.lowerBound),\#(range.upperBound)]}"#
                .utf8)
    }

    /// A Matroska file with a description behind its segment, as an element of type Void (RFC 8794 §11.3.2).
    public static func matroska(_ movie: [UInt8], describedBy description: [UInt8]) -> [UInt8] {
        movie + [0xEC, 0x01] + bigEndian(description.count, 7) + description
    }
}
