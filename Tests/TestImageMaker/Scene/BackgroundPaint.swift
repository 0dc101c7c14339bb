/// The colors of everything behind the figure: sun from the upper left, behind the camera.
enum BackgroundPaint {
    /// Towards the sun.
    private static let sun = normalized(Color(-0.5, -0.75, -0.6))
    private static let skylight = Color(0.38, 0.42, 0.5)
    private static let sunlight = Color(0.95, 0.88, 0.76)

    static func color(_ ray: Ray) -> Color {
        let (surface, z) = Background.hit(ray)
        let point = Color(ray.x * z, ray.y * z, z)
        return switch surface {
        case .backdrop: backdrop(ray)
        case .wall: wall(point)
        case .floor: floor(point)
        case .sphere: sphere(point)
        case .boxFront: lit(wood(point.x, point.y), normal: Color(0, 0, -1), at: point)
        case .boxSide: lit(wood(point.z, point.y), normal: Color(1, 0, 0), at: point)
        case .boxTop: lit(wood(point.x, point.z * 1.5), normal: Color(0, -1, 0), at: point)
        }
    }

    /// Light and shade on a matte surface.
    private static func lit(_ color: Color, normal: Color, at point: Color, shadow: Double = 0) -> Color {
        let incidence = max(0, dot(normal, sun)) * (1 - shadow)
        return color * (skylight + sunlight * incidence)
    }

    private static func backdrop(_ ray: Ray) -> Color {
        let height = min(max((-ray.y - 0.1) / 0.22, 0), 1)
        var color = Color.sRGB(0xDDE9F2).mixed(with: .sRGB(0x5E9AD6), height)
        let cloud =
            smoothNoise(ray.x * 10.8 + 3, ray.y * 31) * 0.65 + smoothNoise(ray.x * 32, ray.y * 84) * 0.35
        color = color.mixed(with: .sRGB(0xFFFFFF), 0.8 * smoothstep((cloud - 0.45) / 0.35))
        let behind = coverage(ray.y - Background.hillLine(ray.x), softness: 0.002)
        let lower = -0.14 + 1.1 * (ray.x - 0.05) * (ray.x - 0.05)
        let near = coverage(lower - ray.y, softness: 0.002)
        let grain = smoothNoise(ray.x * 190, ray.y * 310) - 0.5
        let hills = Color.sRGB(0x8FB0A8).mixed(with: .sRGB(0x6F9A62), near) * (1 + 0.25 * grain)
        return hills.mixed(with: color, behind)
    }

    /// Bricks of 22 × 8.5 cm, and a coping of stone.
    private static func wall(_ point: Color) -> Color {
        let normal = Color(0, 0, -1)
        let corner = 1 - 0.35 * smoothstep(1 - (Background.floorLevel - point.y) / 0.35)
        guard point.y > Background.wallTop + 0.07 else {
            let edge = point.y < Background.wallTop + 0.06 ? 1.0 : 0.6
            let stone = Color.sRGB(0xD9CDB8) * (0.9 + 0.2 * smoothNoise(point.x * 40, point.y * 40))
            return lit(stone * edge, normal: normal, at: point)
        }
        let row = ((point.y + 10) / 0.085).rounded(.down)
        let shift = Int(row).isMultiple(of: 2) ? 0 : 0.5
        let column = point.x / 0.22 + 40 + shift
        let u = (column - column.rounded(.down)) * 0.22
        let v = point.y + 10 - row * 0.085
        let rim = min(min(u, 0.22 - u), min(v, 0.085 - v))
        let tone = noise(Int(column), Int(row))
        let grain = smoothNoise(point.x * 80, point.y * 120)
        let brick = Color.sRGB(0xB9694B).mixed(with: .sRGB(0xC98B66), tone) * (0.88 + 0.2 * grain)
        let mortar = Color.sRGB(0xCDBFAE)
        let color = mortar.mixed(with: brick, smoothstep((rim - 0.003) / 0.004))
        return lit(color * corner, normal: normal, at: point)
    }

    /// Tiles of 32 cm in two tones, with the shadows of sphere and box.
    private static func floor(_ point: Color) -> Color {
        let column = point.x / 0.32 + 20.5
        let row = point.z / 0.32
        let (u, v) = (column - column.rounded(.down), row - row.rounded(.down))
        let rim = min(min(u, 1 - u), min(v, 1 - v)) * 0.32
        let isDark = (Int(column) + Int(row)).isMultiple(of: 2)
        let tone = 0.9 + 0.2 * noise(Int(column), Int(row))
        let grain = 0.93 + 0.14 * smoothNoise(point.x * 25, point.z * 25)
        let tile = Color.sRGB(isDark ? 0x7F8F99 : 0xE5DCCB) * (tone * grain)
        let color = Color.sRGB(0xA39A8C).mixed(with: tile, smoothstep((rim - 0.003) / 0.005))
        let shadow = max(sphereShadow(point), boxShadow(point))
        let corner = 1 - 0.3 * smoothstep(1 - (Background.wallDistance - point.z) / 0.5)
        let contact = 1 - 0.45 * shadow
        return lit(color * (corner * contact), normal: Color(0, -1, 0), at: point, shadow: shadow)
    }

    /// The shadow of a sphere on a plane is an ellipse; its rim is softened.
    private static func sphereShadow(_ point: Color) -> Double {
        let sphere = Background.sphere
        let toCenter = Color(sphere.x, sphere.y, sphere.z) - point
        let along = dot(toCenter, sun)
        let miss = (dot(toCenter, toCenter) - along * along).squareRoot()
        return coverage(miss - sphere.radius, softness: 0.1)
    }

    private static func boxShadow(_ point: Color) -> Double {
        let box = Background.box
        // Where the light that falls on `point` came through the plane of the lid, and how far from the box.
        let step = (box.top - point.y) / sun.y
        let (x, z) = (point.x + sun.x * step / 2, point.z + sun.z * step / 2)
        let outsideX = max(box.left - x, x - box.right - 0.12)
        let outsideZ = max(box.front - z, z - box.back - 0.12)
        return coverage(max(outsideX, outsideZ), softness: 0.16)
    }

    private static func sphere(_ point: Color) -> Color {
        let center = Color(Background.sphere.x, Background.sphere.y, Background.sphere.z)
        let normal = (point - center) / Background.sphere.radius
        let band = coverage(abs(normal.y + 0.25 * normal.x) - 0.2, softness: 0.02)
        let paint = Color.sRGB(0x2E6FA8).mixed(with: .sRGB(0xF2EFE6), band)
        let occlusion = 1 - 0.45 * smoothstep((normal.y - 0.1) / 0.9)
        let base = lit(paint * occlusion, normal: normal, at: point)
        let view = normalized(point) * -1
        let half = normalized(view + sun)
        let gloss = max(0, dot(normal, half))
        let sparkle = gloss * gloss
        let sharp = sparkle * sparkle * sparkle * sparkle
        return base + Color(repeating: 0.75 * sharp * sharp * sharp * sharp * sharp * sharp)
    }

    /// Boards of 8.5 cm, grain along them.
    private static func wood(_ along: Double, _ across: Double) -> Color {
        let board = ((across + 10) / 0.085).rounded(.down)
        let v = across + 10 - board * 0.085
        let grain = smoothNoise(along * 11 + board * 7, across * 140)
        let tone = 0.85 + 0.3 * noise(Int(board), 5)
        let color = Color.sRGB(0xB07A45).mixed(with: .sRGB(0xD9A76A), grain) * tone
        return color * (0.45 + 0.55 * smoothstep(min(v, 0.085 - v) / 0.006))
    }
}

func dot(_ a: Color, _ b: Color) -> Double {
    (a * b).sum()
}

func normalized(_ vector: Color) -> Color {
    vector / dot(vector, vector).squareRoot()
}
