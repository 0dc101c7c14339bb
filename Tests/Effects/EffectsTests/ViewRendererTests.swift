import DepthMaps
import DepthTypes
import Testing

@testable import Effects

@Suite("Views from beside the camera")
struct ViewRendererTests {
    private static let (width, height) = (120, 80)
    private static let (near, far) = (
        RGB<UInt8>(red: 220, green: 20, blue: 20), RGB<UInt8>(red: 20, green: 60, blue: 220)
    )

    /// A red square of disparity 1 before a blue wall of disparity 0, which has a white column at 100.
    private func scene(strength: Float = 0.1, pivot: Float) -> ViewRenderer {
        let pixels = (0..<Self.width * Self.height).map { place -> RGB<UInt8> in
            let (x, y) = (place % Self.width, place / Self.width)
            if isNear(x, y) { return Self.near }
            return x == 100 ? .white : Self.far
        }
        let disparity = (0..<Self.width * Self.height).map {
            isNear($0 % Self.width, $0 / Self.width) ? Float(1) : 0
        }
        let map = DisparityMap(
            width: Self.width, height: Self.height, reciprocalMeters: disparity, scale: .absolute)
        return ViewRenderer(pixels, map, pivot: pivot, strength: strength)
    }

    private func isNear(_ x: Int, _ y: Int) -> Bool { (40..<70).contains(x) && (25..<55).contains(y) }

    /// The middle of the columns of a row whose pixels are as wanted.
    private func middle(_ picture: [RGB<UInt8>], row: Int, _ isWanted: (RGB<UInt8>) -> Bool) -> Float? {
        let columns = (0..<Self.width).filter { isWanted(picture[row * Self.width + $0]) }
        return columns.isEmpty ? nil : Float(columns.reduce(0, +)) / Float(columns.count) + 0.5
    }

    @Test("Smooth edges of a map become steps at their middle, and slopes stay")
    func steepEdges() {
        let row: [Float] = [0, 0, 0, 0, 0.1, 0.3, 0.45, 0.55, 0.7, 0.9, 1, 1, 1, 1]
        let steps: [Float] = [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]
        for isUpright in [false, true] {
            let (width, height) = isUpright ? (1, row.count) : (row.count, 1)
            #expect(
                SteepEdges.steepened(
                    row, steps, width: width, height: height, radius: 6, leastDifference: 0.5) == steps)
            // An edge that is out of focus in the photo, too.
            #expect(
                SteepEdges.steepened(
                    row, row.map { 3 * $0 }, width: width, height: height, radius: 6, leastDifference: 0.5)
                    == row)
        }
        let slope = (0..<40).map { Float($0) / 40 }
        #expect(
            SteepEdges.steepened(
                slope, slope.map { $0 < 0.5 ? 0 : 1 }, width: 40, height: 1, radius: 6, leastDifference: 0.5)
                == slope)
    }

    @Test(
        "Nothing of an object's smooth edge moves between it and what is behind it", arguments: [false, true])
    func smoothEdge(withMatteOfAnother hasMatte: Bool) {
        let disparity = (0..<Self.width * Self.height).map { place -> Float in
            let x = Float(place % Self.width)
            return min(max(min((x - 37) / 4, (72 - x) / 4), 0), 1)
        }
        let map = DisparityMap(
            width: Self.width, height: Self.height, reciprocalMeters: disparity, scale: .absolute)
        let pixels = [RGB<UInt8>](repeating: Self.near, count: disparity.count)
        let photo = ColorImage(
            width: Self.width, height: Self.height, pixels: .uint8(pixels), colorProfile: [])
        let another = Matte(
            width: Self.width, height: Self.height,
            coverage: disparity.indices.map { (90..<110).contains($0 % Self.width) ? 255 : 0 })
        let subject = hasMatte ? SoftSubject(another, of: photo, curve: .sRGB) : nil
        let renderer = ViewRenderer(pixels, map, subject: subject, pivot: 0, strength: 0.1)
        for shift: Float in [0, 6] {
            let seen = renderer.disparities(
                from: ViewPoint(shift: SIMD2(shift, 0)), width: Self.width, height: Self.height)
            #expect(seen.filter { $0 > 0.1 && $0 < 0.9 }.isEmpty)
            #expect(seen.contains { $0 > 0.9 } && seen.contains { $0 < 0.1 })
        }
    }

    @Test("The pivot stays where it is, and what is farther goes with the camera by the shift")
    func parallax() throws {
        let renderer = scene(pivot: 1)
        // Parting by 0.1 of 120 pixels over disparities from 0 to 1.
        #expect(abs(renderer.fullShift - 12) < 1e-4)
        let shift: Float = 6
        let picture = renderer.picture(
            from: ViewPoint(shift: SIMD2(shift, 0)), width: Self.width, height: Self.height)
        let zoom: Float = 1 + 1.5 * 0.1
        let square = try #require(middle(picture, row: 40) { $0.red > 150 && $0.blue < 100 })
        #expect(abs(square - (60 + (55 - 60) * zoom)) <= 0.6)
        let line = try #require(middle(picture, row: 10) { $0.green > 140 })
        #expect(abs(line - (60 + (100.5 - 60 + shift) * zoom)) <= 0.8)
    }

    @Test("What comes into sight behind an edge has the color of the far side, and nothing is left empty")
    func hidden() {
        let renderer = scene(pivot: 0)
        for side: Float in [-6, 6] {
            let picture = renderer.picture(
                from: ViewPoint(shift: SIMD2(side, side / 2)), width: Self.width, height: Self.height)
            for (index, pixel) in picture.enumerated() {
                #expect(Int(pixel.red) + Int(pixel.green) + Int(pixel.blue) > 200, "empty at \(index)")
            }
            // Each row goes from blue to red and back within the mixed pixels of one edge.
            let mixed = (0..<Self.width).count { column in
                let pixel = picture[40 * Self.width + column]
                return pixel.green < 100 && (40..<200).contains(pixel.red)
            }
            #expect(mixed <= 4, "\(mixed)")
        }
    }

    @Test("A soft edge lets through what is behind it, as much as the matte says")
    func softEdge() throws {
        // A red subject in columns 40 to 79 before a blue wall; columns 76 to 79 are covered by 4/5, 3/5, 2/5 and 1/5, in light.
        let table = TransferFunctionTable<UInt8>(.sRGB)
        func coverage(_ x: Int) -> Float { x < 40 ? 0 : x < 76 ? 1 : x < 80 ? Float(80 - x) / 5 : 0 }
        let pixels = (0..<Self.width * Self.height).map { index -> RGB<UInt8> in
            let share = coverage(index % Self.width)
            return table.pixel(ofLight: SIMD4(share, 0, 1 - share, 0))
        }
        let map = DisparityMap(
            width: Self.width, height: Self.height,
            reciprocalMeters: (0..<Self.width * Self.height).map { coverage($0 % Self.width) > 0 ? 1 : 0 },
            scale: .absolute)
        let photo = ColorImage(
            width: Self.width, height: Self.height, pixels: .uint8(pixels), colorProfile: [])
        let matte = Matte(
            width: Self.width, height: Self.height,
            coverage: (0..<Self.width * Self.height).map { UInt8(coverage($0 % Self.width) * 255 + 0.5) })
        let subject = try #require(SoftSubject(matte, of: photo, curve: .sRGB))
        let renderer = ViewRenderer(pixels, map, subject: subject, pivot: 1, strength: 0.05)
        let hard = ViewRenderer(pixels, map, pivot: 1, strength: 0.05)
        for shift: Float in [-3, 3] {
            let view = ViewPoint(shift: SIMD2(shift, 0))
            func row(_ renderer: ViewRenderer) -> [RGB<UInt8>] {
                let picture = renderer.picture(from: view, width: Self.width, height: Self.height)
                return Array(picture[40 * Self.width..<41 * Self.width])
            }
            // Light is neither lost nor added where the two mix, and red falls without a step.
            let line = row(renderer)
            let light = line.map { table.light(of: $0) }
            for place in 72..<100 { #expect(abs(light[place].x + light[place].z - 1) < 0.06, "\(place)") }
            let steps = zip(light[60..<100], light[61..<101]).map { $0.x - $1.x }
            #expect((steps.max() ?? 1) < 0.24 && (steps.min() ?? -1) > -0.03)
            // Without the matte the edge is cut.
            let cut = row(hard).map { table.light(of: $0) }
            #expect((zip(cut[60..<100], cut[61..<101]).map { $0.x - $1.x }.max() ?? 0) > 0.25)
        }
    }

    @Test("An uneven object does not let through what is far behind it")
    func unevenObject() {
        // A red object in columns 50 to 69 before a blue wall. Blocks of 3 x 3 of its pixels are farther by as much as moves them
        // 3 of 12 pixels.
        let disparity = (0..<Self.width * Self.height).map { index -> Float in
            let (x, y) = (index % Self.width, index / Self.width)
            guard (50..<70).contains(x) else { return 0 }
            return (x / 3 * 7 + y / 3 * 5) % 4 == 0 ? 0.75 : 1
        }
        let map = DisparityMap(
            width: Self.width, height: Self.height, reciprocalMeters: disparity, scale: .absolute)
        let renderer = ViewRenderer(
            disparity.map { $0 > 0 ? Self.near : Self.far }, map, pivot: 1, strength: 0.1)
        for shift: Float in [-6, 6] {
            let picture = renderer.picture(
                from: ViewPoint(shift: SIMD2(shift, 0)), width: Self.width, height: Self.height)
            let zoom: Float = 1 + 1.5 * 0.1
            let columns = Int(60 - 10 * zoom) + 5..<Int(60 + 10 * zoom) - 4
            let blue = (10..<70).reduce(0) { sum, row in
                sum + columns.count { picture[row * Self.width + $0].blue > 100 }
            }
            #expect(blue == 0)
        }
    }

    @Test("What shows through hair moves with the wall, at its own place")
    func throughHair() throws {
        // A red body in rows 0 to 29 with a strand in every fourth column below it, before a blue wall with a white column at 60
        // to 62.
        let table = TransferFunctionTable<UInt8>(.sRGB)
        func coverage(_ x: Int, _ y: Int) -> Float {
            (40..<80).contains(x) ? (y < 30 ? 1 : x % 4 == 3 ? 0.8 : 0) : 0
        }
        let places = (0..<Self.width * Self.height).map { ($0 % Self.width, $0 / Self.width) }
        let pixels = places.map { x, y -> RGB<UInt8> in
            let wall: SIMD4<Float> = (60...62).contains(x) ? SIMD4(1, 1, 1, 0) : SIMD4(0.05, 0.1, 0.5, 0)
            let share = coverage(x, y)
            return table.pixel(ofLight: SIMD4(0.6, 0.05, 0.05, 0) * share + wall * (1 - share))
        }
        let map = DisparityMap(
            width: Self.width, height: Self.height,
            reciprocalMeters: places.map { coverage($0, $1) == 1 ? 1 : 0 }, scale: .absolute)
        let photo = ColorImage(
            width: Self.width, height: Self.height, pixels: .uint8(pixels), colorProfile: [])
        let matte = Matte(
            width: Self.width, height: Self.height, coverage: places.map { UInt8(coverage($0, $1) * 255) })
        let subject = try #require(SoftSubject(matte, of: photo, curve: .sRGB))
        let renderer = ViewRenderer(pixels, map, subject: subject, pivot: 1, strength: 0.05)
        for shift: Float in [-3, 3] {
            let picture = renderer.picture(
                from: ViewPoint(shift: SIMD2(shift, 0)), width: Self.width, height: Self.height)
            // 20 rows below the body, and away from the veil's sides.
            let row = 50 * Self.width
            let brightest = try #require((45..<75).max { picture[row + $0].green < picture[row + $1].green })
            let zoom: Float = 1 + 1.5 * 0.05
            let expected = 60 + (61.5 - 60 + shift) * zoom
            #expect(abs(Float(brightest) + 0.5 - expected) <= 2, "\(shift)")
            #expect(table.light(of: picture[row + brightest]).y > 0.9)
        }
    }

    @Test("Coming nearer keeps the size of what is at the pivot, and shrinks what is behind it")
    func advance() throws {
        let renderer = scene(pivot: 1)
        let view = ViewPoint(shift: .zero, advance: 0.2)
        let picture = renderer.picture(from: view, width: Self.width, height: Self.height)
        let zoom: Float = 1 + 1.5 * 0.1
        let square = try #require(middle(picture, row: 40) { $0.red > 150 && $0.blue < 100 })
        #expect(abs(square - (60 + (55 - 60) * zoom)) <= 0.6)
        // With advance a, the far plane (q = 0) is scaled by 1 − a · q_p.
        let line = try #require(middle(picture, row: 10) { $0.green > 140 })
        #expect(abs(line - (60 + (100.5 - 60) * zoom * 0.8)) <= 0.8)
    }

    @Test("A movement ends where it begins", arguments: CameraMove.allCases)
    func loop(move: CameraMove) {
        let renderer = scene(pivot: 1)
        let (start, end) = (move.view(at: 0, of: renderer), move.view(at: 0.9999, of: renderer))
        #expect(abs(start.shift.x - end.shift.x) < 0.1 && abs(start.advance - end.advance) < 0.01)
        #expect(CameraMove.focus(at: 0) == 1 && abs(CameraMove.focus(at: 0.5)) < 1e-6)
    }
}

@Suite("Stereo pictures")
struct StereoPictureTests {
    @Test("The rows of the left picture are followed by those of the right one")
    func sideBySide() {
        let (a, b) = (RGB<UInt8>(red: 1, green: 2, blue: 3), RGB<UInt8>(red: 9, green: 8, blue: 7))
        let both = StereoPicture.sideBySide([a, a, a, a], [b, b, b, b], width: 2)
        #expect(both == [a, a, b, b, a, a, b, b])
    }

    /// The rows of Dubois's matrices add up to 0.999, 1.000 and 1.000.
    @Test("White for both eyes is white in an anaglyph, and the left eye alone is red")
    func anaglyph() {
        let white = StereoPicture.anaglyph([.white], [.white])[0]
        #expect(white.red >= 254 && white.green >= 254 && white.blue >= 254)
        let left = StereoPicture.anaglyph([.white], [.black])[0]
        #expect(left.red > 240 && left.green == 0 && left.blue == 0)
    }
}
