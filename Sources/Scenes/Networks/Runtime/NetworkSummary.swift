package import Bytes

/// The declarations of a network's file, and its profile. Runs nothing.
package struct NetworkSummary: Sendable {
    /// The declarations of the file.
    package let model: NetworkModel
    /// How it would be used; `nil` if no profile is known.
    package let profile: NetworkProfile?
    /// How the profile was found.
    package let origin: ProfileOrigin?
    /// Why it cannot be used that way.
    package let problem: String?

    /// Reads a file. Throws ``ContainerError`` if it cannot be read or is not a network, ``NetworkError/profile(_:)`` if its
    /// profile is invalid.
    package init(contentsOf path: String, profile given: String?, limits: DecodingLimits) throws {
        model = try NetworkModel(parsing: Network.read(path, limits), limits: limits)
        guard let (profile, origin) = try model.profile(given, path: path, limits: limits) else {
            (self.profile, self.origin, problem) = (nil, nil, nil)
            return
        }
        (self.profile, self.origin) = (profile, origin)
        do throws(NetworkError) {
            _ = try NetworkInput(model, profile)
            _ = try Network.outputs(of: model, profile)
            problem = nil
        } catch {
            problem = error.description
        }
    }
}
