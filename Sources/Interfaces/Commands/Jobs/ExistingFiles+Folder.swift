internal import Isobath

extension ExistingFiles {
    /// Whether to write a folder. Throws if it exists and no flag allows to replace or keep it, or if an input is in it.
    func wantsFolder(
        _ path: String, replacing names: Set<String>, keeping originals: Set<FileIdentity>
    ) throws(OutputError) -> Bool {
        guard self != .collected else {
            throw OutputError(path, .unsuitable("the output is a folder of files"))
        }
        try checkIsNoInput(path, keeping: originals)
        do throws(OutputError) {
            try OutputFolder.checkIsFree(path, replacing: self == .replaced ? names : nil)
            return true
        } catch {
            guard self == .kept, error.reason == .exists else { throw error }
            return false
        }
    }

    /// A folder to write files into.
    func folder(
        _ path: String, replacing names: Set<String>, _ reporter: Reporter
    ) throws(OutputError) -> OutputFolder {
        let folder = try OutputFolder(path: path, replacing: self == .replaced ? names : nil)
        // The closure must not keep the folder, which removes what is not published.
        folder.willPublish = { [path = folder.path] in reporter.announce(path, $0) }
        return folder
    }

    /// Publishes a folder. Returns `false` if it kept one that appeared meanwhile.
    func publish(_ folder: OutputFolder) throws(OutputError) -> Bool {
        do throws(OutputError) {
            try folder.publish()
            return true
        } catch {
            guard self == .kept, error.reason == .exists else { throw error }
            return false
        }
    }
}
