// Import this module alone to get the library's complete public interface.
@_exported public import Bytes
@_exported public import Codecs
@_exported public import DepthMaps
@_exported public import DepthTypes
@_exported public import Effects
@_exported public import Geometry
@_exported public import Networks
@_exported public import PhotoEditing
@_exported public import Reconstruction
@_exported public import Recordings
@_exported public import Scenes
