package import DepthMaps
internal import DepthTypes
internal import Glibc

extension Network {
    /// The objects in a picture, most confident first, with at least this confidence. Boxes of one class do not overlap by
    /// more than 45 %.
    ///
    /// Throws ``NetworkError``, and `ContainerError` where a tensor would be too large.
    package func detections(in image: ColorImage, atLeast confidence: Float) throws -> [Detection] {
        try checkFindsObjects()
        let answers = try run(on: image)
        let plan = input.plan(for: PixelSize(width: image.width, height: image.height))
        var found: [Detection]
        switch profile.meaning {
        case .classes: found = try classes(answers[0])
        case .rows: found = try rows(answers[0], plan)
        case .corners: found = try corners(answers)
        default: found = try boxes(answers[0], plan, confidence)
        }
        found.removeAll { !($0.confidence >= confidence) || $0.box.area <= 0 }
        if profile.meaning != .classes { found = found.suppressed(over: 0.45) }
        for index in found.indices where profile.labels.indices.contains(found[index].classNumber) {
            found[index].label = profile.labels[found[index].classNumber]
        }
        return found
    }

    /// Throws ``NetworkError/purpose(needed:network:)`` if the network has another purpose.
    package func checkFindsObjects() throws(NetworkError) { try profile.require(.objects) }

    /// The five most likely classes, by the softmax of the answer.
    private func classes(_ tensor: NetworkTensor) throws(NetworkError) -> [Detection] {
        guard let highest = tensor.values.max(), tensor.shape.count(where: { $0 != 1 }) <= 1 else {
            throw .answer("'\(outputNames[0])' is not a list of classes")
        }
        let parts = tensor.values.map { exp(Double($0 - highest)) }
        let sum = parts.reduce(0, +)
        let order = parts.indices.sorted { (-parts[$0], $0) < (-parts[$1], $1) }
        return order.prefix(5).map {
            Detection(classNumber: $0, confidence: Float(parts[$0] / sum), box: .all)
        }
    }

    /// YOLO's head. With fewer rows than columns, rows are x, y, width, height and classes (since version 8); otherwise each
    /// row is x, y, width, height, the objectness, and classes (versions 5 and 7).
    private func boxes(
        _ tensor: NetworkTensor, _ plan: NetworkInput.Plan, _ confidence: Float
    ) throws(NetworkError) -> [Detection] {
        guard tensor.shape.count == 3, tensor.shape[0] == 1, tensor.shape[1...].allSatisfy({ $0 > 4 }) else {
            throw .answer("'\(outputNames[0])' is \(tensor.shape), which is not YOLO's head")
        }
        let (rows, columns) = (tensor.shape[1], tensor.shape[2])
        let isTransposed = rows < columns
        let (count, fields) = isTransposed ? (columns, rows) : (rows, columns)
        let (step, stride) = isTransposed ? (1, columns) : (columns, 1)
        let firstClass = isTransposed ? 4 : 5
        guard fields > firstClass else {
            throw .answer("'\(outputNames[0])' is \(tensor.shape), which has no classes")
        }
        let values = tensor.values
        var found: [Detection] = []
        for index in 0..<count {
            func field(_ number: Int) -> Float { values[index * step + number * stride] }
            var (best, score) = (0, -Float.infinity)
            for number in firstClass..<fields where field(number) > score {
                (best, score) = (number - firstClass, field(number))
            }
            if !isTransposed { score *= field(4) }
            guard score >= confidence else { continue }
            let (x, y) = (Double(field(0)), Double(field(1)))
            let (width, height) = (Double(field(2)), Double(field(3)))
            let box = plan.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
            found.append(Detection(classNumber: best, confidence: score, box: box))
        }
        return found
    }

    private func rows(_ tensor: NetworkTensor, _ plan: NetworkInput.Plan) throws(NetworkError) -> [Detection]
    {
        guard tensor.shape.last == 6, tensor.shape.count <= 3 else {
            throw .answer("'\(outputNames[0])' is \(tensor.shape), and not rows of six")
        }
        return stride(from: 0, to: tensor.values.count, by: 6).compactMap { start in
            let row = tensor.values[start..<start + 6].map { Double($0) }
            guard let number = Int(exactly: row[5].rounded()), number >= 0 else { return nil }
            return Detection(
                classNumber: number, confidence: Float(row[4]), box: plan.box(row[0], row[1], row[2], row[3]))
        }
    }

    /// Boxes (1 × N × 4, fractions: left, top, right, bottom; top first if the output is TensorFlow's `detection_boxes`),
    /// with either scores for each class (1 × N × K, the first is the background), or scores and classes (1 × N each;
    /// TensorFlow's classes start at 1).
    private func corners(_ tensors: [NetworkTensor]) throws(NetworkError) -> [Detection] {
        guard let place = tensors.firstIndex(where: { $0.shape.count == 3 && $0.shape[2] == 4 }) else {
            throw .answer("none of its outputs is a list of boxes")
        }
        let count = tensors[place].shape[1]
        let isTopFirst = outputNames[place] == "detection_boxes"
        func box(_ index: Int) -> PictureBox {
            let sides = (0..<4).map { Double(tensors[place].values[4 * index + $0]) }
            let (x, y) = isTopFirst ? (1, 0) : (0, 1)
            return PictureBox(left: sides[x], top: sides[y], right: sides[x + 2], bottom: sides[y + 2])
                .clipped
        }
        let others = tensors.indices.filter { $0 != place }
        if let scores = others.first(where: { tensors[$0].shape.count == 3 && tensors[$0].shape[1] == count })
        {
            let classes = tensors[scores].shape[2]
            guard classes > 1 else { throw .answer("'\(outputNames[scores])' has no classes") }
            return (0..<count).map { index in
                let row = tensors[scores].values[index * classes..<(index + 1) * classes]
                let best = row.dropFirst().indices.max { row[$0] < row[$1] } ?? row.startIndex
                return Detection(
                    classNumber: best - row.startIndex - 1, confidence: row[best], box: box(index))
            }
        }
        let lists = others.filter { tensors[$0].shape == [1, count] }
        guard let scores = lists.first(where: { outputNames[$0].contains("score") }),
            let classes = lists.first(where: {
                outputNames[$0].contains("class") || outputNames[$0].contains("label")
            })
        else { throw .answer("none of its outputs is a list of scores and classes for \(count) boxes") }
        return (0..<count).compactMap { index in
            let number = Int(tensors[classes].values[index].rounded()) - (isTopFirst ? 1 : 0)
            guard number >= 0 else { return nil }
            return Detection(
                classNumber: number, confidence: tensors[scores].values[index], box: box(index))
        }
    }
}

extension NetworkInput.Plan {
    /// A box in pixels of the input, as fractions of the picture in it.
    func box(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> PictureBox {
        func share(_ value: Double, _ start: Int, _ length: Int) -> Double {
            (value - Double(start)) / Double(length)
        }
        return PictureBox(
            left: share(left, self.left, picture.width), top: share(top, self.top, picture.height),
            right: share(right, self.left, picture.width), bottom: share(bottom, self.top, picture.height)
        ).clipped
    }
}
