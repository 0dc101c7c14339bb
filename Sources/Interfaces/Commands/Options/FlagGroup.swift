internal import ArgumentParser

/// The kinds of inputs that flags affect, by the names of the flags.
typealias FlagKinds = [String: InputKinds]

/// A group of flags.
protocol FlagGroup: ParsableArguments {
    /// The kinds of inputs that each flag affects.
    static var kinds: FlagKinds { get }
}

extension FlagKinds {
    /// The kinds of the flags of all groups.
    static let ofGroups: FlagKinds = {
        let groups: [any FlagGroup.Type] = [
            ApertureOptions.self, BatchOptions.self, CloudPointOptions.self, ColoringOptions.self,
            CommonOptions.self, DepthCodingOptions.self, DepthSourceOptions.self, DistanceOptions.self,
            FocusOptions.self, FollowedObjectOptions.self, FrameOptions.self, FrameOutputOptions.self,
            FusionFlags.self, InputOptions.self, JSONOptions.self, LayerOptions.self, LensOptions.self,
            MaskOptions.self, MeshOptions.self, MotionOptions.self, NetworkLoadingOptions.self,
            NetworkProfileOptions.self, ObjectOptions.self, OrientationOptions.self, OutputFileOptions.self,
            OutputOptions.self, PageFlags.self, PhotoFormOptions.self, PictureOriginOptions.self,
            PictureOutputOptions.self, PlaneOptions.self, PoseOptions.self, QualityOptions.self,
            QuantityOptions.self, ResourceOptions.self, SizeOptions.self, SubjectOptions.self,
            TreatmentOptions.self,
        ]
        return groups.reduce(into: [:]) { $0.merge($1.kinds) { $1 } }
    }()
}
