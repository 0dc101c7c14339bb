import Bytes
import Codecs
import DepthMaps
import DepthTypes
import Effects
import Scenes
import TestSupport
import Testing

@testable import Networks

@Suite("Objects that networks find", .needsNetworks)
struct DetectionTests {
    let folder: TemporaryFolder

    init() throws { folder = TemporaryFolder() }

    /// Half as high as it is wide: a letterbox of 64 has it in rows 16 to 48.
    private let picture = ColorImage(
        width: 128, height: 64, pixels: .uint8(Array(repeating: .white, count: 128 * 64)), colorProfile: [])

    private func detections(
        _ profile: String, _ answers: [(name: String, values: [Float], shape: [Int])]
    ) throws -> [Detection] {
        let file = OnnxFile.constantAnswers(profile: profile, answers)
        return try Network(contentsOf: folder.write(file.bytes, to: "network.onnx"))
            .detections(in: picture, atLeast: 0.25)
    }

    /// Two overlapping boxes of class 1, one of class 0, and unlikely ones; each as center, size and scores.
    private let candidates: [[Float]] = [
        [32, 32, 32, 16, 0.1, 0.9], [34, 32, 32, 16, 0.1, 0.8], [8, 24, 16, 16, 0.7, 0.2],
        [50, 30, 10, 10, 0.1, 0.2], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0],
    ]

    private func expectBoxes(_ found: [Detection]) {
        #expect(found.map(\.classNumber) == [1, 0])
        #expect(found.map { ($0.confidence * 100).rounded() } == [90, 70])
        // x 16…48 of 64; y 24…40 less 16, of 32.
        #expect(found.first?.box == PictureBox(left: 0.25, top: 0.25, right: 0.75, bottom: 0.75))
        #expect(found.last?.box == PictureBox(left: 0, top: 0, right: 0.25, bottom: 0.5))
    }

    @Test("Boxes are outlined in yellow with black around, the first over the others")
    func drawing() {
        let first = PictureBox(left: 0.25, top: 0.25, right: 0.75, bottom: 0.75)
        let second = PictureBox(left: 0.5, top: 0, right: 1, bottom: 0.5)
        guard case .uint8(let pixels) = picture.drawing([first, second]).pixels else {
            Issue.record("8 bits are expected")
            return
        }
        func color(_ x: Int, _ y: Int) -> RGB<UInt8> { pixels[y * 128 + x] }
        let yellow = RGB<UInt8>(red: 255, green: 221, blue: 0)
        // Columns 32 to 96 and rows 16 to 48; columns 64 to 128 and rows 0 to 32.
        #expect([color(32, 20), color(33, 20), color(34, 20)] == [.black, yellow, .white])
        #expect([color(95, 40), color(94, 40), color(93, 40)] == [.black, yellow, .white])
        #expect([color(64, 4), color(65, 4), color(66, 4)] == [.black, yellow, .white])
        // The upper edge of the first crosses the left edge of the second.
        #expect([color(64, 16), color(64, 17), color(65, 18)] == [.black, yellow, yellow])
        #expect(color(31, 20) == .white)
    }

    @Test("YOLO's head since version 8: fields are rows")
    func fieldsAreRows() throws {
        let values = (0..<6).flatMap { field in candidates.map { $0[field] } }
        expectBoxes(try detections("yolo", [("output0", values, [1, 6, 7])]))
    }

    @Test("YOLO's head before: fields are columns, and classes count where something is there")
    func fieldsAreColumns() throws {
        let values =
            candidates.flatMap { [$0[0], $0[1], $0[2], $0[3], 1, $0[4], $0[5]] }
            + [Float](repeating: 0, count: 14)
        expectBoxes(try detections("yolo", [("output0", values, [1, 9, 7])]))
    }

    @Test("Rows of six after a suppression of its own")
    func rows() throws {
        let values: [Float] = [16, 24, 48, 40, 0.9, 1, 0, 16, 16, 32, 0.7, 0, 0, 0, 0, 0, 0, 0]
        expectBoxes(try detections("yolo-end-to-end", [("output0", values, [1, 3, 6])]))
    }

    @Test("SSD: boxes in shares, and scores of classes behind the background")
    func ssd() throws {
        let boxes: [Float] = [0.25, 0.25, 0.75, 0.75, 0, 0, 0.25, 0.5, 0.9, 0.9, 1, 1]
        let scores: [Float] = [0.05, 0.05, 0.9, 0.2, 0.7, 0.1, 0.9, 0.05, 0.05]
        expectBoxes(try detections("ssd", [("boxes", boxes, [1, 3, 4]), ("scores", scores, [1, 3, 3])]))
    }

    @Test("TensorFlow's SSD: top first, classes from 1")
    func tensorFlow() throws {
        let boxes: [Float] = [0.25, 0.25, 0.75, 0.75, 0, 0, 0.5, 0.25]
        expectBoxes(
            try detections(
                "ssd",
                [
                    ("detection_boxes", boxes, [1, 2, 4]), ("detection_classes", [2, 1], [1, 2]),
                    ("detection_scores", [0.9, 0.7], [1, 2]), ("num_detections", [2], [1]),
                ]))
    }

    @Test("A classifier's classes by softmax")
    func classes() throws {
        let found = try detections("classification", [("logits", [0, 3, 1], [1, 3])])
        // e³ / (e⁰ + e³ + e¹) = 0.8438
        #expect(found.map(\.classNumber) == [1])
        #expect(abs((found.first?.confidence ?? 0) - 0.8438) < 1e-4)
        #expect(found.first?.box == .all)
    }

    @Test("An answer that is no head is refused", arguments: [[1, 4, 7], [6, 7], [1, 5, 5]])
    func noHead(shape: [Int]) {
        let values = [Float](repeating: 0, count: shape.reduce(1, *))
        #expect(throws: NetworkError.self) { try detections("yolo", [("output0", values, shape)]) }
    }

    @Test("Distance and size are those of the nearest large surface in the box")
    func measured() throws {
        // 1 m in the left half of the box, 4 m elsewhere; the camera sees 100 pixels of the picture a meter wide at 1 m.
        let disparity = DisparityMap(
            width: 64, height: 32,
            reciprocalMeters: (0..<64 * 32).map { (16..<32).contains($0 % 64) ? 1 : 0.25 }, scale: .absolute)
        var source = TestScene(image: picture, stored: disparity)
        source.camera = CameraCalibration(
            focalLengthX: 100, focalLengthY: 100, principalPointX: 63.5, principalPointY: 31.5, width: 128,
            height: 64)
        let box = Detection(
            classNumber: 1, confidence: 0.9, box: PictureBox(left: 0.25, top: 0.25, right: 0.75, bottom: 0.75)
        )
        let measured = try DepthScene(source).measured([box])
        #expect(measured.first?.distance == 1)
        #expect(measured.first?.size == SIMD2(0.64, 0.32))
        source = TestScene(image: picture, stored: nil)
        #expect(try DepthScene(source).measured([box]).first?.distance == nil)
    }
}
