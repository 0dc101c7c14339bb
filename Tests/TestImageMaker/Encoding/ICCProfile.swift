/// A small ICC profile for Display P3: three colorants, one curve (ICC.1:2010, version 4).
enum ICCProfile {
    static let displayP3: [UInt8] = header(size: 128 + tags.count) + tags

    /// s15Fixed16 numbers: the primaries of SMPTE EG 432-1 with a D65 white, adapted to D50 by Bradford.
    private static let colorants: [(name: String, xyz: [Int32])] = [
        ("rXYZ", [33759, 15807, -69]), ("gXYZ", [19135, 45367, 2745]), ("bXYZ", [10296, 4363, 51385]),
    ]
    private static let adaptation: [Int32] = [68674, 1502, -3291, 1939, 64912, -1119, -606, 988, 49262]
    private static let white: [Int32] = [63190, 65536, 54061]
    /// Parametric curve 3, that of sRGB: g, a, b, c, d in 1/65536.
    private static let curve: [Int32] = [157286, 62119, 3417, 5072, 2651]

    private static let tags: [UInt8] = {
        let curveData = ascii("para") + number(0) + [0, 3, 0, 0] + curve.flatMap(number)
        var contents: [(name: String, data: [UInt8])] = [
            ("desc", text("Display P3, made for tests")), ("cprt", text("No copyright")),
            ("wtpt", xyz(white)),
            ("chad", ascii("sf32") + number(0) + adaptation.flatMap(number)),
        ]
        contents += colorants.map { ($0.name, xyz($0.xyz)) }
        contents += ["rTRC", "gTRC", "bTRC"].map { ($0, curveData) }
        return table(contents)
    }()

    /// The tag table and the tags; equal data is stored once.
    private static func table(_ contents: [(name: String, data: [UInt8])]) -> [UInt8] {
        var table = number(Int32(contents.count))
        var data: [UInt8] = []
        var places: [[UInt8]: Int] = [:]
        let dataStart = 128 + 4 + 12 * contents.count
        for tag in contents {
            let place = places[tag.data] ?? dataStart + data.count
            if places.updateValue(place, forKey: tag.data) == nil {
                data += tag.data + [UInt8](repeating: 0, count: -tag.data.count & 3)
            }
            table += ascii(tag.name) + number(Int32(place)) + number(Int32(tag.data.count))
        }
        return table + data
    }

    private static func header(size: Int) -> [UInt8] {
        var header = number(Int32(size)) + number(0) + [4, 0x30, 0, 0]
        header += ascii("mntrRGB XYZ ")
        header += [0x07, 0xE9, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]  // 2025-01-01
        header += ascii("acsp") + [UInt8](repeating: 0, count: 28)
        header += white.flatMap(number)
        return header + [UInt8](repeating: 0, count: 128 - header.count)
    }

    /// One text, in English, as UTF-16.
    private static func text(_ text: String) -> [UInt8] {
        let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        return ascii("mluc") + number(0) + number(1) + number(12) + ascii("enUS") + number(Int32(units.count))
            + number(28) + units
    }

    private static func xyz(_ values: [Int32]) -> [UInt8] {
        ascii("XYZ ") + number(0) + values.flatMap(number)
    }

    private static func ascii(_ text: String) -> [UInt8] {
        Array(text.utf8)
    }

    private static func number(_ value: Int32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
