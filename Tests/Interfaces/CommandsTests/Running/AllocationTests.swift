import Foundation
import TestSupport
import Testing

/// The allocations of a run, counted by functions that replace the C library's.
private struct AllocationCounter {
    private static let source = """
        #define _GNU_SOURCE
        #include <errno.h>
        #include <stdatomic.h>
        #include <stdio.h>
        #include <stdlib.h>
        void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
            *__libc_memalign(size_t, size_t);
        static atomic_long all, large;
        static void count(size_t size) { all++; large += size >= 65536; }
        void *malloc(size_t size) { count(size); return __libc_malloc(size); }
        void *calloc(size_t number, size_t size) { count(number * size); return __libc_calloc(number, size); }
        void *realloc(void *old, size_t size) { count(size); return __libc_realloc(old, size); }
        void *aligned_alloc(size_t alignment, size_t size) { count(size); return __libc_memalign(alignment, size); }
        int posix_memalign(void **result, size_t alignment, size_t size) {
            count(size);
            return (*result = __libc_memalign(alignment, size)) ? 0 : ENOMEM;
        }
        __attribute__((destructor)) static void report(void) {
            FILE *file = fopen(getenv("ALLOCATION_COUNT"), "w");
            if (file) fprintf(file, "%ld %ld", (long)all, (long)large);
        }
        """

    private let folder: TemporaryFolder

    /// `nil` without a compiler, or if the C library lacks these functions.
    init?(_ folder: TemporaryFolder) throws {
        self.folder = folder
        try folder.write(Array(Self.source.utf8), to: "count.c")
        let run = try Tool.shell(
            "for cc in cc clang; do $cc -O1 -shared -fPIC -o count.so count.c && exit; done; exit 1", [],
            folder: folder.path)
        guard run.status == 0 else { return nil }
    }

    /// How much is allocated for each of the frames between two times, all and of 64 KiB or more.
    func perFrame(of arguments: [String], from start: Double, to end: Double) throws -> (
        all: Double, large: Double
    ) {
        var counts: [[Double]] = []
        for time in [start, end] {
            let run = try Tool.shell(
                #"ALLOCATION_COUNT=count.txt LD_PRELOAD="$PWD/count.so" "$0" "$@""#,
                arguments + ["--end", "\(time)"], folder: folder.path)
            #expect(run.status == 0, "\(run.messages)")
            let text = try folder.text(of: "count.txt")
            counts.append(text.split(separator: " ").compactMap { Double($0) })
        }
        let frames = (end - start) * 30
        return try (
            all: (#require(counts[1].first) - #require(counts[0].first)) / frames,
            large: (#require(counts[1].last) - #require(counts[0].last)) / frames
        )
    }
}

@Suite(
    "Memory of frames",
    .enabled(if: !Tool.isSanitized, "AddressSanitizer has allocation functions of its own"))
struct AllocationTests {
    /// Two seconds of 30 frames a second.
    private func scene() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        var scene = Data()
        for _ in 0..<5 { scene += SquareScene.interleaved }
        try folder.write(scene, to: "scene.raw")
        return folder
    }

    @Test(
        "After the first frames of a pipe nothing of a frame's size is allocated",
        arguments: [
            ["extract", "--colormap", "turbo", "--format", "rgb24"],
            ["extract", "--plane", "photo", "--format", "rgb24"],
            ["extract", "--values", "millimeters", "--format", "gray16le"],
            ["convert", "--to", "rgbd", "--format", "nv12"],
        ])
    func pipe(view: [String]) throws {
        let folder = try scene()
        guard let counter = try AllocationCounter(folder) else { return }
        let count = try counter.perFrame(
            of: view + ["scene.raw", "-o", "-"] + SquareScene.flags, from: 1, to: 2)
        // A scene and its description are a few small objects.
        #expect(count.large == 0 && count.all <= 40, "\(count)")
    }

    @Test(
        "A recording of PNG files needs no memory of a frame's size for each frame: depth of 512 × 384, color of 512 × 384",
        // A cut-out is a new matte and a new picture.
        arguments: [
            (["convert", "--to", "rgbd"], 0.2), (["extract"], 0.2),
            (["composite", "--far", "3", "--background", "#20c040"], 3.2),
        ])
    func folderOfPictures(view: [String], most: Double) throws {
        let folder = TemporaryFolder()
        // Gradients, so that no picture is the same as the one before.
        let (width, height) = (512, 384)
        var frames = Data()
        for index in 0..<60 {
            var bytes = [UInt8](repeating: 0, count: width * height * 5)
            for pixel in 0..<width * height {
                bytes[pixel * 3] = UInt8(truncatingIfNeeded: pixel / 3 + index)
                bytes[width * height * 3 + pixel * 2] = UInt8(truncatingIfNeeded: pixel &* (index + 3))
                bytes[width * height * 3 + pixel * 2 + 1] = UInt8(4 + pixel / width % 8)
            }
            frames += bytes
        }
        try folder.write(frames, to: "scene.raw")
        let flags = [
            "--raw", "rgb24,512x384", "--raw-depth", "gray16le,512x384", "--scale", "1000", "--frame-rate",
            "30", "--quiet",
        ]
        for arguments in [
            ["--plane", "photo", "-o", "rec/color/%06d.png"],
            ["--values", "millimeters", "-o", "rec/depth/%06d.png"],
        ] {
            try folder.run("extract scene.raw \(arguments) \(flags)")
        }
        guard let counter = try AllocationCounter(folder) else { return }
        let count = try counter.perFrame(
            of: view + ["rec", "--scale", "1000", "-o", "-"], from: 1, to: 2)
        // libpng and zlib allocate memory for each file, and buffers of growing coded files are reallocated a few
        // times.
        #expect(count.large <= most && count.all <= 2000, "\(count)")
    }
}
