/// Reads a binary file of COLMAP's sparse model, by the description of its formats, as the words of the lines of its text form.
struct SparseFile {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    /// CAMERA_ID, MODEL, WIDTH, HEIGHT, PARAMS[].
    mutating func cameras() -> [[String]] {
        let models: [UInt64: (name: String, parameters: Int)] = [
            1: ("PINHOLE", 4), 4: ("OPENCV", 8), 5: ("OPENCV_FISHEYE", 8), 6: ("FULL_OPENCV", 12),
        ]
        return records { file in
            let id = file.number(4)
            guard let model = models[file.integer(4)] else { return [] }
            return [[id, model.name, file.number(8), file.number(8)] + file.reals(model.parameters)]
        }
    }

    /// IMAGE_ID, QW, QX, QY, QZ, TX, TY, TZ, CAMERA_ID, NAME, and a second line of POINTS2D[] as (X, Y, POINT3D_ID).
    mutating func images() -> [[String]] {
        records { file in
            let words = [file.number(4)] + file.reals(7) + [file.number(4)]
            let name = String(decoding: file.bytes.prefix { $0 != 0 }, as: UTF8.self)
            file.bytes = file.bytes.dropFirst(name.utf8.count + 1)
            let points = (0..<Int(file.integer(8))).flatMap { _ in file.reals(2) + [file.number(8)] }
            return [words + [name], points]
        }
    }

    /// POINT3D_ID, X, Y, Z, R, G, B, ERROR, TRACK[] as (IMAGE_ID, POINT2D_IDX).
    mutating func points() -> [[String]] {
        records { file in
            let words = [file.number(8)] + file.reals(3) + (0..<3).map { _ in file.number(1) } + file.reals(1)
            return [words + (0..<2 * Int(file.integer(8))).map { _ in file.number(4) }]
        }
    }

    /// All records, if they end where the file ends.
    private mutating func records(_ read: (inout SparseFile) -> [[String]]) -> [[String]] {
        let all = (0..<Int(integer(8))).flatMap { _ in read(&self) }
        return bytes.isEmpty ? all : []
    }

    private mutating func integer(_ size: Int) -> UInt64 {
        defer { bytes = bytes.dropFirst(size) }
        return bytes.prefix(size).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func number(_ size: Int) -> String { "\(integer(size))" }

    private mutating func reals(_ count: Int) -> [String] {
        (0..<count).map { _ in "\(Double(bitPattern: integer(8)))" }
    }
}
