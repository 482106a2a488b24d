// Which node is nearest: to a frame that shows none, to a place that was pointed at.
import { BOX, type Spot } from "./boxes";
import type { Frame } from "./marks";
import type { Point } from "./view";

const KEPT = 24; // pixels of some node that stay in view
const REACH = 6; // pixels from a node that still point at it

/** How far to move so that a node is in view, if none is. */
export function astray(spots: readonly Spot[], { x, y, kx, k, width, height }: Frame): Point {
  const [wide, high] = [kx * BOX.width, k * BOX.height];
  let nearest = { x: 0, y: 0 };
  let least = Infinity;
  for (const spot of spots) {
    const away = {
      x: outside(x + kx * spot.x, wide, Math.min(KEPT, wide), width),
      y: outside(y + k * spot.y, high, Math.min(KEPT, high), height),
    };
    const far = Math.hypot(away.x, away.y);
    if (far < least) [nearest, least] = [away, far];
    if (!far) break;
  }
  return nearest;
}

/** The node at a place of a frame, or near it. */
export function nodeAt(at: Point, spots: readonly Spot[], { x, y, kx, k }: Frame): number | undefined {
  let least = REACH;
  let nearest: number | undefined;
  for (const spot of spots) {
    const far = Math.hypot(gap(at.x, x + kx * spot.x, kx * BOX.width), gap(at.y, y + k * spot.y, k * BOX.height));
    if (far < least) [nearest, least] = [spot.node, far];
  }
  return nearest;
}

/** How far to move a span so that so much of it lies in a frame. */
function outside(start: number, size: number, kept: number, frame: number): number {
  return Math.max(kept - start - size, 0) - Math.max(start + kept - frame, 0);
}

/** From a place to a span. */
function gap(place: number, start: number, size: number): number {
  return Math.max(start - place, place - start - size, 0);
}
