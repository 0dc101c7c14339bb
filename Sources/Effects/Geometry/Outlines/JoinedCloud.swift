/// The points of a grid, and then further points with the same attributes.
package struct JoinedCloud: CloudSource {
    package let header: CloudHeader
    private let first: any CloudSource
    private let second: PointCloud

    init(_ first: any CloudSource, _ second: PointCloud) {
        (self.first, self.second) = (first, second)
        var header = first.header
        header.pointCount += second.positions.count
        if !second.positions.isEmpty {
            let bounds = CloudBounds(of: second.positions)
            header.minimum = pointwiseMin(header.minimum, bounds.minimum)
            header.maximum = pointwiseMax(header.maximum, bounds.maximum)
        }
        self.header = header
    }

    package var pieceCount: Int { first.pieceCount + second.pieceCount }

    package func append(piece index: Int, to cloud: inout PointCloud) {
        if index < first.pieceCount {
            first.append(piece: index, to: &cloud)
        } else {
            second.append(piece: index - first.pieceCount, to: &cloud)
        }
    }
}
