internal import Bytes
package import Codecs
public import DepthMaps
internal import DepthTypes
internal import Embedded
internal import PhotoFormats

extension FloatPlane {
    /// Writes the map in the format of the name's extension: TIFF, OpenEXR, PFM or NPY (Float32 in meters or 1/meters, `nan`
    /// where unknown), or PNG (16 bits over the map's range). PNG, TIFF and OpenEXR files also store the meaning of samples,
    /// and the camera. The file is complete or missing, never partial.
    ///
    /// Throws ``OutputError`` when the extension is unknown, when the file exists and `replacingExisting` is not set, and
    /// when it cannot be written.
    public func write(to path: String, replacingExisting: Bool = false) throws {
        let format = try RasterFormat(writing: path)
        let raster = DecodedPlane(self).raster(for: format)
        try raster.write(as: format, to: path, replacingExisting: replacingExisting)
    }

    /// The bytes of the file that ``write(to:replacingExisting:)`` writes in a format. Throws ``OutputError``.
    public func encoded(as format: RasterFormat) throws -> [UInt8] {
        try DecodedPlane(self).raster(for: format).encoded(as: format)
    }

    /// The map as a raster of a format. In PNG, the 16-bit codes span `range`, and values outside are clipped to it;
    /// without a range, they span all values of the map.
    package func raster(for format: RasterFormat, over range: ClosedRange<Float>?) -> Raster {
        guard let range, format == .png else {
            return DecodedPlane(self).raster(for: format)
        }
        let clipped = Self(
            width: width, height: height,
            samples: samples.map { $0.isFinite ? min(max($0, range.lowerBound), range.upperBound) : .nan },
            scale: scale, calibration: calibration)
        var plane = DecodedPlane(clipped)
        plane.declared = (Double(range.lowerBound), Double(range.upperBound))
        return plane.raster(for: format)
    }
}

extension DepthMap {
    /// The map as 16-bit integers: millimeters, or the values themselves without a unit; 0 if unknown or too great.
    package func integers() -> Raster {
        let factor: Float = scale.hasUnit ? 1000 : 1
        var raster = Raster(
            width: width, height: height, samples: .gray16(meters.map { $0.depthCode(factor) }))
        let record = DecodedPlane(self).integers(perUnit: Double(factor))
        _ = raster.describe(record, camera: calibration, focalLength35mm: nil)
        return raster
    }
}

extension Matte {
    /// Writes the coverage as 8-bit gray: PNG, TIFF or NPY, or 0…1 as PFM and OpenEXR.
    ///
    /// Throws as ``FloatPlane/write(to:replacingExisting:)`` does.
    public func write(to path: String, replacingExisting: Bool = false) throws {
        try raster.write(as: RasterFormat(writing: path), to: path, replacingExisting: replacingExisting)
    }

    /// The bytes of the file that ``write(to:replacingExisting:)`` writes in a format. Throws ``OutputError``.
    public func encoded(as format: RasterFormat) throws -> [UInt8] { try raster.encoded(as: format) }

    private var raster: Raster { Raster(width: width, height: height, samples: .gray8(coverage)) }
}

extension DecodedPlane {
    /// The raster that a file of a format stores.
    fileprivate func raster(for format: RasterFormat) -> Raster {
        let form = format == .png ? normalized(nil) : float(nil)
        var raster = Raster(width: size.width, height: size.height, samples: form.samples)
        _ = raster.describe(form.record, camera: calibration, focalLength35mm: nil)
        return raster
    }
}

extension RasterFormat {
    /// The format of a path's extension. Throws if the extension is unknown.
    fileprivate init(writing path: String) throws(OutputError) {
        guard let format = RasterFormat(fileName: path) else {
            throw OutputError(path, .unknownFormat(known: RasterFormat.names))
        }
        self = format
    }
}

extension Raster {
    /// Sets the record, which describes the values, with the camera scaled to the raster, or else the photo's focal length.
    /// OpenEXR files get the same as attributes.
    ///
    /// Returns whether the camera is in the record: with very many coefficients it would be too long to be read back.
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

    fileprivate func write(as format: RasterFormat, to path: String, replacingExisting: Bool) throws {
        try OutputFile(path: path, replacesExisting: replacingExisting).write {
            (descriptor) throws(WriteError) in try write(as: format, to: descriptor)
        }
    }

    fileprivate func encoded(as format: RasterFormat) throws(OutputError) -> [UInt8] {
        try encodedFile { (descriptor) throws(WriteError) in try write(as: format, to: descriptor) }
    }
}
