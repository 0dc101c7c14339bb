import Foundation
import Isobath
import TestSupport
import Testing

@testable import Commands

@Suite("Networks that stay open")
struct OpenNetworkTests {
    private let folder = TemporaryFolder()

    private func open(_ path: String, anchors: [String] = [], limits: DecodingLimits = DecodingLimits())
        throws
        -> ObjectIdentifier
    {
        let anchors = anchors.compactMap(AnchorChoice.init(argument:))
        return ObjectIdentifier(try NetworkUse(path: path, threads: 1, anchors: anchors).open(limits))
    }

    @Test("A file is loaded once, whatever is made of its output, and again with other limits")
    func once() throws {
        let path = try folder.write(OnnxFile.affineDisparity(a: 2, b: 0.001, c: 0.5).bytes, to: "a.onnx")
        let first = try open(path)
        for meters in 2..<9 { #expect(try open(path, anchors: ["0.5,0.5=\(meters)"]) == first) }
        var limits = DecodingLimits()
        limits[.pixels] = 1000
        #expect(try open(path, limits: limits) != first)
        #expect(try open(path) == first)
    }

    @Test("A few networks stay open, and a file with the same name is another one")
    func few() throws {
        let bytes = OnnxFile.affineDisparity(a: 2, b: 0.001, c: 0.5).bytes
        let paths = try (0..<5).map { try folder.write(bytes, to: "\($0).onnx") }
        weak var first: AnyObject?
        first = try NetworkUse(path: paths[0], threads: 1).open(DecodingLimits())
        #expect(first != nil)
        for path in paths[1...] { _ = try open(path) }
        #expect(first == nil)
        let last = try open(paths[4])
        try folder.write(bytes, to: "new")
        #expect(unsafe rename(folder.file("new"), paths[4]) == 0)
        #expect(try open(paths[4]) != last)
    }
}
