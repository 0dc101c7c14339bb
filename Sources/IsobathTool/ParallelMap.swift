internal import Isobath
internal import Synchronization

/// The results of `transform` for every element, in order, worked out on all cores.
func mapInParallel<Element: Sendable, Result: Sendable>(
    _ elements: [Element], _ transform: @Sendable (Element) -> Result
) -> [Result] {
    let results = Mutex<[Result?]>(Array(repeating: nil, count: elements.count))
    forEachBand(of: elements.count, minimum: 1) { band in
        for index in band {
            let result = transform(elements[index])
            results.withLock { $0[index] = result }
        }
    }
    return results.withLock { $0.compactMap(\.self) }
}
