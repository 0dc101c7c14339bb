extension FramePlane {
    /// Writes the plane turned clockwise by quarter turns.
    package func turned(quarters: Int, into output: inout FramePlane<Sample>) {
        guard let fill = samples.first else { return output.clear() }
        let (width, height) = (width, height)
        let isSideways = quarters % 2 == 1
        let source = samples.span
        // The output index of the first sample, and the index steps for the next sample of a row and of a column.
        let count = width * height
        let (first, across, down) =
            switch quarters % 4 {
            case 1: (height - 1, height, -1)
            case 2: (count - 1, -1, -width)
            case 3: (count - height, -height, 1)
            default: (0, 1, width)
            }
        output.overwrite(
            width: isSideways ? height : width, height: isSideways ? width : height, fill: fill
        ) { target in
            // In squares, so that neighbors in a column stay in the cache.
            let step = 32
            for top in stride(from: 0, to: height, by: step) {
                for left in stride(from: 0, to: width, by: step) {
                    for row in top..<min(top + step, height) {
                        var place = first + row * down + left * across
                        for column in left..<min(left + step, width) {
                            target[place] = source[row * width + column]
                            place += across
                        }
                    }
                }
            }
        }
    }
}
