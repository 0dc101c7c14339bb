package import DepthMaps

extension StereoMatch {
    /// Whether occlusions show that the eyes are exchanged: that the left picture is the right eye's.
    ///
    /// Beside a near object, the left eye sees a strip of background that the right eye does not, to the left of the object: a
    /// gap in the disparity, with the object's outline at its right end. If the eyes are exchanged, near is far, and the
    /// outline is at the left end. Each gap whose width fits the step of disparity is a vote for the end with an edge of more
    /// than twice the contrast. The evidence needs 50 votes and a majority of a twentieth of them.
    package func showsExchangedEyes(in left: ColorImage) -> Bool {
        var image = GrayImage(left)
        while image.width / 2 >= width, image.height / 2 >= height { image = image.halved() }
        guard (image.width, image.height) == (width, height) else { return false }
        var (votes, majority) = (0, 0)
        for row in 0..<height {
            var last = -1
            for column in 0..<width where disparity[row * width + column] == disparity[row * width + column] {
                defer { last = column }
                guard last >= 0 else { continue }
                let step = disparity[row * width + column] - disparity[row * width + last]
                let gap = Float(column - last - 1)
                guard step >= 3, gap >= step / 2, gap <= 1.5 * step + 3 else { continue }
                let (start, end) = (image.edge(last + 1, row), image.edge(column, row))
                guard max(start, end) > 2 * min(start, end) + 2 else { continue }
                votes += 1
                majority += end > start ? 1 : -1
            }
        }
        return votes >= 50 && majority * 20 < -votes
    }
}

extension GrayImage {
    /// The greatest difference between neighbors of a row within two and a half pixels of a pixel's left edge.
    fileprivate func edge(_ column: Int, _ row: Int) -> Int {
        (column - 2...column + 2).reduce(0) {
            max($0, abs(Int(sample($1, row)) - Int(sample($1 - 1, row))))
        }
    }
}
