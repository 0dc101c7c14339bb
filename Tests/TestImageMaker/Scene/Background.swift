/// Everything behind the figure.
enum Background {
    /// The painted backdrop: sky and hills, upright at this distance.
    static let backdropDistance = 20.0
    static let wallDistance = 4.2
    /// The top of the wall; y runs down.
    static let wallTop = -0.525
    static let floorLevel = 0.7
    static let sphere = (x: 0.61, y: 0.42, z: 3.0, radius: 0.28)
    static let box = (left: -1.04, right: -0.58, top: 0.27, front: 2.8, back: 3.25)

    enum Surface {
        case backdrop, wall, floor, sphere, boxFront, boxSide, boxTop
    }

    /// What a ray meets first, and its distance along the optical axis.
    static func hit(_ ray: Ray) -> (surface: Surface, distance: Double) {
        var nearest = (surface: Surface.backdrop, distance: backdropDistance)
        func consider(_ surface: Surface, _ distance: Double) {
            if distance < nearest.distance { nearest = (surface, distance) }
        }
        if ray.y * wallDistance >= wallTop { consider(.wall, wallDistance) }
        if ray.y > 0 { consider(.floor, floorLevel / ray.y) }
        if let distance = boxFront(ray) { consider(.boxFront, distance) }
        if let distance = boxSide(ray) { consider(.boxSide, distance) }
        if let distance = boxTop(ray) { consider(.boxTop, distance) }
        if let distance = sphereDistance(ray) { consider(.sphere, distance) }
        return nearest
    }

    private static func boxFront(_ ray: Ray) -> Double? {
        let x = ray.x * box.front
        let y = ray.y * box.front
        return x >= box.left && x <= box.right && y >= box.top && y <= floorLevel ? box.front : nil
    }

    private static func boxSide(_ ray: Ray) -> Double? {
        guard ray.x < 0 else { return nil }
        let z = box.right / ray.x
        let y = ray.y * z
        return z >= box.front && z <= box.back && y >= box.top && y <= floorLevel ? z : nil
    }

    private static func boxTop(_ ray: Ray) -> Double? {
        guard ray.y > 0 else { return nil }
        let z = box.top / ray.y
        let x = ray.x * z
        return z >= box.front && z <= box.back && x >= box.left && x <= box.right ? z : nil
    }

    private static func sphereDistance(_ ray: Ray) -> Double? {
        let a = ray.x * ray.x + ray.y * ray.y + 1
        let b = ray.x * sphere.x + ray.y * sphere.y + sphere.z
        let c =
            sphere.x * sphere.x + sphere.y * sphere.y + sphere.z * sphere.z - sphere.radius * sphere.radius
        let discriminant = b * b - a * c
        return discriminant >= 0 ? (b - discriminant.squareRoot()) / a : nil
    }

    /// How much of the ray sees sky: above the wall and above the hills.
    static func sky(_ ray: Ray) -> Double {
        let aboveWall = coverage(ray.y - wallTop / wallDistance, softness: 0.002)
        return aboveWall * coverage(ray.y - hillLine(ray.x), softness: 0.002)
    }

    /// The upper rim of the hills.
    static func hillLine(_ x: Double) -> Double {
        let left = -0.167 + 0.42 * (x + 0.3) * (x + 0.3)
        let right = -0.154 + 0.6 * (x - 0.25) * (x - 0.25)
        return min(left, right)
    }
}
