"""How a page looks, kept as a picture a quarter as wide and high, and compared with how it looks now.

A quarter is enough to see what is where and in which colour, and so little that another release of the browser, which
smooths edges in its own way, makes no difference that counts. The font is one that comes with the client's packages:
each machine has others, and lines would break elsewhere. The browser itself does the sums.
"""

from __future__ import annotations

import base64
import os
from functools import partial
from pathlib import Path
from typing import TypedDict

from playwright.sync_api import Page, Route

FONTS = Path(__file__).parents[2] / "web" / "node_modules" / "@fontsource" / "roboto" / "files"
FILE = "roboto-latin-{}-normal.woff2"
WEIGHTS = {400: "100 549", 700: "550 900"}
"""Files by the weights that they are used for."""
SET = """(weights) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':root { --font: Baseline !important; --mono: Baseline !important }');
  document.adoptedStyleSheets.push(sheet);
  return Promise.all(Object.entries(weights).map(([file, weight]) => {
    const face = new FontFace('Baseline', `url(/baseline-${file}.woff2)`, { weight });
    document.fonts.add(face);
    return face.load();
  })).then(() => null);
}"""
KEPT = Path(__file__).parent / "baselines"
KEEP = os.environ.get("UPCARD_KEEP_LOOKS") == "1"
"""Take what is seen as how it should look: `UPCARD_KEEP_LOOKS=1 pytest tests/browser/test_looks.py`."""
SCALE = 4
BLOCK = 3
"""Pixels of the small picture that are taken together, so that a letter's width does not count."""
STEP = 26
"""Of 255: a block whose mean colour is off by more than this looks different."""
COMPARE = """async ([now, kept, scale, block, step]) => {
  const open = async (data) => createImageBitmap(await (await fetch(`data:image/*;base64,${data}`)).blob());
  const draw = (picture, width, height) => {
    const canvas = new OffscreenCanvas(width, height);
    const pen = canvas.getContext('2d');
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(picture, 0, 0, width, height);
    return canvas;
  };
  const text = async (canvas) => {
    const file = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
    const bytes = new Uint8Array(await file.arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  };
  const whole = await open(now);
  const [width, height] = [whole.width, whole.height].map((side) => Math.round(side / scale));
  const small = draw(draw(whole, 2 * width, 2 * height), width, height);
  const answer = { small: await text(small), share: 1 };
  if (kept === null) return answer;
  const other = await open(kept);
  if (other.width !== width || other.height !== height) return answer;
  const [across, down] = [width, height].map((side) => Math.floor(side / block));
  const colours = (picture) => draw(picture, across, down).getContext('2d').getImageData(0, 0, across, down).data;
  const [ours, theirs] = [colours(small), colours(other)];
  let off = 0;
  for (let at = 0; at < ours.length; at += 4)
    if ([0, 1, 2].some((part) => Math.abs(ours[at + part] - theirs[at + part]) > step)) off += 1;
  return { ...answer, share: off / (across * down) };
}"""


def set_font(page: Page) -> None:
    """Have the page that is open write everything in the one font."""
    for weight in WEIGHTS:
        file = FONTS / FILE.format(weight)
        page.route(f"**/baseline-{weight}.woff2", partial(Route.fulfill, path=file))
    page.evaluate(SET, WEIGHTS)


class Compared(TypedDict):
    """A picture made small, and which share of it looks different from the one that is kept."""

    small: str
    share: float


def difference(page: Page, name: str, seen: Path) -> float:
    """Which share of the page looks other than it did when its picture was kept; what is seen now goes to `seen`."""
    picture = base64.b64encode(page.screenshot(animations="disabled", caret="hide")).decode()
    file = KEPT / f"{name}.jpg"
    kept = base64.b64encode(file.read_bytes()).decode() if file.exists() and not KEEP else None
    # On a page of its own: the product's own would not let a test fetch anything.
    desk = page.context.new_page()
    compared: Compared = desk.evaluate(COMPARE, [picture, kept, SCALE, BLOCK, STEP])
    desk.close()
    small = base64.b64decode(compared["small"])
    seen.write_bytes(small)
    if not KEEP:
        return compared["share"]
    KEPT.mkdir(exist_ok=True)
    file.write_bytes(small)
    return 0.0
