import DepthMaps
import Testing

@Suite("Resampling along an axis")
struct ResamplingAxisTests {
    private func weights(_ axis: ResamplingAxis, _ sample: Int) -> [Float] {
        Array(axis.weights[axis.taps(of: sample).places])
    }

    @Test("Three samples to two by area: two thirds of one, one third of the other")
    func area() {
        let axis = ResamplingAxis(3, to: 2, by: .area)
        #expect(axis.taps(of: 0).first == 0 && axis.taps(of: 1).first == 1)
        #expect(weights(axis, 0) == [2.0 / 3, 1.0 / 3])
        #expect(weights(axis, 1) == [1.0 / 3, 2.0 / 3])
        #expect(axis.samples == 0..<2 && axis.sources == 0..<3)
    }

    @Test("Enlarged by area, samples are repeated")
    func squares() {
        let axis = ResamplingAxis(2, to: 6, by: .area)
        #expect((0..<6).map { axis.taps(of: $0).first } == [0, 0, 0, 1, 1, 1])
        #expect(axis.weights == [1, 1, 1, 1, 1, 1])
    }

    // New sample 3 of 8 has its center at 3.5 / 2 − 0.5 = 1.25 old ones. Weights of R. Keys's kernel for a = −1/2 at distances
    // 1.25, 0.25, 0.75 and 1.75.
    @Test("Enlarged by Catmull–Rom's cubic; beyond the ends, samples go on as they end")
    func cubic() {
        let axis = ResamplingAxis(4, to: 8, by: .areaOrCubic)
        #expect(axis.taps(of: 3).first == 0)
        #expect(weights(axis, 3) == [-0.0703125, 0.8671875, 0.2265625, -0.0234375])
        // Center at −0.25: the weights of samples −2, −1 and 0 are all the first one's.
        #expect(axis.taps(of: 0).first == 0)
        #expect(weights(axis, 0) == [1.0703125, -0.0703125])
        #expect(weights(ResamplingAxis(1, to: 3, by: .areaOrCubic), 1) == [1])
    }

    @Test("A part of the samples may be shown", arguments: [ResamplingAxis.Kernel.area, .areaOrCubic])
    func part(kernel: ResamplingAxis.Kernel) {
        // From 2 to 6 of 8, halved: samples 2 and 3, then 4 and 5.
        let axis = ResamplingAxis(of: 2...6, 8, to: 2, by: kernel)
        #expect(axis.sources == 2..<6)
        #expect(weights(axis, 1) == [0.5, 0.5] && axis.taps(of: 1).first == 4)
        let old: [SIMD4<Float>] = [1, 2, 3, 5].map { SIMD4(repeating: $0) }
        #expect(axis.sum(of: old.span, for: 1) == SIMD4(repeating: 4))
    }

    @Test("Samples that lie across the frame's samples count by the part that they cover")
    func placed() {
        // Two samples over the two and a half frame samples from 0.5 on: 0.8 old ones in each.
        let axis = ResamplingAxis(2, from: 0.5, length: 2.5, within: 10)
        #expect(axis.samples == 0..<3)
        // The middle of 0.5…1 is 0.2 old ones from the start, before the first center.
        #expect(weights(axis, 0) == [0.5])
        // The middle of 1…2 is 0.8 from the start, 0.3 behind the first center; that of 2…3 is 1.6, behind the last.
        #expect(zip(weights(axis, 1), [0.7, 0.3]).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(weights(axis, 2) == [1])
        // Outside, or of no size, there is nothing.
        #expect(ResamplingAxis(2, from: 20, length: 5, within: 10).samples.isEmpty)
        #expect(ResamplingAxis(2, from: 0, length: 0, within: 10).samples.isEmpty)
        #expect(ResamplingAxis(2, from: -.infinity, length: .infinity, within: 10).samples.isEmpty)
    }

    @Test("A tap lies between two centers, or beyond the outermost")
    func taps() {
        // Centers of four new samples over two old ones: −0.25, 0.25, 0.75 and 1.25.
        let taps = InterpolationTap.taps(of: 4, in: 2)
        #expect(taps.map(\.first) == [0, 0, 0, 1] && taps.map(\.second) == [0, 1, 1, 1])
        #expect(taps.map(\.fraction) == [0.75, 0.25, 0.75, 0.25])
        #expect(taps.map(\.interval) == [0, 1, 1, 2])
        #expect(taps.intervalStarts(between: 2) == [0, 1, 3, 4])
    }

    @Test("An axis for frames has the samples and weights of taps, and where runs of pixels end")
    func interpolationAxis() {
        var axis = InterpolationAxis()
        // Centers of six pixels over three samples: −0.25, 0.25, 0.75, 1.25, 1.75 and 2.25.
        axis.set(count: 6, samples: 3)
        #expect(axis.first == [0, 0, 0, 1, 1, 1])
        #expect(axis.share == [0, 0.25, 0.75, 0.25, 0.75, 1])
        #expect(axis.ends == [3, 6])
        // One sample has no next one.
        axis.set(count: 2, samples: 1)
        #expect(axis.first == [0, 0] && axis.share == [0, 0] && axis.ends == [2])
        // Two pixels over four samples: 0.5 and 2.5.
        axis.set(count: 2, samples: 4)
        #expect(axis.first == [0, 2] && axis.share == [0.5, 0.5] && axis.ends == [1, 1, 2])
    }
}
