package import Bytes
package import DepthTypes

/// A plane that a photo has besides its colors: its description, and where its samples are.
@dynamicMemberLookup
package struct AuxiliaryPlane: Sendable {
    package var description: PlaneDescription
    /// How the file carries it.
    package var carrier: PlaneCarrier { didSet { description.source = carrier.rawValue } }
    /// The width of the coded image, before the clean aperture.
    package var codedWidth: Int
    /// The height of the coded image.
    package var codedHeight: Int
    /// Channels of the coded image; `nil` if the container does not declare them.
    package var components: Int?
    /// Whether the coding always declares the range of samples, so that a limited one is expanded (AV1).
    package var hasDeclaredRange = false
    /// Whether the plane belongs to the photo itself, not to a thumbnail or the other eye.
    package var belongsToPhoto = true
    /// Where the coded samples are.
    package var location: ImageLocation
    /// The part of the coded image to use.
    package var crop: PixelCrop?

    /// The properties that every plane has; set others afterwards.
    package init(
        kind: PlaneKind, width: Int, height: Int, codedWidth: Int, codedHeight: Int, bitDepth: Int?,
        components: Int? = nil, codec: String, carrier: PlaneCarrier, type: String,
        orientation: Orientation = .up, location: ImageLocation, crop: PixelCrop? = nil,
        readError: ContainerError? = nil
    ) {
        description = PlaneDescription(
            kind: kind, width: width, height: height, bitDepth: bitDepth, codec: codec,
            source: carrier.rawValue, type: type)
        (description.orientation, description.readError) = (orientation, readError)
        (self.codedWidth, self.codedHeight, self.components) = (codedWidth, codedHeight, components)
        (self.carrier, self.location, self.crop) = (carrier, location, crop)
    }

    /// A property of the ``description``.
    package subscript<Value>(dynamicMember part: WritableKeyPath<PlaneDescription, Value>) -> Value {
        get { description[keyPath: part] }
        set { description[keyPath: part] = newValue }
    }

    /// A computed property of the ``description``.
    package subscript<Value>(dynamicMember part: KeyPath<PlaneDescription, Value>) -> Value {
        description[keyPath: part]
    }
}

extension [AuxiliaryPlane] {
    /// Numbers the planes of each kind. The photo's planes come first.
    mutating func number() {
        var counts: [PlaneKind: Int] = [:]
        for own in [true, false] {
            for index in indices where self[index].belongsToPhoto == own {
                self[index].index = counts[self[index].kind, default: 0]
                counts[self[index].kind, default: 0] += 1
            }
        }
    }
}
