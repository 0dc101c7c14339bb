import DepthMaps
import Testing

@Suite("SamplePlane")
struct CodePlaneTests {
    @Test("8-bit samples over the full range are multiplied by 257")
    func bytes() {
        let codes = (0...255).map { UInt8($0) }
        let plane = SamplePlane(width: 16, height: 16, bitDepth: 8, codes: .uint8(codes))
        let (samples, used) = plane.stretchedTo16Bits(over: 0...255)
        #expect(samples == codes.map { UInt16($0) * 257 })
        #expect(used == 0...255)
    }

    @Test("A declared range is stretched to 16 bits")
    func declared() {
        let plane = SamplePlane(width: 3, height: 1, bitDepth: 8, codes: .uint8([16, 89, 235]))
        let (samples, used) = plane.stretchedTo16Bits(over: 16...235)
        // (89 − 16) / (235 − 16) is a third.
        #expect(samples == [0, 21845, 65535])
        #expect(used == 16...235)
    }

    @Test("Samples outside the declared range are kept by stretching all samples")
    func outside() {
        let plane = SamplePlane(width: 2, height: 1, bitDepth: 8, codes: .uint8([15, 235]))
        let (samples, used) = plane.stretchedTo16Bits(over: 16...235)
        #expect(samples == [15 * 257, 235 * 257])
        #expect(used == 0...255)
    }

    @Test(
        "10-bit samples are stretched up to 65535",
        arguments: [(0, 0), (341, 21845), (1023, 65535)] as [(UInt16, UInt16)])
    func deep(code: UInt16, sample: UInt16) {
        let plane = SamplePlane(width: 1, height: 1, bitDepth: 10, codes: .uint16([code]))
        #expect(plane.stretchedTo16Bits(over: 0...1023).samples == [sample])
    }

    @Test("The range of a plane is that of its samples")
    func range() {
        #expect(SamplePlane(width: 3, height: 1, bitDepth: 8, codes: .uint8([7, 3, 9])).range == 3...9)
        #expect(SamplePlane(width: 0, height: 1, bitDepth: 8, codes: .uint8([])).range == nil)
    }

    @Test(
        "A matte of more than 8 bits is rounded to 8",
        arguments: [(0, 0), (512, 128), (1023, 255)] as [(UInt16, UInt8)])
    func matte(code: UInt16, coverage: UInt8) {
        let plane = SamplePlane(width: 1, height: 1, bitDepth: 10, codes: .uint16([code]))
        #expect(Matte(plane).coverage == [coverage])
    }
}
