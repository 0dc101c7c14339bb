/// What is selected along a row.
struct SelectedRow: ~Copyable {
    let width: Int
    /// Whether more than ``winners`` is wanted.
    let isChecked: Bool
    private let memory: LaneBuffer

    init(width: Int, isChecked: Bool) {
        (self.width, self.isChecked) = (width, isChecked)
        memory = LaneBuffer(count: 16 * width)
        reset()
    }

    @inline(__always) private var lanes: Lanes { memory.lanes }

    /// The disparity of a pixel in the left picture; `nan` where nothing matches.
    subscript(disparity column: Int) -> Float {
        @inline(__always) get { lanes[float: column] }
        @inline(__always) nonmutating set { lanes[float: column] = newValue }
    }

    /// The disparity of a pixel in the right picture; `nan` where nothing matches.
    subscript(partnerDisparity column: Int) -> Float {
        @inline(__always) get { lanes[float: width &+ column] }
        @inline(__always) nonmutating set { lanes[float: width &+ column] = newValue }
    }

    /// The disparity of a pixel's least sum, whatever speaks for it.
    subscript(winner column: Int) -> Int16 {
        @inline(__always) get { Int16(bitPattern: lanes[sum: 4 &* width &+ column]) }
        @inline(__always) nonmutating set { lanes[sum: 4 &* width &+ column] = UInt16(bitPattern: newValue) }
    }

    /// The least sum of a pixel in the right picture.
    subscript(partnerCost column: Int) -> UInt16 {
        @inline(__always) get { lanes[sum: 5 &* width &+ column] }
        @inline(__always) nonmutating set { lanes[sum: 5 &* width &+ column] = newValue }
    }

    /// How clearly a match stands out, 0…255.
    subscript(margin column: Int) -> UInt8 {
        @inline(__always) get { lanes[byte: 12 &* width &+ column] }
        @inline(__always) nonmutating set { lanes[byte: 12 &* width &+ column] = newValue }
    }

    /// Forgets the row.
    func reset() {
        for column in 0..<width {
            self[partnerCost: column] = .max
            self[partnerDisparity: column] = .nan
        }
    }
}
