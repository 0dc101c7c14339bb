"""A photo over a background by a matte, with libvips, as JPEG.

    composite_pyvips.py PHOTO.jpg BACKGROUND.jpg MATTE.png OUT.jpg
"""

import sys

import pyvips

if __name__ == "__main__":
    photo, background, matte = (
        pyvips.Image.new_from_file(path, access="sequential") for path in sys.argv[1:4]
    )
    across, down = photo.width / matte.width, photo.height / matte.height
    enlarged = matte.resize(across, vscale=down, kernel="linear")
    enlarged.ifthenelse(photo, background, blend=True).jpegsave(sys.argv[4], Q=92)
