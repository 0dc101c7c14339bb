internal import Foundation

/// HDF5 files of 4 × 5 samples, in base64, where each run of zeros is a zero and its length. h5py 3.16 (HDF5 2.0) wrote
/// them, for example:
///
///     f.create_dataset("dataset", data=v.astype("<f2"), chunks=(3, 2), compression="gzip", shuffle=True, fletcher32=True)
///
/// Floating point is `[[.5, 1.25, 2, 4, 0], [10, nan, 3, 100, .25], [1, 2, 3, 4, 5], [6, 7, 8, 9, 65504]]`, and integers are
/// `3 * arange(20)`.
public struct HDF5File: Sendable {
    private let packed: String

    private init(_ packed: String) { self.packed = packed }

    /// The file.
    public var bytes: [UInt8] {
        var (bytes, isRun) = ([UInt8](), false)
        for byte in Data(base64Encoded: packed) ?? Data() {
            if isRun { bytes += repeatElement(0, count: Int(byte)) } else if byte != 0 { bytes.append(byte) }
            isRun = !isRun && byte == 0
        }
        return bytes
    }

    /// As Hypersim stores depth: half floats, in chunks that are shuffled, deflated and have checksums.
    public static let hypersim = HDF5File(
        """
        iUhERg0KGgoABQgIAAEEAAEQAA3//////////ycQAAb//////////wAIYAAHAQAHiAAHqAIABgEAAQEAAQEAAxgABxEAARAABYgA\
        B6gCAAZUUkVFAAIBAAH/////////////////////AAgwBAAGCAD/APhIRUFQAARYAAcQAAfIAgAOZGF0YXNldAABAQAHSAA/AQAB\
        BgABAQAEAQAGAQABKAAFAQIBAAUEAAcFAAcEAAcFAAcDAAEYAAEBAAMRIA8AAQIABRAAAQoFAAEKDwAHBQABCAABAQADAgMCAQAE\
        CwABUAABAQADAQMABgIAAQgAAQEAAQEAAXNodWZmbGUAAQIABwEAAQgAAQEAAQEAAWRlZmxhdGUAAQQABwMAARAABWZsZXRjaGVy\
        MzIABggAARgABQMCA3gFAAYDAAMCAAMCAAYgACVTTk9EAQABAQABCAAHIAMA/wA3VFJFRQEAAQYAAf////////////////////8V\
        AB+wDwAGFgAPAgAPxQ8ABhMADwQAD9sPAAYTAAcDABfuDwAGFAAHAwAHAgAPARAABhIABwMABwQADxUQAA4GAAcGAAcCAP8A/wD/\
        AP8A/wD/AP8A/wD/ACB4XmNgAAEBC1vPOhsHAAEF4wG5ZG3UkXheY2BgcAABIhenMCcXAAEH8gHj9KTbh3heY2CAAAETBlcGAAEB\
        ZgABes2l1Xt4XmNgAAEBN3cQCQABAxMAAY5DxB6EeF5jaGAAAQIPDxAJAAEIpAERm1+1Lnhe+88AAQLVYBIAAQ7iAXvua0Hc
        """)
    /// `>f4`, contiguous, with the structures of HDF5 1.8 and newer.
    public static let bigEndian = HDF5File(
        """
        iUhERg0KGgoDCAgACf//////////UAgABjAABwNvJwZPSERSAgABeAISAAT/////////////////////CgIAAQEAAgYMAAIBAAEB\
        erMACEgASs6yDZNPSERSAgEAAQEBJAACAgIBAQQABwUABwQABwUABwMUAAEBESEfAAEEAAUgAAEXCAABF38AAwUCAAEBAwoIEgAC\
        AwEAAQgABlAACKAAovHja3AA/wD/AP8A/wD/AP8ARz8AAz+gAAJAAANAgAAGQSAAAn/AAAJAQAACQsgAAj6AAAI/gAACQAADQEAA\
        AkCAAAJAoAACQMAAAkDgAAJBAANBEAACR3/gAAE=
        """)
    /// Float64, in deflated chunks.
    public static let doubles = HDF5File(
        """
        iUhERg0KGgoCCAgACf//////////SAwABjAAB1ZzyyhPSERSAgABeAISAAT/////////////////////CgIAAQEAAgYMAAIBAAEB\
        erMACEgASs6yDZNPSERSAgEAAQEBJAACAgIBAQQABwUABwQABwUABwMUAAEBESA/AAEIAAVAAAE0CwABNP8DAAIFAgABAQMLCwwA\
        AQECAQEAAQEAAQEAAQQAAwgXAAIDAgO/AQAGAgADBQADCAAEiwCN0zpm01RSRUUBAAECAAH/////////////////////KAAf9wsA\
        BikABwIAFx8MAA4CAAcFAAcIAP8A/wD/AP8A/wD/AP8A/wD/AMB4XmNgAAGBB/ZgiuELlGZwgFACUBoGVKD8H/UQmgPKj4TSF+wB\
        /pYGrnheY2AAAYEP9mCKgcEBQnFAaQEoLQKlJaC0DJRWgNJKEPrPewcAAbiNBf0=
        """)
    /// `<i4`, 7 less, in one chunk that is shuffled.
    public static let signed = HDF5File(
        """
        iUhERg0KGgoABQgIAAEEAAEQAA3//////////wABEAAG//////////8ACGAABwEAB4gAB6gCAAYBAAEBAAEBAAMYAAcRAAEQAAWI\
        AAeoAgAGVFJFRQACAQAB/////////////////////wAIMAQABggA/wD4SEVBUAAEWAAHEAAHyAIADnoABwEAB0gAPwEAAQYAAQEA\
        BAEABgEAASgABQECAQAFBAAHBQAHBAAHBQAHAwABEAABAQADEAgAAgQABSAABQUAAQgAAQEAAwIDAgEABAsAASAAAQEAAwEBAAYC\
        AAEIAAEBAAEBAAFzaHVmZmxlAAEEAAcIAAEYAAUDAgN4BQAGBAADBQADBAAGWABdU05PRAEAAQEAAQgAByADAP8AN1RSRUUBAAEB\
        AAH/////////////////////UAAfsA8ADgQABwUABwQA/wD/AP8A/wD/AP8A/wD/AP8A6Pn8/wIFCAsOERQXGh0gIyYpLC8y////\
        ABH///8AEf///wAR
        """)
    /// `a/depth` (`<u2`) and `other` (`<u1`), beside text, a cube, a soft link, and an external link to `/etc/passwd`.
    public static let links = HDF5File(
        """
        iUhERg0KGgoABQgIAAEEAAEQAA3//////////4ApAAb//////////wAIYAAHAQAHiAAHqAIABgEAAQkAAQEAAxgABxAAARAABbAU\
        AAbYAAdUUkVFAAIBAAH/////////////////////AAjgBQAGGAD/APhIRUFQAARYAAdAAAfIAgAOYQAHb3RoZXIAA3RleHQABGN1\
        YmUABHNvZnQABC9hL2RlcHRoAAgBAAcYAA8BAAEBAAEBAAMYAAcRAAEQAAVIAwAGaAUABlRSRUUAAgEAAf//////////////////\
        //8ACDgIAAYIAP8A+EhFQVAABFgABxAAB4gFAA5kZXB0aAADAQAHSAA/U05PRAEAAQUAAQgAByADAAYBAAdIAwAGaAUABiAAB6AT\
        AB4QAAeAEQAeKAAH//////////8CAAcwAA8YAAeQEgCWAQABBQABAQAEAQAGAQABKAAFAQIBAAUEAAcFAAcEAAcFAAcDAAEQAAEB\
        AAMQAAMCAAUQAAUFAAEIAAEBAAMCAgIBAAQIAAEYAAUDAYAJAAYoAA+AAIVTTk9EAQABAQABCAAHKAcA/wA5AwABBgABCQABDAAB\
        DwABEgABFQABGAABGwABHgABIQABJAABJwABKgABLQABMAABMwABNgABOQACAwYJDA8SFRgbHiEkJyotMDM2OQEAA4AZAAYBAP8A\
        /wD/AP8A/wD/AP8AvgEAAQUAAQEABAEABgEAASgABQECAQAFBAAHBQAHBAAHBQAHAwABEAABAQADEAADAQAFCAAFBQABCAABAQAD\
        AgICAQAECAABGAAFAwGoCQAGFAAPgACFAQABBQABAQAEAQAGAQABCAAFAQAHAwABGAABAQADGQEAAhAAAxAAAwEABQgABQUAAQgA\
        AQEAAwICAAEBAAQIAAEYAAUDAbwJAAYQAA+YAJ0BAAEFAAEBAAQBAAYBAAE4AAUBAwEABQIABwIABwIABwIABwIABwIABwMAARgA\
        AQEAAxEgPwABCAAFQAABNAsAATT/AwAGBQABCAABAQADAgICAQAECAABGAAFAwHMCQAGQAAPaABtAgABGAAH////////////////\
        /////wAGCgABCAABAQALBgABEAAFAQABAWEgAwAKBgABEAAFAQABBGN1YmWgEwAHBgABEAAFAQABBW90aGVygBEABgYAARgABQEI\
        AQRzb2Z0CAABL2EvZGVwdGgABgYAARAABQEAAQR0ZXh0kBIABwYAASAABQEIQANleHQQAAIvZXRjL3Bhc3N3ZAABL3gA/wD/AP8A\
        /wAER0NPTAEABBAABgEABwEAB3gAD9gPAP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AN0=
        """)
    /// `<u2`, with the index of chunks of HDF5 1.10.
    public static let newIndex = HDF5File(
        """
        iUhERg0KGgoDCAgACf//////////MAgABjAAB/N14+hPSERSAgABeAISAAT/////////////////////CgIAAQEAAgYMAAIBAAEB\
        erMACEgASs6yDZNPSERSAgEAAQEBJAACAgIBAQQABwUABwQABwUABwMMAAEBEAADAgAFEAABBQIAAQEDCwgSAAIEAgABAwECAgID\
        Cr8BAAeoAKqwam2qRkFIRAACCAoGAAfbAQAGfSozCEZBREIAAr8BAAcIAAYICAAGEAgABhgIAAYgCAAGKAgABjeSL0AA/wD/AP8A\
        /wD/AOoDAAEPAAESAAEGAAEJAAEVAAEYAAEMAAMbAAMeAAEhAAEtAAEwAAEkAAEnAAEzAAE2AAEqAAM5AAM=
        """)
    /// `<u2`, packed by the filter LZF.
    public static let lzf = HDF5File(
        """
        iUhERg0KGgoABQgIAAEEAAEQAA3//////////+APAAb//////////wAIYAAHAQAHiAAHqAIABgEAAQEAAQEAAxgABxEAARAABYgA\
        B6gCAAZUUkVFAAIBAAH/////////////////////AAgwBAAGCAD/APhIRUFQAARYAAcQAAfIAgAOegAHAQAHSAA/AQABBgABAQAE\
        AQAGAQABKAAFAQIBAAUEAAcFAAcEAAcFAAcDAAEQAAEBAAMQAAMCAAUQAAUFAAEIAAEBAAMCAwIBAAQLAAEoAAEBAAMBAQAHfQgA\
        AQEAAQMAAWx6ZgAFBAADBQEAAggABwgAARgABQMCA3gFAAYCAAMCAAMCAAZQAFVTTk9EAQABAQABCAAHIAMA/wA3VFJFRQEAAQYA\
        Af////////////////////8IAAMBABuwDwAGCAADAQALAgAPuA8ABggAAwEACwQAD8APAAYIAAMBAAMCABfIDwAGCAADAQADAgAH\
        AgAP0A8ABggAAwEAAwIABwQAD9gPAA4EAAcGAAcCAP8A/wD/AP8A/wD/AP8A/wD/ACIDAAEPAAESAAEGAAEJAAEVAAEYAAEMAAMb\
        AAMeAAEhAAEtAAEwAAEkAAEnAAEzAAE2AAEqAAM5AAM=
        """)
    /// `<u2`, whose samples are in `/etc/passwd`.
    public static let external = HDF5File(
        """
        iUhERg0KGgoABQgIAAEEAAEQAA3//////////7AFAAb//////////wAIYAAHAQAHiAAHqAIABgEAAQEAAQEAAxgABxEAARAABYgA\
        B6gCAAZUUkVFAAIBAAH/////////////////////AAhoBAAGCAD/APhIRUFQAARYAAcQAAfIAgAOegAHAQAHSAA/AQABBgABAQAE\
        AQAGAQABKAAFAQIBAAUEAAcFAAcEAAcFAAcDAAEQAAEBAAMQAAMCAAUQAAUFAAEIAAEBAAMCAgIBAAQHAAEoAAEBAAMBAAMBAAEB\
        AAEwBAAGCAAPKAAHCAABGAAFAwH//////////ygAD1AAVUhFQVAABBgABwEAB1AEAA4vZXRjL3Bhc3N3ZAAFU05PRAEAAQEAAQgA\
        ByADAP8ANw==
        """)
    /// `<u2`, whose samples are in the dataset `z` of `/tmp/o.h5`.
    public static let virtual = HDF5File(
        """
        iUhERg0KGgoDCAgACf//////////AAEYAAYwAAdBiYkHT0hEUgIAAXgCEgAE/////////////////////woCAAEBAAIGDAACAQAB\
        AXqzAAhIAErOsg2TT0hEUgIhs8QHa7PEB2uzxAdrs8QHawABAQEkAAICAgEBBAAHBQAHBAAHBQAHAwwAAQEQAAMCAAUQAAEFAgAB\
        AQMLCA4AAgQDAAEIAAYBAASsAK66026GAP8A/wD/AP8A/wD/ADdHQ09MAQAEEAAGAQAHUQAIAQAHL3RtcC9vLmg1AAF6AAEDAAMB\
        AAsCAAMBAAcYAAMCAAMBAAsDAAMEAAMKOrFxAA+IDwD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wD/AP8A/wCN
        """)

    /// All files.
    public static let all = [
        ("hypersim", hypersim), ("bigEndian", bigEndian), ("doubles", doubles), ("signed", signed),
        ("links", links),
        ("newIndex", newIndex), ("lzf", lzf), ("external", external), ("virtual", virtual),
    ]
}
