package import Bytes
package import DepthMaps
package import DepthTypes

/// The input of a network, and how a picture is converted to it.
package struct NetworkInput: Sendable {
    /// Its name in the graph.
    package let name: String
    /// Whether each color is a separate plane (N × 3 × H × W), or each pixel three numbers (N × H × W × 3).
    package let isPlanar: Bool
    private let width: Int?
    private let height: Int?
    private let profile: NetworkProfile
    /// The name and the value of a second input, an integer; `nil` without one.
    let count: (name: String, value: Int)?

    /// The picture that a network takes, and an integer if its profile has one. Throws ``NetworkError/unsupported(_:)``
    /// unless the picture is one of 32-bit floats, and for further inputs.
    init(_ model: NetworkModel, _ profile: NetworkProfile) throws(NetworkError) {
        let counts = model.inputs.filter { profile.tokenCount != nil && $0.isInteger }
        guard let input = model.inputs.first, model.inputs.count == 1 + counts.count, counts.count <= 1 else {
            let names = model.inputs.map { "\($0)" }.joined(separator: "; ")
            throw .unsupported("the network has \(model.inputs.count) inputs and not one (\(names))")
        }
        guard input.element == .float32 else {
            throw .unsupported("the network's input is not float32 (\(input))")
        }
        guard let shape = input.shape, shape.count == 4, shape[0].count ?? 1 == 1 else {
            throw .unsupported("the network's input is not one picture (\(input))")
        }
        guard shape[1].count == 3 || shape[3].count == 3 || shape[1].count == nil else {
            throw .unsupported("the network's input does not have three colors (\(input))")
        }
        name = input.name
        isPlanar = shape[1].count == 3 || shape[3].count != 3
        (height, width) = isPlanar ? (shape[2].count, shape[3].count) : (shape[1].count, shape[2].count)
        self.profile = profile
        count = profile.tokenCount.flatMap { value in counts.first.map { ($0.name, value) } }
    }

    /// The position of a picture in an input.
    package struct Plan: Hashable, Sendable {
        package var size: PixelSize
        /// The size of the picture in it.
        package var picture: PixelSize
        /// The position of the picture's first pixel.
        package var left = 0
        package var top = 0
    }

    /// The size of the input for a picture, and the picture's position in it.
    package func plan(for picture: PixelSize) -> Plan {
        if profile.fitting == .letterbox { return letterbox(picture) }
        let open = openSize(picture)
        let size = PixelSize(width: width ?? open.width, height: height ?? open.height)
        return Plan(size: size, picture: size)
    }

    /// The size, if the file does not fix it.
    private func openSize(_ picture: PixelSize) -> PixelSize {
        guard profile.fitting == .shortSide, picture.width > 0, picture.height > 0 else {
            return PixelSize(width: rounded(Double(profile.size)), height: rounded(Double(profile.size)))
        }
        // As in `get_resize_output_image_size` of Hugging Face's DPT: both sides get the factor that is closer to 1.
        let (x, y) = (
            Double(profile.size) / Double(picture.width), Double(profile.size) / Double(picture.height)
        )
        let factor = abs(1 - x) < abs(1 - y) ? x : y
        return PixelSize(
            width: rounded(factor * Double(picture.width)), height: rounded(factor * Double(picture.height)))
    }

    private func rounded(_ length: Double) -> Int {
        let multiple = Double(profile.multiple)
        return max(Int((length / multiple).rounded(.toNearestOrEven) * multiple), profile.multiple)
    }

    private func letterbox(_ picture: PixelSize) -> Plan {
        let side = rounded(Double(profile.size))
        let size = PixelSize(width: width ?? side, height: height ?? side)
        let factor = min(
            Double(size.width) / Double(max(picture.width, 1)),
            Double(size.height) / Double(max(picture.height, 1)))
        let inner = PixelSize(
            width: min(max(Int((Double(picture.width) * factor).rounded()), 1), size.width),
            height: min(max(Int((Double(picture.height) * factor).rounded()), 1), size.height))
        return Plan(
            size: size, picture: inner, left: (size.width - inner.width) / 2,
            top: (size.height - inner.height) / 2)
    }

    /// The picture in the form that the network expects: `(code / divisor − mean) / deviation`.
    ///
    /// Throws ``ContainerError/Reason/limitExceeded(_:limit:requested:)`` if it would be too large.
    package func tensor(of image: ColorImage, limits: DecodingLimits) throws(ContainerError) -> NetworkTensor
    {
        let plan = plan(for: PixelSize(width: image.width, height: image.height))
        let pixels = try limits.pixelCount(width: plan.size.width, height: plan.size.height)
        try limits.check(.tensorBytes, 3 * 4 * pixels)
        let codes = padded(image.resized(to: plan.picture, by: profile.filter), plan)
        let shape =
            isPlanar ? [1, 3, plan.size.height, plan.size.width] : [1, plan.size.height, plan.size.width, 3]
        return NetworkTensor(shape: shape, values: isPlanar ? planar(codes) : interleaved(codes))
    }

    /// The picture in the middle of gray 114, as in YOLO's training.
    private func padded(_ pixels: [RGB<UInt8>], _ plan: Plan) -> [RGB<UInt8>] {
        guard plan.size != plan.picture else { return pixels }
        var result = [RGB<UInt8>](
            repeating: RGB(red: 114, green: 114, blue: 114), count: plan.size.width * plan.size.height)
        for row in 0..<plan.picture.height {
            let start = (row + plan.top) * plan.size.width + plan.left
            let source = row * plan.picture.width
            for column in 0..<plan.picture.width { result[start + column] = pixels[source + column] }
        }
        return result
    }

    /// The converted value of each sample value of each channel: 3 × 256 numbers, in the order of the input.
    private func table(_ codes: [RGB<UInt8>]) -> [Float] {
        let divisor: Double
        switch profile.divisor {
        case .number(let number): divisor = Double(number)
        case .maximum:
            var highest: UInt8 = 0
            for pixel in codes { highest = max(highest, pixel.red, pixel.green, pixel.blue) }
            divisor = max(Double(highest), 1e-6)
        }
        return (0..<3).flatMap { channel in
            (0..<256).map { code in
                Float(
                    (Double(code) / divisor - Double(profile.mean[channel]))
                        / Double(profile.deviation[channel]))
            }
        }
    }

    private func planar(_ codes: [RGB<UInt8>]) -> [Float] {
        let table = table(codes)
        let count = codes.count
        var values = [Float](repeating: 0, count: 3 * count)
        for index in 0..<count {
            let pixel = codes[index]
            let (first, last) = profile.isBlueFirst ? (pixel.blue, pixel.red) : (pixel.red, pixel.blue)
            values[index] = table[Int(first)]
            values[count + index] = table[256 + Int(pixel.green)]
            values[2 * count + index] = table[512 + Int(last)]
        }
        return values
    }

    private func interleaved(_ codes: [RGB<UInt8>]) -> [Float] {
        let table = table(codes)
        var values = [Float](repeating: 0, count: 3 * codes.count)
        for index in codes.indices {
            let pixel = codes[index]
            let (first, last) = profile.isBlueFirst ? (pixel.blue, pixel.red) : (pixel.red, pixel.blue)
            values[3 * index] = table[Int(first)]
            values[3 * index + 1] = table[256 + Int(pixel.green)]
            values[3 * index + 2] = table[512 + Int(last)]
        }
        return values
    }
}
