import DepthTypes
import Testing

@Suite("Depth scales")
struct DepthScaleTests {
    /// Which scale has a unit, and which accuracy records state.
    @Test(
        "A scale defines whether values have a unit and which accuracy records state",
        arguments: [
            (.metric, true, .absolute), (.inexact, true, .relative), (.assumed, true, .unknown),
            (.affine, false, .affine), (.unitless, false, .unknown),
        ] as [(DepthScale, Bool, DepthAccuracy)])
    func table(scale: DepthScale, isMetric: Bool, accuracy: DepthAccuracy) {
        #expect(scale.isMetric == isMetric)
        #expect(scale.accuracy == accuracy)
        #expect(DepthScale(accuracy, hasUnit: isMetric) == scale)
    }

    @Test("Values without a unit are never metric, whatever accuracy a file states")
    func withoutUnit() {
        #expect(DepthScale(.absolute, hasUnit: false) == .unitless)
        #expect(DepthScale(.relative, hasUnit: false) == .unitless)
    }

    @Test("Meters are refused without a unit, and reciprocals where scale and shift are unknown")
    func requirements() throws {
        for scale in [DepthScale.metric, .inexact, .assumed] {
            try scale.requireMeters()
            try scale.requireReciprocal()
        }
        #expect(throws: DepthScaleError.unitless) { try DepthScale.unitless.requireMeters() }
        #expect(throws: DepthScaleError.affine) { try DepthScale.affine.requireMeters() }
        #expect(throws: DepthScaleError.affine) { try DepthScale.affine.requireReciprocal() }
        try DepthScale.unitless.requireReciprocal()
    }
}
