"""A HEIC photo written again by pillow-heif, which decodes and encodes the picture: the only way it has to change a
file.

reencode_heic.py IN.heic OUT.heic
"""

import sys

from pillow_heif import open_heif

open_heif(sys.argv[1]).save(sys.argv[2], quality=90)
