"""Writes the photo of a HEIC file as a PNG, with zlib's fastest level.

    heic_to_png.py IN.heic OUT.png
"""

import sys

from pillow_heif import open_heif

if __name__ == "__main__":
    open_heif(sys.argv[1]).to_pillow().save(sys.argv[2], compress_level=1)
