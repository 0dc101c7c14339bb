import TestSupport

/// The trailer that makes a JPEG a Leia Image Format file: further views and disparity maps. Big-endian.
struct LeiaTrailerBuilder {
    /// One view.
    struct View {
        /// The picture, a complete JPEG stream; `nil` for the photo that the trailer follows.
        var picture: [UInt8]?
        /// Its disparity map, a complete JPEG stream, bright near; `nil` if missing.
        var disparity: [UInt8]?
    }

    /// The views from left to right.
    var views: [View]

    /// The bytes, ending in `1E 1A`.
    func serialized() -> [UInt8] {
        var blocks: [(id: UInt32, data: [UInt8])] = [(0, [0, 0, 0, 4]), (1, [0, 0, 0, 1])]
        var next: UInt32 = 1_000_001
        func add(_ jpeg: [UInt8]?, else none: Int) -> Int {
            guard let jpeg else { return none }
            blocks.append((next, jpeg))
            next += 1
            return Int(next) - 1
        }
        let descriptions = views.enumerated().map { index, view in
            let (disparity, picture) = (add(view.disparity, else: 0), add(view.picture, else: -1))
            return """
                {"albedoId":\(picture),"disparityId":\(disparity),"monodisparityId":0,\
                "xLocation":\(index).0,"yLocation":0.0}
                """
        }
        let json = """
            {"convergence":0.0,"disparitySource":"UNKNOWN","gain":1.0,"isCAI":false,\
            "views":[\(descriptions.joined(separator: ","))]}
            """
        blocks.append((7, Array(json.utf8)))
        let list = blocks.flatMap { bigEndian(Int($0.id)) + bigEndian($0.data.count) + $0.data }
        let bytes = bigEndian(blocks.count) + list
        return bytes + bigEndian(bytes.count + 6) + [0x1E, 0x1A]
    }
}
