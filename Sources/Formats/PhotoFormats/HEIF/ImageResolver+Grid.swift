internal import Bytes

extension ImageResolver {
    /// The tiles of a grid item; they are coded images, never derived ones.
    ///
    /// Throws if the item has too many pixels or tiles, or if its tiles do not match each other or its size.
    func gridImage(ofItem id: Int) throws(ContainerError) -> GridImage {
        let path = StructurePath("grid")
        let (bytes, offset) = try file.data(ofItem: id, limit: .metadataBytes)
        var cursor = ByteCursor(bytes.span, base: offset, path: path)
        let grid = try GridDerivation(parsing: &cursor)
        _ = try file.limits.pixelCount(width: grid.width, height: grid.height, at: offset, in: path)
        try file.limits.check(.tiles, grid.rows * grid.columns, at: offset, in: path)
        let inputs = file.targets(of: "dimg", from: id)
        guard inputs.count == grid.rows * grid.columns else {
            throw ContainerError(
                .malformed(
                    rule: "grid item \(id) of \(grid.rows) × \(grid.columns) tiles refers to \(inputs.count)"
                ),
                at: offset, in: path)
        }
        var tiles = try tiles(inputs, at: offset, in: path)
        // The grid's color coding applies to tiles without one.
        if let color = try file.properties(ofItem: id).codedColor {
            for index in tiles.indices where tiles[index].color == nil { tiles[index].color = color }
        }
        try grid.checkLayout(of: tiles, item: id, at: offset, in: path)
        return GridImage(
            rows: grid.rows, columns: grid.columns, width: grid.width, height: grid.height, tiles: tiles)
    }

    /// The coded images of a grid's inputs. A repeated item is read once.
    private func tiles(
        _ inputs: [Int], at offset: Int, in path: StructurePath
    ) throws(ContainerError) -> [CodedPicture] {
        var tiles: [CodedPicture] = []
        tiles.reserveCapacity(inputs.count)
        var configurations: [Range<Int>: HEVCConfiguration] = [:]
        var known: [Int: CodedPicture] = [:]
        for input in inputs {
            if let tile = known[input] {
                tiles.append(tile)
                continue
            }
            guard let type = file.item(input)?.type, ["hvc1", "hev1", "av01"].contains(type) else {
                let found = file.item(input).map { "of type '\($0.type)'" } ?? "missing"
                throw ContainerError(
                    .unsupported(feature: "a grid tile that is \(found) (item \(input))"), at: offset,
                    in: path)
            }
            let tile = try picture(ofItem: input, isAV1: type == "av01", &configurations)
            known[input] = tile
            tiles.append(tile)
        }
        return tiles
    }
}

extension GridDerivation {
    /// Checks that tiles have the same format and cover the picture. There is at least one.
    fileprivate func checkLayout(
        of tiles: [CodedPicture], item id: Int, at offset: Int, in path: StructurePath
    ) throws(ContainerError) {
        func malformed(_ rule: String) -> ContainerError {
            ContainerError(.malformed(rule: rule), at: offset, in: path)
        }
        let first = tiles[0]
        for tile in tiles where (tile.width, tile.height) != (first.width, first.height) {
            throw malformed(
                "tiles of grid item \(id) differ in size: \(first.width) × \(first.height) and "
                    + "\(tile.width) × \(tile.height)")
        }
        for tile in tiles where !tile.configuration.hasSameFormat(as: first.configuration) {
            throw malformed("the tiles of grid item \(id) differ in bit depth or chroma format")
        }
        guard first.width * columns >= width, first.height * rows >= height else {
            throw malformed(
                "\(columns) × \(rows) tiles of \(first.width) × \(first.height) do not cover "
                    + "\(width) × \(height)")
        }
    }
}
