import ByteParsing
import DepthCore
import DepthModel
import TestSupport
import Testing

@testable import Networks

/// Expected values are Pillow's (13.0.0) and NumPy's (2.4.6), for this picture:
///
/// ```python
/// y, x = np.mgrid[0:9, 0:13]
/// p = np.stack([(x*19 + y*31) % 256, (x*x*7 + y*3) % 256, (255 - x*y*5) % 256], -1).astype(np.uint8)
/// im = Image.fromarray(p)
/// ```
@Suite("Pictures as tensors")
struct PictureResizingTests {
    private let picture: ColorImage = {
        let pixels = (0..<9 * 13).map { index in
            let (x, y) = (index % 13, index / 13)
            return RGB(
                red: UInt8((x * 19 + y * 31) % 256), green: UInt8((x * x * 7 + y * 3) % 256),
                blue: UInt8((512 + 255 - x * y * 5) % 256))
        }
        return ColorImage(width: 13, height: 9, pixels: .uint8(pixels), colorProfile: [])
    }()

    /// `np.array(im.resize((width, height), Image.FILTER)).tobytes().hex()`
    private static let resized: [(NetworkProfile.Filter, Int, Int, String)] = [
        (.box, 4, 3, "320ffa7585e9b772d79bacc88f18ebbd63a54d7b5f4db55cb321dc446c62718492aa697e"),
        (.bilinear, 4, 3, "421bf67a79e4af8ad09794bd9623e2a969a7697a6e549667a72bcf57716f6482759a728a"),
        (.bicubic, 4, 3, "3813f9787ee8ba88d59898be9a1fe7b56aa86374654b9e63ae28d54c74645e8372a3708e"),
        (.lanczos, 4, 3, "310ff97580ebc488da9797bc9e20e9bc69a960725f45a162b228da47725c578771a97094"),
        (
            .bilinear, 15, 4,
            """
            1a02ff2908fc3a17f84a31f55b55f16b83ed7cb4e98ccbe69c68e3ada6dfbd70dcce77d8cd9ad4a571d05df2cd5809ff670ff478\
            1ee78838db995ccea98ac2b9a3b6c417a9a4569dadad917e7785647e785da16d3c78653cf95aa00fffaf15eac024d4c63ebeb262\
            a89990919ba67b500b65305a4e39b346467d5e54846364a770756da184a88cde16ffa11ce29f2bc37545a43e69852f976640ad47\
            50122860615b71ba998184b6928baba2ae8cb3526ec20651
            """
        ),
        (
            .lanczos, 15, 4,
            """
            1302ff2207fd3516fa442ff85252f46081f171bcef83daeca25de9b5b4e6c666e7df73e6e5a3e2a963de5df6dc5708ff630df574\
            1ce78535dba054d0bb97c4cca6b7d608aba647a1baca947c697a5f79655fa85e266b552dff4aa010ffbb15ecd224d2df3dbdb95c\
            a7989f90a3ae7a4b0a631a4e3f24d22b36705d417f5e57b96a7761ad88ac8ee816ff9c1be49e2abf7743a12762821fa56434b440\
            4913226854597bd8a48b76c89c81b9abd094ba446ec90052
            """
        ),
    ]

    @Test("Resizing is Pillow's, code for code", arguments: resized.indices)
    func resizing(index: Int) {
        let (filter, width, height, expected) = Self.resized[index]
        let pixels = picture.resized(to: PixelSize(width: width, height: height), by: filter)
        let digits = pixels.flatMap { [$0.red, $0.green, $0.blue] }.map { code in
            (code < 16 ? "0" : "") + String(code, radix: 16)
        }
        #expect(digits.joined() == expected)
    }

    private func tensor(_ shape: [OnnxFile.Side], _ profile: String) throws -> NetworkTensor {
        var file = OnnxFile()
        file.input("x", shape)
        file.output("x", shape)
        let model = try NetworkModel(parsing: file.bytes, limits: DecodingLimits())
        var row = try #require(NetworkProfile(named: profile))
        row.size = 14
        return try NetworkInput(model, row).tensor(of: picture, limits: DecodingLimits())
    }

    /// `u = ((np.array(im.resize((6, 6), Image.LANCZOS)) / 254 - mean) / deviation).transpose(2, 0, 1)`, 254 being the maximum.
    @Test("U²-Net's tensor is NumPy's: divided by the maximum, planes of colors")
    func u2net() throws {
        expect(
            try tensor([1, 3, 6, 6], "u2net"), [1, 3, 6, 6],
            [-1.791252613067627, 1.3033387660980225, -0.7195800542831421],
            sum: 37.842190119248194)
    }

    /// `np.array(im.resize((6, 6), Image.BILINEAR)) / 255`
    @Test("MediaPipe's tensor is NumPy's: three numbers for each pixel")
    func selfie() throws {
        expect(
            try tensor([1, 6, 6, 3], "selfie"), [1, 6, 6, 3],
            [0.10588235408067703, 0.9803921580314636, 0.3294117748737335], sum: 56.76470588235294)
    }

    /// `((np.array(im.resize((20, 14), Image.BICUBIC)) / 255 - mean) / deviation).transpose(2, 0, 1)`; sides are multiples of 2 for it.
    @Test("Depth Anything's tensor is NumPy's, where the network takes any size")
    func depthAnything() throws {
        var file = OnnxFile()
        file.input("x", [1, 3, "height", "width"])
        file.output("x", [1, 3, "height", "width"])
        let model = try NetworkModel(parsing: file.bytes, limits: DecodingLimits())
        var row = try #require(NetworkProfile(named: "depth-anything"))
        (row.size, row.multiple) = (14, 2)
        expect(
            try NetworkInput(model, row).tensor(of: picture, limits: DecodingLimits()), [1, 3, 14, 20],
            [-2.1179039478302, -1.1589176654815674, -1.3861438035964966], sum: 286.25790918987684)
    }

    /// The first, the sixth and the last number, and the sum of all, as NumPy has them.
    private func expect(_ tensor: NetworkTensor, _ shape: [Int], _ values: [Float], sum: Double) {
        #expect(tensor.shape == shape)
        for (value, place) in zip(values, [0, 5, tensor.values.count - 1]) {
            #expect(abs(tensor.values[place] - value) < 1e-5)
        }
        #expect(abs(tensor.values.reduce(0) { $0 + Double($1) } - sum) < 1e-3)
    }

    @Test("Codes in the middle of a letterbox, gray around them")
    func letterbox() throws {
        let tensor = try tensor([1, 3, 26, 26], "yolo")
        // 13 × 9 becomes 26 × 18, four rows of 114 above.
        #expect(tensor.values[0] == Float(114.0 / 255))
        #expect(tensor.values[3 * 26 + 5] == Float(114.0 / 255))
        #expect(tensor.values[4 * 26] == 0)
    }
}
