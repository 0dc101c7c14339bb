package import Bytes
internal import Embedded

extension NetworkModel {
    /// Reads the structure of an ONNX file (`onnx.proto`, `ModelProto`), and skips the learned parameters.
    ///
    /// Throws ``ContainerError`` if the bytes are not such a file, if ONNX Runtime would open other files for them (external
    /// data, contexts compiled for a device), and if a tensor has more elements than bytes.
    package init(parsing bytes: [UInt8], limits: DecodingLimits) throws(ContainerError) {
        byteCount = bytes.count
        guard let first = bytes.first, first == 0x08 else {
            throw ContainerError(.unrecognized(detail: "this is not an ONNX file"))
        }
        // The runtime checks for this before it parses ONNX, and the bytes could be both.
        guard !bytes.dropFirst(4).starts(with: "ORTM".utf8) else {
            throw ContainerError(
                .unsupported(feature: "a network in ONNX Runtime's own format (.ort)"), at: 4)
        }
        var reader = ModelReader(limits: limits)
        var cursor = ByteCursor(bytes.span)
        do throws(ContainerError) {
            try reader.readModel(&cursor, into: &self)
        } catch {
            // Text and pictures may start with such a byte, too.
            guard !reader.hasGraph, case .malformed = error.reason else { throw error }
            throw ContainerError(.unrecognized(detail: "this is not an ONNX file"))
        }
        guard reader.hasGraph else {
            throw ContainerError(.unrecognized(detail: "this is not an ONNX file: it has no graph"))
        }
        checksum = SHA256(bytes).hexadecimal
    }
}

/// Walks through the messages of an ONNX file.
private struct ModelReader {
    let limits: DecodingLimits
    var hasGraph = false

    mutating func readModel(
        _ cursor: inout ByteCursor, into model: inout NetworkModel
    ) throws(ContainerError) {
        while !cursor.isAtEnd {
            let key = try cursor.readProtobufKey()
            switch key.number {
            case 2: model.producer = try cursor.readProtobufText(key)
            case 3:
                let version = try cursor.readProtobufText(key)
                if !version.isEmpty { model.producer += " \(version)" }
            case 7:
                var graph = try cursor.readProtobufMessage(key)
                hasGraph = true
                try readGraph(&graph, into: &model)
            case 8:
                var operators = try cursor.readProtobufMessage(key)
                try readOperatorVersion(&operators, into: &model)
            case 14:
                var entry = try cursor.readProtobufMessage(key)
                model.metadata.append(try readEntry(&entry))
            case 20:
                var training = try cursor.readProtobufMessage(key)
                try readTraining(&training, into: &model)
            case 25:
                var function = try cursor.readProtobufMessage(key)
                try readFunction(&function, into: &model)
            default: try cursor.skipProtobufValue(key)
            }
            try limits.check(.items, model.metadata.count, at: cursor.offset)
        }
    }

    private func readOperatorVersion(
        _ cursor: inout ByteCursor, into model: inout NetworkModel
    ) throws(ContainerError) {
        var (domain, version) = ("", 0)
        while !cursor.isAtEnd {
            let key = try cursor.readProtobufKey()
            switch key.number {
            case 1: domain = try cursor.readProtobufText(key)
            case 2: version = try cursor.readProtobufIntegers(key).last ?? 0
            default: try cursor.skipProtobufValue(key)
            }
        }
        if domain.isEmpty || domain == "ai.onnx" { model.operatorVersion = version }
    }

    private func readEntry(_ cursor: inout ByteCursor) throws(ContainerError) -> (key: String, value: String)
    {
        var entry = (key: "", value: "")
        while !cursor.isAtEnd {
            let key = try cursor.readProtobufKey()
            switch key.number {
            case 1: entry.key = try cursor.readProtobufText(key)
            case 2: entry.value = try cursor.readProtobufText(key)
            default: try cursor.skipProtobufValue(key)
            }
        }
        return entry
    }

    /// The outermost graph; its inputs and outputs are the network's.
    private func readGraph(
        _ cursor: inout ByteCursor, into model: inout NetworkModel
    ) throws(ContainerError) {
        var constants: Set<String> = []
        while !cursor.isAtEnd {
            let key = try cursor.readProtobufKey()
            switch key.number {
            case 1:
                var node = try cursor.readProtobufMessage(key)
                try readNode(&node, into: &model, depth: 0)
            case 5:
                var tensor = try cursor.readProtobufMessage(key)
                let (name, count) = try readTensor(&tensor)
                constants.insert(name)
                model.parameterCount += count
            case 15:
                var tensor = try cursor.readProtobufMessage(key)
                let (name, count) = try readSparseTensor(&tensor)
                constants.insert(name)
                model.parameterCount += count
            case 11:
                var port = try cursor.readProtobufMessage(key)
                model.inputs.append(try readPort(&port))
            case 12:
                var port = try cursor.readProtobufMessage(key)
                model.outputs.append(try readPort(&port))
            default: try cursor.skipProtobufValue(key)
            }
            try limits.check(.items, model.inputs.count + model.outputs.count, at: cursor.offset)
        }
        // Old files list their constants among the inputs.
        model.inputs.removeAll { constants.contains($0.name) }
    }

    /// A graph inside an operator: only its tensors and operators are read.
    private func readInnerGraph(
        _ cursor: inout ByteCursor, into model: inout NetworkModel, depth: Int
    ) throws(ContainerError) {
        try limits.check(.nesting, depth, at: cursor.offset)
        while !cursor.isAtEnd {
            let key = try cursor.readProtobufKey()
            switch key.number {
            case 1:
                var node = try cursor.readProtobufMessage(key)
                try readNode(&node, into: &model, depth: depth)
            case 5:
                var tensor = try cursor.readProtobufMessage(key)
                model.parameterCount += try readTensor(&tensor).count
            case 15:
                var tensor = try cursor.readProtobufMessage(key)
                model.parameterCount += try readSparseTensor(&tensor).count
            default: try cursor.skipProtobufValue(key)
            }
        }
    }

    /// The training information of a network (`TrainingInfoProto`): two graphs.
    private func readTraining(
        _ cursor: inout ByteCursor, into model: inout NetworkModel
    ) throws(ContainerError) {
        // These graphs are not run.
        var unused = model
        while !cursor.isAtEnd {
            let key = try cursor.readProtobufKey()
            switch key.number {
            case 1, 2:
                var graph = try cursor.readProtobufMessage(key)
                try readInnerGraph(&graph, into: &unused, depth: 0)
            default: try cursor.skipProtobufValue(key)
            }
        }
    }

    private func readFunction(
        _ cursor: inout ByteCursor, into model: inout NetworkModel
    ) throws(ContainerError) {
        while !cursor.isAtEnd {
            let key = try cursor.readProtobufKey()
            switch key.number {
            case 7:
                var node = try cursor.readProtobufMessage(key)
                try readNode(&node, into: &model, depth: 0)
            case 11:
                var attribute = try cursor.readProtobufMessage(key)
                try readAttribute(&attribute, into: &model, depth: 0)
            default: try cursor.skipProtobufValue(key)
            }
        }
    }

    private func readNode(
        _ cursor: inout ByteCursor, into model: inout NetworkModel, depth: Int
    ) throws(ContainerError) {
        model.operatorCount += 1
        while !cursor.isAtEnd {
            let (start, key) = (cursor.offset, try cursor.readProtobufKey())
            switch key.number {
            case 4:
                guard try cursor.readProtobufText(key) != "EPContext" else {
                    throw ContainerError(
                        .unsupported(feature: "a network that was compiled for one device (EPContext)"),
                        at: start)
                }
            case 5:
                var attribute = try cursor.readProtobufMessage(key)
                try readAttribute(&attribute, into: &model, depth: depth)
            default: try cursor.skipProtobufValue(key)
            }
        }
    }

    private func readAttribute(
        _ cursor: inout ByteCursor, into model: inout NetworkModel, depth: Int
    ) throws(ContainerError) {
        while !cursor.isAtEnd {
            let key = try cursor.readProtobufKey()
            switch key.number {
            case 5, 10:
                var tensor = try cursor.readProtobufMessage(key)
                _ = try readTensor(&tensor)
            case 22, 23:
                var tensor = try cursor.readProtobufMessage(key)
                _ = try readSparseTensor(&tensor)
            case 6, 11:
                var graph = try cursor.readProtobufMessage(key)
                try readInnerGraph(&graph, into: &model, depth: depth + 1)
            default: try cursor.skipProtobufValue(key)
            }
        }
    }

    /// The name of a tensor, and its number of elements.
    private func readTensor(_ cursor: inout ByteCursor) throws(ContainerError) -> (name: String, count: Int) {
        let (start, byteCount) = (cursor.offset, cursor.remaining)
        var name = ""
        var count = 1
        var isExternal = false
        while !cursor.isAtEnd {
            let key = try cursor.readProtobufKey()
            switch key.number {
            case 1:
                for side in try cursor.readProtobufIntegers(key) {
                    let (product, overflows) = count.multipliedReportingOverflow(by: side)
                    guard side >= 0, !overflows else { throw cursor.failure(.arithmeticOverflow) }
                    count = product
                }
            case 8: name = try cursor.readProtobufText(key)
            case 13: isExternal = true
            case 14:
                let location = try cursor.readProtobufIntegers(key).last
                isExternal = isExternal || location == 1
            default: try cursor.skipProtobufValue(key)
            }
            if isExternal { cursor.skipAll() }
        }
        guard !isExternal else {
            throw ContainerError(
                .unsupported(feature: "a network whose parameters are in other files (external data)"),
                at: start)
        }
        // Two 4-bit elements fit a byte; no type is smaller.
        guard count <= 2 * byteCount else {
            throw ContainerError(
                .malformed(rule: "tensor declares \(count) elements and has \(byteCount) bytes"), at: start)
        }
        return (name, count)
    }

    /// The name of a sparse tensor (`SparseTensorProto`), and the number of its stored elements.
    private func readSparseTensor(
        _ cursor: inout ByteCursor
    ) throws(ContainerError) -> (name: String, count: Int) {
        var stored = (name: "", count: 0)
        while !cursor.isAtEnd {
            let key = try cursor.readProtobufKey()
            switch key.number {
            case 1:
                var values = try cursor.readProtobufMessage(key)
                stored = try readTensor(&values)
            case 2:
                var indices = try cursor.readProtobufMessage(key)
                _ = try readTensor(&indices)
            default: try cursor.skipProtobufValue(key)
            }
        }
        return stored
    }

    private func readPort(_ cursor: inout ByteCursor) throws(ContainerError) -> NetworkModel.Port {
        var port = NetworkModel.Port(name: "", element: nil, shape: nil)
        while !cursor.isAtEnd {
            let key = try cursor.readProtobufKey()
            switch key.number {
            case 1: port.name = try cursor.readProtobufText(key)
            case 2:
                var type = try cursor.readProtobufMessage(key)
                while !type.isAtEnd {
                    let key = try type.readProtobufKey()
                    guard key.number == 1 else {
                        try type.skipProtobufValue(key)
                        continue
                    }
                    var tensor = try type.readProtobufMessage(key)
                    try readTensorType(&tensor, into: &port)
                }
            default: try cursor.skipProtobufValue(key)
            }
        }
        return port
    }

    private func readTensorType(
        _ cursor: inout ByteCursor, into port: inout NetworkModel.Port
    ) throws(ContainerError) {
        port.element = NetworkModel.ElementType(rawValue: 0)
        while !cursor.isAtEnd {
            let key = try cursor.readProtobufKey()
            switch key.number {
            case 1:
                let number = try cursor.readProtobufIntegers(key).last ?? 0
                port.element = NetworkModel.ElementType(rawValue: number)
            case 2:
                var shape = try cursor.readProtobufMessage(key)
                port.shape = try readShape(&shape)
            default: try cursor.skipProtobufValue(key)
            }
        }
    }

    private func readShape(_ cursor: inout ByteCursor) throws(ContainerError) -> [NetworkModel.Dimension] {
        var shape: [NetworkModel.Dimension] = []
        while !cursor.isAtEnd {
            let key = try cursor.readProtobufKey()
            guard key.number == 1 else {
                try cursor.skipProtobufValue(key)
                continue
            }
            var side = try cursor.readProtobufMessage(key)
            var dimension = NetworkModel.Dimension.open("")
            while !side.isAtEnd {
                let key = try side.readProtobufKey()
                switch key.number {
                case 1:
                    let count = try side.readProtobufIntegers(key).last ?? 0
                    dimension = count > 0 ? .fixed(count) : .open("")
                case 2: dimension = .open(try side.readProtobufText(key))
                default: try side.skipProtobufValue(key)
                }
            }
            shape.append(dimension)
            try limits.check(.items, shape.count, at: cursor.offset)
        }
        return shape
    }
}

extension ByteCursor {
    /// Goes to the end.
    @_lifetime(self: copy self)
    fileprivate mutating func skipAll() { try? skip(remaining) }
}
