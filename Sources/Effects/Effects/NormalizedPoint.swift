public import DepthMaps
internal import DepthTypes

/// A point in a picture of any size: (0, 0) is the top-left corner, (1, 1) the bottom-right one.
public struct NormalizedPoint: Hashable, Sendable {
    /// From the left, 0…1 inside the picture.
    public var x: Double
    /// From the top, 0…1 inside the picture.
    public var y: Double

    /// Fractions of the picture's width and height.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

extension NormalizedPoint {
    /// The pixel that contains the point; `nil` outside the picture. The right and the bottom edge belong to the last pixels.
    func pixel(in size: PixelSize) -> (column: Int, row: Int)? {
        guard (0...1).contains(x), (0...1).contains(y), size.width > 0, size.height > 0 else { return nil }
        return (
            min(Int(x * Double(size.width)), size.width - 1),
            min(Int(y * Double(size.height)), size.height - 1)
        )
    }
}

extension FloatPlane {
    /// The value at a point of the view, in the plane's quantity: the value of the sample whose area contains the
    /// point.
    ///
    /// `nil` if that sample is unknown, and outside the picture. For the object around the point rather than one sample, use
    /// ``DisparityMap/focusDisparity(at:)``, a median.
    public func at(_ point: NormalizedPoint) -> Float? {
        guard let pixel = point.pixel(in: PixelSize(width: width, height: height)) else { return nil }
        let value = samples[pixel.row * width + pixel.column]
        return value.isNaN ? nil : value
    }
}
