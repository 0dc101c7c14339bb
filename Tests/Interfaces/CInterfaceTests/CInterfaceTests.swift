import CIsobath
import DepthTypes
import Foundation
import RecordingWriting
import Recordings
import Synchronization
import TestSupport
import Testing

@testable import Bytes
@testable import CInterface

/// The functions of `isobath.h`, called through the header as programs in C call them.
@Suite("C interface")
struct CInterfaceTests {
    private let folder = TemporaryFolder()

    private typealias Text = UnsafeMutablePointer<CChar>
    private typealias Samples = UnsafeMutablePointer<isobath_array>
    private typealias Points = UnsafeMutablePointer<isobath_cloud>
    private typealias Camera = UnsafeMutablePointer<isobath_camera>
    private typealias Errors = UnsafeMutablePointer<UnsafeMutablePointer<isobath_error>?>

    /// A status, with the record of the error where there is one.
    private struct Answer {
        var status: Int
        var code = ""
        var message = ""
        var location = ""
        var offset = -1
    }

    /// The status of a call, and its result.
    private struct Found<Value> {
        var answer: Answer
        var value: Value?
    }

    /// Calls a function with a result of `nil`, and checks that status, result and error agree. Returns the result, too.
    private func call<Value>(
        _: Value.Type = Value.self, sourceLocation: SourceLocation = #_sourceLocation,
        _ function: (UnsafeMutablePointer<Value?>, Errors) -> isobath_status
    ) -> Found<Value> {
        var value: Value?
        var error: UnsafeMutablePointer<isobath_error>?
        var answer = Answer(status: Int(function(&value, &error)))
        let isDone = answer.status == ISOBATH_OK
        #expect((value != nil) == isDone, sourceLocation: sourceLocation)
        #expect((error == nil) == isDone, sourceLocation: sourceLocation)
        if let record = error {
            #expect(Int(record.pointee.status) == answer.status, sourceLocation: sourceLocation)
            answer.code = String(cString: record.pointee.code)
            answer.message = String(cString: record.pointee.message)
            answer.location = String(cString: record.pointee.where)
            answer.offset = Int(record.pointee.offset)
        }
        isobath_error_free(error)
        return Found(answer: answer, value: value)
    }

    private func opened(
        _ name: String, _ change: (inout isobath_open_options) -> Void = { _ in }
    ) throws -> OpaquePointer {
        var options = isobath_open_options()
        options.struct_size = MemoryLayout<isobath_open_options>.size
        change(&options)
        let photo = call { isobath_open(TestImages.path(name), &options, $0, $1) }
        return try #require(photo.value)
    }

    private func opened(_ bytes: [UInt8], limits: String? = nil) -> Found<OpaquePointer> {
        let limits = limits.flatMap { strdup($0) }
        defer { free(limits) }
        return bytes.withUnsafeBytes { bytes in
            var options = isobath_open_options()
            options.struct_size = MemoryLayout<isobath_open_options>.size
            options.limits = limits.map { UnsafePointer($0) }
            (options.bytes, options.byte_count) = (bytes.baseAddress, bytes.count)
            return call { isobath_open(nil, &options, $0, $1) }
        }
    }

    private func opened(_ source: isobath_byte_source) -> Found<OpaquePointer> {
        withUnsafePointer(to: source) { source in
            var options = isobath_open_options()
            options.struct_size = MemoryLayout<isobath_open_options>.size
            options.source = source
            return call { isobath_open(nil, &options, $0, $1) }
        }
    }

    private func array(_ photo: OpaquePointer?, _ kind: String, _ flags: Int = 0) -> Found<Samples> {
        call { isobath_photo_array(photo, kind, UInt32(flags), $0, $1) }
    }

    private func json(_ photo: OpaquePointer?, _ what: String) throws -> Any {
        let text = try #require(call(Text.self) { isobath_photo_json(photo, what, $0, $1) }.value)
        defer { isobath_string_free(text) }
        return try JSONSerialization.jsonObject(
            with: Data(String(cString: text).utf8), options: .fragmentsAllowed)
    }

    // MARK: NULL

    /// Every function that answers with a status, each with all of its inputs NULL.
    @Test("Inputs that are NULL are invalid arguments, with an error that says which")
    func nullInputs() {
        let results: [(String, Answer)] = [
            ("path", call(OpaquePointer.self) { isobath_open(nil, nil, $0, $1) }.answer),
            ("photo", call(Text.self) { isobath_photo_json(nil, "info", $0, $1) }.answer),
            ("photo", call(Camera.self) { isobath_photo_camera(nil, $0, $1) }.answer),
            ("photo", array(nil, "depth").answer),
            ("photo", call(OpaquePointer.self) { isobath_photo_derive(nil, nil, $0, $1) }.answer),
            ("photo", call(Points.self) { isobath_photo_cloud(nil, nil, $0, $1) }.answer),
            ("photo", call(Samples.self) { isobath_photo_composite(nil, nil, $0, $1) }.answer),
            ("path", call(OpaquePointer.self) { isobath_open_recording(nil, nil, $0, $1) }.answer),
            ("recording", call(Text.self) { isobath_recording_json(nil, "info", $0, $1) }.answer),
            ("recording", call(OpaquePointer.self) { isobath_recording_frame(nil, 0, $0, $1) }.answer),
            (
                "recording",
                call(Text.self) { isobath_recording_write_data_set(nil, "tum", "/a", nil, $0, $1) }.answer
            ),
        ]
        for (argument, answer) in results {
            #expect(answer.status == ISOBATH_INVALID_ARGUMENT)
            #expect(answer.code == "invalid-argument" && answer.location.isEmpty && answer.offset == -1)
            #expect(answer.message.contains(argument) && answer.message.contains("NULL"))
        }
    }

    @Test("A NULL for the result is an invalid argument, and one for the error is fine")
    func nullResults() throws {
        let photo = try opened("absolute-depth.heic")
        defer { isobath_photo_free(photo) }
        let statuses = [
            isobath_open(TestImages.path("plain.jpg"), nil, nil, nil),
            isobath_photo_json(photo, "info", nil, nil),
            isobath_photo_camera(photo, nil, nil), isobath_photo_array(photo, "depth", 0, nil, nil),
            isobath_photo_derive(photo, nil, nil, nil), isobath_photo_cloud(photo, nil, nil, nil),
            isobath_photo_composite(photo, nil, nil, nil), isobath_open_recording("/", nil, nil, nil),
            isobath_recording_json(nil, "info", nil, nil), isobath_recording_frame(nil, 0, nil, nil),
        ]
        #expect(statuses.allSatisfy { Int($0) == ISOBATH_INVALID_ARGUMENT })
        var error: UnsafeMutablePointer<isobath_error>?
        #expect(Int(isobath_photo_array(photo, "depth", 0, nil, &error)) == ISOBATH_INVALID_ARGUMENT)
        #expect(error?.pointee.offset == -1)
        isobath_error_free(error)
    }

    @Test(
        "A result that cannot be had becomes NULL, whatever was there, and so does the error of a call that works"
    )
    func overwritten() throws {
        let photo = try opened("plain.jpg")
        defer { isobath_photo_free(photo) }
        var array = Samples(bitPattern: 64)
        #expect(Int(isobath_photo_array(photo, "depth", 0, &array, nil)) == ISOBATH_NO_PLANE)
        #expect(array == nil)
        var text: Text?
        var error = UnsafeMutablePointer<isobath_error>(bitPattern: 64)
        #expect(Int(isobath_photo_json(photo, "info", &text, &error)) == ISOBATH_OK)
        #expect(error == nil)
        isobath_string_free(text)
    }

    @Test("Freeing NULL does nothing")
    func freeingNull() {
        isobath_photo_free(nil)
        isobath_array_free(nil)
        isobath_cloud_free(nil)
        isobath_camera_free(nil)
        isobath_error_free(nil)
        isobath_string_free(nil)
        isobath_recording_free(nil)
    }

    // MARK: Errors

    /// Files of `TestImages/Malformed`, each named for the rule that it breaks, and others.
    @Test("Errors have a status for each kind, the tool's code, and where they are in the file")
    func errors() throws {
        func open(_ bytes: [UInt8], limits: String? = nil) -> Answer {
            let found = opened(bytes, limits: limits)
            isobath_photo_free(found.value)
            return found.answer
        }
        let photo = try TestImages.bytes("portrait.heic")
        #expect(open(photo).status == ISOBATH_OK)
        let foreign = open(Array("hello".utf8))
        #expect(foreign.status == ISOBATH_UNRECOGNIZED && foreign.code == "unrecognized")
        #expect(foreign.location.isEmpty)
        #expect(open([]).status == ISOBATH_UNRECOGNIZED)
        // The 'meta' box does not end with the file any more.
        let cut = open(Array(photo.prefix(300)))
        #expect(cut.status == ISOBATH_DAMAGED && cut.code == "truncated")
        #expect(cut.location.hasPrefix("meta") && (1..<300).contains(cut.offset))
        let limited = open(photo, limits: "items=2")
        #expect(limited.status == ISOBATH_LIMIT_EXCEEDED && limited.code == "limit-exceeded")
        #expect(limited.message.contains("items exceed the limit of 2"))
        let input = open(photo, limits: "input-bytes=10")
        #expect(input.status == ISOBATH_LIMIT_EXCEEDED && input.message.contains("10"))
        let missing = call(OpaquePointer.self) { isobath_open("/none.heic", nil, $0, $1) }.answer
        #expect(missing.status == ISOBATH_UNREADABLE && missing.code == "unreadable")
        let folder = call(OpaquePointer.self) { isobath_open("/", nil, $0, $1) }.answer
        #expect(folder.status == ISOBATH_UNREADABLE)
    }

    @Test("Names and flags that do not exist are invalid arguments, and planes that are not there are not")
    func names() throws {
        let photo = try opened("portrait.heic")
        defer { isobath_photo_free(photo) }
        func matte(_ kind: String, _ flags: Int = 0) -> Int {
            let found = array(photo, kind, flags)
            isobath_array_free(found.value)
            return found.answer.status
        }
        #expect(matte("portrait") == ISOBATH_OK && matte("matte") == ISOBATH_OK)
        #expect(matte("none") == ISOBATH_INVALID_ARGUMENT && matte("gain-map") == ISOBATH_INVALID_ARGUMENT)
        let plain = try opened("plain.jpg")
        defer { isobath_photo_free(plain) }
        #expect(array(plain, "teeth").answer.status == ISOBATH_NO_PLANE)
        #expect(matte("none", ISOBATH_STORED_VALUES) == ISOBATH_INVALID_ARGUMENT)
        #expect(matte("confidence", ISOBATH_STORED_VALUES) == ISOBATH_NO_PLANE)
        #expect(matte("disparity", ISOBATH_STORED_VALUES) == ISOBATH_OK)
        for kind in ["image", "depth", "matte"] {
            for bit in 6..<32 { #expect(matte(kind, 1 << bit) == ISOBATH_INVALID_ARGUMENT) }
        }
        #expect(matte("image", ISOBATH_UPSAMPLE) == ISOBATH_INVALID_ARGUMENT)
        #expect(matte("depth", ISOBATH_STORED_FRAME | ISOBATH_UPSAMPLE) == ISOBATH_INVALID_ARGUMENT)
        let what = call(Text.self) { isobath_photo_json(photo, "none", $0, $1) }.answer
        #expect(what.status == ISOBATH_INVALID_ARGUMENT && what.message.contains("'view'"))
        var cloud = isobath_cloud_options()
        cloud.struct_size = MemoryLayout<isobath_cloud_options>.size
        for change: (inout isobath_cloud_options) -> Void in [
            { $0.flags = 1 << 8 }, { $0.stride = -1 }, { $0.maximum_count = -1 }, { $0.near_distance = -1 },
            { $0.far_distance = .nan }, { $0.voxel_size = .infinity }, { $0.maximum_triangles = 10 },
        ] {
            var options = cloud
            change(&options)
            let points = call(Points.self) { isobath_photo_cloud(photo, &options, $0, $1) }
            #expect(points.answer.status == ISOBATH_INVALID_ARGUMENT)
        }
        for change: (inout isobath_composite_options) -> Void in [
            { $0.background = 9 }, { $0.flags = 1 << 3 },
            { $0.background = Int32(ISOBATH_BACKGROUND_IMAGE) }, { $0.softness = 1 },
            { $0.near_distance = -1 }, { $0.far_distance = .nan },
        ] {
            var options = isobath_composite_options()
            options.struct_size = MemoryLayout<isobath_composite_options>.size
            change(&options)
            let image = call(Samples.self) { isobath_photo_composite(photo, &options, $0, $1) }
            #expect(image.answer.status == ISOBATH_INVALID_ARGUMENT)
        }
    }

    @Test("Options of another size are read as far as they go, and not beyond what is known")
    func optionSizes() throws {
        let path = TestImages.path("portrait.heic")
        func status(_ size: Int, _ change: (inout isobath_open_options) -> Void = { _ in }) -> Int {
            var options = isobath_open_options()
            options.struct_size = size
            change(&options)
            let found = call(OpaquePointer.self) { isobath_open(path, &options, $0, $1) }
            isobath_photo_free(found.value)
            return found.answer.status
        }
        for size in [0, 1, 7, -1, 1 << 16, .max] { #expect(status(size) == ISOBATH_INVALID_ARGUMENT) }
        let full = MemoryLayout<isobath_open_options>.size
        #expect(status(full) == ISOBATH_OK)
        // `scale` is wrong, and not among the first members, which are all that the size covers.
        #expect(status(full) { $0.scale = -1 } == ISOBATH_UNSUITABLE)
        #expect(status(3 * MemoryLayout<Int>.size) { $0.scale = -1 } == ISOBATH_OK)
    }

    // MARK: Limits

    @Test("Each limit is named with its default, and can be set up to its maximum")
    func limits() throws {
        let text = try #require(isobath_limits())
        let listed =
            try JSONSerialization.jsonObject(with: Data(String(cString: text).utf8)) as? [String: Int]
        isobath_string_free(text)
        #expect(
            listed
                == Dictionary(
                    uniqueKeysWithValues: DecodingLimits.Name.allCases.map { ($0.rawValue, $0.defaultValue) })
        )
        for name in DecodingLimits.Name.allCases {
            let limits = try DecodingLimits("pixels=5,\(name.rawValue)=77")
            #expect(limits[name] == 77 && (name == .pixels || limits[.pixels] == 5))
        }
        // The stack holds 256 nested structures (SECURITY.md).
        for text in [
            "nesting=257", "pixels=-1", "none=1", "=1", "pixels", "", "pixels=5,", "pixels=5 ", "pixels=9e3",
        ] {
            let answer = opened(Array("hello".utf8), limits: text).answer
            #expect(
                answer.status == ISOBATH_INVALID_ARGUMENT && answer.message.contains("limit"), "\(answer)")
        }
    }

    @Test("The limits of a photo apply to what is decoded later")
    func laterLimits() throws {
        let bound = try #require(
            opened(TestImages.bytes("portrait.heic"), limits: "memory-bytes=1000").value)
        defer { isobath_photo_free(bound) }
        let refused = array(bound, "image").answer
        #expect(refused.status == ISOBATH_LIMIT_EXCEEDED && refused.message.contains("memory"))
    }

    // MARK: Other depth

    private func derived(
        _ photo: OpaquePointer?, _ change: (inout isobath_derive_options) -> Void
    ) -> Found<OpaquePointer> {
        var options = isobath_derive_options()
        options.struct_size = MemoryLayout<isobath_derive_options>.size
        change(&options)
        return call { isobath_photo_derive(photo, &options, $0, $1) }
    }

    /// Disparity v = (1/Z − 0.1) / 2 of the photo's own depth, at every third sample of every third row, some of it wrong.
    @Test("Depth of the caller is aligned to the stored depth, and its fit is described")
    func alignedDepth() throws {
        let photo = try opened("absolute-depth.heic")
        defer { isobath_photo_free(photo) }
        let stored = try #require(array(photo, "disparity").value)
        defer { isobath_array_free(stored) }
        let known = stored.pointee.data.assumingMemoryBound(to: Float.self)
        var values: [Float] = []
        for row in stride(from: 1, to: 144, by: 3) {
            for column in stride(from: 1, to: 192, by: 3) {
                values.append(row < 15 ? 5 : (known[row * 192 + column] - 0.1) / 2)
            }
        }
        let found = values.withUnsafeMutableBytes { values in
            var depth = isobath_array()
            (depth.data, depth.type, depth.dimension_count) = (
                values.baseAddress, isobath_sample_type(ISOBATH_FLOAT32), 2
            )
            depth.shape = (48, 64, 1)
            return withUnsafePointer(to: depth) { depth in
                "disparity".withCString { quantity in
                    derived(photo) { ($0.depth, $0.quantity) = (depth, quantity) }
                }
            }
        }
        let aligned = try #require(found.value, "\(found.answer)")
        defer { isobath_photo_free(aligned) }
        let fit = try #require(try json(aligned, "alignment") as? [String: Double])
        let (factor, offset) = try (#require(fit["factor"]), #require(fit["offset"]))
        let (residual, inliers) = try (#require(fit["residual"]), #require(fit["inliers"]))
        #expect(abs(factor - 2) < 0.02 && abs(offset - 0.1) < 0.01)
        #expect(residual < 0.01 && (0.5..<1).contains(inliers))
        let result = try #require(array(aligned, "disparity").value)
        defer { isobath_array_free(result) }
        #expect(result.pointee.shape.0 == 48 && String(cString: result.pointee.scale) == "absolute")
        let numbers = result.pointee.data.assumingMemoryBound(to: Float.self)
        #expect(abs(numbers[20 * 64 + 30] - known[61 * 192 + 91]) < 0.005)
        #expect(try json(photo, "alignment") is NSNull)
    }

    @Test("Options of other depth that have no effect, or exclude each other, are refused")
    func wrongDerivations() throws {
        let (photo, plain) = (try opened("absolute-depth.heic"), try opened("plain.jpg"))
        defer {
            isobath_photo_free(photo)
            isobath_photo_free(plain)
        }
        let number = UnsafeMutablePointer<Float>.allocate(capacity: 1)
        defer { number.deallocate() }
        number.initialize(to: 1)
        var (depth, anchors) = (isobath_array(), [0.5, 0.5, 1.0])
        depth.data = UnsafeMutableRawPointer(number)
        (depth.type, depth.dimension_count, depth.shape) = (
            isobath_sample_type(ISOBATH_FLOAT32), 2, (1, 1, 1)
        )
        var flat = depth
        flat.type = isobath_sample_type(ISOBATH_UINT8)
        withUnsafePointer(to: depth) { depth in
            withUnsafePointer(to: flat) { flat in
                anchors.withUnsafeMutableBufferPointer { anchors in
                    let anchor = UnsafePointer(anchors.baseAddress)
                    for change: (inout isobath_derive_options) -> Void in [
                        { $0.flags = 1 << 4 }, { $0.minimum_confidence = -1 }, { $0.reference = photo },
                        { $0.flags = UInt32(ISOBATH_DERIVE_UNALIGNED) }, { $0.depth = flat },
                        { ($0.anchors, $0.anchor_count) = (anchor, 1) },
                        { ($0.depth, $0.anchor_count) = (depth, 1) },
                        { ($0.depth, $0.reference, $0.anchors, $0.anchor_count) = (depth, photo, anchor, 1) },
                    ] {
                        let answer = derived(photo, change).answer
                        #expect(answer.status == ISOBATH_INVALID_ARGUMENT, "\(answer)")
                    }
                    #expect(derived(plain) { $0.depth = depth }.answer.status == ISOBATH_NO_PLANE)
                }
            }
        }
        let missing = "/none.onnx".withCString { name in derived(photo) { $0.model = name }.answer }
        #expect(missing.status == ISOBATH_UNREADABLE && missing.message.hasPrefix("/none.onnx: "))
    }

    @Test(
        "Samples in the stored frame are those of the upright one, turned",
        arguments: ["disparity", "matte", "image"])
    func storedFrame(kind: String) throws {
        let photo = try opened("portrait-rotated.heic")
        defer { isobath_photo_free(photo) }
        let upright = try #require(array(photo, kind).value)
        let stored = try #require(array(photo, kind, ISOBATH_STORED_FRAME).value)
        defer {
            isobath_array_free(upright)
            isobath_array_free(stored)
        }
        #expect(
            upright.pointee.shape.0 == stored.pointee.shape.1
                && upright.pointee.shape.1 == stored.pointee.shape.0)
        #expect(upright.pointee.shape.0 < upright.pointee.shape.1)
    }

    // MARK: Memory

    @Test("Arrays are the caller's: they outlive the photo, and share nothing with each other")
    func ownership() throws {
        let photo = try opened("absolute-depth.heic")
        func depth() throws -> Samples {
            try #require(array(photo, "depth").value)
        }
        let (first, second) = (try depth(), try depth())
        isobath_photo_free(photo)
        let count = Int(first.pointee.shape.0 * first.pointee.shape.1)
        #expect(count == 192 * 144)
        let (a, b) = (first.pointee.data, second.pointee.data)
        #expect(a != b)
        let (one, two) = try (
            #require(a?.assumingMemoryBound(to: Float.self)), #require(b?.assumingMemoryBound(to: Float.self))
        )
        #expect((0..<count).allSatisfy { one[$0] == two[$0] })
        for index in 0..<count { one[index] = -1 }
        #expect((0..<count).allSatisfy { two[$0] > 1 })
        isobath_array_free(first)
        #expect((0..<count).allSatisfy { two[$0] > 1 })
        isobath_array_free(second)
    }

    /// A source that counts reads and releases.
    private final class Source: Sendable {
        let bytes: [UInt8]
        let fails: Bool
        let released = Atomic(0)

        init(_ bytes: [UInt8], fails: Bool = false) { (self.bytes, self.fails) = (bytes, fails) }

        /// The structure for it; it does not keep this object.
        func structure(byteCount: Int64? = nil) -> isobath_byte_source {
            isobath_byte_source(
                struct_size: MemoryLayout<isobath_byte_source>.size,
                context: Unmanaged.passUnretained(self).toOpaque(),
                byte_count: byteCount ?? Int64(bytes.count),
                read: { context, ranges, count in
                    guard let context = context, let ranges = ranges else { return 1 }
                    let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
                    guard !source.fails else { return 7 }
                    for index in 0..<count {
                        let range = ranges[index]
                        for byte in 0..<Int(range.size) {
                            range.buffer.storeBytes(
                                of: source.bytes[Int(range.offset) + byte], toByteOffset: byte, as: UInt8.self
                            )
                        }
                    }
                    return 0
                },
                release: { context in
                    guard let context = context else { return }
                    Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
                        .released.add(1, ordering: .relaxed)
                })
        }

        var releases: Int { released.load(ordering: .relaxed) }
    }

    @Test("A source is released once: with its photo, or as opening it fails")
    func releasedOnce() throws {
        let good = Source(try TestImages.bytes("absolute-depth.heic"))
        var structure = good.structure()
        let photo = try #require(opened(structure).value)
        let depth = array(photo, "depth")
        #expect(good.releases == 0)
        isobath_photo_free(photo)
        #expect(good.releases == 1)
        #expect(depth.value?.pointee.shape.0 == 144)
        isobath_array_free(depth.value)
        #expect(good.releases == 1)

        let foreign = Source(Array("hello".utf8))
        structure = foreign.structure()
        let unknown = opened(structure)
        #expect(unknown.answer.status == ISOBATH_UNRECOGNIZED && foreign.releases == 1)

        let broken = Source(good.bytes, fails: true)
        structure = broken.structure()
        let unread = opened(structure)
        #expect(unread.answer.status == ISOBATH_UNREADABLE && broken.releases == 1)

        let negative = Source(good.bytes)
        structure = negative.structure(byteCount: -1)
        let refused = opened(structure)
        #expect(refused.answer.status == ISOBATH_INVALID_ARGUMENT && negative.releases == 1)
        structure = negative.structure()
        structure.read = nil
        let unreadable = opened(structure)
        #expect(unreadable.answer.status == ISOBATH_INVALID_ARGUMENT && negative.releases == 2)
        // The library does not take ownership of an invalid structure.
        structure.struct_size = 0
        let shapeless = opened(structure)
        #expect(shapeless.answer.status == ISOBATH_INVALID_ARGUMENT && negative.releases == 2)
    }

    @Test("Bytes are copied: the caller may change them after the call")
    func copiedBytes() throws {
        var bytes = try TestImages.bytes("absolute-depth.heic")
        let photo = try #require(opened(bytes).value)
        bytes = [UInt8](repeating: 0, count: bytes.count)
        defer { isobath_photo_free(photo) }
        let depth = array(photo, "depth")
        #expect(depth.answer.status == ISOBATH_OK)
        isobath_array_free(depth.value)
    }

    // MARK: Version and recordings

    @Test("The library has the interface that the header describes")
    func version() throws {
        #expect(Int(isobath_abi_version()) == ISOBATH_ABI_VERSION)
        let version = String(cString: try #require(isobath_version()))
        #expect(version.split(separator: ".").count == 3)
    }

    @Test("A folder that is not a recording is not recognized, and a photo neither")
    func foreignRecordings() throws {
        for path in [folder.path, TestImages.path("plain.jpg")] {
            let found = call(OpaquePointer.self) { isobath_open_recording(path, nil, $0, $1) }
            #expect(found.answer.status == ISOBATH_UNRECOGNIZED, "\(found.answer)")
        }
    }

    /// Writes a data set. Returns the answer and the fields of the result.
    private func written(
        _ recording: OpaquePointer?, _ form: String?, _ path: String?,
        _ change: (inout isobath_data_set_options) -> Void = { _ in }
    ) throws -> (answer: Answer, fields: [String: Any]) {
        var options = isobath_data_set_options()
        options.struct_size = MemoryLayout<isobath_data_set_options>.size
        change(&options)
        let found = call(Text.self) {
            isobath_recording_write_data_set(recording, form, path, &options, $0, $1)
        }
        guard let text = found.value else { return (found.answer, [:]) }
        defer { isobath_string_free(text) }
        let fields = try JSONSerialization.jsonObject(with: Data(String(cString: text).utf8))
        return (found.answer, try #require(fields as? [String: Any]))
    }

    @Test("A data set has the chosen frames, and replaces another one only if that is asked for")
    func dataSet() throws {
        let (source, folder) = (TemporaryFolder(), TemporaryFolder())
        let room = try RecordingWriter().write(.sevenScenes, into: source)
        let recording = try #require(opened(room, topics: []).value)
        defer { isobath_recording_free(recording) }
        let path = folder.file("set")
        let all = try written(recording, "nerfstudio", path).fields
        for name in ["frames", "pictures", "poses"] { #expect(all[name] as? Int == 6) }
        #expect(try #require(all["points"] as? Int) > 1000)
        #expect((all["damagedFrames"] as? [Any])?.isEmpty == true && all["diagnostics"] is [Any])
        let images = try FileManager.default.contentsOfDirectory(atPath: path + "/images").sorted()
        #expect(images.count == 6 && images.first?.hasPrefix("000000.") == true)
        let again = try written(recording, "tum", path).answer
        #expect(again.status == ISOBATH_NOT_WRITTEN && again.code == "not-written")
        let few = try written(recording, "tum", path) { options in
            options.flags = UInt32(ISOBATH_DATA_SET_REPLACE | ISOBATH_DATA_SET_SHARPEST)
            (options.step, options.start, options.quality) = (2, 0.03, 50)
        }.fields
        #expect(few["frames"] as? Int == 3 && few["points"] is NSNull)
        // Frames are 1/30 s apart, and the end is not included.
        let some = try written(recording, "tum", path) { options in
            options.flags = UInt32(ISOBATH_DATA_SET_REPLACE | ISOBATH_DATA_SET_HAS_END)
            options.end = 2.0 / 30 - 1e-9
        }.fields
        #expect(some["frames"] as? Int == 2)
        let none = try written(recording, "tum", path) { options in
            options.flags = UInt32(ISOBATH_DATA_SET_REPLACE | ISOBATH_DATA_SET_HAS_END)
        }.answer
        #expect(none.status == ISOBATH_UNSUITABLE)
        #expect(folder.contents == ["set"])
    }

    @Test("Forms, paths and options of data sets that are wrong are refused")
    func wrongDataSets() throws {
        let (source, folder) = (TemporaryFolder(), TemporaryFolder())
        let room = try RecordingWriter().write(.sevenScenes, into: source)
        let recording = try #require(opened(room, topics: []).value)
        defer { isobath_recording_free(recording) }
        let path = folder.file("set")
        for change: (inout isobath_data_set_options) -> Void in [
            { $0.flags = 1 << 3 }, { $0.end = 0.1 }, { $0.step = -1 }, { $0.maximum_frames = -1 },
            { $0.start = .nan },
            { $0.end = -1 }, { $0.quality = 101 }, { $0.flags = UInt32(ISOBATH_DATA_SET_SHARPEST) },
        ] {
            let answer = try written(recording, "tum", path, change).answer
            #expect(answer.status == ISOBATH_INVALID_ARGUMENT, "\(answer)")
        }
        for (form, path) in [("ply", path), (nil, path), ("tum", nil)] {
            #expect(try written(recording, form, path).answer.status == ISOBATH_INVALID_ARGUMENT)
        }
        #expect(try written(recording, "tum", path) { $0.start = 9 }.answer.status == ISOBATH_UNSUITABLE)
        #expect(folder.contents.isEmpty)
    }

    /// Opens a recording, or with `isPhoto` a photo, with topics.
    private func opened(
        _ path: String, topics: [String], count: Int? = nil, isPhoto: Bool = false
    ) -> Found<OpaquePointer> {
        let names = topics.map { UnsafePointer(strdup($0)) }
        defer { for name in names { free(UnsafeMutablePointer(mutating: name)) } }
        return names.withUnsafeBufferPointer { names in
            var options = isobath_open_options()
            options.struct_size = MemoryLayout<isobath_open_options>.size
            (options.topics, options.topic_count) = (
                topics.isEmpty ? nil : names.baseAddress, count ?? topics.count
            )
            return call {
                isPhoto
                    ? isobath_open(path, &options, $0, $1)
                    : isobath_open_recording(path, &options, $0, $1)
            }
        }
    }

    @Test("The topic of a bag is chosen by its name, and an unknown one is answered with those there are")
    func topics() throws {
        let (folder, size) = (TemporaryFolder(), PixelSize(width: 2, height: 1))
        let bag = BagWriter([
            .image("/a/depth", "16UC1", size, [0xE8, 3, 0xE8, 3], time: 1),
            .image("/b/depth", "16UC1", size, [0xD0, 7, 0xD0, 7], time: 1),
        ])
        let path = try folder.write(bag.mcap(), to: "a.mcap")
        for (topic, meters) in [("/a/depth", Float(1)), ("/b/depth", 2)] {
            let recording = try #require(opened(path, topics: [topic]).value)
            defer { isobath_recording_free(recording) }
            let frame = try #require(call { isobath_recording_frame(recording, 0, $0, $1) }.value)
            defer { isobath_photo_free(frame) }
            let depth = try #require(array(frame, "depth").value)
            defer { isobath_array_free(depth) }
            let samples = depth.pointee.data.assumingMemoryBound(to: Float.self)
            #expect(samples[0] == meters && samples[1] == meters)
        }
        let unknown = opened(path, topics: ["/a/depth", "/c"]).answer
        #expect(unknown.status == ISOBATH_UNRECOGNIZED)
        #expect(unknown.message.contains("/a/depth, /b/depth"), "\(unknown)")
    }

    @Test("Poses are refused for photos, and so is a convention with another name")
    func wrongPoses() throws {
        let room = try RecordingWriter().write(.sevenScenes, into: folder)
        for (path, isPhoto) in [(room, false), (TestImages.path("plain.jpg"), true)] {
            let answer = (isPhoto ? "camera-to-world-opencv" : "opencv").withCString { name -> Answer in
                var options = isobath_open_options()
                options.struct_size = MemoryLayout<isobath_open_options>.size
                options.pose_convention = name
                let found = call(OpaquePointer.self) {
                    isPhoto
                        ? isobath_open(path, &options, $0, $1)
                        : isobath_open_recording(path, &options, $0, $1)
                }
                return found.answer
            }
            #expect(answer.status == ISOBATH_INVALID_ARGUMENT && answer.message.contains("pose"), "\(answer)")
        }
    }

    @Test("Topics without effect are refused, and so are names that are NULL")
    func uselessTopics() throws {
        let room = try RecordingWriter().write(.sevenScenes, into: folder)
        for answer in [
            opened(room, topics: ["/depth"]).answer,
            opened(TestImages.path("plain.jpg"), topics: ["/depth"], isPhoto: true).answer,
            opened(room, topics: [], count: 1).answer,
        ] {
            #expect(
                answer.status == ISOBATH_INVALID_ARGUMENT && answer.message.contains("topics"), "\(answer)")
        }
    }
}
