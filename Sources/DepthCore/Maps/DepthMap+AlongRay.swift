internal import DepthModel

extension DepthMap {
    /// The map of distances along the optical axis, of one that holds distances along each ray from the camera.
    ///
    /// With a pixel's ray (x, y, 1), `Z = d / √(x² + y² + 1)`, x = (u − cx) / fx and y = (v − cy) / fy (Google's
    /// `MeasureType` OpticalRay; its other value, OpticalAxis, is what a `DepthMap` holds). Lens distortion is left
    /// out of account. A map without a calibration stays as it is.
    public func alongAxis() -> DepthMap {
        guard let camera = calibration?.scaled(toWidth: width, height: height),
            camera.focalLengthX > 0, camera.focalLengthY > 0
        else { return self }
        let across = (0..<width).map { column in
            let x = (Double(column) - camera.principalPointX) / camera.focalLengthX
            return Float(x * x)
        }
        let down = (0..<height).map { row in
            let y = (Double(row) - camera.principalPointY) / camera.focalLengthY
            return Float(y * y + 1)
        }
        let (width, distances) = (width, meters)
        let axial: [Float] = parallelMapRows(width: width, height: height) { rows, output in
            let (across, distances) = (across.span, distances.span)
            var index = 0
            for row in rows {
                let start = row * width
                let square = down[row]
                for column in 0..<width {
                    output[index] = distances[start + column] / (square + across[column]).squareRoot()
                    index += 1
                }
            }
        }
        return DepthMap(
            width: width, height: height, meters: axial, scale: scale,
            calibration: calibration)
    }
}
