import Testing

@testable import Pages

@Suite("Heading of a page")
struct PageHeadingTests {
    @Test(
        "A time of Exif becomes a day, and other text does not",
        arguments: [
            ("2026-11-22T15:49:17", "November 22, 2026"), ("1999-01-01T00:00:00", "January 1, 1999"),
            ("2026-13-01T00:00:00", nil), ("2026-00-10T00:00:00", nil), ("2026-10-32T00:00:00", nil),
            ("yesterday", nil), ("", nil), ("2026-11", nil),
        ])
    func day(time: String, expected: String?) { #expect(PageHeading.day(of: time) == expected) }

    @Test(
        "Distances have two or three digits, and what is far has no number",
        arguments: [
            (0.349, 1.84, "about 0.35 m to 1.8 m away"), (1.04, 1.01, "about 1 m away"),
            (0.5, .infinity, "about 0.5 m to far away"), (12.6, 340.2, "about 13 m to 340 m away"),
            (2000, .infinity, "far away"), (0.004, 0.09, "about 0 m to 0.09 m away"),
        ])
    func distances(near: Double, far: Double, expected: String) {
        #expect(PageHeading.distances(near, far) == expected)
    }
}
