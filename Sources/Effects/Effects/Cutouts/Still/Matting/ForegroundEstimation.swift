internal import DepthMaps

extension Cutout {
    /// The cutout with soft pixels in the color of the foreground alone, so that the old background does not shine through.
    /// All other pixels stay.
    ///
    /// A pixel's light is `I = α F + (1 − α) B`. F and B are chosen to be smooth where α changes, by the energy and the
    /// coarse-to-fine solution of T. Germer, T. Uelwer, S. Conrad and S. Harmeling, "Fast Multi-Level Foreground Estimation"
    /// (2020); the module's README explains the differences. The result does not depend on the number of threads.
    ///
    /// The result's matte has the photo's size.
    package func decontaminated() -> Cutout {
        let matte = matte.linear(toWidth: photo.width, height: photo.height)
        let tiles = UnknownRegionTiles(matte)
        guard !tiles.tiles.isEmpty else { return replacing(pixels: photo.pixels, matte: matte) }
        func foreground<Sample>(of pixels: [RGB<Sample>]) -> [RGB<Sample>] {
            let photo = PhotoLight(
                width: photo.width, height: photo.height, pixels: pixels, coverage: matte.coverage,
                table: TransferFunctionTable<Sample>(curve))
            return ForegroundSeparation(photo: photo, tiles: tiles).foreground()
        }
        return replacing(pixels: photo.pixels.map(foreground, foreground), matte: matte)
    }
}

/// The levels of a separation, from coarse to fine.
struct ForegroundSeparation<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    let photo: PhotoLight<Sample>
    let tiles: UnknownRegionTiles

    /// The photo with the foreground's color in soft pixels.
    func foreground() -> [RGB<Sample>] {
        let half = HalfLevel(photo: photo, coarser: quarter().separatedFromTop())
        let level = FinestLevel(photo: photo, tiles: tiles, estimates: layers(of: half))
        let (side, width) = (UnknownRegionTiles.side, photo.width)
        return parallelMapRows(width: width, height: photo.height, minimum: side) { band, output in
            let source = photo.pixels.span.extracting(band.lowerBound * width..<band.upperBound * width)
            output.copy(source, source.indices, to: 0)
            var window = ForegroundSolverWindow()
            for tile in tiles.tiles {
                let (row, column) = tile.quotientAndRemainder(dividingBy: tiles.columns)
                let rows = (row * side..<(row + 1) * side).clamped(to: band)
                guard !rows.isEmpty else { continue }
                let columns = column * side..<min((column + 1) * side, width)
                window.solve(
                    level, columns: columns, rows: rows, iterations: ForegroundSolverWindow.usualIterations)
                for y in rows {
                    for x in columns {
                        let alpha = window.alpha(x, y)
                        guard alpha > 0, alpha < 1 else { continue }
                        let front = Self.settled(window.layers(x, y), alpha, photo.light(x, y))
                        output[(y - band.lowerBound) * width + x] = photo.table.pixel(ofLight: front)
                    }
                }
            }
        }
    }

    /// The foreground's light, after the smallest change of foreground and background that makes them mix to the photo's
    /// light.
    private static func settled(_ layers: Layers, _ alpha: Float, _ light: SIMD4<Float>) -> SIMD4<Float> {
        let rest = light - layers.front * alpha - layers.back * (1 - alpha)
        return layers.front + rest * (alpha / (alpha * alpha + (1 - alpha) * (1 - alpha)))
    }

    /// The layers at half size, 32 × 32 for each tile.
    private func layers(of level: HalfLevel<Sample>) -> [Layers] {
        let side = UnknownRegionTiles.side / 2
        return parallelMapRows(width: side * side, height: tiles.tiles.count, minimum: 1) { band, output in
            var window = ForegroundSolverWindow()
            for place in band {
                let (row, column) = tiles.tiles[place].quotientAndRemainder(dividingBy: tiles.columns)
                let columns = column * side..<min((column + 1) * side, level.width)
                let rows = row * side..<min((row + 1) * side, level.height)
                window.solve(
                    level, columns: columns, rows: rows, iterations: ForegroundSolverWindow.usualIterations)
                let start = (place - band.lowerBound) * side * side
                for index in 0..<side * side {
                    let (y, x) = (rows.lowerBound + index / side, columns.lowerBound + index % side)
                    output[start + index] =
                        rows ~= y && columns ~= x ? window.layers(x, y) : Layers(front: .zero, back: .zero)
                }
            }
        }
    }

    /// The photo at a quarter of its size; in a uniform tile one pixel represents sixteen.
    private func quarter() -> CoarseLevel {
        let (width, height) = ((photo.width + 3) / 4, (photo.height + 3) / 4)
        let tileSide = UnknownRegionTiles.side / 4
        let samples: [SIMD4<Float>] = parallelPixels(width: width, height: height) { x, y in
            guard tiles.places[y / tileSide * tiles.columns + x / tileSide] < 0 else {
                return photo.mean(x, y, side: 4)
            }
            var sample = photo.light(4 * x, 4 * y)
            sample.w = photo.alpha(4 * x, 4 * y)
            return sample
        }
        return CoarseLevel(width: width, height: height, samples: samples)
    }
}
