import PhotoBuilders
import Testing

@testable import PhotoWriting

@Suite("XMP packets")
struct XMPPacketBuilderTests {
    @Test("An XMP packet has Apple's form: one description, child elements, namespaces declared once")
    func form() throws {
        let info = PixelDataInfo(
            auxiliaryImageType: "disparity", nativeFormat: "hdis", codeRange: 0...255,
            valueRange: 0.65087890625...2.509765625)
        let packet = XMPPacketBuilder(try info.properties() + [try .simulatedAperture(4.5)])
        let expected = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Isobath">
               <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
                  <rdf:Description rdf:about=""
                        xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/"
                        xmlns:depthBlurEffect="http://ns.apple.com/depthBlurEffect/1.0/">
                     <apdi:AuxiliaryImageType>disparity</apdi:AuxiliaryImageType>
                     <apdi:NativeFormat>1751411059</apdi:NativeFormat>
                     <apdi:StoredFormat>1278226488</apdi:StoredFormat>
                     <apdi:IntMinValue>0</apdi:IntMinValue>
                     <apdi:IntMaxValue>255</apdi:IntMaxValue>
                     <apdi:FloatMinValue>0.650879</apdi:FloatMinValue>
                     <apdi:FloatMaxValue>2.509766</apdi:FloatMaxValue>
                     <depthBlurEffect:SimulatedAperture>4.500000</depthBlurEffect:SimulatedAperture>
                  </rdf:Description>
               </rdf:RDF>
            </x:xmpmeta>

            """
        #expect(String(decoding: try packet.serialized(), as: UTF8.self) == expected)
    }

    @Test("A matrix is written column by column")
    func calibration() throws {
        let calibration = CameraCalibrationInfo(
            focalLength: [10.5, 11], principalPoint: [5, 4.25], referenceDimensions: [10, 8],
            pixelSize: 0.0019,
            extrinsicColumns: [[0, -1, 0], [1, 0, 0], [0, 0, 1], [7, 8, 9]],
            inverseLensDistortion: [0, -0.00001], lensDistortionCenter: [5.5, 4])
        let info = DepthDataInfo(accuracy: .absolute, calibration: calibration)
        let values = try info.properties().reduce(into: [:]) { $0[$1.name] = $1.value }
        let expected: [String: XMPProperty.Value] = [
            "DepthDataVersion": .text("65541"), "Quality": .text("high"), "Accuracy": .text("absolute"),
            "Filtered": .text("True"),
            "IntrinsicMatrix": .sequence(["10.5", "0", "0", "0", "11", "0", "5", "4.25", "1"]),
            "IntrinsicMatrixReferenceWidth": .text("10"), "IntrinsicMatrixReferenceHeight": .text("8"),
            "ExtrinsicMatrix": .sequence(["0", "-1", "0", "1", "0", "0", "0", "0", "1", "7", "8", "9"]),
            "PixelSize": .text("0.001900"),
            "InverseLensDistortionCoefficients": .sequence(["0", "-0.00001"]),
            "LensDistortionCenterOffsetX": .text("5.5"), "LensDistortionCenterOffsetY": .text("4"),
        ]
        #expect(values == expected)
    }

    @Test("Markup is escaped, and characters that XML forbids are refused")
    func escaping() throws {
        let packet = XMPPacketBuilder([XMPProperty(.pixelDataInfo, "AuxiliaryImageType", .text("a<b>&"))])
        #expect(try packet.serialized().firstOffset(of: ascii(">a&lt;b&gt;&amp;<")) != nil)
        let control = XMPPacketBuilder([XMPProperty(.pixelDataInfo, "AuxiliaryImageType", .text("\u{1}"))])
        #expect(throws: ContainerWritingError.self) { try control.serialized() }
    }

    @Test(
        "Numbers are written as the shortest plain decimals",
        arguments: [
            (0, "0"), (-1, "-1"), (12.5, "12.5"), (0.00020492772455327213, "0.00020492772455327213"),
            (-1.25e-5, "-0.0000125"), (1e-7, "0.0000001"), (1e16, "10000000000000000"),
            (1.5e20, "150000000000000000000"),
        ])
    func shortest(value: Double, expected: String) throws {
        #expect(try DecimalText.shortest(value, field: "test") == expected)
    }

    @Test(
        "Numbers are written with six decimals",
        arguments: [
            (0, "0.000000"), (4.5, "4.500000"), (-0.25, "-0.250000"), (0.0499878, "0.049988"),
            (9999.9999999, "10000.000000"),
        ])
    func sixDecimals(value: Double, expected: String) throws {
        #expect(try DecimalText.sixDecimals(value, field: "test") == expected)
    }

    @Test("NaN and infinite numbers are refused", arguments: [Double.nan, .infinity])
    func notANumber(value: Double) {
        #expect(throws: ContainerWritingError.self) { try DecimalText.shortest(value, field: "test") }
        #expect(throws: ContainerWritingError.self) { try DecimalText.sixDecimals(value, field: "test") }
    }
}
