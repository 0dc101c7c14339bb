/// How a file stores a plane. The raw values are the names in `info --json`.
package enum PlaneCarrier: String, Hashable, Sendable {
    /// An image of the multi-picture index (CIPA DC-007) that Apple's XMP describes.
    case appleMPF = "apple-mpf"
    /// Another image of the multi-picture index.
    case mpf
    /// An auxiliary item of HEIF or AVIF (ISO/IEC 23008-12 §6.4.5).
    case heifAuxiliary = "heif-auxiliary"
    /// The second input of a tone-mapped image of HEIF or AVIF (`tmap`, ISO/IEC 23008-12 §6.6.2.4).
    case heifToneMap = "heif-tone-map"
    /// An image after a JPEG, listed in Google's directory.
    case googleContainer = "google-container"
    /// An image after a JPEG, listed in the directory and described by Dynamic Depth.
    case googleDynamicDepth = "google-dynamic-depth"
    /// An image in the XMP of a JPEG, described by GDepth.
    case googleGDepth = "google-gdepth"
    /// An image in the XMP of a JPEG, described by XDM.
    case xdm
    /// A block of Samsung's trailer.
    case samsung = "samsung-sef"
    /// Samples that Huawei's cameras store after a JPEG.
    case huawei = "huawei-edof"
    /// Samples that Xiaomi's cameras store after a JPEG.
    case xiaomi = "xiaomi-pmpd"
    /// Samples that vivo's cameras store after a JPEG.
    case vivo
    /// Samples that Nubia's cameras store after a JPEG.
    case nubia
    /// A block of Leia's trailer.
    case leia = "leia-lif"
    /// A directory of a DNG file with a depth map.
    case dngDepth = "dng-depth"
    /// A directory of a DNG file with a mask.
    case dngSemanticMask = "dng-semantic-mask"
    /// An extra channel of JPEG XL.
    case jxlExtraChannel = "jxl-extra-channel"
    /// A picture that is a depth image.
    case depthImage = "depth-image"
    /// A part of a picture whose other part is the photo.
    case sideBySide = "side-by-side"
}
