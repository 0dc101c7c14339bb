internal import DepthMaps
internal import DepthTypes

/// The subject of a map: the disparities that it lies between, and where it is.
struct DepthSubject: Sendable {
    /// How a sample of the map belongs to the subject.
    private enum Membership: UInt8, Sendable {
        case outside, between, full
    }

    /// The disparities, with a step of a 32nd of the map's range at each end.
    let range: DisparityRange
    /// Whether nothing stands out at the seed, so that this is another object.
    let isElsewhere: Bool
    /// See ``DepthMask/confidence``.
    let confidence: Float
    /// Its samples in the map in which it was found.
    let body: SampleRegion
    private let memberships: [Membership]

    /// The subject at a seed of a map whose samples are finite.
    ///
    /// It is found in a map of at most 1024 samples in a row or column: the samples between the bounds that are connected
    /// with the seed, and up to 3 beside them. Parts with less than 2 % of its samples are omitted. Enclosed holes are filled
    /// if they are nearer than the subject, or if they are small (0.5 % of it) and at most an eighth of the map's range
    /// farther.
    init(at seed: SubjectSeed, in map: DisparityMap) {
        let map = map.reduced(toAtMost: 1024)
        guard let search = SubjectSearch(map) else {
            range = DisparityRange(-.infinity ... .infinity, softness: 0)
            (isElsewhere, confidence) = (false, 0)
            body = SampleRegion(
                width: map.width, height: map.height, isInside: map.samples.map { _ in true })
            memberships = [Membership](repeating: .between, count: map.samples.count)
            return
        }
        let (subject, isElsewhere) = search.standout(at: seed)
        let disparities = subject.disparities
        let floor = subject.floor?.region(of: map).isInside
        let connected = Self.connected(to: subject, in: map, without: floor)
        let holes = Self.holes(in: connected, of: map, disparities, reach: search.span / 8)
        let body = connected.union(holes)
        let (near, filled) = (connected.dilated(by: 3), holes.dilated(by: 2))
        memberships = map.samples.indices.map { index in
            if body.isInside[index], filled.isInside[index] { return .full }
            return near.isInside[index] && floor?[index] != true ? .between : .outside
        }
        self.body = body
        range = DisparityRange(disparities, softness: search.span / 64)
        (self.isElsewhere, confidence) = (isElsewhere, subject.confidence)
    }

    /// The samples between the bounds that are connected with the found region, up to 6 of its samples away from it.
    private static func connected(
        to subject: SubjectSearch.Subject, in map: DisparityMap, without floor: [Bool]?
    ) -> SampleRegion {
        let (width, height) = (map.width, map.height)
        let reach = subject.region.dilated(by: 6)
        let between = SampleRegion(
            width: width, height: height,
            isInside: map.samples.indices.map { index in
                subject.disparities ~= map.samples[index] && floor?[index] != true
                    && reach.covers(index % width, index / width, ofWidth: width, height: height)
            })
        let seeds = map.samples.indices.lazy.filter {
            subject.region.covers($0 % width, $0 / width, ofWidth: width, height: height)
        }
        let pieces = between.pieces(at: seeds)
        let largest = pieces.map(\.members.count).max() ?? 0
        return between.of(pieces.filter { $0.members.count * 50 >= largest })
    }

    private static func holes(
        in body: SampleRegion, of map: DisparityMap, _ disparities: ClosedRange<Float>, reach: Float
    ) -> SampleRegion {
        let size = body.count
        let outside = body.complement
        let holes = outside.pieces(at: map.samples.indices).filter { hole in
            guard !hole.touchesBorder else { return false }
            let mean = hole.members.reduce(Float(0)) { $0 + map.samples[$1] / Float(hole.members.count) }
            return mean > disparities.lowerBound
                || hole.members.count * 200 < size && mean > disparities.lowerBound - reach
        }
        return outside.of(holes)
    }

    /// The coverage of the subject, from the coverage of ``range`` at any size.
    func matte(_ coverage: Matte) -> Matte {
        let codes: [UInt8] = parallelMapRows(width: coverage.width, height: coverage.height) { band, output in
            for y in band {
                let row = y * body.height / coverage.height * body.width
                for x in 0..<coverage.width {
                    let code =
                        switch memberships[row + x * body.width / coverage.width] {
                        case .outside: UInt8(0)
                        case .between: coverage.coverage[y * coverage.width + x]
                        case .full: UInt8(255)
                        }
                    output[(y - band.lowerBound) * coverage.width + x] = code
                }
            }
        }
        return Matte(width: coverage.width, height: coverage.height, coverage: codes)
    }
}
