// The drawn parts of a tree: a box for a node, a line for a branch.
import { shareBar } from "./charts";
import { conditionOf } from "./conditions";
import { fitted, number, percent, plain, s } from "./dom";
import type { Shown } from "./shown";
import type { Words } from "./words";

export const BOX = { width: 196, height: 64 };
const THICKEST = 16;
const FONT = "12px system-ui, sans-serif";
const BOLD = "600 13px system-ui, sans-serif";

/** A node that is drawn, and where. */
export interface Spot {
  node: number;
  x: number;
  y: number;
  depth: number;
  siblings: number; // itself among them
  above: Spot | null;
}

/** How a node is to be seen: `reach`, how much of the row that was asked about comes there; undefined for nothing. */
export interface State {
  isOpen: boolean;
  reach: number | undefined;
}

/** The line from a node to the one below it, as thick as the share of the weight that takes it. */
export function branchOf(shown: Shown, words: Words, to: Spot, from: Spot, isLit: boolean): SVGElement {
  const { weight } = shown.tree.data;
  const { node } = to;
  const [x1, y1, x2, y2] = [from.x + BOX.width, from.y + BOX.height / 2, to.x, to.y + BOX.height / 2];
  const middle = (x1 + x2) / 2;
  const condition = conditionOf(shown.tree, node, words)!;
  const style = [
    "branch",
    condition.isForMissing || condition.alsoMissing ? "missing" : "",
    weight[node] > 0 ? "" : "empty",
    isLit ? "lit" : "",
  ];
  return s("path", {
    class: style.filter(Boolean).join(" "),
    d: `M${x1},${y1}C${middle},${y1} ${middle},${y2} ${x2},${y2}`,
    "stroke-width": Math.max(1, (THICKEST * weight[node]) / (weight[0] || 1)).toFixed(2),
    "data-number": shown.number(node),
    "aria-hidden": "true",
  });
}

/** A node as people hear it, and in a group that a box or a mark fills. */
function itemOf(shown: Shown, words: Words, spot: Spot, state: State, style: string): SVGGElement {
  const { tree } = shown;
  const { node } = spot;
  const isLeaf = shown.isLeaf(node);
  const kind = [style, isLeaf ? "leaf" : "inner", tree.data.weight[node] > 0 ? "" : "empty", state.reach === undefined ? "" : "lit"];
  return s("g", {
    class: kind.filter(Boolean).join(" "),
    role: "treeitem",
    "aria-label": `${words.node} ${shown.number(node)}: ${leadOf(shown, node, words)}. ${isLeaf ? "" : `${words.question}: `}${titleOf(shown, node)}. ${rowsOf(shown, node, words)}`,
    "aria-level": spot.depth + 1,
    "aria-posinset": tree.branch[node] + 1 || 1,
    "aria-setsize": spot.siblings,
    "aria-expanded": isLeaf ? null : String(state.isOpen),
    "data-node": node,
    "data-number": shown.number(node),
  });
}

function leadOf(shown: Shown, node: number, words: Words): string {
  return conditionOf(shown.tree, node, words)?.text ?? words.allRows;
}

function titleOf(shown: Shown, node: number): string {
  if (!shown.isLeaf(node)) return `${plain(shown.tree.columnOf(node).name)} ?`;
  const answer = shown.tree.answerText(node);
  return typeof answer === "number" ? number(answer) : plain(answer);
}

function rowsOf(shown: Shown, node: number, words: Words): string {
  return words.rows(number(shown.tree.data.rows[node]));
}

/** How far the rows of a node agree: the share of the heaviest class; at a leaf the spread of its numbers. */
function agreementOf(shown: Shown, node: number, words: Words): string {
  const { tree, summary } = shown;
  const measure = summary.target.spread;
  if (measure === null) return percent(Math.max(...tree.shares(node)));
  if (!shown.isLeaf(node)) return number(tree.data.outcome[node] as number);
  const impurity = tree.data.impurity[node];
  const spread = { sd: Math.sqrt(impurity), MAE: impurity, deviance: 2 * impurity, impurity }[measure];
  return `${words.spreads[measure]} ${number(spread, 3)}`;
}

/** A node among marks: to be heard and reached with keys, and seen where it is selected. */
export function farBoxOf(shown: Shown, words: Words, spot: Spot, state: State): SVGGElement {
  const item = itemOf(shown, words, spot, state, "box far");
  item.append(s("rect"));
  return item;
}

export function placeFar(box: SVGGElement, at: { x: number; y: number; width: number; height: number }): void {
  box.setAttribute("transform", `translate(${at.x} ${at.y})`);
  box.firstElementChild!.setAttribute("width", String(Math.max(at.width, 3)));
  box.firstElementChild!.setAttribute("height", String(Math.max(at.height, 3)));
}

/** The box of a node. */
export function boxOf(shown: Shown, words: Words, spot: Spot, state: State): SVGGElement {
  const { tree } = shown;
  const { node } = spot;
  const { isOpen, reach } = state;
  const isLeaf = shown.isLeaf(node);
  const facts = [shown.number(node), rowsOf(shown, node, words)];
  if (tree.data.rows[node] > 0) facts.push(agreementOf(shown, node, words));
  if (reach !== undefined && reach < 1) facts.push(percent(reach));
  const box = itemOf(shown, words, spot, state, "box");
  box.setAttribute("transform", `translate(${spot.x} ${spot.y})`);
  box.append(
    s("rect", { width: BOX.width, height: BOX.height, rx: isLeaf ? 14 : 4 }),
    s("title", {}, leadOf(shown, node, words)),
    s("text", { class: "lead", x: 10, y: 16 }, fitted(leadOf(shown, node, words), BOX.width - 20, FONT)),
    s("text", { class: "title", x: 10, y: 33 }, fitted(titleOf(shown, node), BOX.width - 20, BOLD)),
    s("text", { class: "facts", x: 10, y: 49 }, fitted(facts.join(" · "), BOX.width - 20, FONT)),
    tree.labels ? shareBar(tree.shares(node), shown.summary, 8, BOX.height - 9, BOX.width - 16, 5) : level(shown, node),
  );
  if (!isLeaf && !isOpen) {
    const hidden = words.hidden(number(countBelow(shown, node)));
    box.append(
      s("rect", { class: "more", x: BOX.width - 1, y: BOX.height / 2 - 10, width: 12 + 7 * hidden.length, height: 20, rx: 10 }),
      s("text", { class: "facts", x: BOX.width + 5, y: BOX.height / 2 + 4 }, hidden),
    );
  }
  return box;
}

/** Where a number lies between the least and the greatest that the tree says. */
function level(shown: Shown, node: number): SVGElement {
  const { low, high } = shown.tree.range;
  const width = BOX.width - 16;
  const share = high > low ? ((shown.tree.data.outcome[node] as number) - low) / (high - low) : 0;
  return s(
    "g",
    { "aria-hidden": "true" },
    s("rect", { class: "track", x: 8, y: BOX.height - 9, width, height: 5, rx: 2 }),
    s("rect", { class: "c0", x: 8, y: BOX.height - 9, width: Math.max(2, width * share), height: 5, rx: 2 }),
  );
}

function countBelow(shown: Shown, node: number): number {
  let count = 0;
  const waiting = [...shown.children(node)];
  while (waiting.length) {
    count += 1;
    waiting.push(...shown.children(waiting.pop()!));
  }
  return count;
}
