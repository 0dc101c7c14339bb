// Import this module alone to get the library's complete public interface.
@_exported public import AtomicFiles
@_exported public import ByteParsing
@_exported public import Compositing
@_exported public import DataSets
@_exported public import DepthCore
@_exported public import DepthIO
@_exported public import DepthModel
@_exported public import Fusion
@_exported public import ImageCodecs
@_exported public import Networks
@_exported public import PhotoEditing
@_exported public import PointClouds
@_exported public import Recordings
