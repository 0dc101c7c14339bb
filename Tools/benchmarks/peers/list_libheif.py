"""Opens HEIC files with libheif, one after another, and prints what each holds; nothing is decoded.

    list_libheif.py IN.heic…
"""

import sys

from pillow_heif import open_heif

if __name__ == "__main__":
    for path in sys.argv[1:]:
        photo = open_heif(path)
        print(path, photo.size, photo.mode, photo.info.get("depth_images"), photo.info.get("aux"))
