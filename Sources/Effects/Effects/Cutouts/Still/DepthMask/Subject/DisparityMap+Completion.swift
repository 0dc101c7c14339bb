package import DepthMaps
internal import DepthTypes

extension DisparityMap {
    /// A matte of this view whose holes and gaps are filled where the map shows the object that the matte covers.
    ///
    /// Gaps are at most a fiftieth of the longer side wide. The result has the size of the matte, and no sample less coverage
    /// than before. The matte is returned unchanged if the map shows another view or nothing is known.
    package func completing(_ matte: Matte) -> Matte {
        let size = PixelSize(width: width, height: height)
        let known = finiteOnly
        guard PixelSize(width: matte.width, height: matte.height).hasSameAspect(as: size),
            known.statistics.range != nil, matte.coverage.contains(where: { $0 >= 128 })
        else { return matte }
        let body = DepthSubject(at: .matte(matte), in: known.filled()).body
        let covered = SampleRegion(
            width: body.width, height: body.height,
            isInside: matte.resampled(toWidth: body.width, height: body.height, by: .bilinear).coverage
                .map { $0 >= 128 })
        let reach = max(body.width, body.height) / 100
        let background = covered.dilated(by: reach).complement.dilated(by: reach)
        let outside = background.of(
            background.pieces(at: body.isInside.indices).filter(\.touchesBorder))
        let filled = zip(body.isInside, outside.isInside).map { $0 && !$1 ? UInt8(255) : 0 }
        let additions = Matte(width: body.width, height: body.height, coverage: filled)
            .resampled(toWidth: matte.width, height: matte.height, by: .area)
        return Matte(
            width: matte.width, height: matte.height,
            coverage: zip(matte.coverage, additions.coverage).map { max($0, $1) })
    }
}
