/// Disjoint sets of numbers from 0, as a forest (R. E. Tarjan, "Efficiency of a good but not linear set union algorithm",
/// 1975).
struct DisjointSets {
    /// The parent of each number, which is not larger; the root of a set is its own parent.
    private var parents: [Int32]

    /// A set for each number below `count`.
    init(count: Int) { parents = (0..<Int32(count)).map(\.self) }

    /// Makes one set of those of two numbers.
    @inline(__always)
    mutating func join(_ first: Int, _ second: Int) {
        let (a, b) = (root(of: Int32(first)), root(of: Int32(second)))
        parents[Int(max(a, b))] = min(a, b)
    }

    private mutating func root(of number: Int32) -> Int32 {
        var number = number
        while parents[Int(number)] != number {
            parents[Int(number)] = parents[Int(parents[Int(number)])]
            number = parents[Int(number)]
        }
        return number
    }

    /// The least number in the set of each number.
    var roots: [Int32] {
        // Parents come first, so one pass in order finds the roots.
        var roots = parents
        for index in roots.indices { roots[index] = roots[Int(roots[index])] }
        return roots
    }
}
