import DepthTypes
import Testing

@Suite("Depth scales")
struct DepthScaleTests {
    /// Which scale has a unit, and which accuracy records state.
    @Test(
        "A scale defines whether values have a unit and which accuracy records state",
        arguments: [
            (.absolute, true, .absolute), (.relative, true, .relative), (.unknown, true, .unknown),
            (.affine, false, .affine), (.unitless, false, .unknown),
        ] as [(DepthScale, Bool, DepthAccuracy)])
    func table(scale: DepthScale, hasUnit: Bool, accuracy: DepthAccuracy) {
        #expect(scale.hasUnit == hasUnit)
        #expect(scale.accuracy == accuracy)
        #expect(DepthScale(accuracy, hasUnit: hasUnit) == scale)
    }

    @Test("Values without a unit never have meters, whatever accuracy a file states")
    func withoutUnit() {
        #expect(DepthScale(.absolute, hasUnit: false) == .unitless)
        #expect(DepthScale(.relative, hasUnit: false) == .unitless)
    }

    @Test("Meters are refused without a unit, and reciprocals where scale and shift are unknown")
    func requirements() throws {
        for scale in [DepthScale.absolute, .relative, .unknown] {
            try scale.requireMeters()
            try scale.requireReciprocal()
        }
        #expect(throws: DepthScaleError.unitless) { try DepthScale.unitless.requireMeters() }
        #expect(throws: DepthScaleError.affine) { try DepthScale.affine.requireMeters() }
        #expect(throws: DepthScaleError.affine) { try DepthScale.affine.requireReciprocal() }
        try DepthScale.unitless.requireReciprocal()
    }
}
