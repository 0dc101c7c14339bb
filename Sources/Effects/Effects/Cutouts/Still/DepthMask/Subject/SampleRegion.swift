internal import DepthTypes

/// A set of samples of a map.
struct SampleRegion: Sendable {
    let width: Int
    let height: Int
    private(set) var isInside: [Bool]

    init(width: Int, height: Int, isInside: [Bool]) {
        (self.width, self.height, self.isInside) = (width, height, isInside)
    }

    /// A part of a region that is connected along rows and columns.
    struct Piece: Sendable {
        /// The indices of its samples.
        var members: [Int] = []
        /// Whether it has a sample at the border of the map.
        var touchesBorder = false
    }

    /// The number of samples.
    var count: Int { isInside.count { $0 } }

    /// The samples that are not in the region.
    var complement: SampleRegion {
        SampleRegion(width: width, height: height, isInside: isInside.map { !$0 })
    }

    /// The samples of either region.
    func union(_ other: SampleRegion) -> SampleRegion {
        SampleRegion(
            width: width, height: height, isInside: zip(isInside, other.isInside).map { $0 || $1 })
    }

    /// The region of some pieces.
    func of(_ pieces: [Piece]) -> SampleRegion {
        var region = SampleRegion(
            width: width, height: height, isInside: [Bool](repeating: false, count: isInside.count))
        for piece in pieces { for index in piece.members { region.isInside[index] = true } }
        return region
    }

    /// The pieces that contain one of these samples. Samples outside the region are ignored.
    func pieces(at seeds: some Sequence<Int>) -> [Piece] {
        var isOpen = isInside
        var pieces: [Piece] = []
        for seed in seeds where isOpen[seed] {
            isOpen[seed] = false
            var piece = Piece(members: [seed])
            var next = 0
            while next < piece.members.count {
                let index = piece.members[next]
                next += 1
                let column = index % width
                func visit(_ neighbor: Int, if isOnMap: Bool) {
                    guard isOnMap else {
                        piece.touchesBorder = true
                        return
                    }
                    guard isOpen[neighbor] else { return }
                    isOpen[neighbor] = false
                    piece.members.append(neighbor)
                }
                visit(index - 1, if: column > 0)
                visit(index + 1, if: column < width - 1)
                visit(index - width, if: index >= width)
                visit(index + width, if: index < width * (height - 1))
            }
            pieces.append(piece)
        }
        return pieces
    }

    /// The region and all samples at most `distance` samples away from it.
    func dilated(by distance: Int) -> SampleRegion {
        let edges = isInside.map { $0 ? 0 : ChamferDistances.farthest }
        let thirds = ChamferDistances.swept(edges, width, height)
        return SampleRegion(width: width, height: height, isInside: thirds.map { $0 <= 3 * distance })
    }

    /// Whether the sample that covers this sample of a map of another size is in the region.
    @inline(__always)
    func covers(_ column: Int, _ row: Int, ofWidth otherWidth: Int, height otherHeight: Int) -> Bool {
        isInside[row * height / otherHeight * width + column * width / otherWidth]
    }
}
