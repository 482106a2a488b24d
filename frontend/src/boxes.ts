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

export interface Place {
  x: number;
  y: number;
}

/** The line from a node to the one below it, as thick as the share of the weight that takes it. */
export function branchOf(shown: Shown, words: Words, node: number, from: Place, to: Place, isLit: boolean): SVGElement {
  const { weight } = shown.tree.data;
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

/** The box of a node. `reach`: how much of the row that was asked about comes here; undefined for nothing. */
export function boxOf(
  shown: Shown,
  words: Words,
  node: number,
  at: { place: Place; depth: number; siblings: number; isOpen: boolean; reach: number | undefined },
): SVGGElement {
  const { tree } = shown;
  const { place, isOpen, reach } = at;
  const isLeaf = shown.isLeaf(node);
  const condition = conditionOf(tree, node, words);
  const answer = tree.answerText(node);
  const title = isLeaf ? (typeof answer === "number" ? number(answer) : plain(answer)) : `${plain(tree.columnOf(node).name)} ?`;
  const lead = condition ? condition.text : words.allRows;
  const rows = words.rows(number(tree.data.rows[node]));
  const share = tree.labels ? percent(Math.max(...tree.shares(node))) : number(tree.data.outcome[node] as number);
  const facts = [shown.number(node), rows, share];
  if (reach !== undefined && reach < 1) facts.push(percent(reach));
  const style = ["box", isLeaf ? "leaf" : "inner", tree.data.weight[node] > 0 ? "" : "empty", reach === undefined ? "" : "lit"];
  const box = s(
    "g",
    {
      class: style.filter(Boolean).join(" "),
      transform: `translate(${place.x} ${place.y})`,
      role: "treeitem",
      "aria-label": `${words.node} ${shown.number(node)}: ${lead}. ${isLeaf ? "" : `${words.question}: `}${title}. ${rows}`,
      "aria-level": at.depth + 1,
      "aria-posinset": tree.branch[node] + 1 || 1,
      "aria-setsize": at.siblings,
      "aria-expanded": isLeaf ? null : String(isOpen),
      "data-node": node,
      "data-number": shown.number(node),
    },
    s("rect", { width: BOX.width, height: BOX.height, rx: isLeaf ? 14 : 4 }),
    s("title", {}, lead),
    s("text", { class: "lead", x: 10, y: 16 }, fitted(lead, BOX.width - 20, FONT)),
    s("text", { class: "title", x: 10, y: 33 }, fitted(title, BOX.width - 20, BOLD)),
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
