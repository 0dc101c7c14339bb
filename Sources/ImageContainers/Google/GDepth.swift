internal import ByteParsing
internal import DepthModel

/// Google's depth map in XMP, as Lens Blur and older portrait modes write it: images in base64, in the main packet or
/// in extended XMP (Google, Depthmap Metadata).
///
/// `GDepth:Data` is the depth map, `GDepth:Confidence` how far it can be trusted, `GImage:Data` the photo before its
/// background was blurred. An annotated dump of `TestImages/gdepth-lens-blur.jpg` is in this module's README.
extension GDepth: JPEGPlaneSource {
    static func look(_ file: inout JPEGFile, _ photo: inout JPEGContainer) throws(ContainerError) {
        guard let xmp = try file.xmp(holding: "ns.google.com/photos/1.0/depthmap/", &photo),
            xmp.contains(namespace: GDepth.depth)
        else { return }
        let payloads = XMPPayloads(file, xmp, source: "google-gdepth", orientation: photo.photo.orientation)
        var lost: ContainerError?
        do throws(ContainerError) {
            var plane = try payloads.plane(.depth, "GDepth:Data", at: XMPPath(GDepth.depth, "Data"))
            if let assumption = plane.take(GDepth.range(xmp), at: payloads.place) {
                photo.add(assumption)
            }
            plane.blur = GDepth.focus(xmp)
            photo.add(plane)
        } catch {
            lost = error
        }
        // GImage alone may be anything: Cardboard Camera keeps the right eye there.
        for (kind, name, path) in [
            (PlaneKind.confidence, "GDepth:Confidence", XMPPath(GDepth.depth, "Confidence")),
            (.original, "GImage:Data", XMPPath(GDepth.image, "Data")),
        ] where xmp[path] != nil {
            do throws(ContainerError) {
                photo.add(try payloads.plane(kind, name, at: path))
            } catch {
                photo.add(lost: error)
            }
        }
        if let lost { throw lost }
    }
}

enum GDepth {
    static let depth = "http://ns.google.com/photos/1.0/depthmap/"
    static let image = "http://ns.google.com/photos/1.0/image/"
    private static let focusing = "http://ns.google.com/photos/1.0/focus/"
    private static let camera = "http://ns.google.com/photos/1.0/camera/"

    /// Meters unless said otherwise, but for Lens Blur: it measures by a sweep of the hand, whose length it does not
    /// know, and says neither unit nor maker. Portrait modes that write the focus, too, have properties of their own.
    static func range(_ xmp: XMPProperties) -> DistanceRange? {
        let isLensBlur =
            xmp.contains(namespace: focusing) && !xmp.contains(namespace: camera)
            && xmp[depth, "Manufacturer"] == nil
        return DistanceRange(xmp, depth, defaultUnit: isLensBlur ? .none : .meters)
    }

    static func focus(_ xmp: XMPProperties) -> BlurParameters? {
        func number(_ name: String) -> Double? {
            xmp[focusing, name]?.text.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
        }
        guard xmp.contains(namespace: focusing) else { return nil }
        var blur = BlurParameters()
        if let x = number("FocalPointX"), let y = number("FocalPointY") { blur.focalPoint = SIMD2(x, y) }
        blur.focalDistance = number("FocalDistance")
        blur.blurAtInfinity = number("BlurAtInfinity")
        return blur
    }
}
