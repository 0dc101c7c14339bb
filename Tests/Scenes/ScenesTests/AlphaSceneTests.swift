import Bytes
import Codecs
import DepthMaps
import DepthTypes
import Effects
import Foundation
import HEVCEncoding
import PhotoBuilders
import PhotoWriting
import Scenes
import TestSupport
import Testing

@Suite("Scenes whose picture has an opacity")
struct AlphaSceneTests {
    private static let (width, height) = (64, 48)

    /// Opacity rises from left to right.
    private static func alpha(_ column: Int) -> Int { column * 4 }

    /// A gray HEIF photo of one level with an alpha image, lossless. A photo that is premultiplied has the level times alpha.
    private func photo(level: Int, isPremultiplied: Bool) throws -> [UInt8] {
        let (width, height) = (Self.width, Self.height)
        var file = HEIFFileBuilder()
        func add(isHidden: Bool, _ properties: [ItemProperty], _ code: (Int) -> Int) -> ItemID {
            let picture = LosslessHEVCPicture(
                width: width, height: height, samples: (0..<width * height).map { UInt8(code($0 % width)) })
            return file.add(
                .hevcImage(
                    nalUnits: picture.data, isHidden: isHidden,
                    properties: [
                        .hevcConfiguration(picture.configuration),
                        .imageSpatialExtents(width: UInt32(width), height: UInt32(height)),
                    ] + properties))
        }
        let color = add(isHidden: false, []) { column in
            isPremultiplied ? (level * Self.alpha(column) + 127) / 255 : level
        }
        let type = try ItemProperty.auxiliaryType("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha")
        let alpha = add(isHidden: true, [type], Self.alpha)
        file.addReference(.auxiliary, from: alpha, to: [color])
        if isPremultiplied { file.addReference(.premultiplied, from: color, to: [alpha]) }
        file.primaryItem = color
        return try file.serialized()
    }

    /// IEC 61966-2-1.
    private func light(_ code: Double) -> Double {
        let value = code / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private func code(_ light: Double) -> Double {
        255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055)
    }

    private func grays(_ picture: ColorImage) throws -> [Int] {
        guard case .uint8(let pixels) = picture.pixels else { throw CocoaError(.featureUnsupported) }
        return pixels.prefix(Self.width).map { Int($0.green) }
    }

    @Test(
        "Without another matte alpha mixes the photo with the background in linear light",
        arguments: [false, true])
    func over(isPremultiplied: Bool) throws {
        let scene = try DepthScene(photo(level: 200, isPremultiplied: isPremultiplied))
        for selection in [nil, MatteSelection.kinds([.alpha])] {
            let made = try scene.composited(over: .color(RGB(red: 40, green: 40, blue: 40)), selection)
            #expect(made.diagnostics.isEmpty)
            for (column, found) in try grays(made.color).enumerated() {
                let share = Double(Self.alpha(column)) / 255
                let wanted = code(light(200) * share + light(40) * (1 - share))
                // Where colors were premultiplied, half a code of them is 0.5 / share codes of the color, which is
                // blended by the same share: half a code of light colors, or up to two codes of dark colors, where the
                // curve is steeper.
                let tolerance = isPremultiplied ? 2.5 : 1
                #expect(abs(Double(found) - wanted) <= tolerance, "column \(column)")
            }
        }
    }

    @Test(
        "Another matte is limited by the opacity, which a transparent result keeps", arguments: [false, true])
    func limited(isPremultiplied: Bool) throws {
        let scene = try DepthScene(photo(level: 200, isPremultiplied: isPremultiplied))
        // Half of the frame, top to bottom.
        let coverage = (0..<Self.width * Self.height).map { $0 < Self.width * 24 ? UInt8(255) : 0 }
        let matte = Matte(width: Self.width, height: Self.height, coverage: coverage)
        let made = try scene.composited(over: .none, .given(matte), refines: false)
        let alpha = try #require(made.alpha).coverage
        for column in 0..<Self.width {
            #expect(alpha[column] == UInt8(Self.alpha(column)))
            #expect(alpha[40 * Self.width + column] == 0)
        }
        // The color is straight: 200 wherever alpha leaves enough codes to recover it.
        for (column, gray) in try grays(made.color).enumerated() where Self.alpha(column) > 40 {
            #expect(abs(gray - 200) <= 3, "column \(column)")
        }
    }

    @Test("What has no use for opacity shows the photo over white, and says so")
    func overWhite() throws {
        let scene = try DepthScene(photo(level: 200, isPremultiplied: true))
        let found = try grays(try scene.color())
        for column in 0..<Self.width {
            let share = Double(Self.alpha(column)) / 255
            #expect(
                abs(Double(found[column]) - code(light(200) * share + 1 - share)) <= 2, "column \(column)")
        }
    }

    @Test("Opacity is a matte of the photo at its own size, and depth is refused")
    func matte() throws {
        let scene = try DepthScene(photo(level: 9, isPremultiplied: false))
        #expect(scene.description.planes == [.alpha])
        #expect(try scene.matte(.alpha)?.coverage.prefix(3) == [0, 4, 8])
        #expect(throws: SceneError.notCoverage(.depth)) { try scene.matte(.depth) }
    }
}
