internal import Dispatch
internal import Synchronization

/// Does two things at once, where there are cores for it; the first error is thrown.
package func concurrently<First: Sendable, Second: Sendable>(
    _ first: @Sendable () throws -> First, _ second: @Sendable () throws -> Second
) throws -> (First, Second) {
    let one = Mutex<Result<First, any Error>?>(nil)
    let two = Mutex<Result<Second, any Error>?>(nil)
    parallelForRows(of: 2, minimum: 1) { band in
        for index in band {
            if index == 0 {
                let result = Result { try first() }
                one.withLock { $0 = result }
            } else {
                let result = Result { try second() }
                two.withLock { $0 = result }
            }
        }
    }
    guard let one = one.withLock(\.self), let two = two.withLock(\.self) else {
        preconditionFailure("a band was left out")
    }
    return (try one.get(), try two.get())
}

/// Does something on another thread, and returns at once. It has to be something that the program may end without.
package func inBackground(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(execute: work)
}

/// The results of `body` for each number, in their order, several at once.
package func concurrentMap<Element: Sendable>(
    _ range: Range<Int>, _ body: @Sendable (Int) -> Element
) -> [Element] {
    let results = Mutex([Int: Element]())
    parallelForRows(of: range.count, minimum: 1) { band in
        for offset in band {
            let element = body(range.lowerBound + offset)
            results.withLock { $0[offset] = element }
        }
    }
    return results.withLock { results in range.indices.compactMap { results[$0 - range.lowerBound] } }
}
