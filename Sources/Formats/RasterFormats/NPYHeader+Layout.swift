internal import Bytes

extension NPYHeader {
    /// The size of the array as a plane: rows and columns, ignoring dimensions of length one; `nil` if it has other
    /// dimensions.
    package var planeSize: (width: Int, height: Int)? {
        if shape.count == 2 { return (shape[1], shape[0]) }
        let long = shape.filter { $0 != 1 }
        return long.count == 2 ? (long[1], long[0]) : nil
    }

    /// The number of samples of a pixel: 1 for a plane, 3 or more for rows × columns × channels, else 0.
    var channels: Int {
        if planeSize != nil { return 1 }
        return shape.count == 3 && (3...4).contains(shape[2]) ? shape[2] : 0
    }

    /// How the samples after the header are arranged.
    func layout(in path: StructurePath) throws(ContainerError) -> SampleLayout {
        guard let size = planeSize ?? (channels > 0 ? (shape[1], shape[0]) : nil) else {
            let sizes = shape.map(String.init).joined(separator: " × ")
            throw ContainerError(
                .unrecognized(
                    detail: "the array's shape is \(sizes.isEmpty ? "()" : sizes), not rows × columns"),
                in: path)
        }
        return SampleLayout(
            width: size.width, height: size.height, type: type, byteOrder: byteOrder,
            arrangement: isFortranOrder ? .columns : .topDown)
    }
}
