/// The scene as rasters, upright. Each raster is stretched over the whole photo, however small it is.
enum Render {
    /// Display P3 codes; every pixel is the mean of 4 × 4 rays, in linear light.
    static func photo() -> Raster {
        let side = 4
        return Raster(width: Camera.width, height: Camera.height, channels: 3) { x, y in
            var sum = Color()
            for index in 0..<side * side {
                let dx = (Double(index % side) + 0.5) / Double(side)
                let dy = (Double(index / side) + 0.5) / Double(side)
                sum += color(Camera.ray(Double(x) + dx, Double(y) + dy))
            }
            let codes = (sum / Double(side * side)).displayP3
            return [codes.x, codes.y, codes.z]
        }
    }

    private static func color(_ ray: Ray) -> Color {
        let figure = FigurePaint.premultiplied(ray)
        guard figure.alpha < 1 else { return figure.color }
        return figure.color + BackgroundPaint.color(ray) * (1 - figure.alpha)
    }

    /// Codes for `value`, a number from 0 to 1, of the ray through the middle of each pixel.
    static func plane(width: Int, height: Int, _ value: (Ray) -> Double) -> Raster {
        let scaleX = Double(Camera.width) / Double(width)
        let scaleY = Double(Camera.height) / Double(height)
        return Raster(width: width, height: height, channels: 1) { x, y in
            let ray = Camera.ray((Double(x) + 0.5) * scaleX, (Double(y) + 0.5) * scaleY)
            let code = (min(max(value(ray), 0), 1) * 255).rounded()
            return [UInt8(code)]
        }
    }

    /// Distance along the optical axis, in meters.
    static func distance(_ ray: Ray) -> Double {
        Figure.distance(ray) ?? Background.hit(ray).distance
    }

    /// Disparity between the ends of the disparity plane's range, as a number from 0 to 1; 1 is near.
    static func disparityShare(_ ray: Ray) -> Double {
        let range = Plane.disparityRange
        return (1 / distance(ray) - range.lowerBound) / (range.upperBound - range.lowerBound)
    }

    /// Distance between the ends of the depth plane's range, as a number from 0 to 1; 0 is near.
    static func distanceShare(_ ray: Ray) -> Double {
        let range = Plane.distanceRange
        return (distance(ray) - range.lowerBound) / (range.upperBound - range.lowerBound)
    }

    /// Brighter than white: the sky towards the upper left, where the sun is.
    static func gain(_ ray: Ray) -> Double {
        let (x, y) = Figure.card(ray)
        let glow = smoothstep((-ray.y - 0.5 * ray.x - 0.05) / 0.5)
        return 0.9 * Background.sky(ray) * (1 - FigureMattes(x, y).portrait) * glow
    }
}
