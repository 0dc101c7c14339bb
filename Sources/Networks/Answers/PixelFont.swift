/// Letters of 5 × 7 pixels for labels in pictures: printable ASCII and the letters of Latin alphabets, with accents above and
/// below (``PixelLetter``). Other characters become a question mark.
enum PixelFont {
    /// The width and height of a letter in pixels, and its advance including the gap.
    static let (width, height, advance) = (5, 7, 6)

    /// Five bytes for each character from the space on: columns from the left, the top pixel in the lowest bit.
    private static let columns = bytes(
        """
        0000000000 00005f0000 0007000700 147f147f14 242a7f2a12 2313086462 3649562050 0005030000 001c224100 0041221c00
        2a1c7f1c2a 08083e0808 0050300000 0808080808 0060600000 2010080402 3e5149453e 00427f4000 4261514946 2141454b31
        1814127f10 2745454539 3c4a494930 0171090503 3649494936 064949291e 0036360000 0056360000 0814224100 1414141414
        0041221408 0201510906 324979413e 7e1111117e 7f49494936 3e41414122 7f4141221c 7f49494941 7f09090901 3e4149497a
        7f0808087f 00417f4100 2040413f01 7f08142241 7f40404040 7f020c027f 7f0408107f 3e4141413e 7f09090906 3e4151215e
        7f09192946 4649494931 01017f0101 3f4040403f 1f2040201f 3f4038403f 6314081463 0708700807 6151494543 007f414100
        0204081020 0041417f00 0402010204 4040404040 0001020400 2054545478 7f48444438 3844444420 384444487f 3854545418
        087e090102 0c5252523e 7f08040478 00447d4000 2040443d00 7f10284400 00417f4000 7c04180478 7c08040478 3844444438
        7c14141408 081414187c 7c08040408 4854545420 043f444020 3c4040207c 1c2040201c 3c4030403c 4428102844 0c5050503c
        4464544c44 0008364100 00007f0000 0041360800 0804081008
        """)

    /// Letters that are neither ASCII nor one of its letters with an accent.
    private static let more: [Unicode.Scalar: [UInt8]] = {
        let scalars = Array("ıßÆæŒœØøŁłÐĐđðÞþ°×÷µ¿¡".unicodeScalars)
        let columns = bytes(
            """
            00447c4000 7e01494936 7e097f4949 2454785458 3e417f4949 38447c5458 3e6149433e 3864544c38 107f484440 00517f4400
            087f49413e 087f49413e 3844464a7f 30484a4d3e 7f14141408 7f24242418 0006090600 4428102844 08082a0808 7c2020103c
            2040454830 00007d0000
            """)
        var letters: [Unicode.Scalar: [UInt8]] = [:]
        for (number, scalar) in scalars.enumerated() {
            letters[scalar] = Array(columns[number * width..<(number + 1) * width])
        }
        return letters
    }()

    /// The columns of a character without its accents; `nil` if the font lacks it.
    static func columns(of character: Unicode.Scalar) -> [UInt8]? {
        guard (0x20...0x7E).contains(character.value) else { return more[character] }
        let start = (Int(character.value) - 0x20) * width
        return Array(columns[start..<start + width])
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let nibbles = hexadecimal.utf8.compactMap { code -> UInt8? in
            switch code {
            case 0x30...0x39: code - 0x30
            case 0x61...0x66: code - 0x57
            default: nil
            }
        }
        return stride(from: 0, to: nibbles.count - 1, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    }
}
