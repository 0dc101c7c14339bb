internal import Sequences

extension FramePlane {
    /// Writes the plane turned clockwise by quarter turns.
    func turned(quarters: Int, into output: inout FramePlane<Sample>) {
        guard let fill = samples.first else { return output.clear() }
        let (width, height) = (width, height)
        let isSideways = quarters % 2 == 1
        let (newWidth, newHeight) = isSideways ? (height, width) : (width, height)
        let source = samples.span
        output.overwrite(width: newWidth, height: newHeight, fill: fill) { target in
            for row in 0..<newHeight {
                for column in 0..<newWidth {
                    let place =
                        switch quarters % 4 {
                        case 1: (height - 1 - column) * width + row
                        case 2: (height - 1 - row) * width + width - 1 - column
                        case 3: column * width + width - 1 - row
                        default: row * width + column
                        }
                    target[row * newWidth + column] = source[place]
                }
            }
        }
    }
}
