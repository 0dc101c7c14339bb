internal import Bytes
public import CIsobath
internal import DepthMaps
internal import DepthTypes
internal import Effects
internal import Networks
internal import Scenes

/// `isobath_photo_derive`
@_cdecl("isobath_photo_derive")
public func derive(
    _ photo: OpaquePointer?, _ options: UnsafePointer<isobath_derive_options>?,
    _ derived: UnsafeMutablePointer<OpaquePointer?>?, _ error: ErrorPlace?
) -> isobath_status {
    unsafe answer(photo, derived, error) { photo in
        let given = try unsafe CInterface.options(options, else: isobath_derive_options())
        try unsafe check(given.flags, known: (ISOBATH_DERIVE_UNALIGNED << 1) - 1)
        guard unsafe given.minimum_confidence >= 0 else {
            throw InvalidArgument("minimum_confidence must not be negative")
        }
        var (scene, depth) = try unsafe given.replacing(photo)
        let (least, flags) = unsafe (given.minimum_confidence, given.flags)
        if least > 0 || flags & ~UInt32(ISOBATH_DERIVE_UNALIGNED) != 0 {
            scene = scene.treated(
                minimumConfidence: least > 0 ? Int(least) : nil,
                dequantizing: flags.has(ISOBATH_DERIVE_DEQUANTIZE),
                fillingHoles: flags.has(ISOBATH_DERIVE_FILL_HOLES),
                smoothing: flags.has(ISOBATH_DERIVE_SMOOTH))
        }
        if depth == nil, case .derived(_, _, let earlier) = photo.content { depth = earlier }
        return unsafe PhotoHandle(
            .derived(scene, of: photo, depth), name: photo.name, limits: photo.limits,
            isReadByCaller: photo.isReadByCaller
        ).handedOut
    }
}

extension isobath_derive_options {
    /// The photo's scene with the depth or the matte of the options; the depth, if there is one.
    fileprivate func replacing(_ photo: PhotoHandle) throws -> (DepthScene, ComputedDepth?) {
        let (scene, alignment) = (photo.scene, try unsafe alignment)
        let model = unsafe path(model)
        guard unsafe model != nil || model_profile == nil else {
            throw InvalidArgument("model_profile has no effect without a model")
        }
        if unsafe depth != nil {
            guard model == nil else { throw InvalidArgument("depth and model exclude each other") }
            let computed = try unsafe ComputedDepth.supplied(supply, to: scene, alignment)
            return (computed.scene, computed)
        }
        guard let model else {
            guard case .stored = alignment, unsafe quantity == nil else {
                throw InvalidArgument("options of depth have no effect without depth or a model")
            }
            return (scene, nil)
        }
        guard unsafe quantity == nil else {
            throw InvalidArgument("quantity has no effect with a model, which declares it")
        }
        return try about(model) {
            let network = try unsafe Network.opened(
                model, profile: path(model_profile), threads: min(threadLimit, coreCount),
                limits: photo.limits)
            guard network.answer == .depth else {
                return (try network.scene(for: scene, alignment: alignment), nil)
            }
            let supply = try DepthSupply(network, for: scene)
            let computed = try ComputedDepth(of: scene, supply, alignment)
            return (computed.scene, computed)
        }
    }

    private var alignment: DepthAlignment {
        get throws {
            let isUnaligned = unsafe flags.has(ISOBATH_DERIVE_UNALIGNED)
            let ways = unsafe [isUnaligned, reference != nil, anchor_count > 0].count(where: \.self)
            guard ways <= 1 else {
                throw InvalidArgument("reference, anchors and ISOBATH_DERIVE_UNALIGNED exclude each other")
            }
            if isUnaligned { return .none }
            if let reference = unsafe PhotoHandle.at(reference) {
                return .map(try reference.scene.disparity())
            }
            guard unsafe anchor_count > 0 else { return .stored }
            guard let anchors = unsafe anchors, unsafe anchor_count <= 1 << 20 else {
                throw InvalidArgument("anchors is NULL, or there are too many")
            }
            // SAFETY: the caller declares three numbers for each anchor.
            let numbers = unsafe Array(UnsafeBufferPointer(start: anchors, count: 3 * anchor_count))
            var points: [NormalizedPoint: Double] = [:]
            for start in stride(from: 0, to: numbers.count, by: 3) {
                let point = NormalizedPoint(x: numbers[start], y: numbers[start + 1])
                guard (0...1).contains(point.x), (0...1).contains(point.y) else {
                    throw InvalidArgument(
                        "an anchor is at fractions from 0 to 1, not at \(point.x), \(point.y)")
                }
                guard points.updateValue(numbers[start + 2], forKey: point) == nil else {
                    throw NetworkError.alignment(.samePoint)
                }
            }
            return .anchors(points)
        }
    }

    private var supply: DepthSupply {
        get throws {
            guard let array = unsafe depth?.pointee, unsafe Int(array.type) == ISOBATH_FLOAT32,
                unsafe array.dimension_count == 2
            else { throw InvalidArgument("depth must be float32 in two dimensions") }
            let given = try unsafe array.map(array.checkedSize, else: .affine)
            return try unsafe depthQuantity(quantity) == .depth
                ? DepthSupply(given.depth()) : DepthSupply(given.disparity())
        }
    }
}

/// Names the file of a network in errors of `body`.
private func about<Result>(_ model: String, _ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error where error is ContainerError || error is NetworkError {
        throw FileFailure(file: model, error: error)
    }
}
