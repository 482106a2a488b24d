// What leads down a branch, in words.
import { plain } from "./dom";
import type { Question, Tree } from "./tree";
import type { ColumnData } from "./types";
import type { Words } from "./words";

const SHOWN = 12; // categories of a set

export interface Condition {
  column: number;
  text: string; // without the name of the column
  isForMissing: boolean; // a branch that only rows without a value take
  alsoMissing: boolean;
}

export function setText(codes: number[], column: ColumnData, words: Words): string {
  const labels = codes.slice(0, SHOWN).map((code) => plain(column.categories![code]));
  if (codes.length === 1) return column.bins && !labels[0].startsWith("(") ? labels[0] : `${column.bins ? "∈" : "="} ${labels[0]}`;
  const more = codes.length > SHOWN ? `, … ${words.more(String(codes.length - SHOWN))}` : "";
  return `∈ {${labels.join(", ")}${more}}`;
}

export function branchText(question: Question, branch: number, column: ColumnData, words: Words): string {
  if (question.kind === "sets") return setText(question.sets[branch], column, words);
  return `${branch ? ">" : "≤"} ${question.text}`;
}

/** The condition that leads to a node; null at the root. */
export function conditionOf(tree: Tree, node: number, words: Words): Condition | null {
  const above = tree.data.parent[node];
  if (above < 0) return null;
  const question = tree.question(above);
  const branch = tree.branch[node];
  const column = tree.columnOf(above);
  const takesMissing = tree.data.missing[above] === branch;
  const isSet = question.kind === "sets";
  const isForMissing = isSet
    ? takesMissing && !question.sets[branch].length
    : branch > 1 || (question.kind === "known" && branch === 1);
  const isForKnown = isSet
    ? !takesMissing && question.sets.every((codes, at) => at === branch || !codes.length)
    : question.kind === "known";
  if (isForMissing) return { column: question.column, text: words.missing, isForMissing, alsoMissing: true };
  if (isForKnown) return { column: question.column, text: words.known, isForMissing, alsoMissing: false };
  const alsoMissing = column.has_missing && takesMissing && !tree.surrogatesOf(above).length;
  const text = branchText(question, branch, column, words);
  return {
    column: question.column,
    text: alsoMissing ? `${text} ${words.orMissing}` : text,
    isForMissing,
    alsoMissing,
  };
}

/** The conditions on the way to a node, those on one column merged: the rule of the node. */
export function ruleOf(tree: Tree, node: number, words: Words): { column: number; text: string }[] {
  const way: number[] = [];
  for (let at = node; tree.data.parent[at] >= 0; at = tree.data.parent[at]) way.unshift(at);
  const merged = new Map<number, { low?: string; high?: string; codes?: number[]; other?: string; missing: boolean }>();
  for (const at of way) {
    const above = tree.data.parent[at];
    const question = tree.question(above);
    const condition = conditionOf(tree, at, words)!;
    const so = merged.get(question.column) ?? { missing: true };
    so.missing &&= condition.alsoMissing;
    if (condition.isForMissing || condition.text === words.known) so.other = condition.text;
    else if (question.kind === "sets") {
      const codes = question.sets[tree.branch[at]];
      so.codes = so.codes ? so.codes.filter((code) => codes.includes(code)) : codes;
    } else if (tree.branch[at]) so.low = question.text;
    else so.high = question.text;
    merged.set(question.column, so);
  }
  return [...merged].map(([column, so]) => {
    const parts: string[] = [];
    if (so.codes) parts.push(setText(so.codes, tree.summary.columns[column], words));
    if (so.low !== undefined && so.high !== undefined) parts.push(`∈ (${so.low}, ${so.high}]`);
    else if (so.low !== undefined) parts.push(`> ${so.low}`);
    else if (so.high !== undefined) parts.push(`≤ ${so.high}`);
    if (!parts.length && so.other) parts.push(so.other);
    else if (so.missing) parts.push(words.orMissing);
    return { column, text: parts.join(" ") };
  });
}
