import Bytes
import DepthTypes
import TestSupport
import Testing

@testable import PhotoFormats

@Suite("Stereo pairs")
struct StereoPairTests {
    private func open(_ file: [UInt8]) throws -> any PhotoContainer {
        try parseContainer(MemorySource(file), limits: DecodingLimits())
    }

    private func descriptor(_ flags: UInt8, _ layout: UInt8, _ type: UInt8 = 1) -> [UInt8] {
        segment(0xE3, Array("_JPSJPS_".utf8) + [0, 4, 0, flags, layout, type])
    }

    /// x, y, z and w are all 0.5: a third of a turn about the diagonal, which takes x to y, y to z and z to x.
    @Test(
        "The rotation of a camera is that of its unit quaternion",
        arguments: [
            "00000018 20000000 20000000 20000000", "00000008 2000 2000 2000",
        ])
    func rotation(dump: String) throws {
        let box = hex(dump)
        var cursor = ByteCursor(box.span)
        let extrinsics = try CameraIntrinsics.extrinsics(parsing: &cursor)
        #expect(extrinsics.rotation == [0, 0, 1, 1, 0, 0, 0, 1, 0])
        #expect(extrinsics.translation == [0, 0, 0])
    }

    @Test(
        "The JPS descriptor says which half is the left eye's",
        arguments: [(4, 2, 0, 33), (0, 2, 33, 0)] as [(UInt8, UInt8, Int, Int)])
    func halves(flags: UInt8, layout: UInt8, left: Int, right: Int) throws {
        let pair = try #require(try open(jpeg(width: 65, descriptor(flags, layout))).photo.stereo)
        #expect([pair.left.crop?.left, pair.right.crop?.left] == [left, right])
        #expect([pair.left.width, pair.left.height] == [32, 48])
        #expect(pair.source == "jps")
    }

    @Test("A JPS may have one view above the other")
    func overUnder() throws {
        let pair = try #require(try open(jpeg(descriptor(4, 3))).photo.stereo)
        #expect([pair.left.crop?.top, pair.right.crop?.top] == [0, 24])
        #expect(pair.right.height == 24)
    }

    @Test(
        "Other JPS layouts are reported, and a single picture is not a pair",
        arguments: [0, 1, 4, 200] as [UInt8])
    func others(layout: UInt8) throws {
        let container = try open(jpeg(descriptor(0, layout)))
        #expect(container.photo.stereo == nil && container.diagnostics.count == 1)
        #expect(try open(jpeg(descriptor(0, 2, 0))).photo.stereo == nil)
    }

    /// An index of two views after the header; offsets count from the TIFF header at byte 10.
    private func views(second offset: Int, number: UInt8 = 1, baseline: String = "00000001 00000010")
        -> [UInt8]
    {
        let head = hex("4d4d002a 00000008 0001 b002 0007 00000020 0000001a 0000003a")
        let entries =
            hex("20020002 00000000 00000000 00000000 00020002 00000000")
            + bigEndian(offset)
            + hex("00000000")
        let attributes =
            hex("0002 b101 0004 00000001 000000") + [number]
            + hex("b206 0005 00000001 00000058 00000000") + hex(baseline)
        return segment(0xE2, Array("MPF\0".utf8) + head + entries + attributes)
    }

    @Test("The views of an MPO are numbered from the left and give a baseline in meters")
    func multiPicture() throws {
        let length = jpeg(views(second: 0)).count
        for (number, isLeft) in [(1, true), (5, false)] as [(UInt8, Bool)] {
            let container = try open(jpeg(views(second: length - 10, number: number)) + jpeg())
            #expect(container.planes.isEmpty)
            let pair = try #require(container.photo.stereo)
            let photo = isLeft ? pair.left : pair.right
            #expect(photo.location == .jpegStream(0..<length))
            #expect(pair.baseline == 0.0625)
        }
    }

    @Test(
        "An undefined baseline is ignored",
        arguments: ["ffffffff ffffffff", "00000001 00000000", "00000000 00000001"])
    func baseline(value: String) throws {
        let length = jpeg(views(second: 0)).count
        let container = try open(jpeg(views(second: length - 10, baseline: value)) + jpeg())
        #expect(container.photo.stereo != nil && container.photo.stereo?.baseline == nil)
    }

    @Test("A second view past the end gives a warning", arguments: [0x7FFF_FFFF, 0xFFFF_FFFF, 100_000])
    func pastEnd(offset: Int) throws {
        let container = try open(jpeg(views(second: offset)))
        #expect(container.photo.stereo == nil && container.diagnostics.count == 1)
    }

    /// Payloads of Apple's headset, and the reading of formats: 0x2622d86e = 639 817 838, / 2³⁰ · 2560 = 1525.4444 px; x = 63 807 µm.
    @Test("Camera properties of a spatial photo are read as published")
    func camera() throws {
        let intrinsics = hex("00001e00 2622d86e 20000000 20000000")
        var cursor = ByteCursor(intrinsics.span)
        let camera = try CameraIntrinsics(parsing: &cursor).calibration(
            width: 2560, height: 2000, extrinsics: nil)
        #expect(abs(camera.focalLengthX - 1525.4444) < 0.001 && camera.focalLengthY == camera.focalLengthX)
        #expect([camera.principalPointX, camera.principalPointY] == [1279.5, 999.5])
        let anisotropic = hex("00000101 00000002 00000001 00000001 00000003 00000000")
        var second = ByteCursor(anisotropic.span)
        // Shift 1: halves of the width and height.
        let other = try CameraIntrinsics(parsing: &second).calibration(
            width: 10, height: 20, extrinsics: nil)
        #expect([other.focalLengthX, other.focalLengthY, other.principalPointX] == [10, 30, 4.5])
        for (dump, expected) in [
            ("00000001 0000f93f", [0.063807, 0, 0]), ("00000011 ffffb4b5", [-0.019275, 0, 0]),
            ("00000000", [0, 0, 0]), ("00000006 00000001 00000002", [0, 0.000001, 0.000002]),
        ] {
            let payload = hex(dump)
            var box = ByteCursor(payload.span)
            let extrinsics = try CameraIntrinsics.extrinsics(parsing: &box)
            #expect(extrinsics.translation == expected && extrinsics.rotation == [1, 0, 0, 0, 1, 0, 0, 0, 1])
        }
        for dump in [
            "00001e00 00000000 00000000 00000000", "00001e00 2622d86e", "00001e00 ffffffff 00000000 00000000",
        ] {
            let payload = hex(dump)
            #expect(throws: ContainerError.self) {
                var box = ByteCursor(payload.span)
                _ = try CameraIntrinsics(parsing: &box)
            }
        }
    }

    /// Unit quaternions x, y, z in parts of 2¹⁴, or of 2³⁰ with flag 16: a half turn about x is (1, 0, 0), a quarter turn about z
    /// (0, 0, √½), and √½ · 2³⁰ = 759 250 125 = 0x2d413ccd.
    @Test("The rotation of a camera is read from its quaternion")
    func cameraRotation() throws {
        for (dump, expected) in [
            ("00000008 4000 0000 0000", [1.0, 0, 0, 0, -1, 0, 0, 0, -1]),
            ("00000019 0000fde8 00000000 00000000 2d413ccd", [0, -1, 0, 1, 0, 0, 0, 0, 1]),
        ] {
            let payload = hex(dump)
            var box = ByteCursor(payload.span)
            let extrinsics = try CameraIntrinsics.extrinsics(parsing: &box)
            #expect(zip(extrinsics.rotation, expected).allSatisfy { abs($0 - $1) < 1e-8 }, "\(dump)")
            #expect(box.remaining == 0)
        }
        for dump in ["00000008 4000 4000 0000", "00000008 0001 0000", "00000018 7fffffff 00000000 00000000"] {
            let payload = hex(dump)
            #expect(throws: ContainerError.self) {
                var box = ByteCursor(payload.span)
                _ = try CameraIntrinsics.extrinsics(parsing: &box)
            }
        }
    }
}
