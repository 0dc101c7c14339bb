import Foundation
import TestSupport
import Testing

@testable import Bytes

@Suite("Installation")
struct InstallationTests {
    private let folder = TemporaryFolder()

    private func make(_ path: String) throws {
        let url = URL(filePath: folder.file(path))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: url)
    }

    private var library: String { folder.file("libexec/isobath/libisobath.so.1") }

    @Test(
        "Where the code is tells how it was installed",
        arguments: [
            ("/home/me/isobath/.build/release/isobath", Installation.clone),
            ("/home/me/isobath/.build/library/lib/libisobath.so.1", .other),
            ("/usr/lib/x86_64-linux-gnu/libisobath.so.1", .system),
            ("/lib/x86_64-linux-gnu/libisobath.so.1", .system),
            ("/opt/libexec/isobath/libisobath.so.1", .folder(prefix: "/opt/libexec/isobath/../..")),
            ("/usr/bin/editor", .other), ("isobath", .other), (nil, .other),
        ] as [(String?, Installation)])
    func kinds(file: String?, expected: Installation) {
        #expect(Installation(of: file) == expected)
    }

    @Test("A wheel and ONNX Runtime are found in one environment, and nothing outside of it")
    func environment() throws {
        try make("libexec/isobath/libisobath.so.1")
        let runtime = "onnxruntime/capi/libonnxruntime.so.*"
        #expect(Installation(of: library) == .folder(prefix: folder.path + "/libexec/isobath/../.."))
        #expect(Installation(of: library).file(ofPythonPackages: runtime) == nil)
        try make("lib/python3.12/site-packages/isobath_depth-0.2.0.dist-info/METADATA")
        let installation = Installation(of: library)
        #expect(installation == .wheel(prefix: folder.path + "/libexec/isobath/../.."))
        #expect(installation.file(ofPythonPackages: runtime) == nil)
        try make("lib/python3.12/site-packages/onnxruntime/capi/libonnxruntime.so.1.28.0")
        #expect(
            installation.file(ofPythonPackages: runtime)
                == folder.path
                + "/libexec/isobath/../../lib/python3.12/site-packages/onnxruntime/capi/libonnxruntime.so.1.28.0"
        )
        #expect(Installation.system.file(ofPythonPackages: runtime) == nil)
    }

    @Test("pip install --target has another layout")
    func target() throws {
        try make("libexec/isobath/libisobath.so.1")
        try make("isobath_depth-0.2.0.dist-info/METADATA")
        try make("onnxruntime/capi/libonnxruntime.so.1.28.0")
        let installation = Installation(of: library)
        #expect(installation == .wheel(prefix: folder.path + "/libexec/isobath/../.."))
        #expect(installation.file(ofPythonPackages: "onnxruntime/capi/libonnxruntime.so.*") != nil)
    }
}
