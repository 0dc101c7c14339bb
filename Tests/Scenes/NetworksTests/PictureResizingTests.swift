import Bytes
import DepthMaps
import DepthTypes
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

    /// `np.array(im.resize((width, height), Image.FILTER)).tobytes().hex()`; the last three sizes are such that Pillow 13 goes along
    /// columns first.
    private static let resized: [(ResamplingFilter, Int, Int, String)] = [
        (.box, 4, 3, "320ffa7585e9b772d79bacc88f18ebbd63a54d7b5f4db55cb321dc446c62718492aa697e"),
        (.bilinear, 4, 3, "421bf67a79e4af8ad09794bd9623e2a969a7697a6e549667a72bcf57716f6482759a728a"),
        (.bicubic, 4, 3, "3813f9787ee8ba88d59898be9a1fe7b56aa86374654b9e63ae28d54c74645e8372a3708e"),
        (.lanczos, 4, 3, "310ff97580ebc488da9797bc9e20e9bc69a960725f45a162b228da47725c578771a97094"),
        (
            .bilinear, 12, 10,
            """
            0201ff160bff2b25ff3f4fff5389ff68d3ff7ca4ff9197ffa563ffb99bffce62ffe2dfff1c04fe300efa4528f65952f16d8c\
            ec82d6e896a7e3ab9adfbf66dad39ed5e865d13ae2cd3806fe4c10f5612aec7554e2898ed99e7fcfb250c6c79cbddb68b3ef\
            a0aa6667a11fe4975409fd6813ef7d2de19157d3a591c5ba64b6ce35a9e39f9a866b8c65a37e306a7034e762700cfd8416ea\
            9930d7ad5ac4c194b1d6679e9f388b72a278386e6527a6523c6d3f50ea2c8c0efda018e5b532cdc95cb5dd969dbc6985473a\
            6e1ba4562f703e43a826586f6d6cec6aa811fcbc1be0d135c3c85fa69f9989676c6d223d5037a7344b73535fab547472c088\
            9fc1c414fcd81edbdd38b9836297159c762a6f543e403353aa386776b27baecf9075ada40d8bdc16fbcd20d5ac3aae1d6488\
            319e6246713c5a422a6fac998378c997b0a3ac777cc00f56df19fb0e23d0233da537677a4ba14f60742474458389afcf9d7b\
            a4b1b379c67a4eda1223
            """
        ),
        (
            .lanczos, 12, 10,
            """
            0000ff1409ff2922ff3d4cff527fff67ebff7b98ff9098ffa55dffba9effcc62ffe9e0ff1a02ff2e0bfa4324f6574ff26c7f\
            ed81f9e995a6e4aa98e0bb60dbcaa0d7fe64d332e2cf3905ff4d0ef56227eb764de28a9ed8a07fceb02dc5beb7bbea5eb1ff\
            a3a759679d05e5945408ff6811f07d2ae2904dd3a7aac4b358b6d506a8ffc39a815e8b53a67c1b6a7533e8676f0bfe8314eb\
            992dd8ab51c5b3a9b1f26a9ea9188b6fc27725626803a95a406d2453e40b8b0dfe9f16e6b02fcec853b6feac9ede69862c17\
            6c00c55c30642f4eac03596f6c6dff6ba610feb419e1d832c4da56a7afaf8b5d6c6d061a5846c81d4d674d5fad4c7474df88\
            a3e6c213fee91cddfe35bb84599900b277256f59431d2a50cb14676ad07aaefb8f7ca7a30082dc16fedb1fd7b338b0005c89\
            3fb56349723d5a200f70ceae856dda99b293ae7e77c20c51e818fe0021d31f3aa7395e7b4bb75761740875228a8ad0e89f6f\
            9ab3b476c8814adc091f
            """
        ),
        (
            .bilinear, 12, 4,
            """
            1c03ff300dfa4527f65951f16d8bec82bde8968ee4ab99e0bf65dbd39dd7bd64d267e1cd5a0afd6e14ee832edf9758d0ab92\
            c1bd6db1b03ea1aba092776c8369a474456b693ce85ca210fcb61ae1c634c6b65eaa9b988e7f6b723c3c5737a64747726159\
            aa5c6e719882a08fd617fb9521d58f3bae406588319f6246723b5a43486fad908379b797b1a1ac787bc01055
            """
        ),
        (
            .bicubic, 17, 3,
            """
            2003ff2c06fc3c11f84a24f35940ef6a63ec7994e789b5e39da3dfac60dbbc97d7c1a4d2b83bccccb3c7b177bf7983b749ff\
            b57b0cff8b0ff39d1ae3ac2dd3bb49c4b36cb5bda7a6bf9b9698028761467360aa6060ad5a3c44604ebc4d4a82684d83755b\
            ed64da15ffb318eba923cead36b470529941757e3db06449a5483f112f4d50485cb3736cb69d804db38fc5959f9b8eb04280\
            bc1567
            """
        ),
        (
            .lanczos, 12, 5,
            """
            0e01ff220afd3723fb4b4df86080f673eef4879bf29999f0be5eeedb9febe363ec81e1ea4407ff5810f36d29e7804edb90a2\
            d0af77c4cb24b8eabbadaf5fa4ada59b4a697d13e3707c0cfe8c15e9a42ed3c652bde8aca8e4649168117f41c5642663401c\
            aa21416d5463ef4bb611fedd1adfef33bfa2579f57b07f476e631b1c353ac9215a688f74ae928577c1984fb3e217fe7a20d5\
            7639ab195d822bb65c4b73256c21447fcfbf916ecaa5b39eba8061ce0134
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

    /// `((np.array(im.resize((14, 10), Image.BICUBIC)) / 255 - mean) / deviation).transpose(2, 0, 1)`. The factor is 14/13, which is
    /// nearer 1 than 14/9; sides are multiples of 2 here.
    @Test("Depth Anything's tensor is NumPy's, where the network takes any size")
    func depthAnything() throws {
        var file = OnnxFile()
        file.input("x", [1, 3, "height", "width"])
        file.output("x", [1, 3, "height", "width"])
        let model = try NetworkModel(parsing: file.bytes, limits: DecodingLimits())
        var row = try #require(NetworkProfile(named: "depth-anything"))
        (row.size, row.multiple) = (14, 2)
        expect(
            try NetworkInput(model, row).tensor(of: picture, limits: DecodingLimits()), [1, 3, 10, 14],
            [-2.1179039478302, -0.6280503273010254, -1.2989978790283203], sum: 143.50596743306733)
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
