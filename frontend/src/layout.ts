// Where nodes lie: a tidy tree from left to right.
import { hierarchy, tree as tidy } from "d3-hierarchy";
import { BOX, type Spot } from "./boxes";
import type { Area } from "./minimap";
import type { Shown } from "./shown";

const DOWN = 76; // from one box to the next
const BADGE = 48; // beside a node that is closed

/** The nodes below open ones, from top to bottom as a list would have them. */
export function spotsOf(shown: Shown, open: ReadonlySet<number>, across: number): Spot[] {
  const below = (node: number): number[] => (open.has(node) ? shown.children(node) : []);
  const root = tidy<number>().nodeSize([DOWN, across]).separation(() => 1)(hierarchy(0, below));
  const spots: Spot[] = [];
  const byNode = new Map<number, Spot>();
  root.eachBefore(({ data: node, x, y, depth, parent }) => {
    const spot = { node, x: y, y: x, depth, siblings: parent?.children!.length ?? 1, above: parent ? byNode.get(parent.data)! : null };
    byNode.set(node, spot);
    spots.push(spot);
  });
  return spots;
}

/** What nodes take up, with the badges of those that are closed. */
export function areaOf(spots: readonly Spot[], isClosed: (node: number) => boolean): Area {
  const area = { left: 0, top: 0, right: BOX.width, bottom: BOX.height };
  for (const { node, x, y } of spots) {
    area.top = Math.min(area.top, y);
    area.right = Math.max(area.right, x + BOX.width + (isClosed(node) ? BADGE : 0));
    area.bottom = Math.max(area.bottom, y + BOX.height);
  }
  return area;
}
