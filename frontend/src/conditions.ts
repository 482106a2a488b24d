// What leads down a branch, in words.
import { h, name, plain, textWidth } from "./dom";
import type { Question, Tree } from "./tree";
import type { ColumnData } from "./types";
import type { Words } from "./words";

const ROOM = 40; // places for a list of categories, as in the library's own texts

/** What is written before and after the name of a column: "0.38 <" and "≤ 0.64", or "" and "= sunny". */
export interface Phrase {
  before: string;
  after: string;
  fold?: Fold;
  orMissing?: boolean; // whether `after` ends with "or missing", which needs parentheses beside other conditions
}

/** Where a list of categories is cut on the screen: what is left of `after`, and how many more there are. */
export interface Fold {
  head: string;
  more: number;
  tail: string;
}

export interface Condition {
  column: number;
  text: string; // without the name of the column
  isForMissing: boolean; // a branch that only rows without a value take
  alsoMissing: boolean;
}

function labelText(code: number, column: ColumnData): string {
  return plain(column.spelt[code] ?? column.categories![code]);
}

/** One of some categories, all of them named; where a screen has no room for a long list, it is folded. */
export function labelsPhrase(codes: number[], column: ColumnData, words: Words): Phrase {
  const labels = codes.map((code) => labelText(code, column));
  if (labels.length === 1) return { before: "", after: `= ${labels[0]}` };
  const after = `${words.inSet} {${labels.join(", ")}}`;
  let room = ROOM;
  const shown = labels.findIndex((label, at) => (room -= textWidth(label) + 2) < 0 && at > 0);
  if (shown < 0) return { before: "", after };
  return { before: "", after, fold: { head: `${words.inSet} {${labels.slice(0, shown).join(", ")}, `, more: labels.length - shown, tail: "}" } };
}

function labelsText(codes: number[], column: ColumnData, words: Words): string {
  return labelsPhrase(codes, column, words).after;
}

export function branchPhrase(branch: number, cut: string): string {
  return `${branch ? ">" : "≤"} ${cut}`;
}

export function branchText(question: Question, branch: number, column: ColumnData, words: Words): string {
  if (question.kind !== "sets") return branchPhrase(branch, question.text);
  const codes = question.sets[branch];
  if (!column.bins || codes.length !== 1) return labelsText(codes, column, words);
  const interval = plain(column.categories![codes[0]]);
  return interval.startsWith("(") ? `${words.inSet} ${interval}` : interval.replace(/^<=/, "≤");
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

/** The question of a candidate, which the summary has in the library's English. */
export function questionText(text: string, orMissing: boolean, words: Words): string {
  const said = { "is known": words.known, "is missing": words.missing }[text];
  const told =
    said ??
    plain(text)
      .replace(/^<=/, "≤")
      .replace(/^in (?=[{(])/, `${words.inSet} `)
      .replace(/, \.\.\. ([\d,]+) more\}$/, (_, more: string) => `, ... ${words.more(more)}}`);
  return orMissing ? `${told} ${words.orMissing}` : told;
}

/** A phrase around the name of its column. A folded list says how many more there are; a click shows them. */
export function phrase({ before, after, fold }: Phrase, column: ColumnData, words: Words): HTMLElement {
  const text = h("span", {}, ` ${after}`);
  if (fold) {
    const unfold = (): void => text.replaceChildren(` ${after}`);
    const more = h("button", { type: "button", class: "fold", title: after, click: unfold }, `… ${words.more(fold.more.toLocaleString("en-US"))}`);
    text.replaceChildren(` ${fold.head}`, more, fold.tail);
  }
  return h("span", { class: "condition" }, before && `${before} `, name(column.name), text);
}
