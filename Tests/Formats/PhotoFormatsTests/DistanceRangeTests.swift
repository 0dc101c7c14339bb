import Bytes
import DepthTypes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("Distance range")
struct DistanceRangeTests {
    private static let namespace = "http://ns.google.com/photos/1.0/depthmap/"

    private func range(_ fields: [String: String]) throws -> DistanceRange {
        let attributes = fields.map { "D:\($0.key)='\($0.value)'" }.joined(separator: " ")
        return try #require(
            DistanceRange(try xmp("<rdf:Description \(attributes)/>"), Self.namespace, defaultUnit: .meters))
    }

    /// Format, units, near, far, and the meters of codes 0, 128 and 255.
    ///
    /// By hand: 128/255 · 7.5 = 64/17; 0.5 · 8 / (8 − 64/17) = 17/18 and 0.5 + 64/17 = 145/34; 2 − 128/255 · 1.875 = 18/17.
    private static let cases: [(String, String, String, String, [Double])] = [
        ("RangeInverse", "m", "0.5", "8", [0.5, 0.9444444444444444, 8]),
        ("RangeLinear", "m", "0.5", "8", [0.5, 4.264705882352941, 8]),
        ("RangeInverse", "mm", "500", "8000", [0.5, 0.9444444444444444, 8]),
        ("RangeLinear", "mm", "500", "8000", [0.5, 4.264705882352941, 8]),
        ("RangeLinear", "Diopters", "2", "0.125", [0.5, 0.9444444444444444, 8]),
        ("RangeInverse", "Diopters", "2", "0.125", [0.5, 4.264705882352941, 8]),
    ]

    @Test("Samples 0, 128 and 255 map to the distances of the standard's formulas", arguments: cases)
    func formulas(format: String, units: String, near: String, far: String, meters: [Double]) throws {
        let range = try range(["Format": format, "Units": units, "Near": near, "Far": far])
        let mapping = range.mapping(bitDepth: 8)
        #expect(range.isValid)
        for (code, distance) in zipEqual([0, 128, 255], meters) {
            let value = Double(mapping.value(ofCode: code))
            let found = mapping.quantity == .depth ? value : 1 / value
            // Float32 has 24 bits.
            #expect(abs(found / distance - 1) < 3e-7, "\(code)")
        }
        let isInverse = format == "RangeInverse"
        let isReciprocal = units == "Diopters"
        #expect((mapping.quantity == .disparity) == (isInverse != isReciprocal))
        #expect(mapping.unit == mapping.quantity.unit)
    }

    @Test("16-bit samples span the same range")
    func deep() throws {
        let mapping = try range(["Near": "0.5", "Far": "8"]).mapping(bitDepth: 16)
        #expect(mapping.value(ofCode: 0) == 2)
        #expect(mapping.value(ofCode: 65535) == 0.125)
    }

    @Test("An unknown unit gives a range without a unit")
    func noUnit() throws {
        let mapping = try range(["Units": "None", "Near": "0.5", "Far": "8"]).mapping(bitDepth: 8)
        #expect(mapping.isDeclared)
        #expect(mapping.unit == nil)
    }

    /// A Pixel 6 without portrait mode. By hand: 0.189672 + 0.089177 - 128/255 · 0.278849 = 0.138878…
    @Test("A linear range without a unit may have any sign, and is read as how much nearer samples are")
    func signed() throws {
        let range = try range([
            "Format": "RangeLinear", "Units": "None", "Near": "-0.089177", "Far": "0.189672",
        ])
        #expect(range.isValid)
        let mapping = range.mapping(bitDepth: 8)
        #expect((mapping.quantity, mapping.unit, mapping.isLine) == (.disparity, nil, true))
        for (code, value) in zipEqual([0, 128, 255], [0.278849, 0.138877737254902, 0]) {
            #expect(abs(Double(mapping.value(ofCode: code)) - value) < 1e-8)
        }
        // With a unit these are no distances.
        #expect(
            try !self.range(["Format": "RangeLinear", "Units": "m", "Near": "-0.09", "Far": "0.2"]).isValid)
    }

    @Test(
        "An invalid range is recognized",
        arguments: [
            ("0", "8"), ("-1", "8"), ("nan", "8"), ("1", "inf"), ("8", "1"), ("1e-320", "1"), ("1", "1e300"),
        ])
    func invalid(near: String, far: String) throws {
        #expect(try !range(["Near": near, "Far": far]).isValid)
    }

    @Test("Distances along rays are recognized in both spellings", arguments: ["OpticalRay", "OpticRay"])
    func ray(measureType: String) throws {
        #expect(try range(["Near": "1", "Far": "2", "MeasureType": measureType]).isAlongRay)
        #expect(try !range(["Near": "1", "Far": "2", "MeasureType": "OpticalAxis"]).isAlongRay)
    }

    private func xmp(_ description: String) throws -> XMPProperties {
        let packet =
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:D='\(Self.namespace)'>"
            + description + "</rdf:RDF>"
        return try XMPProperties(
            parsing: Array(packet.utf8), limits: DecodingLimits(), at: 0, in: StructurePath())
    }
}
