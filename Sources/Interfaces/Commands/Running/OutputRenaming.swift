internal import Isobath

/// Another name for the outputs of an input, because an earlier input has written files under the same name.
struct OutputRenaming: Equatable, Sendable {
    /// The text before the suffix in their names.
    var stem: String
    /// The path of the earlier input.
    var owner: String

    /// Makes a name for an input whose name is already used by `owner`: adds its extension if only that differs,
    /// otherwise its folder, and a number if that name is used, too.
    init(_ input: String, beside owner: String, isTaken: (String) -> Bool) {
        let (stem, fileExtension) = (OutputDestination.stem(of: input), input.pathExtension)
        let differs = !fileExtension.isEmpty && fileExtension != owner.pathExtension
        let name = differs ? "\(stem)-\(fileExtension)" : stem
        let folder = input.folderPath.lastPathComponent
        let candidates =
            (differs ? [name] : []) + ([".", "..", "/", ""].contains(folder) ? [] : ["\(folder)-\(name)"])
        self.owner = owner
        if let free = candidates.first(where: { !isTaken($0) }) {
            self.stem = free
            return
        }
        var number = 2
        while isTaken("\(name)-\(number)") { number += 1 }
        self.stem = "\(name)-\(number)"
    }

    init(stem: String, owner: String) { (self.stem, self.owner) = (stem, owner) }

    /// The remark about the renaming.
    var remark: String {
        "its outputs are named '\(stem)…', because '\(owner)' has outputs of the same name; -o DIR/ separates them"
    }
}
