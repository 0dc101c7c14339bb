/// A letter of a label with its accents, from ``PixelFont``.
struct PixelLetter {
    /// Rows above and below the letter for accents.
    static let margin = 2

    /// Five columns of seven rows, the top row in the lowest bit.
    private var columns: [UInt8]
    private var accents: [Accent] = []

    /// The letters of a text. Combining accents belong to the letter before them.
    static func letters(of text: String) -> [PixelLetter] {
        var letters: [PixelLetter] = []
        for scalar in text.unicodeScalars {
            if let accent = Accent.combining[scalar], !letters.isEmpty {
                letters[letters.count - 1].accents.append(accent)
            } else {
                letters.append(PixelLetter(scalar))
            }
        }
        return letters
    }

    private init(_ scalar: Unicode.Scalar) {
        let (base, accent) = Accent.composed[scalar] ?? (scalar, nil)
        columns = PixelFont.columns(of: base) ?? PixelFont.columns(of: "?") ?? []
        accents = [accent].compactMap(\.self)
    }

    var hasAccents: Bool { !accents.isEmpty }

    /// Whether a pixel belongs to the letter or its accents; rows from −``margin`` to ``PixelFont/height`` + ``margin``.
    func isSet(_ column: Int, _ row: Int) -> Bool {
        if (0..<PixelFont.height).contains(row), columns[column] >> UInt8(row) & 1 == 1 { return true }
        // Small letters leave two rows free above, which tall ones fill.
        let top = columns.contains { $0 & 3 != 0 } ? -Self.margin : 0
        return accents.contains { accent in
            let offset = row - (accent.isBelow ? PixelFont.height : top)
            return (0..<Self.margin).contains(offset) && accent.columns[column] >> UInt8(offset) & 1 == 1
        }
    }
}

/// A mark above or below a letter: five columns of two rows, the upper one in the lowest bit.
private struct Accent {
    var columns: [UInt8]
    var isBelow = false
    /// The mark as a combining character.
    var combining: Unicode.Scalar
    /// Letters with the mark, each followed by the letter without it.
    var letters: String

    private static let all: [Accent] = {
        var all: [Accent] = []
        all += [Accent(columns: [0, 1, 2, 0, 0], combining: "\u{300}", letters: "ÀAÈEÌIÒOÙUàaèeìıòoùu")]
        all += [
            Accent(
                columns: [0, 0, 2, 1, 0], combining: "\u{301}",
                letters: "ÁAÉEÍIÓOÚUÝYĆCĹLŃNŔRŚSŹZáaéeíıóoúuýyćcĺlńnŕrśsźz")
        ]
        all += [
            Accent(
                columns: [0, 2, 1, 2, 0], combining: "\u{302}",
                letters: "ÂAÊEÎIÔOÛUĈCĜGĤHĴJŜSŴWŶYâaêeîıôoûuĉcĝgĥhŝsŵwŷy")
        ]
        all += [
            Accent(columns: [2, 1, 1, 2, 1], combining: "\u{303}", letters: "ÃAÑNÕOĨIŨUãañnõoĩıũu")
        ]
        all += [
            Accent(columns: [0, 2, 2, 2, 0], combining: "\u{304}", letters: "ĀAĒEĪIŌOŪUāaēeīıōoūu")
        ]
        all += [
            Accent(columns: [1, 2, 2, 2, 1], combining: "\u{306}", letters: "ĂAĔEĞGĬIŎOŬUăaĕeğgĭıŏoŭu")
        ]
        all += [Accent(columns: [0, 0, 1, 0, 0], combining: "\u{307}", letters: "ĊCĖEĠGİIŻZċcėeġgżz")]
        all += [
            Accent(columns: [0, 1, 0, 1, 0], combining: "\u{308}", letters: "ÄAËEÏIÖOÜUŸYäaëeïıöoüuÿy")
        ]
        all += [Accent(columns: [0, 3, 3, 0, 0], combining: "\u{30A}", letters: "ÅAŮUåaůu")]
        all += [Accent(columns: [0, 2, 1, 2, 1], combining: "\u{30B}", letters: "ŐOŰUőoűu")]
        all += [
            Accent(
                columns: [0, 1, 2, 1, 0], combining: "\u{30C}",
                letters: "ČCĎDĚEĽLŇNŘRŠSŤTŽZčcďděeľlňnřršsťtžz")
        ]
        all += [
            Accent(
                columns: [0, 2, 3, 0, 0], isBelow: true, combining: "\u{327}",
                letters: "ÇCĢGĶKĻLŅNŖRŞSŢTȘSȚTçcģgķkļlņnŗrşsţtșsțt")
        ]
        all += [
            Accent(
                columns: [0, 0, 1, 2, 0], isBelow: true, combining: "\u{328}", letters: "ĄAĘEĮIŲUąaęeįiųu")
        ]
        return all
    }()

    static let combining = Dictionary(all.map { ($0.combining, $0) }, uniquingKeysWith: { first, _ in first })

    static let composed: [Unicode.Scalar: (base: Unicode.Scalar, accent: Accent?)] = {
        var composed: [Unicode.Scalar: (base: Unicode.Scalar, accent: Accent?)] = [:]
        for accent in all {
            let scalars = Array(accent.letters.unicodeScalars)
            for place in stride(from: 0, to: scalars.count - 1, by: 2) {
                composed[scalars[place]] = (scalars[place + 1], accent)
            }
        }
        return composed
    }()
}
