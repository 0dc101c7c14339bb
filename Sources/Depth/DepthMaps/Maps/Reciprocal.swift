/// Converts depth to disparity and back: 1/v for v > 0; 0 and infinity are swapped; negative values and `nan` are unknown.
///
/// AVDepthData leaves zero and below unspecified; "unknown" invents nothing.
func reciprocal(_ value: Float) -> Float {
    value >= 0 ? 1 / value.magnitude : .nan
}

func reciprocals(_ values: [Float]) -> [Float] { parallelMap(values) { reciprocal($0) } }
