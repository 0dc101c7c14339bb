package import Bytes

extension String? {
    /// The index of the array with this name; if `nil`, of the only array, else of the only one whose name contains `depth`
    /// or `disp`.
    ///
    /// Throws an error that lists names, but no more than fit into a message.
    package func choice(of names: [String], in path: StructurePath) throws(ContainerError) -> Int {
        let shown = names.prefix(8).map { String($0.prefix(60)) } + (names.count > 8 ? ["…"] : [])
        let list = shown.joined(separator: ", ")
        if let name = self {
            guard let index = names.firstIndex(of: name) else {
                throw ContainerError(
                    .unrecognized(detail: "no array is named '\(name)'; the names are \(list)"), in: path)
            }
            return index
        }
        guard names.count > 1 else { return 0 }
        let found = names.indices.filter { index in
            let name = (names[index].split(separator: "/").last ?? "").lowercased()
            return name.contains("depth") || name.contains("disp")
        }
        guard found.count == 1 else {
            throw ContainerError(.ambiguous(detail: "the file has several arrays: \(list)"), in: path)
        }
        return found[0]
    }
}
