// A tree of many nodes from afar: a mark for a node, and where several share a few pixels, only the heaviest.
import { classOfGroup } from "./charts";
import { BOX, type Spot } from "./boxes";
import { s } from "./dom";
import type { Shown } from "./shown";

const CELL = 2; // pixels, of which each shows one node
const TONES = 4; // of numbers

/** Where the drawing lies in a frame: see `View`. */
export interface Frame {
  x: number;
  y: number;
  kx: number;
  k: number;
  width: number;
  height: number;
}

/** How a node is set off: found, or passed by a row. */
export type Style = (node: number) => string | null;

/** Paths of the branches and of the marks, a path for each colour. */
export function marksOf(shown: Shown, spots: readonly Spot[], frame: Frame, style: Style): SVGPathElement[] {
  const { x: left, y: top, kx, k } = frame;
  const [wide, high] = [Math.max(kx * BOX.width, CELL), Math.max(k * BOX.height, CELL)];
  const lines: string[] = [];
  const marks = new Map<string, string[]>();
  for (const spot of heaviest(shown, spots, frame, style)) {
    const [x, y] = [left + kx * spot.x, top + k * spot.y];
    const tone = style(spot.node) ?? toneOf(shown, spot.node);
    if (!marks.has(tone)) marks.set(tone, []);
    marks.get(tone)!.push(`M${x.toFixed(1)},${y.toFixed(1)}h${wide.toFixed(1)}v${high.toFixed(1)}h${(-wide).toFixed(1)}z`);
    if (spot.above) lines.push(line(spot, spot.above, frame));
  }
  for (const spot of spots) {
    if (spot.above && !isIn(spot, frame) && isCrossed(spot, spot.above, frame)) lines.push(line(spot, spot.above, frame)); // to a node out of view
  }
  return [
    s("path", { class: "twigs", d: lines.join("") }),
    ...[...marks].map(([tone, d]) => s("path", { class: `mark ${tone}`, d: d.join("") })),
  ];
}

/** Whether some of a node is within a frame. */
export function isIn({ x, y }: Spot, frame: Frame): boolean {
  const [left, top] = [frame.x + frame.kx * x, frame.y + frame.k * y];
  return left < frame.width && left + frame.kx * BOX.width > 0 && top < frame.height && top + frame.k * BOX.height > 0;
}

/** Whether the branch from a node to one below it may be seen in a frame. */
export function isCrossed(to: Spot, from: Spot, { x, y, kx, k, width, height }: Frame): boolean {
  const [left, right] = [x + kx * (from.x + BOX.width), x + kx * to.x];
  const [top, bottom] = [y + k * Math.min(from.y, to.y), y + k * (Math.max(from.y, to.y) + BOX.height)];
  return left < width && right > 0 && top < height && bottom > 0;
}

/** For each cell of a frame the node to show; one that is set off goes before heavier ones. */
function heaviest(shown: Shown, spots: readonly Spot[], frame: Frame, style: Style): Spot[] {
  const { weight } = shown.tree.data;
  const across = Math.ceil(frame.width / CELL) + 1;
  const cells = new Map<number, Spot>();
  const rank = ({ node }: Spot): number => weight[node] + (style(node) ? weight[0] + 1 : 0);
  for (const spot of spots) {
    if (!isIn(spot, frame)) continue;
    const column = Math.max(0, Math.floor((frame.x + frame.kx * spot.x) / CELL) + 1);
    const row = Math.max(0, Math.floor((frame.y + frame.k * spot.y) / CELL) + 1);
    const cell = row * (across + 1) + column;
    const other = cells.get(cell);
    if (!other || rank(spot) > rank(other)) cells.set(cell, spot);
  }
  return [...cells.values()];
}

function line(to: Spot, from: Spot, { x, y, kx, k }: Frame): string {
  const middle = BOX.height / 2;
  const at = (px: number, py: number): string => `${(x + kx * px).toFixed(1)},${(y + k * (py + middle)).toFixed(1)}`;
  return `M${at(from.x + BOX.width, from.y)}L${at(to.x, to.y)}`;
}

function toneOf(shown: Shown, node: number): string {
  const { tree, summary } = shown;
  const inner = shown.isLeaf(node) ? "" : " inner";
  if (!tree.data.weight[node]) return `rest${inner}`;
  if (tree.labels) return classOfGroup(summary.target.groups![tree.data.answer[node]], summary) + inner;
  const { low, high } = tree.range;
  const share = high > low ? ((tree.data.outcome[node] as number) - low) / (high - low) : 0;
  return `c0 tone${Math.round(share * TONES)}`;
}
