import DepthTypes
import Testing

@Suite("Numbers for people")
struct ShortNumberTests {
    @Test(
        "Four significant digits at most",
        arguments: [
            (0, "0"), (.infinity, "infinity"), (1, "1"), (9.87654, "9.877"), (10.5555, "10.56"),
            (123.456, "123.5"), (12345.6, "12346"), (0.123456, "0.1235"), (0.0123456, "0.01235"),
            (-2.5, "-2.5"),
        ] as [(Float, String)])
    func short(number: Float, text: String) { #expect(number.short == text) }

    @Test("The camera at the origin leaves points where they are")
    func identity() { #expect(CameraPose.identity.world(SIMD3(1, 2, 3)) == SIMD3(1, 2, 3)) }
}
