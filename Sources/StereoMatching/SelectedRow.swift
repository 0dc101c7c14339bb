/// What is selected along a row.
struct SelectedRow: ~Copyable {
    let width: Int
    /// Whether more than ``winners`` is wanted.
    let isChecked: Bool
    private let memory: LaneBuffer

    init(width: Int, isChecked: Bool) {
        (self.width, self.isChecked) = (width, isChecked)
        memory = LaneBuffer(count: 24 * width)
        reset()
    }

    @inline(__always) private var lanes: Lanes { memory.lanes }

    /// What is kept of each pixel as a whole number.
    enum Field: Int {
        /// The disparity of a pixel's least sum, whatever speaks for it.
        case winner
        /// The least sum of a pixel.
        case cost
        /// The least sum of a pixel without the disparities next to the winner; 0 where the partner is outside of the other picture.
        case secondCost
        /// How much more the disparity before the winner costs than the one after it.
        case slope
        /// How much more than the winner the dearer of both costs; 0 where there are not both.
        case rise
        /// The least sum of a pixel in the right picture.
        case partnerCost
    }

    subscript(field: Field, column: Int) -> Int16 {
        @inline(__always) get { lanes[short: field.rawValue &* width &+ column] }
        @inline(__always) nonmutating set { lanes[short: field.rawValue &* width &+ column] = newValue }
    }

    /// The pixel in the left picture that it belongs to; −1 for none.
    subscript(partner column: Int) -> Int {
        @inline(__always) get { Int(lanes[int: 3 &* width &+ column]) }
        @inline(__always) nonmutating set {
            lanes[int: 3 &* width &+ column] = Int32(truncatingIfNeeded: newValue)
        }
    }

    /// A pixel's disparity with its fraction, once ``refine()`` has run.
    subscript(disparity column: Int) -> Float {
        @inline(__always) get { lanes[float: 4 &* width &+ column] }
        @inline(__always) nonmutating set { lanes[float: 4 &* width &+ column] = newValue }
    }

    /// How clearly a match stands out, 0…255, once ``refine()`` has run.
    subscript(margin column: Int) -> Float {
        @inline(__always) get { lanes[float: 5 &* width &+ column] }
        @inline(__always) nonmutating set { lanes[float: 5 &* width &+ column] = newValue }
    }

    /// Finds fractions and margins of all pixels, in one loop: a division in between other work makes it wait.
    func refine() {
        for column in 0..<width {
            // Equiangular fit: costs of a census rise in straight lines.
            let rise = self[.rise, column]
            let fraction = Float(self[.slope, column]) / Float(max(2 &* rise, 1))
            self[disparity: column] = Float(self[.winner, column]) + (rise > 0 ? fraction : 0)
            let (cost, second) = (self[.cost, column], self[.secondCost, column])
            self[margin: column] = min(255, Float(second &- cost) * 512 / Float(max(1, second)))
        }
    }

    /// Forgets the row.
    func reset() {
        for column in 0..<width {
            self[.partnerCost, column] = .max
            self[partner: column] = -1
        }
    }
}
