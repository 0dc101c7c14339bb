package import DepthCore

/// A box in a picture, and its label.
package struct LabeledBox: Hashable, Sendable {
    /// Its position.
    package var box: PictureBox
    /// The label; empty for no label.
    package var label: String

    /// A box and its label.
    package init(box: PictureBox, label: String) { (self.box, self.label) = (box, label) }
}

extension ColorImage {
    /// The picture with the outlines of boxes, yellow with black around, and their labels, black on yellow: above the box, or
    /// at its other edges if that is outside of the picture or occupied by a label. The first boxes are drawn over the
    /// others, and labels over all boxes.
    package func drawing(_ boxes: [LabeledBox]) -> ColorImage {
        guard width > 0, height > 0 else { return self }
        var drawing = BoxDrawing(pixels: eightBitPixels, width: width, height: height)
        for box in boxes.reversed() { drawing.outline(box.box) }
        for box in boxes where !box.label.isEmpty { drawing.write(box.label, at: box.box) }
        return ColorImage(
            width: width, height: height, pixels: .uint8(drawing.pixels), colorProfile: colorProfile)
    }
}

private struct BoxDrawing {
    var pixels: [RGB<UInt8>]
    let width: Int
    let height: Int
    /// The frames of labels.
    private var labels: [LabelFrame] = []

    init(pixels: [RGB<UInt8>], width: Int, height: Int) {
        (self.pixels, self.width, self.height) = (pixels, width, height)
    }

    private static let yellow = RGB<UInt8>(red: 255, green: 221, blue: 0)
    /// The maximum number of characters of a label.
    private static let mostCharacters = 48

    private var thickness: Int { max(1, max(width, height) / 400) }
    /// Pixels of the picture per pixel of a letter.
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
        let letters = PixelLetter.letters(of: label).prefix(Self.mostCharacters)
        let margin = letters.contains(where: \.hasAccents) ? PixelLetter.margin : 0
        let label = place(
            width: (letters.count * PixelFont.advance + 1) * scale,
            height: (PixelFont.height + 2 + 2 * margin) * scale, at: box)
        labels.append(label)
        let (left, top) = (label.left, label.top)
        fill(left, top, label.right, label.bottom, Self.yellow)
        for (number, letter) in letters.enumerated() {
            for row in -margin..<PixelFont.height + margin {
                for column in 0..<PixelFont.width where letter.isSet(column, row) {
                    let x = left + (1 + number * PixelFont.advance + column) * scale
                    let y = top + (1 + margin + row) * scale
                    fill(x, y, x + scale, y + scale, .black)
                }
            }
        }
    }

    /// Positions a label: above the box, below its upper edge, below the box or above its lower edge, otherwise in the
    /// first free row below; if no row is free, above the box.
    private func place(width label: Int, height: Int, at box: PictureBox) -> LabelFrame {
        let frame = frame(box)
        let left = min(max(frame.left, 0), max(width - label, 0))
        let lowest = max(self.height - height, 0)
        let inside = max(frame.top, 0)
        let below = [inside, frame.bottom, frame.bottom - height]
        let rows = stride(from: inside, through: lowest, by: height + thickness)
        let places = ([frame.top - height] + below + rows).map { top in
            LabelFrame(left: left, top: top, right: left + label, bottom: top + height)
        }
        let visible = places.filter { (0...lowest).contains($0.top) }
        return visible.first { place in !labels.contains { $0.overlaps(place) } } ?? visible.first
            ?? LabelFrame(left: left, top: 0, right: left + label, bottom: height)
    }

    private mutating func fill(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int, _ color: RGB<UInt8>) {
        let columns = max(left, 0)..<max(min(right, width), max(left, 0))
        for row in max(top, 0)..<max(min(bottom, height), max(top, 0)) {
            for column in columns { pixels[row * width + column] = color }
        }
    }
}

/// The pixels of a label: from `left` and `top` up to, but not including, `right` and `bottom`.
private struct LabelFrame {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int

    func overlaps(_ other: LabelFrame) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
}
