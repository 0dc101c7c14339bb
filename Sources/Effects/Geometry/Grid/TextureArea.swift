/// The part of a texture that shows a map, in fractions of the texture.
package struct TextureArea: Hashable, Sendable {
    /// The upper left corner.
    package var origin: SIMD2<Float>
    /// The width and the height.
    package var size: SIMD2<Float>

    /// A part with this corner and size.
    package init(origin: SIMD2<Float> = .zero, size: SIMD2<Float> = SIMD2(1, 1)) {
        (self.origin, self.size) = (origin, size)
    }
}
