// The smallest change of a row that changes the answer: of all leaves that give the answer wanted, the one whose rule
// fails on the fewest columns, and of these the nearest. The same costs as treewright.explain.search.
import { takes, wayTo, type Condition } from "./rules";
import type { Shown } from "./shown";
import type { Value } from "./tree";
import type { ColumnData } from "./types";

export interface Found {
  leaf: number;
  changes: { column: number; condition: Condition }[];
  distance: number;
}

/**
 * Find the smallest change that leads to a leaf that is wanted; null where none does. "gaps": the row has no usable value
 * in a column, and the tree follows such rows by other columns or in parts, so that rules do not tell where it goes.
 */
export function smallestChange(shown: Shown, values: Value[], isWanted: (leaf: number) => boolean): Found | null | "gaps" {
  const { tree } = shown;
  const { columns } = tree.summary;
  const inner = shown.nodes.filter((node) => !shown.isLeaf(node));
  const leaves = shown.nodes.filter(shown.isLeaf);
  const isDetour = (node: number): boolean => tree.surrogatesOf(node).length > 0 || tree.data.missing[node] < 0;
  if (inner.some((node) => isDetour(node) && tree.question(node).branch(values[tree.data.column[node]]) < 0)) return "gaps";
  const detours = new Set(inner.filter(isDetour).map((node) => tree.data.column[node]));
  const cuts = cutsOf(shown, inner);
  let best: Found | null = null;
  for (const leaf of leaves) {
    if (!isWanted(leaf)) continue;
    const failed = [...wayTo(tree, leaf)]
      .filter(([column, condition]) => !isMet(condition, values[column]))
      .map(([column, condition]) => ({ column, condition, distance: distance(condition, values[column], columns[column], cuts[column], detours.has(column)) }));
    const sum = failed.reduce((all, each) => all + each.distance, 0);
    if (!Number.isFinite(sum)) continue;
    const isLess = !best || failed.length < best.changes.length || (failed.length === best.changes.length && sum < best.distance - 1e-12);
    if (isLess) best = { leaf, changes: failed.sort((a, b) => a.column - b.column), distance: sum };
  }
  return best;
}

/** The cuts of each column in rising order, those of surrogates included. */
function cutsOf(shown: Shown, inner: number[]): (number | bigint)[][] {
  const cuts = shown.summary.columns.map(() => new Set<number | bigint>());
  for (const node of inner) {
    for (const question of [shown.tree.question(node), ...shown.tree.surrogatesOf(node).map((each) => each.question)]) {
      if (question.kind === "cut") cuts[question.column].add(question.cut);
    }
  }
  return cuts.map((some) => [...some].sort((a, b) => (a < b ? -1 : 1)));
}

function isMet(condition: Condition, value: Value): boolean {
  if (value === null) return condition.missing;
  if (condition.codes) return takes(condition, Number(value));
  const { known, low, high } = condition;
  return known && (!low || value > low.cut) && (!high || value <= high.cut);
}

/** How far a value moves to meet a condition: from 0 to 1, or infinitely far where none does. */
function distance(condition: Condition, value: Value, column: ColumnData, cuts: (number | bigint)[], isDetour: boolean): number {
  if (condition.codes) {
    const meets = (code: number): boolean => (isDetour ? condition.codes!.has(code) : takes(condition, code));
    const codes = column.categories!.map((_, code) => code).filter(meets);
    if (!codes.length) return Infinity;
    if (!column.bins || value === null) return 1;
    return Math.min(...codes.map((code) => Math.abs(code - Number(value)))) / (column.categories!.length - 1);
  }
  const { known, low, high } = condition;
  if (!known || (low && high && low.cut >= high.cut)) return Infinity;
  if (value === null) return 1;
  const below = (bound: number | bigint): number => cuts.filter((cut) => cut < bound).length;
  const cell = low && value <= low.cut ? below(low.cut) + 1 : below(high!.cut);
  return Math.abs(cell - below(value)) / cuts.length;
}
