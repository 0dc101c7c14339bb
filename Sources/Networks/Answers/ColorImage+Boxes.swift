package import DepthCore

/// A box in a picture, and what is written at it.
package struct LabeledBox: Hashable, Sendable {
    /// Where it is.
    package var box: PictureBox
    /// What is written; nothing for empty text.
    package var label: String

    /// A box and its label.
    package init(box: PictureBox, label: String) { (self.box, self.label) = (box, label) }
}

extension ColorImage {
    /// The picture with the outlines of boxes, yellow with black around, and their labels, black on yellow: above the box, or inside where
    /// there is no room. The first boxes lie over the others, and labels over all boxes.
    package func drawing(_ boxes: [LabeledBox]) -> ColorImage {
        guard case .uint8(let pixels) = in8Bits.pixels, width > 0, height > 0 else { return self }
        var drawing = BoxDrawing(pixels: pixels, width: width, height: height)
        for box in boxes.reversed() { drawing.outline(box.box) }
        for box in boxes.reversed() where !box.label.isEmpty { drawing.write(box.label, at: box.box) }
        return ColorImage(
            width: width, height: height, pixels: .uint8(drawing.pixels), colorProfile: colorProfile)
    }
}

private struct BoxDrawing {
    var pixels: [RGB<UInt8>]
    let width: Int
    let height: Int

    private static let yellow = RGB<UInt8>(red: 255, green: 221, blue: 0)
    /// The most characters of a label.
    private static let mostCharacters = 40

    private var thickness: Int { max(1, max(width, height) / 400) }
    /// Pixels of the picture for each pixel of a letter.
    private var scale: Int { max(1, max(width, height) / 500) }

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

    mutating func write(_ label: String, at box: PictureBox) {
        let characters = Array(label.unicodeScalars.prefix(Self.mostCharacters))
        let size = (
            width: (characters.count * PixelFont.advance + 1) * scale, height: (PixelFont.height + 2) * scale
        )
        let frame = frame(box)
        let left = min(max(frame.left, 0), max(width - size.width, 0))
        let above = frame.top - size.height
        let top = above >= 0 ? above : min(max(frame.top, 0), max(height - size.height, 0))
        fill(left, top, left + size.width, top + size.height, Self.yellow)
        for (number, character) in characters.enumerated() {
            for row in 0..<PixelFont.height {
                for column in 0..<PixelFont.width where PixelFont.isSet(character, column, row) {
                    let x = left + (1 + number * PixelFont.advance + column) * scale
                    let y = top + (1 + row) * scale
                    fill(x, y, x + scale, y + scale, .black)
                }
            }
        }
    }

    private mutating func fill(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int, _ color: RGB<UInt8>) {
        let columns = max(left, 0)..<max(min(right, width), max(left, 0))
        for row in max(top, 0)..<max(min(bottom, height), max(top, 0)) {
            for column in columns { pixels[row * width + column] = color }
        }
    }
}
