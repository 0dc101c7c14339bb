package import ByteParsing

extension RasterDescription {
    /// Chooses a dataset of an HDF5 file, and describes it: the one named `name`, else the only one of rows and columns of
    /// numbers, else the only one whose name includes depth, disparity or dataset (Hypersim's).
    package init(
        parsingHDF5 source: any ByteSource, choosing name: String?, limits: DecodingLimits
    ) throws(ContainerError) {
        let file = try HDF5File(source, limits: limits)
        var planes: [HDF5Dataset] = []
        for object in try file.datasets() {
            let dataset = try HDF5Dataset(object, in: file)
            if dataset.isPlane { planes.append(dataset) }
        }
        guard !planes.isEmpty else {
            throw ContainerError(
                .unrecognized(
                    detail: "this HDF5 file has no dataset of rows and columns of integers or floating point"),
                in: HDF5File.path)
        }
        let names = planes.map(\.name)
        let index = try name.choice(of: names, "dataset", likely: ["dataset"], in: HDF5File.path)
        self = try planes[index].described()
        if planes[index].name.split(separator: "/").last == "dataset" {
            diagnostics.append(
                .note(
                    .assumedAxis,
                    "assuming distances along the optical axis; Hypersim's are from the camera's center"))
        }
    }
}

extension Diagnostic.Code {
    /// Distances are assumed to be along the optical axis.
    package static let assumedAxis: Self = "assumed-axis"
}
