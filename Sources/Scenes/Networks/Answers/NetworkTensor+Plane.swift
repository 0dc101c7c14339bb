internal import DepthTypes

extension NetworkTensor {
    /// The size of a tensor that is a single plane: H × W, with any sides of 1 before or after.
    ///
    /// Throws ``NetworkError/answer(_:)`` for tensors of other shapes.
    func planeSize(named name: String) throws(NetworkError) -> PixelSize {
        // A row or column of one sample is not a plane of a picture, so sides of 1 can be skipped.
        let sides = shape.filter { $0 != 1 }
        guard sides.count == 2, shape.count <= 4 else {
            let text = shape.map(String.init).joined(separator: " × ")
            throw .answer("'\(name)' is \(text.isEmpty ? "one value" : text), and not one plane")
        }
        return PixelSize(width: sides[1], height: sides[0])
    }
}

extension PixelSize {
    /// The smallest size of a picture's shape with at least as many samples in each direction.
    func widened(toShapeOf picture: PixelSize) -> PixelSize {
        guard !hasSameAspect(as: picture), picture.width > 0, picture.height > 0 else { return self }
        let shape = Double(picture.width) / Double(picture.height)
        let wide = Int((Double(height) * shape).rounded())
        if wide >= width { return PixelSize(width: wide, height: height) }
        return PixelSize(width: width, height: max(Int((Double(width) / shape).rounded()), 1))
    }
}
