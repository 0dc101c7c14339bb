package import Bytes
internal import Synchronization

/// A photo, a raster or a stereo pair as a sequence of one scene, which keeps all of its planes.
package final class SingleScene: SceneSequence {
    package let still: DepthScene?
    package let description: SceneDescription
    package let diagnostics: [Diagnostic]
    private let isReached = Mutex(false)

    /// A sequence of this scene. `diagnostics` are about how it was found; its own are in the scene.
    package init(_ scene: DepthScene, diagnostics: [Diagnostic] = []) {
        (still, description, self.diagnostics) = (scene, scene.description, diagnostics)
    }

    package var extent: SequenceExtent {
        var extent = SequenceExtent("one picture")
        extent.frameCount = 1
        return extent
    }

    package func advance() -> Double? {
        isReached.withLock { isReached in
            defer { isReached = true }
            return isReached ? nil : 0
        }
    }

    package func describe() -> SceneDescription { description }

    /// Decodes nothing: the loop passes the scene itself to effects.
    package func begin(_ planes: Set<PlaneID>, into frame: inout FramePlanes) {}

    package func restarted() -> (any SceneSequence)? {
        still.map { SingleScene($0, diagnostics: diagnostics) }
    }
}
