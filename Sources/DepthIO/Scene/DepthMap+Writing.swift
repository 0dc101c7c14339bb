internal import AtomicFiles
public import DepthCore
internal import DepthModel
internal import EmbeddedFormats
internal import ImageCodecs
internal import ImageContainers

extension DepthMap {
    /// Writes the map as TIFF, OpenEXR, PFM or NPY (Float32 in meters, `nan` where unknown) or as PNG (16 bits over the map's range),
    /// as the name's extension says. What samples mean is kept in the file where the format can (PNG, TIFF, OpenEXR), and so is
    /// the camera. The file appears whole or not at all.
    ///
    /// Throws ``OutputError`` when the extension is another, when the file exists and `replacingExisting` is not set, and when
    /// it cannot be written.
    public func write(to path: String, replacingExisting: Bool = false) throws {
        try DepthSource(self).write(to: path, camera: calibration, replacingExisting: replacingExisting)
    }
}

extension DisparityMap {
    /// Writes the map in 1/meters; see ``DepthMap/write(to:replacingExisting:)``.
    public func write(to path: String, replacingExisting: Bool = false) throws {
        try DepthSource(self).write(to: path, camera: calibration, replacingExisting: replacingExisting)
    }
}

extension Matte {
    /// Writes the coverage as 8-bit gray: PNG, TIFF or NPY, or 0…1 as PFM and OpenEXR.
    ///
    /// Throws as ``DepthMap/write(to:replacingExisting:)`` does.
    public func write(to path: String, replacingExisting: Bool = false) throws {
        try Raster(width: width, height: height, samples: .gray8(coverage))
            .write(to: path, replacingExisting: replacingExisting)
    }
}

extension DepthSource {
    fileprivate func write(to path: String, camera: CameraCalibration?, replacingExisting: Bool) throws {
        let form = RasterFormat(fileName: path) == .png ? normalized(nil) : float(nil)
        var raster = Raster(width: width, height: height, samples: form.samples)
        _ = raster.describe(form.record, camera: camera, focalLength35mm: nil)
        try raster.write(to: path, replacingExisting: replacingExisting)
    }
}

extension Raster {
    /// Sets the record, which says what values mean, with the camera scaled to the raster or else the focal length of the photo;
    /// and the attributes of OpenEXR files, which say the same.
    ///
    /// Returns whether the camera is in the record: one of very many coefficients would make it too long to be read.
    mutating func describe(
        _ record: SampleEncoding, camera: CameraCalibration?, focalLength35mm: Int?
    ) -> Bool {
        attributes = [
            ("isobath.quantity", record.quantity.rawValue), ("isobath.unit", record.unit ?? "none"),
            ("isobath.accuracy", record.accuracy.rawValue),
        ]
        let camera = camera.map { JSONValue.object($0.scaled(toWidth: width, height: height).record()) }
        self.camera = camera?.serialized
        let optics: (String, JSONValue)? =
            camera.map { ("camera", $0) } ?? focalLength35mm.map { ("focalLength35mm", .integer($0)) }
        let complete = record.json(with: optics).serialized
        let isShort = complete.utf8.count < Self.maximumRecordBytes
        self.record = isShort ? complete : record.json(with: nil).serialized
        return isShort
    }

    fileprivate func write(to path: String, replacingExisting: Bool) throws {
        guard let format = RasterFormat(fileName: path) else {
            throw OutputError(path, .unknownFormat(known: RasterFormat.names))
        }
        try OutputFile(path: path, replacesExisting: replacingExisting).write {
            (descriptor) throws(WriteError) in try write(as: format, to: descriptor)
        }
    }
}
