import Bytes
import Codecs
import DepthMaps
import DepthTypes
import Effects
import Foundation
import PhotoBuilders
import PhotoWriting
import TestSupport
import Testing

@testable import Scenes

/// Effects on photos with a gain map. Results are read without the code under test: the second image of the JPEG file by the
/// offset in its index, decoded by libjpeg, and applied by the formulas of Apple and Adobe.
@Suite("HDR photos")
struct HDRSceneTests {
    private static let (width, height) = (192, 128)
    /// The first column of the right side, odd so that samples of the gain map mix both sides.
    private static let edge = 97

    /// How a test photo stores its gain map.
    enum Form: CaseIterable {
        case apple, ultraHDR

        /// The factor of a stored value: up to 4, by Apple's formula or as 2^(2 · value).
        func factor(_ code: Double) -> Double {
            let value = code / 255
            switch self {
            case .apple:
                return 1 + 3 * (value < 0.081 ? value / 4.5 : pow((value + 0.099) / 1.099, 1 / 0.45))
            case .ultraHDR: return pow(2, 2 * value)
            }
        }
    }

    /// A lossless gray JPEG.
    private func plane(_ width: Int, _ height: Int, _ code: (Int, Int) -> Int) throws -> [UInt8] {
        let samples = (0..<width * height).map { UInt16(code($0 % width, $0 / width)) }
        return try LosslessJPEGEncoder(
            width: width, height: height, bitDepth: 8, predictor: 1, samples: samples
        ).serialized()
    }

    /// A gray photo with two sides: a near subject with a matte on the left, something far on the right. Each side has a
    /// level and a stored gain; `gain` overrides the latter.
    private func photo(
        _ form: Form, levels: (Int, Int), gains: (Int, Int), gain: ((Int, Int) -> Int)? = nil,
        exif: [UInt8]? = nil, leastStops: Int = 0
    ) throws -> [UInt8] {
        let (width, height, edge) = (Self.width, Self.height, Self.edge)
        let pixels = (0..<width * height).map { index in
            let level = UInt8(index % width < edge ? levels.0 : levels.1)
            return RGB(red: level, green: level, blue: level)
        }
        let image = ColorImage(width: width, height: height, pixels: .uint8(pixels), colorProfile: [])
        var file = MultiPictureJPEG(
            primary: .init(jpeg: try Picture(image).encoded(as: .jpeg, quality: 100), exif: exif))
        file.auxiliaries.append(
            .init(
                jpeg: try plane(width, height) { x, _ in x < edge ? 255 : 0 },
                xmp: DepthFile.packet(low: "0.100000", high: "1.000000")))
        file.auxiliaries.append(
            .init(
                jpeg: try plane(width, height) { x, _ in x < edge ? 255 : 0 },
                xmp: try XMPPacketBuilder([.portraitEffectsMatteVersion()]).serialized()))
        let packet: String
        switch form {
        case .apple:
            packet =
                #"xmlns:g="http://ns.apple.com/HDRGainMap/1.0/" g:HDRGainMapVersion="131072" g:HDRGainMapHeadroom="4.0""#
        case .ultraHDR:
            packet =
                #"xmlns:h="http://ns.adobe.com/hdr-gain-map/1.0/" h:Version="1.0" h:GainMapMin="\#(leastStops)" h:GainMapMax="2" h:HDRCapacityMax="2" h:OffsetSDR="0" h:OffsetHDR="0""#
        }
        file.auxiliaries.append(
            .init(
                jpeg: try plane(width / 2, height / 2) { x, y in
                    gain?(x, y) ?? (2 * x + 1 < edge ? gains.0 : gains.1)
                },
                xmp: Array(
                    """
                    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
                    <rdf:Description \(packet)/></rdf:RDF></x:xmpmeta>
                    """.utf8)))
        return try file.serialized()
    }

    /// A result as another reader sees it: light of the photo, stored gains, and the text of the second image.
    private struct Reading {
        var light: [Double]
        var gains: [Double]
        var second: [UInt8]

        init(_ picture: Picture, _ folder: borrowing TemporaryFolder) throws {
            try picture.write(to: folder.file("made.jpg"), quality: 100, replacingExisting: true)
            let bytes = try folder.bytes(of: "made.jpg")
            let index = try #require(bytes.firstRange(of: Array("MPF\0MM".utf8))).lowerBound + 4
            // Header, three fields and the link; the second entry of 16 bytes has the size and the offset.
            let entry = index + 8 + 2 + 36 + 4 + 16
            let start = index + bytes.bigEndian(at: entry + 8)
            second = Array(bytes[start..<start + bytes.bigEndian(at: entry + 4)])
            let photo = try RasterFile(folder.file("made.jpg"))
            light = stride(from: 0, to: photo.samples.count, by: photo.channels).map { start in
                let value = photo.samples[start] / 255
                return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            }
            try folder.write(second, to: "gain.jpg")
            let map = try RasterFile(folder.file("gain.jpg"))
            #expect(map.channels == 1 && map.width == photo.width / 2 && map.height == photo.height / 2)
            gains = map.samples
        }
    }

    /// IEC 61966-2-1.
    private func light(_ code: Int) -> Double { pow((Double(code) / 255 + 0.055) / 1.055, 2.4) }

    @Test("Gain maps are decoded to factors, in both forms", arguments: Form.allCases)
    func decoding(form: Form) throws {
        let scene = try DepthScene(photo(form, levels: (120, 200), gains: (40, 220)))
        let map = try #require(try scene.gainMap())
        #expect(map.width == Self.width / 2 && map.height == Self.height / 2 && map.factors.count == 1)
        #expect(abs(Double(map.factors[0][0]) - form.factor(40)) < 1e-3)
        #expect(abs(Double(map.factors[0][Self.width / 2 - 1]) - form.factor(220)) < 1e-3)
        #expect(abs(map.peak - 4) < 1e-5)
        #expect(scene.description.hasGainMap)
    }

    @Test(
        "Over another background the subject keeps its gain, and the background gets none",
        arguments: Form.allCases)
    func composite(form: Form) throws {
        let scene = try DepthScene(photo(form, levels: (120, 200), gains: (100, 255)))
        let made = try scene.composited(over: .color(RGB(red: 60, green: 60, blue: 60)), refines: false)
        #expect(made.diagnostics.filter { $0.code == .lostHDR }.isEmpty)
        let found = try Reading(made, TemporaryFolder())
        for (index, gain) in found.gains.enumerated() {
            let x = 2 * (index % (Self.width / 2))
            // Columns 96 and 97 are mixed. JPEG of quality 95 and the stored values of the photo are off by up to 2.
            if x < Self.edge - 3 { #expect(abs(gain - 100) <= 3, "x \(x)") }
            if x > Self.edge + 3 { #expect(form.factor(gain) < 1.05, "x \(x)") }
        }
    }

    /// A dark subject without gain before a bright window with four times its white: over black, a reader that mixes stored
    /// values or gains would show the window around the subject.
    @Test("Light of the old background does not stay at the edge", arguments: Form.allCases)
    func edge(form: Form) throws {
        // The sample with both sides has the mean of their HDR light, (0.127 + 4) / (0.127 + 1).
        let scene = try DepthScene(
            photo(form, levels: (100, 255), gains: (0, 255)) { x, _ in
                x == Self.edge / 2 ? 240 : 2 * x + 1 < Self.edge ? 0 : 255
            })
        let made = try scene.composited(over: .color(RGB(red: 0, green: 0, blue: 0)))
        let found = try Reading(made, TemporaryFolder())
        for (index, light) in found.light.enumerated() {
            let (x, y) = (index % Self.width, index / Self.width)
            let gain = found.gains[y / 2 * (Self.width / 2) + x / 2]
            let brightness = light * form.factor(gain)
            // The subject's own light is 0.127. JPEG's edges ring, and its gain map has half the size.
            #expect(brightness < 0.2, "x \(x)")
        }
    }

    @Test("A background with a gain map keeps its own light, up to the photo's brightest")
    func brightBackground() throws {
        let scene = try DepthScene(photo(.apple, levels: (120, 200), gains: (100, 0)))
        let sky = try openPicture(
            MemorySource(photo(.ultraHDR, levels: (188, 188), gains: (128, 128))))
        let (background, light, diagnostics) = try sky.background(for: scene)
        #expect(diagnostics.isEmpty)
        let subject = try scene.subject(refines: false)
        let made = try subject.composite(over: background, light, in16Bits: false).picture
        let found = try Reading(made, TemporaryFolder())
        let wanted = Form.ultraHDR.factor(128)
        for (index, gain) in found.gains.enumerated() where 2 * (index % (Self.width / 2)) > Self.edge + 3 {
            // 2 of 255 in Apple's map are 2 % of the factor.
            #expect(abs(Form.apple.factor(gain) / wanted - 1) < 0.03)
        }
        let plain = try DepthScene(TestImages.bytes("portrait.jpg"))
        let (_, none, remarks) = try sky.background(for: plain)
        #expect(none == nil && remarks.map(\.code) == [.lostHDR])
    }

    @Test("A map that cannot store a factor of 1 brightens a new background, and this is reported")
    func brightening() throws {
        let scene = try DepthScene(
            photo(.ultraHDR, levels: (120, 200), gains: (128, 128), leastStops: 1))
        let made = try scene.composited(over: .color(RGB(red: 60, green: 60, blue: 60)))
        #expect(made.diagnostics.map(\.code).contains(.assumedHDR))
        let plain = try DepthScene(photo(.ultraHDR, levels: (120, 200), gains: (128, 128)))
        #expect(!(try plain.composited(over: .color(.white)).diagnostics.map(\.code).contains(.assumedHDR)))
    }

    /// A blur moves light and does not make any: the sum of HDR light of a spot of 4 × white, out of focus behind the subject,
    /// stays the same, and even light stays even.
    @Test("HDR light is blurred, and its sum stays", arguments: Form.allCases)
    func blur(form: Form) throws {
        let (spotX, spotY) = (72, 32)
        let scene = try DepthScene(
            photo(form, levels: (90, 90), gains: (0, 0)) { x, y in
                abs(x - spotX) <= 1 && abs(y - spotY) <= 1 ? 255 : 0
            })
        var options = BlurOptions()
        (options.focusDistance, options.fNumber) = (1, 0.1)
        let made = try scene.blurred(options)
        let found = try Reading(made, TemporaryFolder())
        let level = light(90)
        var (sum, brightest) = (0.0, 0.0)
        for (index, gain) in found.gains.enumerated() {
            let (x, y) = (index % (Self.width / 2), index / (Self.width / 2))
            guard abs(x - spotX) < 16, abs(y - spotY) < 16 else { continue }
            let photo = found.light[2 * y * Self.width + 2 * x]
            (sum, brightest) = (sum + photo * (form.factor(gain) - 1), max(brightest, form.factor(gain)))
        }
        // Nine samples at three times more than the level. Stored values of 8 bits and JPEG lose some.
        #expect(abs(sum / (27 * level) - 1) < 0.15)
        #expect(brightest < 3)
    }

    @Test("An inserted picture is not brighter than its white, and the rest keeps its gain")
    func layer() throws {
        let scene = try DepthScene(photo(.ultraHDR, levels: (120, 120), gains: (128, 128)))
        let white = ColorImage(
            width: 4, height: 4, pixels: .uint8(Array(repeating: .white, count: 16)), colorProfile: [])
        let made = try scene.inserting(
            Picture(white), at: 3, center: NormalizedPoint(x: 0.75, y: 0.5), width: 0.5)
        let found = try Reading(made, TemporaryFolder())
        let row = Self.height / 4 * (Self.width / 2)
        #expect(abs(found.gains[row + 4] - 128) <= 3)
        #expect(abs(found.light[Self.height / 2 * Self.width + Self.width * 3 / 4] - 1) < 0.02)
        #expect(found.gains[row + Self.width * 3 / 8] < 6)
    }

    @Test("Each form is written as its readers expect it")
    func forms() throws {
        let apple = try DepthScene(photo(.apple, levels: (120, 200), gains: (100, 0)))
        let folder = TemporaryFolder()
        let second = try Reading(apple.composited(over: .color(.white)), folder).second
        let text = String(decoding: second, as: UTF8.self)
        #expect(text.contains("urn:com:apple:photo:2020:aux:hdrgainmap"))
        #expect(text.contains("<HDRGainMap:HDRGainMapHeadroom>4.000000<"))
        let ultra = try DepthScene(photo(.ultraHDR, levels: (120, 200), gains: (100, 0)))
        let map = try Reading(ultra.composited(over: .color(.white)), folder).second
        let photo = try folder.text(of: "made.jpg")
        #expect(
            photo.contains(#"Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="\#(map.count)""#))
        #expect(String(decoding: map, as: UTF8.self).contains(#"hdrgm:GainMapMax="2.000000""#))
        #expect(map.firstRange(of: Array("urn:iso:std:iso:ts:21496:-1\0".utf8)) != nil)
        // The result is read back with the same parameters, from its segment of ISO 21496-1.
        let again = try #require(try DepthScene(folder.bytes(of: "made.jpg")).gainMap())
        #expect(try again.parameters == ultra.gainMap()?.parameters)
    }

    @Test("PNG and transparent results drop the gain map and the maker note's numbers; JPEG keeps both")
    func dropped() throws {
        let rational = "00000001 00000002 00000000 00000001"
        let note =
            Array("Apple iOS\0".utf8)
            + hex(
                "0001 4d4d 0002 0021 000a 00000001 0000002c 0030 000a 00000001 00000034 00000000 \(rational)")
        let exif =
            hex("4d4d002a 00000008 0001 8769 0004 00000001 0000001a 00000000 0001 927c 0007 0000003c")
            + hex("0000002c 00000000") + note
        let scene = try DepthScene(photo(.apple, levels: (120, 200), gains: (100, 0), exif: exif))
        let tags = hex("0021 000a 00000001")
        let made = try scene.composited(over: .color(.white))
        #expect(try made.encoded(as: .jpeg).firstRange(of: tags) != nil)
        #expect(try made.encoded(as: .png).firstRange(of: tags) == nil)
        #expect(try scene.composited(over: .none).metadata.exif.firstRange(of: tags) == nil)
        let plain = try scene.cutOut(nil, refines: true, keepsHDR: false)
        let flat = try plain.over(.color(.white))
        #expect(flat.gainMap == nil && flat.metadata.exif.firstRange(of: tags) == nil)
    }

    /// exiftool 12.57 prints 0.8786 for HDRHeadroom, and no HDRGain: 2^1.8. Then XMP's HDRGainMapHeadroom, and
    /// hdrgm's GainMapMax, 0.718565 and 2.3 as powers of 2.
    @Test(
        "Real photos have the brightest light that exiftool's numbers give",
        .needsSamples,
        arguments: [
            ("apple-heic/iphone13pro-pug-depth-gainmap.heic", 3.4822),
            ("apple-spatial/iphone15promax-spatial-depth-gainmap.heic", 4.131335),
            ("gainmap/apple-gainmap-new.jpg", 4.532783),
            ("dynamic-depth/pixel4a5g-portrait-ultrahdr-flowsensor.jpg", 1.6455),
            ("gainmap/samsung-s25ultra-aux-ycbcr.heic", 4.9246),
        ])
    func samples(name: String, peak: Double) throws {
        let map = try #require(try DepthScene(contentsOf: SampleFolder.photos.path(name)).gainMap())
        #expect(abs(Double(map.peak) / peak - 1) < 1e-4)
    }

    private func hex(_ dump: String) -> [UInt8] {
        let digits = dump.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
