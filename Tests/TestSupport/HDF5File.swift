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
    /// `<u2` in one chunk, shuffled and deflated, without an index.
    public static let single = HDF5File(
        """
        iUhERg0KGgoDCAgACf//////////HggABjAAB+861DlPSERSAgABeAISAAT/////////////////////CgIAAQEAAgYMAAIBAAEB\
        erMACEgASs6yDZNPSERSAgEAAQEBJAACAgIBAQQABwUABwQABwUABwMMAAEBEAADAgAFEAABBQIAAQEDCwsWAAEBAgICAAEBAAEB\
        AAECAAMBAAEBAAEBAAEEAAMIHQACBQICAwEEBQIBHgAMCAAHgwCFzZph9QD/AP8A/wD/AP8A/wBHeF5jYGbj5OEXEpWQllNUUdfS\
        NTA2s2TAAgABPEYCOw==
        """)
    /// `<u2` in chunks one after the other, whose index is their order.
    public static let implicit = HDF5File(
        """
        iUhERg0KGgoDCAgACf//////////SAgABjAAB41Zz9RPSERSAgABeAISAAT/////////////////////CgIAAQEAAgYMAAIBAAEB\
        erMACEgASs6yDZNPSERSAiHu+wdr7vsHa+77B2vu+wdrAAEBASQAAgICAQEEAAcFAAcEAAcFAAcDDAABARAAAwIABRAAAQUCAAEB\
        AwkIEQABAQQCAAEDAQMCAgIAAQgAB6kAq9dlbK4A/wD/AP8A/wD/AP8AOQMAAQ8AARIAAR4AASEAAQYAAQkAARUAARgAASQAAScA\
        AQwAAxsAAyoAAy0AATAACTMAATYACTkACw==
        """)
    /// `<u2` in deflated chunks with checksums, in a fixed array.
    public static let fixedArray = HDF5File(
        """
        iUhERg0KGgoDCAgACf//////////dggABjAAB/XQynFPSERSAgABeAISAAT/////////////////////CgIAAQEAAgYMAAIBAAEB\
        erMACEgASs6yDZNPSERSAgEAAQEBJAACAgIBAQQABwUABwQABwUABwMMAAEBEAADAgAFEAABBQIAAQEDCwsSAAEBAgIBAAEBAAEB\
        AAEEAAMDAAUIEgACBQIAAQMBAwICAwq/AQAHkgCUVLzYHUZBSEQAAQEUCgYAB9sBAAYar8TKRkFEQgABAb8BAAcIAAYYAAsYCAAG\
        GAALMAgABhUAC0UIAAYRAAtWCAAGEQALZwgABg8AC+/pVH8A/wD/AP8A/wD/AKB4XmNgYGbgZxBikGNQZAACAcgAAWTjD+HReF5j\
        Y+BkEGWQYFBhUGcAAgLEAAGIAQHw43he42FgYJAGYi0gBgABAhwAAVJdPC1OeF7TZTBggAEAAQQIAAFeKmLrnnheM2YwY4ABAAEE\
        jAABai5S/fJ4XrNkQAACArgAATrGXTb9
        """)
    /// `<u2`, in a fixed array that was changed to have pages of 4 records; h5py reads it.
    public static let pagedArray = HDF5File(
        """
        iUhERg0KGgoDCAgACf//////////kwgABjAAB4vx0j1PSERSAgABeAISAAT/////////////////////CgIAAQEAAgYMAAIBAAEB\
        erMACEgASs6yDZNPSERSAgEAAQEBJAACAgIBAQQABwUABwQABwUABwMMAAEBEAADAgAFEAABBQIAAQEDCwgSAAIEAgABAwEDAgID\
        Ar8BAAeoAKpU4mgHRkFIRAACCAIGAAdICAAG3xLSXkZBREIAAr8BAAcIAAYMCAAGGAgABiQIAAYwCAAGPAgABkJRlOQA/wD/AP8A\
        /wD/AOoDAAEPAAESAAEeAAEhAAEGAAEJAAEVAAEYAAEkAAEnAAEMAAMbAAMqAAMtAAEwAAkzAAE2AAk5AAtGQURCAAK/AQAGwB9+\
        x3QAAQgABgwIAAYYCAAGJAgABpwcaLcwCAAGPAgABjLfbzk=
        """)
    /// `arange(300) % 251` of 60 × 5 `u1`, in an extensible array of chunks of 1 × 1; `maxshape=(None, 6)`.
    public static let extensibleArray = HDF5File(
        """
        iUhERg0KGgoDCAgACf//////////WBgABjAAB0b4lxlPSERSAgABeAISAAT/////////////////////CgIAAQEAAgYMAAIBAAEB\
        erMACEgASs6yDZNPSERSAgEAAQEBJAACAgIBATwABwUAB///////////BgAHAwwAAQEQAAMBAAUIAAEFAgABAQMLCBYAAgQCAAED\
        AQEBAQQgBAQQCr8BAAekAKbjTopDRUFIRAACCCAEEAQKAQAHNgAHCAAHMAwABmcBAAZ0AQAGBwIABsrsXsBFQUlCAAK/AQAHCAAG\
        AQgABgIIAAYDCAAGMQMABscDAAbdBAAG8wUABxAABhYSAAYJBwAG////////////////////////////////////////////////\
        ////////////////////////////////////////////////////////////////////////////////////////////////////\
        ////////////////////////////////////////////////////////////////////////////////////////////////////\
        ////////NIUPOEVBREIAAr8BAAoECAAG//////////8FCAAGBggABgcIAAYICAAGCQgABv//////////CggABgsIAAYMCAAGDQgA\
        Bg4IAAb//////////w8IAAYQCAAGVn7ZX0VBREIAAr8BAAYwAAMRCAAGEggABhMIAAb//////////xQIAAYVCAAGFggABhcIAAYY\
        CAAG//////////8ZCAAGGggABhsIAAYcCAAGHQgABv//////////HggABh8IAAYgCAAGIQgABiIIAAb//////////yMIAAYkCAAG\
        JQgABiYIAAYnCAAG//////////8oCAAGKQgABioIAAYrCAAGEfa130VBREIAAr8BAAZwAAMsCAAG//////////8tCAAGLggABi8I\
        AAYwCAAGMQgABv//////////MggABjMIAAY0CAAGNQgABjYIAAb//////////zcIAAY4CAAGOQgABjoIAAY7CAAG//////////88\
        CAAGPQgABj4IAAY/CAAGQAgABv//////////QQgABkIIAAZDCAAGRAgABkUIAAb//////////3E2kl5FQURCAAK/AQAGkAADRggA\
        BkcIAAZICAAGSQgABkoIAAb//////////0sIAAZMCAAGTQgABk4IAAZPCAAG//////////9QCAAGUQgABlIIAAZTCAAGVAgABv//\
        ////////VQgABlYIAAZXCAAGWAgABlkIAAb//////////1oIAAZbCAAGXAgABl0IAAZeCAAG//////////9fCAAGYAgABs3occxF\
        QVNCAAK/AQAG8AADLBQABkIWAAb/////////////////////jjgbXwDCAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAh\
        IiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5Ojs8PT4/QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXWFlaW1xdXl9gYWJjZGVmZ2hpamts\
        bW5vcHFyc3R1dnd4eXp7fH1+f4CBgoOEhYaHiImKi4yNjo+QkZKTlJWWl5iZmpucnZ6foKGio6SlpqeoqaqrrK2ur7CxsrO0tba3\
        uLm6u7y9vr/AwcLDxMXGx8jJysvMzc7P0NHS09TV1tfY2drb3N3e3+Dh4uPk5ebn6Onq6+zt7u/w8fLz9PX29/j5+gABAQIDBAUG\
        BwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8wAP8A/wD/AP8A/wD/ANpFQURCAAK/AQAGcAEAAmEIAAZi\
        CAAGYwgABv//////////ZAgABmUIAAZmCAAGZwgABmgIAAb//////////2kIAAZqCAAGawgABmwIAAZtCAAG//////////9uCAAG\
        bwgABnAIAAZxCAAGcggABv//////////cwgABnQIAAZ1CAAGdggABncIAAb//////////3gIAAZ5CAAGeggABnsIAAZ8CAAG////\
        //////99CAAGfggABn8IAAaACAAGgQgABv//////////gggABoMIAAaECAAGhQgABoYIAAb//////////4cIAAaICAAGiQgABooI\
        AAaLCAAG//////////+MCAAGjQgABo4IAAaPCAAGkAgABv//////////kQgABpIIAAaTCAAGlAgABpUIAAb//////////+4VmEJF\
        QURCAAK/AQAGsAEAApYIAAaXCAAGmAgABpkIAAaaCAAG//////////+bCAAGnAgABp0IAAaeCAAGnwgABv//////////oAgABqEI\
        AAaiCAAGowgABqQIAAb//////////6UIAAamCAAGpwgABqgIAAapCAAG//////////+qCAAGqwgABqwIAAatCAAGrggABv//////\
        ////rwgABrAIAAaxCAAGsggABrMIAAb//////////7QIAAa1CAAGtggABrcIAAa4CAAG//////////+5CAAGuggABrsIAAa8CAAG\
        vQgABv//////////vggABr8IAAbACAAGwQgABsIIAAb//////////8MIAAbECAAGxQgABsYIAAbHCAAG///////////ICAAGyQgA\
        BsoIAAbLCAAGSXk1yEVBREIAAr8BAAbwAAPMCAAG///////////NCAAGzggABs8IAAbQCAAG0QgABv//////////0ggABtMIAAbU\
        CAAG1QgABtYIAAb//////////9cIAAbYCAAG2QgABtoIAAbbCAAG///////////cCAAG3QgABt4IAAbfCAAG4AgABv//////////\
        4QgABuIIAAbjCAAG5AgABuUIAAb//////////+YIAAbnCAAG6AgABukIAAbqCAAG///////////rCAAG7AgABu0IAAbuCAAG7wgA\
        Bv//////////8AgABvEIAAbyCAAG8wgABvQIAAb///////////UIAAb2CAAG9wgABvgIAAb5CAAG///////////6CAAG+wgABvwI\
        AAb9CAAG/ggABv///////////wgABwkABgzgPL9FQURCAAK/AQAGMAEAAgEJAAYCCQAGAwkABv//////////BAkABgUJAAYGCQAG\
        BwkABggJAAb//////////wkJAAYKCQAGCwkABgwJAAYNCQAG//////////8OCQAGDwkABhAJAAYRCQAGEgkABv//////////EwkA\
        BhQJAAYVCQAGFgkABhcJAAb//////////xgJAAYZCQAGGgkABhsJAAYcCQAG//////////8dCQAGHgkABh8JAAYgCQAGIQkABv//\
        ////////IgkABiMJAAYkCQAGJQkABiYJAAb//////////ycJAAYoCQAGKQkABioJAAYrCQAG////////////////////////////\
        ////////////////////////////////////////////////////////////////////////////////////////////////////\
        ///////////Vq9Ln
        """)
    /// `<u2` in deflated chunks, in an extensible array that is column by column: `maxshape=(9, None)`.
    public static let columns = HDF5File(
        """
        iUhERg0KGgoDCAgACf//////////XggABjAABztHSJdPSERSAgABeAISAAT/////////////////////CgIAAQEAAgYMAAIBAAEB\
        erMACEgASs6yDZNPSERSAgEAAQEBJAACAgIBAQQABwUABwkAB///////////AwwAAQEQAAMCAAUQAAEFAgABAQMLCwwAAQECAQEA\
        AQEAAQEAAQQAAwgWAAIFAgABAwEDAgIEIAQEEAq/AQAHlACWNZBMwEVBSEQAAQEUIAQQBAoAEAEAB1YBAAYIAAcUAAcHAgAG9r/H\
        PUVBSUIAAQG/AQAHCAAGFAALOQgABg0AC///////////AAwUCAAGFAALYQMABv//////////////////////////////////////\
        ////////////////////////////////////////////////////////////////////////////////////////////////////\
        ////////////////////////////////////////////////////////////////////////////////////////////////////\
        /////////////////////////////////////////////////////////////////////////////////5aensdFQURCAAEBvwEA\
        CkYIAAYNAAv//////////wAMKAgABhEAC1MIAAYLAAv//////////wAM//////////8ADP//////////AAz//////////wAM////\
        //////8ADP//////////AAz//////////wAM//////////8ADP//////////AAz//////////wAM//////////8ADP//////////\
        AAxVw30kAP8A/wD/AEx4XmNgYGbgZxBikGNQZAACAcgAAWR4XmNj4GQQZZBgUGFQZwACAsQAAYh4XuNhYGCQBmItIAYAAQIcAAFS\
        eF7TZTBggAEAAQQIAAFeeF4zZjBjgAEAAQSMAAFqeF6zZEAAAgK4AAE6
        """)
    /// `arange(120)` of 12 × 10 `u1`, in a version 2 tree of chunks of 1 × 1; `maxshape=(None, None)`.
    public static let newTree = HDF5File(
        """
        iUhERg0KGgoDCAgACf//////////AAEoAAYwAAfI0ueRT0hEUgIAAXgCEgAE/////////////////////woCAAEBAAIGDAACAQAB\
        AXqzAAhIAErOsg2TT0hEUgIBAAEBASQAAgICAQEMAAcKAAf/////////////////////AwwAAQEQAAMBAAUIAAEFAgABAQMLCBcA\
        AgQCAAEDAQEBAQUAAQgAAmQovwEAB6MApW5JpDtCVEhEAAEKAAEIAAIYAAEBAAFkKAABGAAGAQABeAAHOjxzlAD/AP8A/wD/AP8A\
        /wAiAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5Ojs8PT4/QEFCQ0RFRkdI\
        SUpLTE1OT1BRUlNUVVZXWFlaW1xdXl9gYWJjZGVmZ2hpamtsbW5vcHFyc3R1dncA/wD/AP8A/wD/AP8A/wCPQlRMRgABCgABCAAW\
        AQgADgEABwIIAA4CAAcDCAAOAwAHBAgADgQABwUIAA4FAAcGCAAOBgAHBwgADgcABwgIAA4IAAcJCAAOCQAHCggABgEADwsIAAYB\
        AAcBAAcMCAAGAQAHAgAHDQgABgEABwMABw4IAAYBAAcEAAcPCAAGAQAHBQAHEAgABgEABwYABxEIAAYBAAcHAAcSCAAGAQAHCAAH\
        EwgABgEABwkABxQIAAYCAA8VCAAGAgAHAQAHFggABgIABwIABxcIAAYCAAcDAAcYCAAGAgAHBAAHGQgABgIABwUABxoIAAYCAAcG\
        AAcbCAAGAgAHBwAHHAgABgIABwgABx0IAAYCAAcJAAceCAAGAwAPHwgABgMABwEAByAIAAYDAAcCAAchCAAGAwAHAwAHIggABgMA\
        BwQAByMIAAYDAAcFAAckCAAGAwAHBgAHJQgABgMABwcAByYIAAYDAAcIAAcnCAAGAwAHCQAHKAgABgQADykIAAYEAAcBAAdBhq8N\
        AP8A/wD/AP8ACkJUSU4AAQoqCAAGBAAHAgAIEAAGKgABIAAGTc8mXgYA/wD/AP8A/wD/AP8A/wDTQlRMRgABCisIAAYEAAcDAAcs\
        CAAGBAAHBAAHLQgABgQABwUABy4IAAYEAAcGAAcvCAAGBAAHBwAHMAgABgQABwgABzEIAAYEAAcJAAcyCAAGBQAPMwgABgUABwEA\
        BzQIAAYFAAcCAAc1CAAGBQAHAwAHNggABgUABwQABzcIAAYFAAcFAAc4CAAGBQAHBgAHOQgABgUABwcABzoIAAYFAAcIAAc7CAAG\
        BQAHCQAHPAgABgYADz0IAAYGAAcBAAc+CAAGBgAHAgAHPwgABgYABwMAB0AIAAYGAAcEAAdBCAAGBgAHBQAHQggABgYABwYAB0MI\
        AAYGAAcHAAdECAAGBgAHCAAHRQgABgYABwkAB0YIAAYHAA9HCAAGBwAHAQAHSAgABgcABwIAB0kIAAYHAAcDAAdKCAAGBwAHBAAH\
        SwgABgcABwUAB0wIAAYHAAcGAAdNCAAGBwAHBwAHTggABgcABwgAB08IAAYHAAcJAAdQCAAGCAAPUQgABggABwEAB1IIAAYIAAcC\
        AAdTCAAGCAAHAwAHVAgABggABwQAB1UIAAYIAAcFAAdWCAAGCAAHBgAHVwgABggABwcAB1gIAAYIAAcIAAdZCAAGCAAHCQAHWggA\
        BgkAD1sIAAYJAAcBAAdcCAAGCQAHAgAHXQgABgkABwMAB14IAAYJAAcEAAdfCAAGCQAHBQAHYAgABgkABwYAB2EIAAYJAAcHAAdi\
        CAAGCQAHCAAHYwgABgkABwkAB2QIAAYKAA9lCAAGCgAHAQAHZggABgoABwIAB2cIAAYKAAcDAAdoCAAGCgAHBAAHaQgABgoABwUA\
        B2oIAAYKAAcGAAdrCAAGCgAHBwAHbAgABgoABwgAB20IAAYKAAcJAAduCAAGCwAPbwgABgsABwEAB3AIAAYLAAcCAAdxCAAGCwAH\
        AwAHcggABgsABwQAB3MIAAYLAAcFAAd0CAAGCwAHBgAHdQgABgsABwcAB3YIAAYLAAcIAAd3CAAGCwAHCQAHPESNUQC+
        """)
    /// `<i8`, 7 less; the first are 2⁴⁰ + 1, -2⁶² and -1.
    public static let int64 = HDF5File(
        """
        iUhERg0KGgoABQgIAAEEAAEQAA3//////////6AIAAb//////////wAIYAAHAQAHiAAHqAIABgEAAQEAAQEAAxgABxEAARAABYgA\
        B6gCAAZUUkVFAAIBAAH/////////////////////AAgwBAAGCAD/APhIRUFQAARYAAcQAAfIAgAOegAHAQAHSAA/AQABBQABAQAE\
        AQAGAQABKAAFAQIBAAUEAAcFAAcEAAcFAAcDAAEQAAEBAAMQCAACCAAFQAAFBQABCAABAQADAgICAQAECAABGAAFAwEAAQgABqAA\
        D4AAhVNOT0QBAAEBAAEIAAcgAwD/AP8A/wDBAQAEAQAJwP//////////AgAHBQAHCAAHCwAHDgAHEQAHFAAHFwAHGgAHHQAHIAAH\
        IwAHJgAHKQAHLAAHLwAHMgAH
        """)
    /// `>u8`, 2⁶³ more.
    public static let uint64 = HDF5File(
        """
        iUhERg0KGgoABQgIAAEEAAEQAA3//////////6AIAAb//////////wAIYAAHAQAHiAAHqAIABgEAAQEAAQEAAxgABxEAARAABYgA\
        B6gCAAZUUkVFAAIBAAH/////////////////////AAgwBAAGCAD/APhIRUFQAARYAAcQAAfIAgAOegAHAQAHSAA/AQABBQABAQAE\
        AQAGAQABKAAFAQIBAAUEAAcFAAcEAAcFAAcDAAEQAAEBAAMQAAMIAAVAAAUFAAEIAAEBAAMCAgIBAAQIAAEYAAUDAQABCAAGoAAP\
        gACFU05PRAEAAQEAAQgAByADAP8A/wD/AMiAAwAGgAYABoAJAAaADAAGgA8ABoASAAaAFQAGgBgABoAbAAaAHgAGgCEABoAkAAaA\
        JwAGgCoABoAtAAaAMAAGgDMABoA2AAaAOQAGgA==
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
        ("links", links), ("single", single), ("implicit", implicit), ("fixedArray", fixedArray),
        ("pagedArray", pagedArray),
        ("extensibleArray", extensibleArray), ("columns", columns), ("newTree", newTree), ("int64", int64),
        ("uint64", uint64), ("lzf", lzf), ("external", external), ("virtual", virtual),
    ]
}
