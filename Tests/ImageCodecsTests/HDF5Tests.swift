import ByteParsing
import ImageCodecs
import RasterContainers
import TestSupport
import Testing

@Suite("HDF5") struct HDF5Tests {
    private static let floats: [Float] = [
        0.5, 1.25, 2, 4, 0, 10, .nan, 3, 100, 0.25, 1, 2, 3, 4, 5, 6, 7, 8, 9, 65504,
    ]
    private static let integers = (0..<20).map { Float(3 * $0) }

    private func read(
        _ bytes: [UInt8], choosing name: String? = nil, limits: DecodingLimits = DecodingLimits()
    ) throws(ContainerError) -> (raster: RasterDescription, samples: [Float]) {
        let decoder = RasterDecoder(MemorySource(bytes), limits: limits)
        let raster = try decoder.describe(.hdf5, choosing: name)
        switch try decoder.samples(of: raster) {
        case .uint8(let codes): return (raster, codes.map { Float($0) })
        case .uint16(let codes): return (raster, codes.map { Float($0) })
        case .float(let values): return (raster, values)
        }
    }

    @Test(
        "Datasets that h5py wrote are read",
        arguments: [
            (HDF5File.hypersim, SampleType.float16, "deflate", floats),
            (.bigEndian, .float32, "none", floats),
            (.doubles, .float64, "deflate", floats), (.signed, .int32, "none", integers.map { $0 - 7 }),
        ])
    func values(file: HDF5File, type: SampleType, codec: String, expected: [Float]) throws {
        let bytes = file.bytes
        #expect(RasterFileFormat(recognizing: Array(bytes.prefix(16))) == .hdf5)
        let (raster, samples) = try read(bytes)
        #expect((raster.width, raster.height, raster.channels) == (5, 4, 1))
        #expect(raster.sampleType == type && raster.codec == codec)
        #expect(samples.map(\.bitPattern) == expected.map(\.bitPattern))
    }

    @Test(
        "Chunks are found by every kind of index of HDF5 1.10",
        arguments: [HDF5File.single, .implicit, .fixedArray, .pagedArray, .columns])
    func indexes(file: HDF5File) throws {
        let (raster, samples) = try read(file.bytes)
        #expect(raster.sampleType == .uint16 && samples == Self.integers)
    }

    @Test("Indexes of many chunks have blocks of blocks, and levels")
    func largeIndexes() throws {
        let (grown, values) = try read(HDF5File.extensibleArray.bytes)
        #expect((grown.width, grown.height) == (5, 60) && values == (0..<300).map { Float($0 % 251) })
        let (tree, others) = try read(HDF5File.newTree.bytes)
        #expect((tree.width, tree.height) == (10, 12) && others == (0..<120).map { Float($0) })
    }

    @Test("Integers of 64 bits are rounded to Float32")
    func longIntegers() throws {
        let (raster, signed) = try read(HDF5File.int64.bytes)
        #expect(raster.sampleType == .int64)
        #expect(signed[..<3] == [0x1p40, -0x1p62, -1])
        #expect(signed[3...] == Self.integers[3...].map { $0 - 7 }[...])
        // 2⁶³ + 57 is nearest to 2⁶³.
        let unsigned = try read(HDF5File.uint64.bytes)
        #expect(unsigned.raster.sampleType == .uint64 && unsigned.samples.allSatisfy { $0 == 0x1p63 })
    }

    @Test(
        "A changed byte in an index is found by its checksum",
        arguments: [
            (HDF5File.fixedArray, "FADB"), (.extensibleArray, "EAHD"), (.extensibleArray, "EAIB"),
            (.extensibleArray, "EASB"), (.extensibleArray, "EADB"), (.newTree, "BTHD"), (.newTree, "BTLF"),
            (.newTree, "BTIN"),
        ])
    func changedIndex(file: HDF5File, signature: String) throws {
        var bytes = file.bytes
        let start = try #require(bytes.firstRange(of: signature.utf8)).lowerBound
        bytes[start + 20] ^= 1
        let error = try #require(throws: ContainerError.self) { _ = try read(bytes) }
        #expect(error.code == "malformed" && error.message.contains("checksum"), "\(error)")
    }

    @Test("Only Hypersim's name of a dataset brings the remark on its kind of distance")
    func axis() throws {
        #expect(try read(HDF5File.hypersim.bytes).raster.diagnostics.map(\.code) == ["assumed-axis"])
        #expect(try read(HDF5File.doubles.bytes).raster.diagnostics.isEmpty)
    }

    @Test("Of several datasets, one is chosen by its name; links to other files are not followed")
    func choice() throws {
        let bytes = HDF5File.links.bytes
        let usual = try read(bytes)
        #expect(usual.raster.name == "a/depth" && usual.samples == Self.integers)
        let other = try read(bytes, choosing: "other")
        #expect(other.raster.sampleType == .uint8 && other.samples == Self.integers)
        for name in ["cube", "text", "soft", "ext", "none"] {
            let error = try #require(throws: ContainerError.self) { _ = try read(bytes, choosing: name) }
            #expect(error.message == "there is no dataset '\(name)'; the file has a/depth, other")
        }
        // Without a name that says depth, the choice is the caller's.
        let unnamed = bytes.replacing("depth\0".utf8, with: "maybe\0".utf8)
        let error = try #require(throws: ContainerError.self) { _ = try read(unnamed) }
        #expect(error.message == "the file has several datasets: a/maybe, other")
    }

    @Test(
        "What would open other files, and unknown packing, is refused",
        arguments: [
            (HDF5File.external, "whose samples are in other files"), (.virtual, "a virtual HDF5 dataset"),
            (.lzf, "HDF5 filter 32000"),
        ])
    func refused(file: HDF5File, words: String) throws {
        let error = try #require(throws: ContainerError.self) { _ = try read(file.bytes) }
        #expect(error.code == "unsupported" && error.message.contains(words), "\(error)")
    }

    @Test("Sizes are limited before memory is allocated")
    func limited() throws {
        let bytes = HDF5File.hypersim.bytes
        for name in [DecodingLimits.Name.pixels, .tiles, .metadataBytes, .items] {
            var limits = DecodingLimits()
            limits[name] = 1
            let error = try #require(throws: ContainerError.self) { _ = try read(bytes, limits: limits) }
            #expect(error.code == "limit-exceeded", "\(name): \(error)")
        }
    }

    @Test(
        "A file that is cut off is an error",
        arguments: [
            HDF5File.hypersim, .bigEndian, .doubles, .signed, .implicit, .fixedArray, .pagedArray, .columns,
            .newTree,
        ])
    func truncated(file: HDF5File) throws {
        let bytes = file.bytes
        for count in stride(from: 0, to: bytes.count, by: 37) {
            let error = try #require(throws: ContainerError.self) { _ = try read(Array(bytes[..<count])) }
            #expect(error.code == "truncated", "\(count): \(error)")
        }
    }

    @Test("A superblock without its checksum is an error")
    func cutSuperblock() throws {
        // Version 2, addresses and lengths of 2 bytes, and four addresses of 0.
        let bytes =
            [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A, 2, 2, 2, 0] + [UInt8](repeating: 0, count: 8)
        for more in 0..<4 {
            let error = try #require(throws: ContainerError.self) {
                _ = try read(bytes + [UInt8](repeating: 0, count: more))
            }
            #expect(error.code == "truncated", "\(error)")
        }
    }

    /// Chunks have checksums. A few bits are of no meaning, such as those between a deflate stream and its checksum.
    @Test("Damaged samples are not read", arguments: [HDF5File.hypersim, .doubles])
    func damaged(file: HDF5File) throws {
        let bytes = file.bytes
        let decoder = RasterDecoder(MemorySource(bytes), limits: DecodingLimits())
        guard case .chunks(let chunks) = try decoder.describe(.hdf5).location else {
            Issue.record("the samples are not in chunks")
            return
        }
        let intact = try read(bytes).samples.map(\.bitPattern)
        var errors = 0
        for chunk in chunks.chunks {
            for offset in stride(from: chunk.range.lowerBound, to: chunk.range.upperBound, by: 3) {
                var other = bytes
                other[offset] ^= 0x10
                do {
                    #expect(try read(other).samples.map(\.bitPattern) == intact)
                } catch {
                    errors += 1
                }
            }
        }
        #expect(errors > 20)
    }
}
