package import Compositing
public import DepthCore
public import DepthModel
internal import ImageContainers

/// What the subject of a scene is.
public enum MatteSelection: Sendable {
    /// Mattes of the file, joined. `PlaneKind.alpha` is the picture's opacity.
    case kinds([PlaneKind])
    /// A mask cut from the depth.
    case depth(DepthCut)
    /// Any matte of the picture's shape.
    case given(Matte)
}

/// The matte that a ``MatteSelection`` found in a scene.
package struct SceneMatte: Sendable {
    /// Where the matte is from.
    package enum Origin: Sendable {
        /// Mattes of the file.
        case kinds([PlaneKind])
        /// A mask cut from the depth, and how the cut was found.
        case depth(DepthMask, CutOrigin?)
        /// It was given.
        case given
    }

    /// The matte, at a size of its own.
    package let matte: Matte
    /// Where it is from.
    package let origin: Origin

    /// Whether it is a mask cut from the depth.
    package var isCutFromDepth: Bool { if case .depth = origin { true } else { false } }
}

extension DepthScene {
    /// Throws ``SceneError`` where the scene lacks what was selected, or it is not a matte, before anything is decoded.
    package func check(_ selection: MatteSelection?) throws {
        switch selection {
        case .kinds(let kinds):
            for kind in kinds {
                guard kind.isCoverage else { throw SceneError.notCoverage(kind) }
                guard description.planes.contains(kind) else { throw source.absence(of: kind) }
            }
        case .depth: _ = try requireDepth()
        case .given: break
        case nil:
            let hasMatte = description.planes.contains { $0 == .matte || $0 == .alpha }
            guard description.depth != nil || hasMatte else {
                throw source.absence(of: .matte)
            }
        }
    }

    /// The matte that was selected; without a selection the portrait matte, otherwise the picture's opacity, otherwise a mask cut from
    /// the depth.
    ///
    /// Throws ``SceneError`` where there is none, ``DepthScaleError`` where meters are given for depth without a unit, and
    /// what decoding throws.
    package func subjectMatte(_ selection: MatteSelection? = nil) throws -> SceneMatte {
        try check(selection)
        switch try selection ?? automaticSelection() {
        case .given(let matte): return SceneMatte(matte: matte, origin: .given)
        case .kinds(let kinds):
            let mattes = try kinds.map { kind in
                guard let matte = try matte(kind) else { throw source.absence(of: kind) }
                return matte
            }
            guard let first = mattes.first else { throw source.absence(of: .matte) }
            return SceneMatte(
                matte: mattes.dropFirst().reduce(first) { $0.union(with: $1) }, origin: .kinds(kinds))
        case .depth(let cut):
            let (selection, origin) = try cut.selection(in: requireDepth(), faces: description.faces)
            let mask = try disparity().mask(selection, guidedBy: color())
            return SceneMatte(matte: mask.matte, origin: .depth(mask, origin))
        }
    }

    /// An opacity that selects everything selects nothing where there is depth.
    private func automaticSelection() throws -> MatteSelection {
        if description.planes.contains(.matte) { return .kinds([.matte]) }
        guard description.planes.contains(.alpha) else { return .depth(.automatic) }
        guard description.depth != nil, let alpha = try matte(.alpha),
            alpha.coverage.allSatisfy({ $0 == 255 })
        else { return .kinds([.alpha]) }
        return .depth(.automatic)
    }
}
