// "Ask the tree": a field for every column, and the answer worked out here as the model would.
import { conditionOf, phrase } from "./conditions";
import { meter } from "./details";
import { h, name, number, percent, plain, signed } from "./dom";
import { ruleOf } from "./rules";
import type { Shown } from "./shown";
import type { Answer } from "./tree";
import type { ColumnData } from "./types";
import { read, type Read } from "./values";
import { shapleyTable, Wanted } from "./whatif";
import type { Words } from "./words";

const MOST_CHOICES = 60;
const MOST_FIELDS = 300;
const UNSEEN = "\u0000unseen"; // no category: it could not be typed

export interface Asked {
  answer: string | number | null; // null: refused
  prediction: number[];
  contributions: number[][];
  nodes: Map<number, number>;
}

/** Answer for rows given as values by column: numbers, texts, or null. */
export function askAll(shown: Shown, rows: (string | number | null)[][]): Asked[] {
  return rows.map((row) => {
    const values = shown.summary.columns.map((column, at) => read(column, row[at]));
    if (!shown.summary.takes_missing && values.some(({ value }) => value === null)) {
      return { answer: null, prediction: [], contributions: [], nodes: new Map() };
    }
    const found = shown.answer(values.map(({ value }) => value));
    const answer = shown.tree.labels ? shown.tree.labels[found.code] : found.prediction[0];
    const nodes = new Map(found.visits.map(({ node, share }) => [shown.number(node), share]));
    return { answer, prediction: found.prediction, contributions: found.contributions, nodes };
  });
}

export class AskForm {
  readonly element: HTMLElement;
  private readonly example: HTMLSelectElement;
  private readonly wanted: Wanted;
  private readonly fields: { column: number; field: HTMLInputElement | HTMLSelectElement }[] = [];
  private readonly result = h("div", { class: "result", "aria-live": "polite" });
  private touched = false;

  constructor(
    private readonly shown: Shown,
    private readonly words: Words,
    private readonly onAnswer: (shares: Map<number, number>) => void,
  ) {
    const { columns, importances } = shown.summary;
    const asked = new Set<number>();
    for (const tree of shown.trees) {
      tree.data.column.forEach((column) => column >= 0 && asked.add(column));
      Object.values(tree.data.surrogates).forEach((list) => list.forEach(({ column }) => asked.add(column)));
    }
    const order = columns.map((_, at) => at).sort((a, b) => importances[b] - importances[a] || a - b);
    const used = order.filter((column) => asked.has(column));
    const others = order.filter((column) => !asked.has(column)).slice(0, MOST_FIELDS);
    this.wanted = new Wanted(shown, words, () => this.answer());
    this.example = h(
      "select",
      { id: "example", change: () => this.load(), input: (event: Event) => event.stopPropagation() },
      h("option", { value: "" }, words.noExample),
      ...shown.summary.rows.examples.map(({ row, target }, at) => h("option", { value: at }, `${words.exampleRow(number(row + 1))}: ${this.truth(target)}`)),
    );
    const edited = (): void => {
      this.example.value = "";
      this.answer();
    };
    this.element = h(
      "form",
      { class: "ask", submit: (event: Event) => event.preventDefault(), input: edited },
      h("p", { class: "note" }, words.askHint),
      shown.summary.rows.examples.length ? h("div", { class: "field" }, h("label", { for: "example" }, words.example), this.example) : null,
      h("div", { class: "fields" }, ...used.map((column) => this.field(column))),
      others.length
        ? h("details", {}, h("summary", {}, words.notAsked(others.length)), h("div", { class: "fields" }, ...others.map((column) => this.field(column))))
        : null,
      h("p", {}, h("button", { type: "button", class: "clear", click: () => this.clear() }, words.clear)),
      this.result,
    );
  }

  /** Answer again, where something was asked: the tree may be another one. */
  again(): void {
    if (this.touched) this.answer();
  }

  /** Fill in the row that was picked. */
  private load(): void {
    if (!this.example.value) return this.clear();
    const { values } = this.shown.summary.rows.examples[Number(this.example.value)];
    for (const { column, field } of this.fields) {
      const value = values[column];
      const text = value === null ? "" : String(value);
      if (field instanceof HTMLSelectElement) {
        const code = this.shown.summary.columns[column].categories!.indexOf(text);
        field.value = value === null ? "" : code < 0 ? UNSEEN : `=${code}`;
      } else field.value = text;
    }
    this.answer();
  }

  private truth(target: number): string {
    const { labels } = this.shown.summary.target;
    return labels ? plain(labels[target]) : number(target, 6);
  }

  private clear(): void {
    this.example.value = "";
    for (const { field } of this.fields) field.value = "";
    this.touched = false;
    this.result.replaceChildren();
    this.onAnswer(new Map());
  }

  private field(at: number): HTMLElement {
    const column = this.shown.summary.columns[at];
    const id = `ask-${at}`;
    const choices = column.categories && !column.bins ? column.categories : null;
    let field: HTMLInputElement | HTMLSelectElement;
    let list: HTMLElement | null = null;
    if (choices && choices.length <= MOST_CHOICES) {
      field = h(
        "select",
        { id },
        h("option", { value: "" }, this.words.none),
        ...choices.map((choice, code) => h("option", { value: `=${code}` }, plain(choice))),
        h("option", { value: UNSEEN }, this.words.unseen),
      );
    } else if (choices) {
      list = h("datalist", { id: `${id}-list` }, ...choices.slice(0, 1000).map((choice) => h("option", { value: choice })));
      field = h("input", { id, type: "text", list: `${id}-list`, autocomplete: "off" });
    } else {
      const kind = column.bins?.kind ?? column.kind;
      const isNumber = kind === "number" || kind === "integer";
      const hint = { datetime: "2024-02-29 13:30:00", duration: "1 day 02:30:00" }[kind as string] ?? column.profile.quantiles?.[2];
      field = h("input", { id, type: "text", inputmode: isNumber ? "decimal" : null, placeholder: hint ?? null, autocomplete: "off" });
    }
    this.fields.push({ column: at, field });
    return h("div", { class: "field" }, h("label", { for: id }, name(column.name)), field, list);
  }

  private readField(column: ColumnData, field: HTMLInputElement | HTMLSelectElement): Read {
    const { value } = field;
    if (field instanceof HTMLSelectElement) {
      if (value === UNSEEN) return { value: null, unseen: true, wrong: false };
      return { value: value ? Number(value.slice(1)) : null, unseen: false, wrong: false };
    }
    return read(column, value === "" ? null : value);
  }

  private answer(): void {
    const { shown, words } = this;
    const { columns } = shown.summary;
    this.touched = true;
    const values = columns.map((): Read => ({ value: null, unseen: false, wrong: false }));
    const texts = columns.map(() => "");
    for (const { column, field } of this.fields) {
      values[column] = this.readField(columns[column], field);
      texts[column] = field instanceof HTMLSelectElement ? (field.selectedOptions[0]?.textContent ?? "") : plain(field.value || words.none);
      field.setAttribute("aria-invalid", String(values[column].wrong));
    }
    const wrong = values.findIndex((value) => value.wrong);
    const absent = shown.summary.takes_missing ? -1 : values.findIndex(({ value }) => value === null);
    if (wrong >= 0 || absent >= 0) {
      const about = wrong >= 0 ? words.wrong(plain(columns[wrong].name)) : words.refuses(plain(columns[absent].name));
      this.result.replaceChildren(h("p", { class: "problem" }, about));
      this.onAnswer(new Map());
      return;
    }
    const row = values.map(({ value }) => value);
    const found = shown.answer(row);
    const picked = this.example.value && shown.summary.rows.examples[Number(this.example.value)];
    const truth = picked ? h("p", { class: "truth" }, `${words.truly}: `, h("bdi", {}, this.truth(picked.target))) : null;
    const parts = [...this.told(found, texts), shapleyTable(shown, row, Math.max(found.code, 0), words), this.wanted.told(row, texts, found)];
    this.result.replaceChildren(...parts.filter((part) => part !== null));
    if (truth) this.result.firstElementChild!.after(truth);
    this.onAnswer(new Map(found.visits.map(({ node, share }) => [node, share])));
  }

  private told(found: Answer, texts: string[]): HTMLElement[] {
    const { shown, words } = this;
    const { tree } = shown;
    const { columns } = shown.summary;
    const at = Math.max(found.code, 0);
    const head = tree.labels ? name(tree.labels[at]) : h("span", {}, number(found.prediction[0], 6));
    const order = found.prediction.map((_, code) => code).sort((a, b) => found.prediction[b] - found.prediction[a] || a - b);
    const changes = found.contributions.map((change, column) => ({ column, change: change[at] })).filter(({ change }) => change !== 0);
    changes.sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || a.column - b.column);
    const size = Math.max(...[tree.probabilities(0)[at], found.prediction[at], ...changes.map(({ change }) => change)].map(Math.abs));
    const steps = found.visits.filter((visit) => visit.why !== "leaf");
    return [
      h("p", { class: "answer" }, `${words.answer}: `, h("strong", {}, head)),
      tree.labels
        ? h(
            "table",
            { class: "classes" },
            h("thead", {}, h("tr", {}, h("th", { scope: "col" }, words.classOf), h("th", { scope: "col" }, words.probability))),
            h(
              "tbody",
              {},
              ...order.slice(0, 6).map((code) =>
                h("tr", {}, h("th", { scope: "row" }, name(tree.labels![code])), h("td", {}, meter(found.prediction[code], `c${shown.summary.target.groups![code] % 8}`), ` ${percent(found.prediction[code])}`)),
              ),
            ),
          )
        : h("span"),
      h("h4", {}, words.why),
      h(
        "ol",
        { class: "steps" },
        ...steps.slice(0, 60).map((visit) => {
          const column = tree.data.column[visit.node];
          const own = plain(columns[column].name);
          const said = visit.why === "known" ? `${own}: ${texts[column]}` : this.reason(visit.why, own, plain(columns[visit.decidedBy].name), visit.agree);
          const next = visit.branch < 0 ? "" : ` → ${conditionOf(tree, tree.children[visit.node][visit.branch], words)!.text}`;
          const share = visit.share < 1 ? ` (${words.shareHere(percent(visit.share))})` : "";
          return h("li", {}, h("bdi", {}, said), h("bdi", {}, next), share);
        }),
      ),
      h("p", { class: "note" }, ...found.leaves.slice(0, 6).map(({ node, share }) => h("span", { class: "condition" }, `${words.node} ${shown.number(node)}${share < 1 ? ` (${percent(share)})` : ""}: ${words.rows(number(tree.data.rows[node]))}`))),
      h("p", { class: "note" }, ...(found.leaves.length === 1 ? ruleOf(tree, found.leaves[0].node, words) : []).map((clause) => phrase(clause, columns[clause.column], words))),
      h("h4", {}, words.byColumn),
      h(
        "table",
        { class: "changes" },
        h(
          "tbody",
          {},
          h("tr", {}, h("th", { scope: "row" }, words.start), h("td", { class: "num" }, number(tree.probabilities(0)[at], 3))),
          ...changes.map(({ column, change }) => h("tr", {}, h("th", { scope: "row" }, name(columns[column].name)), h("td", { class: "num" }, signed(change, size)))),
          h("tr", {}, h("th", { scope: "row" }, words.answer), h("td", { class: "num" }, number(found.prediction[at], 3))),
        ),
      ),
    ];
  }

  private reason(why: string, own: string, other: string, agree: number): string {
    if (why === "surrogate") return this.words.whySurrogate(own, other, percent(agree));
    if (why === "stop") return this.words.whyStop(own);
    return why === "spread" ? this.words.whySpread(own) : this.words.whyMissing(own);
  }
}
