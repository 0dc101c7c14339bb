internal import DepthCore

extension Cutout {
    /// The cutout with the color of the foreground alone where the matte is soft, so that the old background does not shine
    /// through; all other pixels stay as they are.
    ///
    /// A pixel's light is `I = α F + (1 − α) B`. F and B are those that are smooth where α changes: the energy and the
    /// coarse-to-fine solution of T. Germer, T. Uelwer, S. Conrad and S. Harmeling, "Fast Multi-Level Foreground
    /// Estimation" (2020), with differences that the module's README gives reasons for. The result does not depend on
    /// the number of threads.
    ///
    /// The result's matte has the photo's size.
    public func decontaminated() -> Cutout {
        let matte = matte.linear(toWidth: photo.width, height: photo.height)
        let pixels: ColorImage.Pixels =
            switch photo.pixels {
            case .uint8(let pixels): .uint8(foreground(of: pixels, matte))
            case .uint16(let pixels): .uint16(foreground(of: pixels, matte))
            }
        return replacing(pixels: pixels, matte: matte)
    }

    private func foreground<Sample: FixedWidthInteger>(
        of pixels: [RGB<Sample>], _ matte: Matte
    ) -> [RGB<Sample>] {
        let photo = PhotoLight(
            width: photo.width, height: photo.height, pixels: pixels, coverage: matte.coverage,
            table: LightOfCodes<Sample>(curve))
        let tiles = SoftTiles(matte)
        guard !tiles.tiles.isEmpty else { return pixels }
        let separation = ForegroundSeparation(photo: photo, tiles: tiles)
        return separation.foreground(CodesOfLight(curve))
    }
}

/// The levels of a separation, from coarse to fine.
struct ForegroundSeparation<Sample: FixedWidthInteger & BitwiseCopyable & Sendable>: Sendable {
    let photo: PhotoLight<Sample>
    let tiles: SoftTiles

    /// Iterations at levels of more than 32 pixels, and at those of fewer.
    private static var iterations: (large: Int, small: Int) { (4, 10) }

    /// The photo with the foreground's codes in soft pixels.
    func foreground(_ codes: CodesOfLight<Sample>) -> [RGB<Sample>] {
        let half = HalfLevel(photo: photo, coarser: coarseLayers())
        let level = FinestLevel(photo: photo, tiles: tiles, estimates: layers(of: half))
        let (side, width) = (SoftTiles.side, photo.width)
        return planeByBands(width: width, height: photo.height, minimum: side) { band, output in
            let source = photo.pixels.span.extracting(band.lowerBound * width..<band.upperBound * width)
            copyConverted(source, to: &output, at: 0)
            var window = SeparationWindow()
            for tile in tiles.tiles {
                let (row, column) = tile.quotientAndRemainder(dividingBy: tiles.columns)
                let rows = (row * side..<(row + 1) * side).clamped(to: band)
                guard !rows.isEmpty else { continue }
                let columns = column * side..<min((column + 1) * side, width)
                window.solve(level, columns: columns, rows: rows, iterations: Self.iterations.large)
                for y in rows {
                    for x in columns {
                        let alpha = window.alpha(x, y)
                        guard alpha > 0, alpha < 1 else { continue }
                        let front = Self.settled(window.layers(x, y), alpha, photo.light(x, y))
                        output[(y - band.lowerBound) * width + x] = codes.pixel(front)
                    }
                }
            }
        }
    }

    /// The foreground's light, changed together with the background's by the least that makes both mix to the photo's.
    private static func settled(_ layers: Layers, _ alpha: Float, _ light: SIMD4<Float>) -> SIMD4<Float> {
        let rest = light - layers.front * alpha - layers.back * (1 - alpha)
        let front = layers.front + rest * (alpha / (alpha * alpha + (1 - alpha) * (1 - alpha)))
        return front.clamped(lowerBound: .zero, upperBound: .one)
    }

    /// What is found at half size, 32 × 32 for each tile.
    private func layers(of level: HalfLevel<Sample>) -> [Layers] {
        let side = SoftTiles.side / 2
        return planeByBands(width: side * side, height: tiles.tiles.count, minimum: 1) { band, output in
            var window = SeparationWindow()
            for place in band {
                let (row, column) = tiles.tiles[place].quotientAndRemainder(dividingBy: tiles.columns)
                let columns = column * side..<min((column + 1) * side, level.width)
                let rows = row * side..<min((row + 1) * side, level.height)
                window.solve(level, columns: columns, rows: rows, iterations: Self.iterations.large)
                let start = (place - band.lowerBound) * side * side
                for index in 0..<side * side {
                    let (y, x) = (rows.lowerBound + index / side, columns.lowerBound + index % side)
                    output[start + index] =
                        rows ~= y && columns ~= x ? window.layers(x, y) : Layers(front: .zero, back: .zero)
                }
            }
        }
    }

    /// All levels from one pixel to a quarter of the photo's size.
    private func coarseLayers() -> SeparatedLevel {
        var levels = [quarter()]
        while let last = levels.last, max(last.width, last.height) > 1 { levels.append(last.reduced()) }
        var result: SeparatedLevel?
        for var level in levels.reversed() {
            level.coarser = result
            result = Self.separated(level)
        }
        return result ?? SeparatedLevel(width: 0, samples: [])
    }

    /// The photo at a quarter of its size; where a tile is even, one pixel stands for sixteen.
    private func quarter() -> CoarseLevel {
        let (width, height) = ((photo.width + 3) / 4, (photo.height + 3) / 4)
        let tileSide = SoftTiles.side / 4
        let samples: [SIMD4<Float>] = planeByBands(width: width, height: height) { band, output in
            for y in band {
                for x in 0..<width {
                    var sample: SIMD4<Float>
                    if tiles.places[y / tileSide * tiles.columns + x / tileSide] >= 0 {
                        sample = photo.mean(x, y, side: 4)
                    } else {
                        sample = photo.light(4 * x, 4 * y)
                        sample.w = photo.alpha(4 * x, 4 * y)
                    }
                    output[(y - band.lowerBound) * width + x] = sample
                }
            }
        }
        return CoarseLevel(
            width: width, height: height, samples: samples, coarser: nil, start: Self.means(samples))
    }

    /// The means of what is surely foreground and surely background, or of all where there is none.
    private static func means(_ samples: [SIMD4<Float>]) -> Layers {
        var (front, back, all) = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
        for sample in samples {
            var light = SIMD4<Double>(sample)
            light.w = 1
            all += light
            if sample.w > 0.9 { front += light }
            if sample.w < 0.1 { back += light }
        }
        func mean(_ sum: SIMD4<Double>) -> SIMD4<Float> {
            let sum = sum.w > 0 ? sum : all
            return SIMD4<Float>(sum / sum.w)
        }
        return Layers(front: mean(front), back: mean(back))
    }

    private static func separated(_ level: CoarseLevel) -> SeparatedLevel {
        let isSmall = max(level.width, level.height) <= 32
        let iterations = isSmall ? Self.iterations.small : Self.iterations.large
        let side = 64
        let layers: [Layers] = planeByBands(width: level.width, height: level.height, minimum: side) { band, output in
            var window = SeparationWindow()
            for top in stride(from: band.lowerBound, to: band.upperBound, by: side) {
                let rows = top..<min(top + side, band.upperBound)
                for left in stride(from: 0, to: level.width, by: side) {
                    let columns = left..<min(left + side, level.width)
                    window.solve(level, columns: columns, rows: rows, iterations: iterations)
                    for y in rows {
                        for x in columns {
                            output[(y - band.lowerBound) * level.width + x] = found(window, level, x, y)
                        }
                    }
                }
            }
        }
        return SeparatedLevel(width: level.width, samples: layers)
    }

    private static func found(
        _ window: SeparationWindow, _ level: CoarseLevel, _ x: Int, _ y: Int
    ) -> Layers {
        let alpha = window.alpha(x, y)
        guard alpha <= 0 || alpha >= 1 else { return window.layers(x, y) }
        let (light, coarser) = (level.light(x, y), level.estimate(x, y))
        return alpha >= 1
            ? Layers(front: light, back: coarser.back) : Layers(front: coarser.front, back: light)
    }
}
