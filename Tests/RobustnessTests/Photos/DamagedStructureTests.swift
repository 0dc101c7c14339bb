import DepthTypes
import PhotoBuilders
import PhotoWriting
import TestSupport
import Testing

@Suite("Damaged HEIC structure")
struct DamagedStructureTests {
    /// Expects that matte and photo can be extracted from a file with a damaged disparity plane.
    private func expectOthers(_ damaged: DamagedPhoto, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        #expect(try damaged.extract("matte", sourceLocation: sourceLocation).width == 480)
        #expect(try damaged.extract("photo", sourceLocation: sourceLocation).width == 192)
    }

    /// Expects an error of the disparity plane, which is coded like this, and that the others can be extracted.
    private func expectFailure(_ words: String, _ coded: CodedPlane, _ more: [ItemProperty] = []) throws {
        var file = DepthFile()
        file.plane = DepthFile.item(coded, [try file.planeType()] + more)
        let damaged = DamagedPhoto(try file.heic())
        try damaged.expectFailure(of: nil, words)
        try expectOthers(damaged)
    }

    @Test("The undamaged test file is complete")
    func whole() throws {
        let whole = DamagedPhoto(try DepthFile().heic())
        #expect(try whole.info().texts("warnings") == [])
        #expect(try whole.extract(nil).width == 192)
        #expect(try whole.extract("matte").width == 480)
        #expect(try whole.extract("photo").channels == 3)
    }

    @Test("Data past the end of the file affects only its plane", arguments: [1, 1000])
    func pastEnd(missing: Int) throws {
        let damaged = DamagedPhoto(Array(try DepthFile().heic().dropLast(missing)))
        try damaged.expectFailure(of: nil, "bytes (meta/iloc at byte")
        #expect(
            try damaged.info().texts("warnings").contains {
                $0.contains("the disparity plane cannot be read")
            })
        try expectOthers(damaged)
    }

    @Test(
        "A coded size other than the declared one is an error",
        arguments: [(96, 72), (200, 150), (191, 144), (1920, 1440)])
    func size(width: Int, height: Int) throws {
        var file = DepthFile()
        file.declaredSize = (width, height)
        let damaged = DamagedPhoto(try file.heic())
        try damaged.expectFailure(of: nil, "coded as 192 × 144 and declared as \(width) × \(height)")
        try expectOthers(damaged)
    }

    @Test(
        "Blocks that the decoder never wrote are reported as damage", arguments: [64_608, 64_610])
    func unwritten(place: Int) throws {
        // Inside the coded matte of the picture: libde265 returns it without an error or a warning.
        var bytes = try TestImages.bytes("portrait.heic")
        bytes.replaceSubrange(place..<place + 5, with: [0x61, 0x74, 0x74, 0x65, 0x3B])
        let damaged = DamagedPhoto(bytes)
        try damaged.expectFailure(of: "matte", "damaged image data")
        #expect(try damaged.extract("disparity").width == 192)
    }

    @Test("An invalid bit depth is an error")
    func bitDepth() throws {
        var bytes = try TestImages.bytes("portrait.heic")
        let place = try #require(
            bytes.indices.dropLast(8).first { Array(bytes[$0..<$0 + 8]) == Array("pixi\0\0\0\0".utf8) })
        bytes[place + 9] = 63
        let damaged = DamagedPhoto(bytes)
        #expect(try damaged.info().texts("warnings").contains { $0.contains("63 bits") })
        try damaged.expectFailure(of: "photo", "63 bits a sample")
    }

    @Test("A declared size of 0 is an error")
    func noSize() throws {
        var file = DepthFile()
        file.declaredSize = (0, 144)
        let damaged = DamagedPhoto(try file.heic())
        try damaged.expectFailure(of: "disparity", "0 × 144")
        #expect(try damaged.extract("matte").width == 480)
    }

    @Test("Missing or incomplete coded data is an error")
    func codedData() throws {
        let coded = try CodedPlane.hevc(.disparity)
        for (units, words) in [
            ([UInt8](repeating: 0xFF, count: 64), "needed"), ([0, 0, 0, 1, 0x26], "fewer than its header"),
            ([], "has no location"), (Array(coded.nalUnits.dropLast(5)), "needed"),
        ] {
            var broken = coded
            broken.nalUnits = units
            try expectFailure(words, broken)
        }
    }

    @Test("An item of two pictures is an error")
    func pictures() throws {
        var coded = try CodedPlane.hevc(.disparity)
        coded.nalUnits += coded.nalUnits
        try expectFailure("holds more than one picture", coded)
    }

    @Test("A coded slice cut in half is reported as damage")
    func shortSlice() throws {
        let coded = try CodedPlane.hevc(.disparity)
        var broken = coded
        // The only unit's payload is cut in half, and its length field matches.
        let half = (coded.nalUnits.count - 4) / 2
        broken.nalUnits = bigEndian(half) + coded.nalUnits[4..<4 + half]
        try expectFailure("damaged image data", broken)
    }

    @Test(
        "A missing or broken decoder configuration is an error",
        arguments: [[], [2], [1, 1, 1]] as [[UInt8]])
    func configuration(record: [UInt8]) throws {
        var coded = try CodedPlane.hevc(.disparity)
        coded.configuration = record
        try expectFailure("hvcC", coded)
    }

    @Test("An unknown essential property is an error")
    func essential() throws {
        let strange = ItemProperty(type: "zzzz", payload: [1], isEssential: true)
        try expectFailure("essential property 'zzzz'", CodedPlane.hevc(.disparity), [strange])
    }

    @Test("A clean aperture outside the image is an error")
    func aperture() throws {
        let beside = ItemProperty.cleanAperture(width: 10, height: 10, right: 1000, down: 0)
        try expectFailure(
            "clean aperture of item 4 is outside the image", CodedPlane.hevc(.disparity), [beside])
    }
}

@Suite("Derived HEIC images")
struct DerivedImageTests {
    /// The disparity plane as a derived item of `inputs`.
    private func file(_ item: HEIFItem, inputs: [ItemID]) throws -> DamagedPhoto {
        var file = DepthFile()
        let size = ItemProperty.imageSpatialExtents(width: 192, height: 144)
        var plane = item
        plane.properties = [size, try file.planeType()]
        file.plane = plane
        file.change = { $0.addReference(.derivedImage, from: DepthFile.disparity, to: inputs) }
        return DamagedPhoto(try file.heic())
    }

    @Test("An identity item equals its input")
    func identity() throws {
        let file = try file(HEIFItem(type: "iden"), inputs: [DepthFile.photo])
        #expect(try file.info().texts("warnings") == [])
        let written = try file.extract(nil)
        let plain = try DamagedPhoto(try DepthFile().heic()).extract(nil)
        #expect(written.samples == plain.samples)
    }

    @Test("A grid places its tiles side by side and crops the excess")
    func tiles() throws {
        var file = DepthFile()
        var item = HEIFItem.grid(rows: 1, columns: 2, width: 300, height: 140, properties: [])
        item.properties = [.imageSpatialExtents(width: 300, height: 140), try file.planeType()]
        file.plane = item
        file.change = {
            $0.addReference(.derivedImage, from: DepthFile.disparity, to: [DepthFile.photo, DepthFile.photo])
        }
        let written = try DamagedPhoto(try file.heic()).extract(nil)
        let tile = try DamagedPhoto(try DepthFile().heic()).extract(nil)
        #expect([written.width, written.height] == [300, 140])
        let differences = (0..<140).reduce(0) { sum, y in
            sum + (0..<300).count { written[$0, y] != tile[$0 % 192, y] }
        }
        #expect(differences == 0)
    }

    @Test("An item derived from itself is an error, not a loop")
    func cycles() throws {
        try file(HEIFItem(type: "iden"), inputs: [DepthFile.disparity])
            .expectFailure(of: nil, "derivation is circular")
        try file(
            HEIFItem.grid(rows: 1, columns: 1, width: 192, height: 144, properties: []),
            inputs: [DepthFile.disparity]
        )
        .expectFailure(of: nil, "a grid tile that is of type 'grid'")
    }

    @Test(
        "A grid with the wrong number of tiles is an error that gives the number",
        arguments: [(2, 2, 3), (1, 2, 1), (1, 1, 0), (1, 1, 2)])
    func missingTiles(rows: Int, columns: Int, count: Int) throws {
        let item = HEIFItem.grid(
            rows: rows, columns: columns, width: 192, height: 144, properties: [])
        let inputs = [ItemID](repeating: DepthFile.photo, count: count)
        try file(item, inputs: inputs)
            .expectFailure(of: nil, "grid item 4 of \(rows) × \(columns) tiles refers to \(count)")
    }

    @Test("Tiles that do not cover the grid, or differ in size, are an error")
    func uncovered() throws {
        try file(
            HEIFItem.grid(rows: 1, columns: 1, width: 193, height: 144, properties: []),
            inputs: [DepthFile.photo]
        )
        .expectFailure(of: nil, "do not cover 193 × 144")
        try file(
            HEIFItem.grid(rows: 1, columns: 2, width: 192, height: 144, properties: []),
            inputs: [DepthFile.photo, DepthFile.matte]
        )
        .expectFailure(of: nil, "differ in size")
    }

    @Test("A derived image of another size than declared is an error, as plane and as photo")
    func disagreement() throws {
        for item in [
            HEIFItem.grid(rows: 1, columns: 1, width: 96, height: 72, properties: []), HEIFItem(type: "iden"),
        ] {
            var file = DepthFile()
            var plane = item
            let size = item.type == "grid" ? (192, 144) : (96, 72)
            plane.properties = [
                .imageSpatialExtents(width: UInt32(size.0), height: UInt32(size.1)), try file.planeType(),
            ]
            file.plane = plane
            file.change = { $0.addReference(.derivedImage, from: DepthFile.disparity, to: [DepthFile.photo]) }
            try DamagedPhoto(try file.heic()).expectFailure(of: nil, "is declared as \(size.0) × \(size.1)")
            file.change = {
                $0.addReference(.derivedImage, from: DepthFile.disparity, to: [DepthFile.photo])
                $0.primaryItem = DepthFile.disparity
            }
            try DamagedPhoto(try file.heic()).expectFailure(
                of: "photo", "is declared as \(size.0) × \(size.1)")
        }
    }

    @Test("An identity item with two inputs and an unknown item type are errors")
    func inputs() throws {
        try file(HEIFItem(type: "iden"), inputs: [DepthFile.photo, DepthFile.matte])
            .expectFailure(of: nil, "2 inputs, not one")
        try file(HEIFItem(type: "abcd", payload: .mediaData([1])), inputs: [])
            .expectFailure(of: nil, "an image item of type 'abcd'")
    }
}
