package import DepthMaps

extension ColorImage {
    /// The picture with the outlines of boxes, yellow with black around. The first boxes are drawn over the others.
    package func drawing(_ boxes: [PictureBox]) -> ColorImage {
        guard width > 0, height > 0 else { return self }
        var drawing = BoxDrawing(pixels: eightBitPixels, width: width, height: height)
        for box in boxes.reversed() { drawing.outline(box) }
        return ColorImage(
            width: width, height: height, pixels: .uint8(drawing.pixels), colorProfile: colorProfile)
    }
}

private struct BoxDrawing {
    var pixels: [RGB<UInt8>]
    let width: Int
    let height: Int

    private static let yellow = RGB<UInt8>(red: 255, green: 221, blue: 0)

    private var thickness: Int { max(1, max(width, height) / 400) }

    private func frame(_ box: PictureBox) -> (left: Int, top: Int, right: Int, bottom: Int) {
        (
            Int((box.left * Double(width)).rounded()), Int((box.top * Double(height)).rounded()),
            Int((box.right * Double(width)).rounded()), Int((box.bottom * Double(height)).rounded())
        )
    }

    mutating func outline(_ box: PictureBox) {
        let frame = frame(box)
        for (inset, color) in [(0, RGB<UInt8>.black), (thickness, Self.yellow)] {
            let (left, top) = (frame.left + inset, frame.top + inset)
            let (right, bottom) = (frame.right - inset, frame.bottom - inset)
            guard right > left, bottom > top else { continue }
            fill(left, top, right, min(top + thickness, bottom), color)
            fill(left, max(bottom - thickness, top), right, bottom, color)
            fill(left, top, min(left + thickness, right), bottom, color)
            fill(max(right - thickness, left), top, right, bottom, color)
        }
    }

    private mutating func fill(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int, _ color: RGB<UInt8>) {
        let columns = max(left, 0)..<max(min(right, width), max(left, 0))
        for row in max(top, 0)..<max(min(bottom, height), max(top, 0)) {
            for column in columns { pixels[row * width + column] = color }
        }
    }
}
