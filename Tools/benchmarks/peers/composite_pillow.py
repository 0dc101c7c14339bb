"""A photo over a background by a matte, with Pillow, as JPEG.

    composite_pillow.py PHOTO.jpg BACKGROUND.jpg MATTE.png OUT.jpg
"""

import sys

from PIL import Image

if __name__ == "__main__":
    photo, background, matte = (Image.open(path) for path in sys.argv[1:4])
    enlarged = matte.convert("L").resize(photo.size, Image.Resampling.BILINEAR)
    picture = Image.composite(photo, background, enlarged)
    picture.save(sys.argv[4], quality=92, icc_profile=photo.info.get("icc_profile"))
