extension PointCloud {
    /// Removes outliers: points whose mean distance to their `neighbors` nearest points (itself included) is not below the
    /// mean of all such distances plus `deviations` standard deviations.
    ///
    /// The rule of Open3D's `remove_statistical_outlier` and PCL's filter of that name. Points that coincide with all their
    /// neighbors are removed, as in Open3D.
    public func removingOutliers(neighbors: Int = 20, deviations: Double = 2) -> PointCloud {
        precondition(neighbors > 0 && deviations > 0)
        guard positions.count > 1 else { return self }
        let tree = NeighborTree(positions)
        let distances = tree.meanDistances(toNearest: neighbors)
        let counted = distances.lazy.filter { $0 > 0 }.map { Double($0) }
        let count = Double(counted.count)
        let mean = counted.reduce(0, +) / count
        let variance = counted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
        let limit = mean + deviations * variance.squareRoot()
        var keeps = [Bool](repeating: false, count: positions.count)
        for (place, distance) in distances.enumerated() {
            keeps[Int(tree.order[place])] = distance > 0 && Double(distance) < limit
        }
        return keeping { keeps[$0] }
    }

    /// At most `count` points: if there are more, exactly that many, spread evenly in order.
    public func limited(to count: Int) -> PointCloud {
        guard positions.count > count else { return self }
        var subset = SystematicSample(of: positions.count, keeping: count)
        let keeps = positions.indices.map { _ in subset.keepsNext() }
        var result = keeping { keeps[$0] }
        result.splatSpacing = splatSpacing?.thinned(to: Double(count) / Double(positions.count))
        return result
    }

    private func keeping(_ isKept: (Int) -> Bool) -> PointCloud {
        func chosen<Element>(_ elements: [Element]) -> [Element] {
            elements.indices.filter(isKept).map { elements[$0] }
        }
        var result = self
        result.positions = chosen(positions)
        result.colors = chosen(colors)
        result.normals = chosen(normals)
        result.confidences = chosen(confidences)
        result.textureCoordinates = chosen(textureCoordinates)
        return result
    }
}
