package import Bytes
public import DepthMaps
public import DepthTypes
package import Effects
internal import PhotoFormats

/// How to select the subject of a scene.
public enum MatteSelection: Sendable {
    /// Mattes of the file, combined. `PlaneKind.alpha` is the picture's opacity.
    case kinds([PlaneKind])
    /// A mask cut from the depth.
    case depth(DepthCut)
    /// Any matte of the picture's shape.
    case given(Matte)
}

/// The matte that a ``MatteSelection`` found in a scene.
package struct SceneMatte: Sendable {
    package enum Origin: Sendable {
        /// Mattes of the file.
        case kinds([PlaneKind])
        /// A mask cut from the depth, and how the cut was found.
        case depth(DepthMask, CutOrigin?)
        /// Given by the caller.
        case given
    }

    /// The matte, possibly not at the size of the picture.
    package let matte: Matte
    package let origin: Origin
    /// Warnings about the choice of the subject.
    package var diagnostics: [Diagnostic] = []

    /// Whether it is a mask cut from the depth.
    package var isCutFromDepth: Bool { if case .depth = origin { true } else { false } }
}

extension DepthScene {
    /// Throws ``SceneError`` if the scene lacks the selected plane, or if it is not a matte. Decodes nothing.
    package func check(_ selection: MatteSelection?) throws {
        switch selection {
        case .kinds(let kinds):
            for kind in kinds {
                guard kind.isCoverage else { throw SceneError.notCoverage(kind) }
                guard description.planes.contains(kind) else { throw description.absence(of: kind) }
            }
        case .depth: _ = try requireDepth()
        case .given: break
        case nil:
            let hasMatte = description.planes.contains { $0 == .matte || $0 == .alpha }
            guard description.depth != nil || hasMatte else {
                throw description.absence(of: .matte)
            }
        }
    }

    /// The selected matte. By default, the portrait matte, otherwise the picture's opacity, otherwise a mask cut from the
    /// depth.
    ///
    /// Throws ``SceneError`` if there is no matte, ``DepthScaleError`` if meters are given for depth without a unit,
    /// and errors of decoding.
    package func subjectMatte(_ selection: MatteSelection? = nil) throws -> SceneMatte {
        try check(selection)
        switch try selection ?? automaticSelection() {
        case .given(let matte): return SceneMatte(matte: matte, origin: .given)
        case .kinds(let kinds):
            let mattes = try kinds.map { kind in
                guard let matte = try kind == .matte ? portraitMatte() : matte(kind) else {
                    throw description.absence(of: kind)
                }
                return matte
            }
            guard let first = mattes.first else { throw description.absence(of: .matte) }
            var found = SceneMatte(
                matte: mattes.dropFirst().reduce(first) { $0.union(with: $1) }, origin: .kinds(kinds))
            guard found.matte.isNearlyEmpty else { return found }
            let usesDepth = selection == nil && description.depth != nil
            if usesDepth { found = try mask(.automatic) }
            found.diagnostics.append(
                .warning(
                    .emptyMatte,
                    "the matte is nearly empty" + (usesDepth ? ", and the subject is cut from the depth" : "")
                ))
            return found
        case .depth(let cut):
            return try mask(cut)
        }
    }

    /// The portrait matte, for effects; `nil` if missing. Holes and gaps of a network's matte are filled where the stored depth
    /// shows the same object.
    func portraitMatte() throws -> Matte? {
        guard let matte = try matte(), description.hasCoarseMatte,
            description.planes.contains(where: { $0 == .depth || $0 == .disparity })
        else { return try matte() }
        return try disparity().completing(matte)
    }

    /// If the scene has depth, an opacity that is opaque everywhere is ignored.
    private func automaticSelection() throws -> MatteSelection {
        if description.planes.contains(.matte) { return .kinds([.matte]) }
        guard description.planes.contains(.alpha) else { return .depth(.automatic) }
        guard description.depth != nil, let alpha = try matte(.alpha),
            alpha.coverage.allSatisfy({ $0 == 255 })
        else { return .kinds([.alpha]) }
        return .depth(.automatic)
    }
}

extension Matte {
    /// Whether less than a thousandth of it is more than half covered.
    fileprivate var isNearlyEmpty: Bool { coverage.count { $0 >= 128 } * 1000 < coverage.count }
}
