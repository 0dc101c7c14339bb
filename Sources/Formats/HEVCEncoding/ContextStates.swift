/// The states of all contexts: twice the index of the probability, plus the more probable decision (H.265 §9.3).
struct ContextStates {
    var states: [UInt8]

    /// The index of the first context of each syntax element.
    static let splitCodingUnit = 0
    static let transquantBypass = 3
    static let partMode = 4
    static let previousMode = 5
    /// For a block that is as large as its coding unit.
    static let codedBlock = 10
    static let lastX = 11
    static let lastY = 29
    static let codedSubBlock = 47
    static let significant = 49
    static let greaterThan1 = 76
    static let greaterThan2 = 92

    /// Initial values of intra slices (Tables 9-5 to 9-37), luma only.
    private static let initialValues: [Int] = {
        var values = [139, 141, 157, 154, 184, 184, 153, 138, 138, 111, 141]
        let last = [110, 110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79, 108, 123, 63]
        values += last
        values += last
        values += [91, 171]
        values += [111, 111, 125, 110, 110, 94, 124, 108, 124, 107, 125, 141, 179, 153, 125]
        values += [107, 125, 141, 179, 153, 125, 107, 125, 141, 179, 153, 125]
        values += [140, 92, 137, 138, 140, 152, 138, 139, 153, 74, 149, 92, 139, 107, 122, 152]
        values += [138, 153, 136, 167]
        return values
    }()

    /// The states at the beginning of a slice (§9.3.2.2).
    init(sliceQP: Int) {
        states = Self.initialValues.map { value in
            let slope = (value >> 4) * 5 - 45
            let offset = ((value & 15) << 3) - 16
            let state = min(max(((slope * sliceQP) >> 4) + offset, 1), 126)
            return state <= 63 ? UInt8((63 - state) << 1) : UInt8((state - 64) << 1 | 1)
        }
    }

    /// The state after the less probable decision (Table 9-47). Below the lowest probability the two decisions are exchanged.
    static let afterLeastProbable: [UInt8] = {
        var next: [Int] = [0, 0, 1, 2, 2, 4, 4, 5, 6, 7, 8, 9, 9, 11, 11, 12, 13, 13, 15, 15, 16, 16, 18, 18]
        next += [19, 19, 21, 21, 22, 22, 23, 24, 24, 25, 26, 26, 27, 27, 28, 29, 29, 30, 30, 30, 31, 32, 32]
        next += [33, 33, 33, 34, 34, 35, 35, 35, 36, 36, 36, 37, 37, 37, 38, 38, 63]
        return (0..<128).map { state in
            let probable = state >> 1 == 0 ? 1 - state & 1 : state & 1
            return UInt8(next[state >> 1] << 1 | probable)
        }
    }()

    /// The range of the less probable decision, for four ranges of each probability (Table 9-46).
    static let ranges: [UInt8] = {
        var table: [UInt8] = []
        table += [128, 176, 208, 240, 128, 167, 197, 227, 128, 158, 187, 216, 123, 150, 178, 205]
        table += [116, 142, 169, 195, 111, 135, 160, 185, 105, 128, 152, 175, 100, 122, 144, 166]
        table += [95, 116, 137, 158, 90, 110, 130, 150, 85, 104, 123, 142, 81, 99, 117, 135]
        table += [77, 94, 111, 128, 73, 89, 105, 122, 69, 85, 100, 116, 66, 80, 95, 110]
        table += [62, 76, 90, 104, 59, 72, 86, 99, 56, 69, 81, 94, 53, 65, 77, 89]
        table += [51, 62, 73, 85, 48, 59, 69, 80, 46, 56, 66, 76, 43, 53, 63, 72]
        table += [41, 50, 59, 69, 39, 48, 56, 65, 37, 45, 54, 62, 35, 43, 51, 59]
        table += [33, 41, 48, 56, 32, 39, 46, 53, 30, 37, 43, 50, 29, 35, 41, 48]
        table += [27, 33, 39, 45, 26, 31, 37, 43, 24, 30, 35, 41, 23, 28, 33, 39]
        table += [22, 27, 32, 37, 21, 26, 30, 35, 20, 24, 29, 33, 19, 23, 27, 31]
        table += [18, 22, 26, 30, 17, 21, 25, 28, 16, 20, 23, 27, 15, 19, 22, 25]
        table += [14, 18, 21, 24, 14, 17, 20, 23, 13, 16, 19, 22, 12, 15, 18, 21]
        table += [12, 14, 17, 20, 11, 14, 16, 19, 11, 13, 15, 18, 10, 12, 15, 17]
        table += [10, 12, 14, 16, 9, 11, 13, 15, 9, 11, 12, 14, 8, 10, 12, 14]
        table += [8, 9, 11, 13, 7, 9, 11, 12, 7, 9, 10, 12, 7, 8, 10, 11]
        table += [6, 8, 9, 11, 6, 7, 9, 10, 6, 7, 8, 9, 2, 2, 2, 2]
        return table
    }()
}
