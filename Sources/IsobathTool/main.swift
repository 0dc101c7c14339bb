import IsobathCommands

runIsobath()
