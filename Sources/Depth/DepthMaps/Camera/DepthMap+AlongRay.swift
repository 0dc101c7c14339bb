internal import DepthTypes

extension DepthMap {
    /// Converts distances along each ray from the camera to distances along the optical axis.
    ///
    /// With a sample's ray (x, y, 1), `Z = d / √(x² + y² + 1)` (Google's `MeasureType` OpticalRay; a `DepthMap` stores
    /// distances of its other value, OpticalAxis). If the calibration describes a lens, the ray is corrected for its
    /// distortion; a sample outside the range of the lens model becomes unknown. A map without a calibration is
    /// returned unchanged.
    public func alongAxis() -> DepthMap {
        guard let calibration, calibration.width > 0, calibration.height > 0, calibration.focalLengthX > 0,
            calibration.focalLengthY > 0
        else { return self }
        let (width, distances) = (width, meters)
        let directions = CameraRays(calibration, width: width, height: height)
        let axial: [Float] = parallelMapRows(width: width, height: height) { rows, output in
            var x = [Float](repeating: 0, count: width)
            var y = x
            for row in rows {
                directions.load(row: row, x: &x, y: &y)
                let distances = distances.span.extracting(row * width..<(row + 1) * width)
                let start = (row - rows.lowerBound) * width
                for column in distances.indices {
                    let square = x[column] * x[column] + y[column] * y[column] + 1
                    output[start + column] = distances[column] / square.squareRoot()
                }
            }
        }
        return replacing(meters: axial)
    }
}
