import Commands

runIsobath()
