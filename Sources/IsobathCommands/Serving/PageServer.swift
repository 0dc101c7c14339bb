internal import Dispatch
internal import Glibc
internal import Isobath
internal import Pages
internal import Synchronization

/// Makes the pages of a folder on request: the first page with the thumbnails of all photos, and a page for each
/// photo.
///
/// Addresses begin with a random token, so that nothing is visible without the full address. The paths after it are an
/// ``Album``'s.
final class PageServer: Sendable {
    /// The first component of all paths: 128 random bits.
    let token: String
    private let folder: ServedFolder
    private let job: ServedJob
    private let isQuiet: Bool
    private let isolated: IsolatedProcessPool?
    /// Limits how many pages are made at once.
    private let room: DispatchSemaphore
    private let jobs: Int
    private let pages = PageCache(mostBytes: 96 << 20)
    private let entries = PageCache(mostBytes: 48 << 20)

    /// Prepares a server that makes `jobs` pages at once. Throws if isolated processes cannot be started.
    init(_ folder: ServedFolder, _ job: ServedJob, _ common: CommonOptions, jobs: Int) throws {
        var random = SystemRandomNumberGenerator()
        token = [random.next(), random.next()].map { (word: UInt64) in
            String(repeating: "0", count: word.leadingZeroBitCount / 4)
                + (word == 0 ? "" : String(word, radix: 16))
        }.joined()
        (self.folder, self.job, self.jobs, isQuiet) = (folder, job, jobs, common.quiet)
        room = DispatchSemaphore(value: jobs)
        isolated =
            try common.isolate
            ? IsolatedProcessPool(job: job, originals: [], readsStandardInput: false) : nil
    }

    /// Ends the isolated processes.
    func dismiss() { isolated?.dismiss() }

    /// Answers a request.
    func answer(_ request: HTTPRequest) -> HTTPAnswer {
        do throws(HTTPRefusal) {
            guard let token = request.path.first, Self.isSame(token, self.token), request.path.count > 1
            else { throw .notFound }
            let names = Array(request.path.dropFirst())
            if names == [""] || names == [Album.index] { return try index() }
            guard let last = names.last else { throw .notFound }
            let small: [String: ServedJob.Part] = [Album.thumbnails: .thumbnail, Album.depths: .depth]
            if names.count > 1, last.hasSuffix(".jpg"), let part = small[names[0]] {
                let item = try item(names.dropFirst().joined(separator: "/").dropLast(4))
                return HTTPAnswer(type: "image/jpeg", try bytes(part, of: item))
            }
            guard last.hasSuffix(".html") else { throw .notFound }
            let item = try item(names.joined(separator: "/").dropLast(5))
            let policy = item.file == nil ? RecordingPage.policy : ScenePage.policy
            return HTTPAnswer(type: "text/html; charset=utf-8", policy: policy, try bytes(.page, of: item))
        } catch {
            return HTTPAnswer(error)
        }
    }

    /// Whether two texts are equal, in a time that does not depend on where they differ.
    private static func isSame(_ text: String, _ other: String) -> Bool {
        let (a, b) = (Array(text.utf8), Array(other.utf8))
        return a.count == b.count && zip(a, b).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
    }

    /// The first page, with the photos that exist now.
    private func index() throws(HTTPRefusal) -> HTTPAnswer {
        let listing = folder.listing()
        let photos = listing.paths
        if !listing.isComplete {
            remark(
                "it has more than \(ServedFolder.mostPhotos) photos; others are not listed", of: folder.path)
        }
        let found = Mutex([Int: AlbumEntry]())
        let next = Atomic(0)
        parallelFor(count: min(jobs, photos.count), minimum: 1, most: jobs) { band in
            for _ in band {
                while true {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < photos.count else { return }
                    guard let item = try? item(photos[index]), let head = try? bytes(.entry, of: item),
                        let entry = AlbumEntry(head: head)
                    else { continue }
                    found.withLock { $0[index] = entry }
                }
            }
        }
        let entries = found.withLock(\.self)
        let listed = photos.indices.compactMap { index in
            entries[index].map { entry in
                let path = photos[index]
                return AlbumPage.Photo(
                    entry, page: path + ".html", thumbnail: "\(Album.thumbnails)/\(path).jpg",
                    depth: entry.hasDepth ? "\(Album.depths)/\(path).jpg" : nil)
            }
        }
        let name = folder.path.lastPathComponent
        let page = AlbumPage(title: name.isEmpty ? "Photos" : name, listed, options: job.options)
        return HTTPAnswer(type: "text/html; charset=utf-8", policy: AlbumPage.policy, page.bytes)
    }

    /// The photo or the recording at a path.
    private func item(_ path: some StringProtocol) throws(HTTPRefusal) -> ServedFolder.Item {
        guard let item = folder.item(String(path), job.limits) else { throw .notFound }
        return item
    }

    /// A part of a photo or a recording, either generated now or cached.
    private func bytes(_ part: ServedJob.Part, of item: ServedFolder.Item) throws(HTTPRefusal) -> [UInt8] {
        let path = item.path
        let cache = part == .entry ? entries : pages
        var input = folder.input(item, job.limits)
        let beside = (input.depthImage?.source as? FileSource).map { "\($0.state) " } ?? ""
        let key = "\(part.rawValue) \(item.state) \(beside)\(path)"
        if let known = cache.bytes(key) { return known }
        // An index limits the threads for its entries itself.
        if part != .entry { room.wait() }
        defer { if part != .entry { room.signal() } }
        if let known = cache.bytes(key) { return known }
        let made = Mutex((bytes: [UInt8]?.none, failure: String?.none))
        let reporter = Reporter { [self] message in
            switch message {
            case .file(_, let bytes): made.withLock { $0.bytes = bytes }
            case .failure(let text, let file, _):
                made.withLock { $0.failure = text }
                if part != .entry { Console.printError(text, of: file) }
            case .remark(let text, let file): if part == .page { remark(text, of: file) }
            case .outcome: break
            case .output, .written, .skipped, .passedOver, .closed, .publishing: break
            }
        }
        input.output = part.rawValue
        do {
            if let isolated {
                try isolated.work(on: input, reporter)
            } else {
                job.performReporting(on: input, keeping: [], reporter)
            }
        } catch {
            job.reportAlone(error, on: input, reporter)
        }
        let (bytes, failure) = made.withLock(\.self)
        guard let bytes else {
            // A file that is not a photo has no entry. Cache that, so that it is not opened again.
            if part == .entry { cache.keep([], for: key) }
            throw .unreadable("\(path): \(failure ?? "no page was made")".forTerminal)
        }
        cache.keep(bytes, for: key)
        return bytes
    }

    private func remark(_ text: String, of file: String) {
        if !isQuiet { Console.printLine(Console.note(text), of: file) }
    }
}
