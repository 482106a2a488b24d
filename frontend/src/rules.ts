// What the way to a node asks of each column, conditions on one column merged: the rule of the node, in the words
// of `rules()`. The same as treewright.model.conditions, which has the reasons.
import { branchPhrase, labelsPhrase, type Phrase } from "./conditions";
import type { Question, Tree } from "./tree";
import type { ColumnData } from "./types";
import type { Words } from "./words";

type Codes = ReadonlySet<number>;

/** What the values of one column must be. */
export interface Condition {
  low: Question | null; // values above its cut
  high: Question | null; // values up to its cut
  codes: Codes | null; // categories; null where the column holds numbers
  named: Codes; // categories that questions name; every other one counts as missing
  known: boolean; // whether a number can meet it
  missing: boolean; // whether a row without a value does
  detours: readonly (Codes | null)[]; // questions where rows without a value are asked otherwise, or go on in part: what they name
}

export interface Clause extends Phrase {
  column: number;
}

const ways = new WeakMap<Tree, Map<number, ReadonlyMap<number, Condition>>>();
const clauses = new WeakMap<Condition, Clause | null>();

/** The rule of a node: a clause for each column that the way there asks about. */
export function ruleOf(tree: Tree, node: number, words: Words): Clause[] {
  const rule: Clause[] = [];
  for (const [column, condition] of wayTo(tree, node)) {
    // Nodes below share what the way says of other columns, and so its words.
    let clause = clauses.get(condition);
    if (clause === undefined) {
      clause = isMetByAll(condition) ? null : { column, ...phrased(condition, tree.summary.columns[column], words) };
      clauses.set(condition, clause);
    }
    if (clause) rule.push(clause);
  }
  return rule;
}

/** What the way to a node asks of each column. */
export function wayTo(tree: Tree, node: number): ReadonlyMap<number, Condition> {
  let known = ways.get(tree);
  if (!known) ways.set(tree, (known = new Map([[0, new Map()]])));
  const unknown: number[] = [];
  for (let at = node; !known.has(at); at = tree.data.parent[at]) unknown.push(at);
  for (const at of unknown.reverse()) {
    const above = tree.data.parent[at];
    const way = new Map(known.get(above)!);
    const { column } = tree.question(above);
    const before = way.get(column);
    const step = stepTo(tree, at);
    way.set(column, before ? merged(before, step) : step);
    known.set(at, way);
  }
  return known.get(node)!;
}

function stepTo(tree: Tree, node: number): Condition {
  const { missing, weight } = tree.data;
  const above = tree.data.parent[node];
  const question = tree.question(above);
  const branch = tree.branch[node];
  let otherwise = Number(missing[above] === branch); // how much of a row goes on that nothing decides for
  if (missing[above] === -1) otherwise = weight[node] / tree.children[above].reduce((sum, child) => sum + weight[child], 0);
  const isDetour = tree.surrogatesOf(above).length > 0 || (otherwise > 0 && otherwise < 1);
  const isSet = question.kind === "sets";
  const named = new Set(question.sets.flat());
  return {
    low: question.kind === "cut" && branch === 1 ? question : null,
    high: question.kind === "cut" && branch === 0 ? question : null,
    codes: isSet ? new Set(question.sets[branch]) : null,
    named,
    known: isSet || branch === 0 || (question.kind === "cut" && branch === 1),
    missing: isDetour || otherwise === 1,
    detours: isDetour ? [isSet ? named : null] : [],
  };
}

export function takes(condition: Condition, code: number): boolean {
  return condition.named.has(code) ? condition.codes!.has(code) : condition.missing;
}

function merged(a: Condition, b: Condition): Condition {
  const missing = a.missing && b.missing;
  if (a.codes) {
    const detours = [...a.detours, ...b.detours];
    const named = new Set([...a.named, ...b.named]);
    const codes = new Set([...named].filter((code) => takes(a, code) && takes(b, code)));
    return { ...a, codes, named, missing, detours };
  }
  const low = a.low && b.low ? (a.low.cut > b.low.cut ? a.low : b.low) : (a.low ?? b.low);
  const high = a.high && b.high ? (a.high.cut < b.high.cut ? a.high : b.high) : (a.high ?? b.high);
  const known = a.known && b.known && (!low || !high || low.cut < high.cut);
  const detours = a.detours.length ? a.detours : b.detours; // of numbers all are alike
  return { low, high, codes: null, named: a.named, known, missing, detours };
}

function isMetByAll({ codes, named, known, low, high, missing }: Condition): boolean {
  return missing && (codes ? codes.size === named.size : known && !low && !high);
}

/** What the values of a column must be, in words. */
export function phrased(condition: Condition, column: ColumnData, words: Words): Phrase {
  const { codes, missing } = condition;
  const phrase = withoutMissing(condition, column, words);
  const isOnDetour = condition.detours.some((named) => missing || (named && [...codes!].some((code) => !named.has(code))));
  const says = missing && column.has_missing && !isOnDetour && phrase.after !== words.missing;
  if (!says) return phrase;
  const [after, tail] = [phrase.after, phrase.fold?.tail].map((text) => `${text} ${words.orMissing}`);
  return { ...phrase, after, fold: phrase.fold && { ...phrase.fold, tail }, orMissing: true };
}

function withoutMissing({ codes, named, known, low, high, missing }: Condition, column: ColumnData, words: Words): Phrase {
  if (codes ? !codes.size : !known) return { before: "", after: words.missing };
  if (!codes) return span(low && { value: low.cut, text: low.text }, high && { value: high.cut, text: high.text }, words);
  if (codes.size === named.size && !missing) return { before: "", after: words.known };
  const rising = [...codes].sort((a, b) => a - b);
  const last = rising[rising.length - 1];
  if (!column.bins || last - rising[0] >= rising.length) return labelsPhrase(rising, column, words);
  const { edges, texts } = column.bins;
  const end = (at: number): End | null => (at in edges ? { value: edges[at], text: texts[at] } : null);
  return span(end(rising[0] - 1), end(last), words);
}

interface End {
  value: number | bigint | string;
  text: string;
}

function span(low: End | null, high: End | null, words: Words): Phrase {
  if (!low && !high) return { before: "", after: words.known };
  const isNear = low?.text === high?.text; // too near each other for few digits
  const text = (end: End): string => (isNear ? exactly(end.value) : end.text);
  if (low && high) return { before: `${text(low)} <`, after: `≤ ${text(high)}` };
  return { before: "", after: low ? branchPhrase(1, text(low)) : branchPhrase(0, text(high!)) };
}

/** A number with all of its digits, as Python writes it. */
function exactly(value: number | bigint | string): string {
  if (typeof value !== "number") return String(value);
  const [digits, power] = value.toExponential().split("e").map(String);
  const size = Number(power);
  if (size < -4 || size >= 16) return `${digits}e${size < 0 ? "-" : "+"}${String(Math.abs(size)).padStart(2, "0")}`;
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
