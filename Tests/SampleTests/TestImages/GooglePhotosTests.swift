import Bytes
import Isobath
import PhotoFormats
import TestSupport
import Testing

@Suite("Google photos")
struct GooglePhotosTests {
    private static let pictures = [
        "gdepth-lens-blur.jpg", "gdepth-portrait.jpg", "gdepth-linear-ray.jpg", "dynamic-depth.jpg",
        "dynamic-depth-ultrahdr.jpg", "xdm.jpg",
    ]

    @Test("info of a Google photo equals expected.json", arguments: pictures)
    func info(name: String) throws {
        let record = try #require(try Tool.run(["info", "--json", TestImages.path(name)]).objects().first)
        let expected = try TestImages.expected(name)
        for field in ["width", "height", "orientation"] {
            #expect(record.number(field) == expected.number(field))
        }
        #expect(record.texts("warnings").count == expected.integer("warnings"))
        #expect(record.objects("planes").count == expected.objects("planes").count)
        for (found, plane) in zipEqual(record.objects("planes"), expected.objects("planes")) {
            for field in ["width", "height", "bitDepth", "minimum", "maximum"] {
                #expect(found.number(field) == plane.number(field), "\(field)")
            }
            for field in ["kind", "unit", "accuracy", "source", "type", "codec"] {
                #expect(found.text(field) == plane.text(field), "\(field)")
            }
            #expect(found["experimental"] as? Bool == (plane["experimental"] as? Bool ?? false))
            guard plane.text("kind") == "depth" || plane.text("kind") == "disparity" else { continue }
            let (camera, known) = (
                found.object("calibration").object("intrinsics"), expected.object("intrinsics")
            )
            #expect(camera.isEmpty == known.isEmpty)
            let names = ["fx", "fy", "width", "height"]
            #expect(agree(names.compactMap { camera.number($0) }, names.compactMap { known.number($0) }))
            // Files count from the corner of the first pixel.
            let center = ["ox", "oy"].compactMap { known.number($0) }.map { $0 - 0.5 }
            #expect(agree(["cx", "cy"].compactMap { camera.number($0) }, center))
        }
    }

    @Test("Every plane of a Google photo has the scene's samples, stored and upright", arguments: pictures)
    func codes(name: String) throws {
        let photo = try DepthPhoto(contentsOf: TestImages.path(name))
        for (plane, expected) in zipEqual(photo.planes, try TestImages.expected(name).objects("planes")) {
            for (frame, field) in [(PixelOrientation.stored, "stored"), (.upright, "upright")] {
                let codes = try photo.codes(of: plane, frame: frame)
                guard case .uint8(let samples) = codes.codes else {
                    Issue.record("8 bits are expected")
                    continue
                }
                for pixel in expected.objects("pixels") {
                    let place = pixel.numbers(field).map { Int($0) }
                    let found = Int(samples[place[1] * codes.width + place[0]])
                    #expect(
                        abs(found - (pixel.integer("code") ?? 999)) <= pixel.integer("tolerance") ?? 0,
                        "\(place)")
                }
            }
        }
    }

    @Test(
        "Depth of a Google photo has the declared values, along the axis where the camera is known",
        arguments: pictures)
    func values(name: String) throws {
        let photo = try DepthPhoto(contentsOf: TestImages.path(name))
        let (depth, disparity) = (try DepthScene(photo).depth(), try DepthScene(photo).disparity())
        let plane = try #require(
            try TestImages.expected(name).objects("planes").first {
                $0["unit"] is String || $0.number("minimum") != nil
            })
        #expect(depth.scale.accuracy.rawValue == plane.text("accuracy"))
        let range = try #require(
            photo.storedPlane(plane.text("kind") == "depth" ? .depth : .disparity)?.description.mapping)
        // One step for a JPEG, and Float32.
        let step = Double(abs(range.high - range.low)) / 255
        for pixel in plane.objects("pixels") {
            let place = pixel.numbers("upright").map { Int($0) }
            let index = place[1] * depth.width + place[0]
            let meters = try #require(pixel.number("meters"))
            #expect(abs(Double(depth.meters[index]) * Double(disparity.reciprocalMeters[index]) - 1) < 1e-6)
            let off = (pixel.number("tolerance") ?? 0) * step * 1.2
            let found =
                plane.text("kind") == "depth"
                ? Double(depth.meters[index]) / meters - 1 : meters / Double(depth.meters[index]) - 1
            let allowed = plane.text("kind") == "depth" ? off / meters : off * meters
            #expect(abs(found) <= allowed + 1e-6, "\(place)")
        }
    }

    @Test(
        "extract writes the values of a Google photo",
        arguments: ["gdepth-portrait.jpg", "dynamic-depth-ultrahdr.jpg", "xdm.jpg"],
        ["d.pfm", "d.png"])
    func extract(name: String, output: String) throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run(["extract", TestImages.path(name), "--as", "depth", "-o", folder.file(output)])
        #expect(run.status == 0)
        let depth = try DepthScene(storedIn: TestImages.path(name)).depth()
        let found = try DepthScene(storedIn: folder.file(output)).depth()
        #expect([found.width, found.height] == [192, 144])
        // 16 bits over 18.6 meters.
        for (value, truth) in zipEqual(found.meters, depth.meters) { #expect(abs(value - truth) <= 0.0002) }
    }

    @Test("An inverse range is written as disparity with near surfaces bright")
    func inverse() throws {
        let folder = try TemporaryFolder()
        let run = try Tool.run([
            "extract", TestImages.path("gdepth-lens-blur.jpg"), "-o", folder.file("d.png"),
        ])
        #expect(run.messages.contains("(no unit), accuracy unknown"))
        let file = try RasterFile(folder.file("d.png"))
        #expect(file.record?.text("quantity") == "disparity")
        #expect(file.record?.isNull("unit") == true)
        #expect((file.record?.number("minimum") ?? 9) < (file.record?.number("maximum") ?? 0))
        let pixels = try TestImages.expected("gdepth-lens-blur.jpg").objects("planes")[0].objects("pixels")
        for pixel in pixels {
            let place = pixel.numbers("upright").map { Int($0) }
            #expect(file[place[0], place[1]] == Double(257 * (255 - (pixel.integer("code") ?? 0))))
        }
    }

    @Test("Depth without a unit cannot be written in millimeters")
    func millimeters() throws {
        let folder = try TemporaryFolder()
        let input = TestImages.path("gdepth-lens-blur.jpg")
        let run = try Tool.run(["extract", input, "--values", "millimeters", "-o", folder.file("d.png")])
        #expect(run.status == 1)
        #expect(run.messages.contains("the plane has no unit"))
        #expect(folder.contents == [])
    }

    @Test(
        "The original is written in color, upright, with its profile",
        arguments: [
            "gdepth-lens-blur.jpg", "gdepth-portrait.jpg", "dynamic-depth.jpg", "dynamic-depth-ultrahdr.jpg",
            "xdm.jpg",
        ])
    func original(name: String) throws {
        let folder = try TemporaryFolder()
        let input = TestImages.path(name)
        for plane in ["original", "photo"] {
            let run = try Tool.run(["extract", input, "--plane", plane, "-o", folder.file("\(plane).png")])
            #expect(run.status == 0)
        }
        let (original, photo) = (
            try RasterFile(folder.file("original.png")), try RasterFile(folder.file("photo.png"))
        )
        #expect([original.width, original.height, original.channels] == [480, 360, 3])
        #expect(original.profileSize == 540)
        let total = zipEqual(original.samples, photo.samples).reduce(0) { $0 + abs($1.0 - $1.1) }
        // The same picture at JPEG qualities 80 and 70.
        #expect(total / Double(original.samples.count) < 3)
    }

    @Test("info names the source and the accuracy of a plane")
    func text() throws {
        let text = try Tool.run(
            ["info"] + ["gdepth-lens-blur.jpg", "dynamic-depth.jpg"].map(TestImages.path)
        ).text
        #expect(
            text.contains("8-bit png  google-gdepth  0.005 to 0.07143 (depth 14 to 200) of no unit, unknown"))
        #expect(
            text.contains(
                "google-dynamic-depth  0.05 to 0.7143 1/m (1.4 to 20 m), relative  f 1200 px of 720"))
        #expect(text.contains("Units is Diopters but the focal table"))
    }

    @Test("info reports the focus of a photo")
    func focus() throws {
        let record = try Tool.run(["info", "--json", TestImages.path("gdepth-lens-blur.jpg")]).objects().first
        let blur = try #require(record?.objects("planes").first?.object("blur"))
        #expect(blur.numbers("focalPoint") == [0.45, 0.375])
        #expect(blur.number("focalDistance") == 15)
        #expect(blur.number("blurAtInfinity") == 0.0125)
    }

    @Test("A truncated Google photo gives complete planes or an error", arguments: pictures)
    func truncated(name: String) throws {
        let whole = try TestImages.bytes(name)
        let photo = try DepthPhoto(MemorySource(whole))
        let expected = try photo.codes(of: photo.describe().requirePlane(nil))
        for length in stride(from: 0, to: whole.count, by: 1499) {
            do {
                let part = try DepthPhoto(MemorySource(Array(whole.prefix(length))))
                #expect(try part.codes(of: part.describe().requirePlane(nil)) == expected, "\(length)")
            } catch {
                #expect(error is ContainerError || error is SceneError, "\(length): \(error)")
            }
        }
    }

    /// The seed makes a failure reproducible.
    @Test("A damaged Google photo gives depth or an error", arguments: pictures)
    func mutation(name: String) throws {
        let whole = try TestImages.bytes(name)
        var mutants = MutantCount()
        for seed in 0..<16 {
            var bytes = whole
            var random = SplitMix(seed: UInt64(seed))
            random.damage(&bytes, changes: 8 * seed)
            random.damage(&bytes, changes: seed, within: 4000)
            mutants.add {
                let photo = try DepthPhoto(MemorySource(bytes))
                for plane in photo.planes { _ = try? photo.codes(of: plane) }
                _ = try photo.codes(of: photo.describe().requirePlane(nil))
            }
        }
        mutants.expectBoth()
    }
}
