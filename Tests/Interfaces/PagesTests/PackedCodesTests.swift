import Codecs
import Testing

@testable import Pages
@testable import Scenes

@Suite("Depth packed for pages")
struct PackedCodesTests {
    /// The value of each sample, as the script computes it; `nan` for nothing known.
    private func values(_ packed: PackedCodes) -> [Double] {
        func value(_ code: Int) -> Double {
            code < packed.first ? .nan : packed.minimum + Double(code - packed.first) * packed.step
        }
        switch packed.samples {
        case .gray8(let codes): return codes.map { value(Int($0)) }
        case .gray16(let codes): return codes.map { value(Int($0)) }
        default: return []
        }
    }

    @Test("Codes of 8 bits stay codes of 8 bits, with the values of the file")
    func coded() {
        let step: Float = 0.01
        let file = (0...255).map { 0.2 + Float($0) * step }
        let packed = PackedCodes(file, step: Double(step))
        #expect(packed.bitDepth == 8 && packed.first == 0)
        for (found, expected) in zip(values(packed), file) { #expect(abs(found - Double(expected)) < 1e-6) }
    }

    @Test("With unknown samples 256 codes take 16 bits, and unknown stays unknown")
    func unknown() {
        let step: Float = 0.5
        let file = [Float.nan] + (0...255).map { Float($0) * step } + [.infinity]
        let packed = PackedCodes(file, step: Double(step))
        #expect(packed.bitDepth == 16 && packed.first == 1)
        let found = values(packed)
        #expect(found[0].isNaN && found[257].isNaN)
        for index in 1...256 { #expect(found[index] == Double(index - 1) * 0.5) }
    }

    @Test("Values that are no codes take 16 bits and differ by half a step at most")
    func floats() {
        let file = (0..<1000).map { 0.3 + Float($0 * $0) * 3.7e-5 }
        let packed = PackedCodes(file, step: nil)
        #expect(packed.bitDepth == 16)
        #expect(abs(packed.step - Double(file[999] - file[0]) / 65535) < 1e-9)
        for (found, expected) in zip(values(packed), file) {
            #expect(abs(found - Double(expected)) <= packed.step / 2 + 1e-12)
        }
    }

    @Test("A coding that the values do not have is not believed")
    func otherCoding() {
        let file: [Float] = [1, 1.004, 1.017]
        let packed = PackedCodes(file, step: 0.01)
        for (found, expected) in zip(values(packed), file) { #expect(abs(found - Double(expected)) < 1e-6) }
    }

    @Test("A map of one value, and one without any, can be packed")
    func constant() {
        #expect(values(PackedCodes([2, 2], step: nil)) == [2, 2])
        let nothing = values(PackedCodes([.nan], step: nil))
        #expect(nothing.count == 1 && nothing[0].isNaN)
    }
}
