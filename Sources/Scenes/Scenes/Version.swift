/// The version of the library and the tool.
public let isobathVersion = "0.2.0"
