internal import Bytes
internal import DepthTypes

/// Google's depth map in XMP, as Lens Blur and older portrait modes write it: images in base64, in the main packet or
/// in extended XMP (Google, Depthmap Metadata).
///
/// `GDepth:Data` is the depth map, `GDepth:Confidence` its reliability, `GImage:Data` the photo before its background was
/// blurred. An annotated dump of `TestImages/gdepth-lens-blur.jpg` is in this module's README.
extension GDepth: VendorReader {
    static func discover(
        in file: inout JPEGFile, _ photo: DescribedPhoto
    ) throws(ContainerError) -> VendorDiscovery {
        var found = VendorDiscovery()
        guard let (xmp, failure) = try file.xmp(holding: "ns.google.com/photos/1.0/depthmap/") else {
            return found
        }
        if let failure { found.addUnreadable(failure) }
        guard xmp.contains(namespace: GDepth.depth) else { return found }
        let payloads = XMPPayloads(file, xmp, carrier: .googleGDepth, orientation: photo.photo.orientation)
        var depthError: ContainerError?
        do throws(ContainerError) {
            var plane = try payloads.plane(.depth, "GDepth:Data", at: XMPPath(GDepth.depth, "Data"))
            if let assumption = plane.description.take(GDepth.range(xmp), at: payloads.offset) {
                found.diagnostics.append(assumption)
            }
            plane.blur = GDepth.focus(xmp)
            found.planes.append(plane)
        } catch {
            depthError = error
        }
        // GImage without GDepth is not read: Cardboard Camera stores the right eye there.
        for (kind, name, path) in [
            (PlaneKind.confidence, "GDepth:Confidence", XMPPath(GDepth.depth, "Confidence")),
            (.original, "GImage:Data", XMPPath(GDepth.image, "Data")),
        ] where xmp[path] != nil {
            found.collect { (found) throws(ContainerError) in
                found.planes.append(try payloads.plane(kind, name, at: path))
            }
        }
        if let depthError { found.addUnreadable(depthError) }
        return found
    }
}

enum GDepth {
    static let depth = "http://ns.google.com/photos/1.0/depthmap/"
    static let image = "http://ns.google.com/photos/1.0/image/"
    private static let focusing = "http://ns.google.com/photos/1.0/focus/"
    private static let camera = "http://ns.google.com/photos/1.0/camera/"

    /// The range, in meters unless the file names another unit. Lens Blur has no unit: its lengths are relative to the user's
    /// hand movement. It writes the focus, and neither `Manufacturer` nor the camera properties of portrait modes.
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
