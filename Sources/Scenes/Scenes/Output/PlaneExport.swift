package import Bytes
package import Codecs
internal import DepthMaps
package import DepthTypes
package import Effects
package import Embedded
internal import PhotoFormats

/// How a plane becomes a raster file.
package struct PlaneExport: Sendable {
    /// The meaning of the samples of a depth PNG.
    package enum PNGStyle: String, CaseIterable, Hashable, Sendable {
        /// 16 bits, linear in the recorded quantity, over the declared range or, without one, the range of values.
        case normalized
        /// 16 bits, depth in millimeters; 0 is unknown or beyond 65.535 m.
        case millimeters
        /// 8 bits for viewing, near is bright.
        case preview
    }

    /// The quantity to convert to; `nil` keeps the stored quantity.
    package var quantity: DepthQuantity?
    /// The style of PNG files.
    package var pngStyle: PNGStyle
    package var format: RasterFormat
    /// Upright, or as stored.
    package var frame: PixelOrientation
    /// How the map is treated before it is written.
    package var treatment = MapTreatment()
    /// Whether a map or matte is upsampled to the photo's size, along the photo's edges.
    package var upsamples = false
    /// The colors of a preview; `nil` is gray.
    package var colorMap: ColorMap?

    /// The form of a file. Set treatment and preview options afterwards.
    package init(
        format: RasterFormat, quantity: DepthQuantity? = nil, pngStyle: PNGStyle = .normalized,
        frame: PixelOrientation = .upright
    ) {
        self.format = format
        self.quantity = quantity
        self.pngStyle = pngStyle
        self.frame = frame
    }
}

/// A plane ready to be written.
package struct ExportedPlane: Sendable {
    /// The samples.
    package var raster: Raster
    /// The kind, for file names; for depth, the quantity that was written.
    package var kind: String
    /// The scale of the values; `nil` for a plane that is written in its stored values.
    package var values: SampleEncoding?
    /// Assumptions, omissions, and remarks on the accuracy of values.
    package var diagnostics: [Diagnostic] = []
    private var counts: SampleCounts?
    private let plane: PlaneDescription
    private let export: PlaneExport

    /// A plane that is written in its stored values.
    init(_ plane: PlaneDescription, _ export: PlaneExport, raster: Raster) {
        (self.plane, self.export, self.raster) = (plane, export, raster)
        kind = plane.kind.rawValue
        // A reader must not take it for depth.
        if raster.isGray {
            self.raster.record = JSONValue.object([("plane", .text(kind))]).serialized
        }
    }

    /// A plane of depth or disparity, described by `plane`.
    ///
    /// `focalLength35mm` is stored in the file if the plane has no intrinsics.
    init(
        _ plane: PlaneDescription, _ export: PlaneExport, _ decoded: DecodedPlane, focalLength35mm: Int?
    ) throws {
        let form: DecodedPlane.Form
        switch (export.format, export.pngStyle) {
        case (.png, .normalized): form = decoded.normalized(export.quantity)
        case (.png, .millimeters): form = try decoded.millimeters()
        case (.png, .preview): form = decoded.preview(export.quantity, colorMap: export.colorMap)
        default: form = decoded.float(export.quantity)
        }
        (self.plane, self.export) = (plane, export)
        raster = Raster(width: decoded.size.width, height: decoded.size.height, samples: form.samples)
        let keepsCamera = raster.describe(
            form.record, camera: plane.calibration(in: export.frame), focalLength35mm: focalLength35mm)
        (kind, values, counts) = (form.record.quantity.rawValue, form.record, decoded.storedCounts)
        diagnostics = decoded.remarks + form.diagnostics
        if !keepsCamera {
            diagnostics.append(
                .note(
                    .omittedMetadata,
                    "the camera's calibration is too long for the file's record, and is omitted"))
        }
    }

    /// The plane's record for the pixels as written, schema `isobath.plane/1`.
    package func record(input: String) -> JSONValue {
        let calibration = plane.calibration(in: export.frame)?
            .scaled(toWidth: raster.width, height: raster.height)
        let written: [String: JSONValue] = [
            "width": .integer(raster.width),
            "height": .integer(raster.height),
            "bitDepth": .integer(raster.bitDepth),
            "orientation": .integer(export.frame == .upright ? 1 : plane.orientation.rawValue),
            "unit": .optional(values?.unit),
            "minimum": values.map { .number($0.minimum) } ?? .null,
            "maximum": values.map { .number($0.maximum) } ?? .null,
            "calibration": calibration.map { .object($0.record()) } ?? .null,
        ]
        var fields: [(String, JSONValue)] = [
            ("schema", .text("isobath.plane/1")), ("tool", .text("isobath \(isobathVersion)")),
            ("input", .text(input)),
        ]
        fields += plane.record().map { ($0.0, written[$0.0] ?? $0.1) }
        fields += [
            ("quantity", .optional(values?.quantity.rawValue)),
            ("unknown", values?.unknown ?? .null),
            ("unknownSamples", .optional(values?.unknownCount)),
            ("sampleKinds", counts?.record ?? .null),
            ("step", .optional(values?.step)),
        ]
        if values?.isHeight == true { fields.append(("heights", .bool(true))) }
        return .object(fields)
    }
}

extension Raster {
    /// 8-bit samples unchanged, others stretched to 16 bits.
    init(_ codes: SamplePlane) {
        let samples: Samples =
            if case .uint8(let samples) = codes.codes, codes.bitDepth == 8 {
                .gray8(samples)
            } else {
                .gray16(codes.stretchedTo16Bits(over: 0...codes.maximumCode).samples)
            }
        self.init(width: codes.width, height: codes.height, samples: samples)
    }
}
