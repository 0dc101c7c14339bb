package import DepthCore

extension ColorImage {
    /// The picture with the outlines of boxes: yellow, black around it.
    package func drawing(_ boxes: [PictureBox]) -> ColorImage {
        guard case .uint8(var pixels) = in8Bits.pixels, width > 0, height > 0 else { return self }
        let thickness = max(1, max(width, height) / 400)
        for box in boxes.reversed() {
            let frame = (
                left: Int((box.left * Double(width)).rounded()),
                top: Int((box.top * Double(height)).rounded()),
                right: Int((box.right * Double(width)).rounded()),
                bottom: Int((box.bottom * Double(height)).rounded())
            )
            for (inset, color) in [(0, RGB<UInt8>.black), (thickness, RGB(red: 255, green: 221, blue: 0))] {
                outline(
                    (frame.left + inset, frame.top + inset, frame.right - inset, frame.bottom - inset),
                    thickness,
                    color, &pixels)
            }
        }
        return ColorImage(width: width, height: height, pixels: .uint8(pixels), colorProfile: colorProfile)
    }

    private func outline(
        _ frame: (left: Int, top: Int, right: Int, bottom: Int), _ thickness: Int, _ color: RGB<UInt8>,
        _ pixels: inout [RGB<UInt8>]
    ) {
        for row in max(frame.top, 0)..<max(min(frame.bottom, height), max(frame.top, 0)) {
            let isEdge = row < frame.top + thickness || row >= frame.bottom - thickness
            for column in max(frame.left, 0)..<max(min(frame.right, width), max(frame.left, 0))
            where isEdge || column < frame.left + thickness || column >= frame.right - thickness {
                pixels[row * width + column] = color
            }
        }
    }
}
