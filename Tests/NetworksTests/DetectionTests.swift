import ByteParsing
import Compositing
import DepthCore
import DepthIO
import DepthModel
import ImageCodecs
import TestSupport
import Testing

@testable import Networks

@Suite("Objects that networks find", .enabled(if: OnnxRuntimeLibrary.isAvailable))
struct DetectionTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

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

    @Test("A label stands above its box, or inside where there is no room, in letters of 5 by 7")
    func labels() {
        let box = PictureBox(left: 0.25, top: 0.5, right: 0.75, bottom: 0.9)
        let drawn = picture.drawing([LabeledBox(box: box, label: "I")])
        guard case .uint8(let pixels) = drawn.pixels else { return }
        func isBlack(_ x: Int, _ y: Int) -> Bool { pixels[y * 128 + x] == .black }
        // The box begins at 32, 32; a label takes 9 rows above. An I is a stem of 7 pixels with a serif of three at both ends.
        let rows = (23..<32).map { y in (33..<38).map { isBlack($0, y) ? "#" : "." }.joined() }
        #expect(rows == [".....", ".###.", "..#..", "..#..", "..#..", "..#..", "..#..", ".###.", "....."])
        #expect(pixels[23 * 128 + 32] == RGB(red: 255, green: 221, blue: 0) && isBlack(32, 32))
        let high = PictureBox(left: 0.9, top: 0.02, right: 1, bottom: 0.5)
        guard case .uint8(let inside) = picture.drawing([LabeledBox(box: high, label: "e")]).pixels
        else { return }
        // A label of 7 pixels fits to the right edge, from row 1 on.
        #expect(inside[1 * 128 + 115] == RGB(red: 255, green: 221, blue: 0))
    }

    @Test("Labels have Latin letters with their accents, composed or not; others are a question mark")
    func accents() {
        let box = PictureBox(left: 0.25, top: 0.5, right: 0.75, bottom: 0.9)
        func rows(_ label: String) -> [String] {
            guard case .uint8(let pixels) = picture.drawing([LabeledBox(box: box, label: label)]).pixels
            else { return [] }
            // A label with accents takes 13 rows above the box, which begins at 32, 32.
            return (19..<32).map { y in
                (33..<38).map { pixels[y * 128 + $0] == .black ? "#" : "." }.joined()
            }
        }
        // Ö: two dots above an O of 5 × 7, which has round corners.
        #expect(
            rows("\u{d6}") == [
                ".....", ".#.#.", ".....", ".###.", "#...#", "#...#", "#...#", "#...#", "#...#", ".###.",
                ".....", ".....", ".....",
            ])
        // é: the stroke rises to the right, in the two rows that a small letter leaves free.
        let acute = rows("\u{e9}")
        #expect(acute[3...4] == ["...#.", "..#.."] && acute[5] == ".###.")
        #expect(rows("e\u{301}") == acute)
        #expect(rows("\u{e7}")[10...11] == ["..#..", ".##.."])
        // Without accents, labels keep their height. All characters that the font lacks have the same glyph.
        #expect(rows("\u{4e2d}") == rows("?"))
    }

    @Test(
        "Labels do not cover one another: the next free place is below the upper edge, the lower edge, or above it"
    )
    func labelPlaces() {
        let yellow = RGB<UInt8>(red: 255, green: 221, blue: 0)
        // Four boxes at one place: rows 20 to 50 of 64. A label of "I" has 7 × 9 pixels; column 1 of it shows no part
        // of the letter.
        let box = PictureBox(left: 0.25, top: 20 / 64, right: 0.75, bottom: 50 / 64)
        for (count, tops) in [(1, [11]), (2, [11, 20]), (3, [11, 20, 50]), (4, [11, 20, 50, 41])] {
            let boxes = Array(repeating: LabeledBox(box: box, label: "I"), count: count)
            guard case .uint8(let pixels) = picture.drawing(boxes).pixels else { return }
            let isLabel = (0..<64).map { row in
                pixels[row * 128 + 37] == yellow && pixels[row * 128 + 38] == yellow
            }
            let expected = (0..<64).map { row in tops.contains { ($0..<$0 + 9).contains(row) } }
            // The outline is yellow in rows 21 and 48.
            for row in 0..<64 where row != 21 && row != 48 {
                #expect(isLabel[row] == expected[row], "\(count), row \(row)")
            }
        }
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
            reciprocalMeters: (0..<64 * 32).map { (16..<32).contains($0 % 64) ? 1 : 0.25 }, scale: .metric)
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
