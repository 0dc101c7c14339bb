internal import Codecs
package import DepthMaps
internal import DepthTypes
package import Effects
internal import StereoMatching

extension PlaneSource {
    /// The recorded pictures of both eyes in one, upright: side by side, or an anaglyph.
    ///
    /// Throws ``StereoError/differentSizes(left:right:)``, and errors of reading the pictures.
    package func picture(ofBothEyes form: StereoForm) throws -> ColorImage {
        let (left, right) = (try view(.left, frame: .upright), try view(.right, frame: .upright))
        guard left.width == right.width, left.height == right.height else {
            throw StereoError.differentSizes(
                left: SIMD2(left.width, left.height), right: SIMD2(right.width, right.height))
        }
        let (ours, theirs) = (left.eightBitPixels, right.eightBitPixels)
        let isWide = form == .sideBySide
        return ColorImage(
            width: isWide ? 2 * left.width : left.width, height: left.height,
            pixels: .uint8(
                isWide
                    ? StereoPicture.sideBySide(ours, theirs, width: left.width)
                    : StereoPicture.anaglyph(ours, theirs)), colorProfile: left.colorProfile)
    }
}
