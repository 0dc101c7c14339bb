internal import DepthTypes

/// The heading of a page: when a photo was taken, and how far away its scene is.
enum PageHeading {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]

    /// The day of a time such as `2026-11-22T15:49:17`, as `November 22, 2026`; `nil` for other text.
    static func day(of time: String) -> String? {
        let parts = time.prefix(10).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
            year > 0, (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        return "\(months[month - 1]) \(day), \(year)"
    }

    /// Distances in meters, as `about 0.35 m to 1.8 m away`. An infinite distance is `far away`.
    static func distances(_ near: Double, _ far: Double) -> String {
        let (first, last) = (short(near), short(far))
        guard let first else { return "far away" }
        guard let last else { return "about \(first) m to far away" }
        return first == last ? "about \(first) m away" : "about \(first) m to \(last) m away"
    }

    /// Two or three digits, at most two of them decimal; `nil` from 1 km.
    private static func short(_ meters: Double) -> String? {
        guard meters < 1000 else { return nil }
        let unit = meters < 1 ? 100.0 : meters < 10 ? 10 : 1
        return Float((meters * unit).rounded() / unit).short
    }
}
