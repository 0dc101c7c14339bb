/// The scene for two eyes, at half the size of the other photos.
enum StereoScene {
    /// The distance between the eyes, in meters.
    static let baseline = 0.065

    /// The mean of 2 × 2 pixels.
    static func halved(_ photo: Raster) -> Raster {
        Raster(width: photo.width / 2, height: photo.height / 2, channels: photo.channels) { x, y in
            (0..<photo.channels).map { channel in
                let sum = [(0, 0), (1, 0), (0, 1), (1, 1)].reduce(0) { sum, corner in
                    let start = ((2 * y + corner.1) * photo.width + 2 * x + corner.0) * photo.channels
                    return sum + Int(photo.samples[start + channel])
                }
                return UInt8((sum + 2) / 4)
            }
        }
    }

    /// What the right eye sees, from the left eye's photo: every pixel moves to the left by f · b / Z, rounded, near
    /// ones over far ones; what comes into view takes the color at its right, the far one's.
    static func right(of photo: Raster) -> Raster {
        var picture = photo
        for y in 0..<photo.height {
            var nearest = [Double](repeating: .infinity, count: photo.width)
            for x in 0..<photo.width {
                let distance = Render.distance(Camera.ray(Double(x) + 0.5, Double(y) + 0.5))
                let target = x - Int((Camera.focalLength * baseline / distance).rounded())
                guard target >= 0, distance < nearest[target] else { continue }
                nearest[target] = distance
                picture.replace(target, y, by: photo[x, y])
            }
            for x in (0..<photo.width - 1).reversed() where nearest[x] == .infinity {
                picture.replace(x, y, by: picture[x + 1, y])
            }
        }
        return picture
    }

    /// Two pictures of one size, the first at the left.
    static func sideBySide(_ first: Raster, _ second: Raster) -> Raster {
        Raster(width: 2 * first.width, height: first.height, channels: first.channels) { x, y in
            Array(x < first.width ? first[x, y] : second[x - first.width, y])
        }
    }
}

extension Raster {
    fileprivate mutating func replace(_ x: Int, _ y: Int, by pixel: ArraySlice<UInt8>) {
        let start = (y * width + x) * channels
        samples.replaceSubrange(start..<start + channels, with: pixel)
    }
}
