/// Converts depth to disparity and back: 1/v for v > 0; 0 and infinity are swapped; negative values and `nan` are unknown.
///
/// AVDepthData leaves zero and below unspecified; "unknown" invents nothing.
func reciprocal(_ value: Float) -> Float {
    value >= 0 ? 1 / value.magnitude : .nan
}

func reciprocals(_ values: [Float]) -> [Float] {
    parallelMapRows(width: 1, height: values.count, minimum: 1 << 16) { places, output in
        let input = values.span.extracting(places)
        for index in input.indices {
            output[index] = reciprocal(input[index])
        }
    }
}
