internal import Bytes
internal import Embedded

/// How a profile was found.
package enum ProfileOrigin: String, Hashable, Sendable {
    /// Given by the caller.
    case given = "as given"
    /// The file is known by its SHA-256.
    case checksum = "by its SHA-256"
    /// `config.json` and `preprocessor_config.json` beside the file.
    case huggingFace = "from config.json beside it"
    /// The `metadata_props` of the file.
    case metadata = "from its metadata"
}

extension NetworkModel {
    /// The profile by explicit choice (a name of ``NetworkProfile/table`` or a JSON file), by SHA-256, by the files of
    /// Hugging Face beside the network, then by `isobath.profile` in its metadata (a name, or the JSON itself); never by the
    /// file's name.
    ///
    /// `nil` if all of these are missing. Throws ``NetworkError/profile(_:)`` if it is invalid.
    func profile(
        _ given: String?, path: String, limits: DecodingLimits
    ) throws(NetworkError) -> (profile: NetworkProfile, origin: ProfileOrigin)? {
        if let given { return (try Self.profile(named: given, limits), .given) }
        if let known = NetworkProfile(checksum: checksum) { return (known, .checksum) }
        if let beside = try HuggingFaceProfile(beside: path, limits: limits)?.profile() {
            return (beside, .huggingFace)
        }
        guard let stated = metadata("isobath.profile") else { return nil }
        if let profile = NetworkProfile(named: stated) { return (profile, .metadata) }
        return (try Self.profile(Array(stated.utf8), limits), .metadata)
    }

    private static func profile(
        named given: String, _ limits: DecodingLimits
    ) throws(NetworkError) -> NetworkProfile {
        if let profile = NetworkProfile(named: given) { return profile }
        guard given.hasSuffix(".json") else {
            throw .profile(
                "there is no profile '\(given)'; there are \(NetworkProfile.names), and files that end in .json"
            )
        }
        let bytes: [UInt8]
        do throws(ContainerError) {
            let source = try FileSource(path: given, limits: limits)
            try limits.check(.metadataBytes, source.byteCount)
            bytes = try source.read(0..<source.byteCount)
        } catch {
            throw .profile("\(given): \(error)")
        }
        return try profile(bytes, limits)
    }

    private static func profile(_ json: [UInt8], _ limits: DecodingLimits) throws(NetworkError)
        -> NetworkProfile
    {
        let value: JSONValue
        do throws(ContainerError) {
            value = try JSONValue(parsing: json, limits: limits)
        } catch {
            throw .profile("its profile is not JSON: \(error)")
        }
        return try NetworkProfile(value)
    }
}
