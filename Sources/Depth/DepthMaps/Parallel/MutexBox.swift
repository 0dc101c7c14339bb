package import Synchronization

/// A value that one thread at a time works on: a mutex that an array can hold.
package final class MutexBox<Content: Sendable>: Sendable {
    package let content: Mutex<Content>

    package init(_ content: Content) { self.content = Mutex(content) }
}
