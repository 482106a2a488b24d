// Below an answer: what each column adds to it, exactly, and the smallest change that makes it another one.
import { smallestChange } from "./counterfactual";
import { h, name, number, plain, signed } from "./dom";
import { phrased } from "./rules";
import { shapleyOf } from "./shapley";
import type { Shown } from "./shown";
import type { Answer, Value } from "./tree";
import type { Words } from "./words";

const LEAST = 1e-12; // of the largest value: less is rounding

export function shapleyTable(shown: Shown, row: Value[], code: number, words: Words): HTMLElement | null {
  const game = shapleyOf(shown, row, code);
  if (!game) return null;
  const most = game.values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const shares = game.values.map((value, column) => ({ value, column })).filter(({ value }) => Math.abs(value) > LEAST * most);
  shares.sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || a.column - b.column);
  const line = (head: Node | string, text: string): HTMLElement => h("tr", {}, h("th", { scope: "row" }, head), h("td", { class: "num" }, text));
  return h(
    "div",
    {},
    h("h4", {}, words.shapley),
    h("p", { class: "note" }, words.shapleyHint),
    h(
      "table",
      { class: "shapley" },
      h("tbody", {}, line(words.expected, number(game.start, 3)), ...shares.map(({ value, column }) => line(name(shown.summary.columns[column].name), signed(value, most)))),
    ),
  );
}

/** The answer that is wanted, and the smallest change of a row that leads to it. */
export class Wanted {
  private readonly field: HTMLElement;
  private readonly target: HTMLSelectElement | null = null;
  private readonly ends: HTMLInputElement[] = [];

  constructor(
    private readonly shown: Shown,
    private readonly words: Words,
    onChange: () => void,
  ) {
    const { labels } = shown.summary.target;
    const still = (event: Event): void => {
      event.stopPropagation(); // the row is the same
      onChange();
    };
    if (labels) {
      this.target = h("select", { id: "wanted", input: still }, h("option", { value: "" }, words.anotherAnswer), ...labels.map((label, code) => h("option", { value: code }, plain(label))));
      this.field = h("div", { class: "field" }, h("label", { for: "wanted" }, words.wanted), this.target);
    } else {
      const end = (id: string): HTMLInputElement => h("input", { id, type: "number", step: "any", input: still });
      this.ends = [end("wanted-low"), end("wanted-high")];
      this.field = h("div", { class: "field ends" }, h("label", { for: "wanted-low" }, words.wantedFrom), this.ends[0], h("label", { for: "wanted-high" }, words.wantedTo), this.ends[1]);
    }
  }

  told(row: Value[], texts: string[], found: Answer): HTMLElement {
    const { words } = this;
    return h("div", { class: "wanted" }, h("h4", {}, words.whatIf), this.field, ...this.changes(row, texts, found));
  }

  private changes(row: Value[], texts: string[], found: Answer): HTMLElement[] {
    const { shown, words } = this;
    const { columns } = shown.summary;
    const isWanted = this.aim(found);
    if (!isWanted) return [];
    if (this.isThere(found)) return [h("p", { class: "note" }, words.isThere)];
    const change = smallestChange(shown, row, isWanted);
    if (change === "gaps") return [h("p", { class: "note" }, words.needsValues)];
    if (!change) return [h("p", { class: "note" }, words.unreachable)];
    const lines = change.changes.map(({ column, condition }) => {
      const { before, after } = phrased({ ...condition, missing: false }, columns[column], words);
      return h("li", {}, name(columns[column].name), `: ${texts[column] || words.none} → `, h("bdi", {}, before ? `${before} … ${after}` : after));
    });
    const answer = shown.tree.answerText(change.leaf);
    return [h("ul", { class: "changes-wanted" }, ...lines), h("p", {}, `${words.then} `, typeof answer === "number" ? number(answer, 6) : name(answer), ` (${words.node} ${shown.number(change.leaf)})`)];
  }

  /** Which leaves give the answer wanted; null while nothing is asked for. */
  private aim(found: Answer): ((leaf: number) => boolean) | null {
    const { tree } = this.shown;
    if (this.target) {
      const code = this.target.value;
      return (leaf) => (code ? this.shown.answerOf(leaf) === Number(code) : this.shown.answerOf(leaf) !== found.code);
    }
    const [low, high] = this.ends.map(({ value }) => (value === "" ? null : Number(value)));
    if (low === null && high === null) return null;
    return (leaf) => isBetween(tree.data.outcome[leaf] as number, low, high);
  }

  private isThere(found: Answer): boolean {
    if (this.target) return this.target.value !== "" && Number(this.target.value) === found.code;
    const [low, high] = this.ends.map(({ value }) => (value === "" ? null : Number(value)));
    return isBetween(found.prediction[0], low, high);
  }
}

function isBetween(value: number, low: number | null, high: number | null): boolean {
  return (low === null || value >= low) && (high === null || value <= high);
}
