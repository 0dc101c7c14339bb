internal import Bytes
internal import DepthTypes
internal import Glibc

extension HEIFContainer {
    /// Describes the stereo pair (`ster`, ISO/IEC 23008-12 §6.8.5): the one that the photo belongs to, otherwise the first of
    /// the file, because the primary item of some spatial photos is a flat version separate from the pair.
    mutating func describeStereo() {
        let pairs = file.groups.filter { $0.type == "ster" && $0.entities.count >= 2 }
        guard let pair = pairs.first(where: { $0.entities.contains(file.primaryItem) }) ?? pairs.first else {
            return
        }
        do throws(ContainerError) {
            let (left, right) = (try stereoView(pair.entities[0]), try stereoView(pair.entities[1]))
            photo.stereo = StereoPair(left: left, right: right, source: "heif-stereo")
            if let camera = left.calibration {
                let half = Double(left.width) / 2 / camera.focalLengthX
                photo.stereo?.horizontalFieldOfView = 2 * atan(half) * 180 / .pi
            }
            if let a = left.calibration?.extrinsics?.translation,
                let b = right.calibration?.extrinsics?.translation
            {
                let squares = zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
                photo.stereo?.baseline = squares > 0 ? squares.squareRoot() : nil
            }
        } catch {
            diagnostics.append(error)
        }
    }

    private mutating func stereoView(_ id: Int) throws(ContainerError) -> CodedView {
        let shape = try images.shape(ofItem: id)
        if id != file.primaryItem { diagnostics += shape.diagnostics }
        var view = CodedView(
            location: .heifItem(id), codedWidth: shape.codedWidth, codedHeight: shape.codedHeight,
            crop: shape.crop)
        view.orientation = shape.orientation ?? .up
        view.colorProfile = shape.colorProfile.map { [$0] } ?? []
        view.readError = shape.readError
        view.calibration = shape.camera
        return view
    }
}
