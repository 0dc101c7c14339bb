internal import ByteParsing

/// Where a photo was taken, according to its GPS directory (Exif 2.32, CIPA DC-008, 4.6.6).
package struct PhotoPlace: Hashable, Sendable {
    /// Degrees, positive in the north: -90…90.
    package var latitude: Double
    /// Degrees, positive in the east: -180…180.
    package var longitude: Double
}

extension PhotoPlace {
    /// Reads latitude and longitude; `nil` if one is missing or impossible.
    init?(_ directory: TIFFDirectory, in block: inout ByteCursor) throws(ContainerError) {
        func degrees(
            _ tag: TIFFTag, _ reference: TIFFTag, _ signs: [String: Double], _ most: Double
        ) throws(ContainerError) -> Double? {
            guard let parts = try directory.rationals(3, tag, in: &block),
                let sign = try directory.text(reference, in: &block).flatMap({ signs[$0] })
            else { return nil }
            let degrees = parts[0] + parts[1] / 60 + parts[2] / 3600
            return degrees <= most ? sign * degrees : nil
        }
        guard let latitude = try degrees(.gpsLatitude, .gpsLatitudeRef, ["N": 1, "S": -1], 90),
            let longitude = try degrees(.gpsLongitude, .gpsLongitudeRef, ["E": 1, "W": -1], 180)
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}
