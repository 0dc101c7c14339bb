/// The selected disparities of a row.
struct SelectedRow: ~Copyable {
    let width: Int
    /// Whether more than ``winners`` is needed.
    let isChecked: Bool
    private let memory: LaneBuffer

    init(width: Int, isChecked: Bool) {
        (self.width, self.isChecked) = (width, isChecked)
        memory = LaneBuffer(count: 24 * width)
        reset()
    }

    @inline(__always) private var lanes: Lanes { memory.lanes }

    /// The integer values of each pixel.
    enum Field: Int {
        /// The disparity of a pixel's smallest sum, without a check.
        case winner
        /// The smallest sum of a pixel.
        case cost
        /// The smallest sum of a pixel without the disparities next to the winner; 0 if the partner is outside of the other
        /// picture.
        case secondCost
        /// The cost of the disparity before the winner minus the cost of the disparity after it.
        case slope
        /// The higher of both costs minus the winner's; 0 if one of them is missing.
        case rise
        /// The smallest sum of a pixel in the right picture.
        case partnerCost
    }

    subscript(field: Field, column: Int) -> Int16 {
        @inline(__always) get { lanes[short: field.rawValue &* width &+ column] }
        @inline(__always) nonmutating set { lanes[short: field.rawValue &* width &+ column] = newValue }
    }

    /// The matching pixel in the left picture; −1 without a match.
    subscript(partner column: Int) -> Int {
        @inline(__always) get { Int(lanes[int: 3 &* width &+ column]) }
        @inline(__always) nonmutating set {
            lanes[int: 3 &* width &+ column] = Int32(truncatingIfNeeded: newValue)
        }
    }

    /// A pixel's disparity with its fraction, after ``refine()``.
    subscript(disparity column: Int) -> Float {
        @inline(__always) get { lanes[float: 4 &* width &+ column] }
        @inline(__always) nonmutating set { lanes[float: 4 &* width &+ column] = newValue }
    }

    /// How distinct a match is, 0…255, after ``refine()``.
    subscript(margin column: Int) -> Float {
        @inline(__always) get { lanes[float: 5 &* width &+ column] }
        @inline(__always) nonmutating set { lanes[float: 5 &* width &+ column] = newValue }
    }

    /// Computes fractions and margins of all pixels in one loop: mixed with other work, divisions would stall.
    func refine() {
        for column in 0..<width {
            // Equiangular fit: census costs rise linearly.
            let rise = self[.rise, column]
            let fraction = Float(self[.slope, column]) / Float(max(2 &* rise, 1))
            self[disparity: column] = Float(self[.winner, column]) + (rise > 0 ? fraction : 0)
            let (cost, second) = (self[.cost, column], self[.secondCost, column])
            self[margin: column] = min(255, Float(second &- cost) * 512 / Float(max(1, second)))
        }
    }

    func reset() {
        for column in 0..<width {
            self[.partnerCost, column] = .max
            self[partner: column] = -1
        }
    }
}
