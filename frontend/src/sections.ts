// The parts of the page around the tree: summary, rules, importances, how well it does, the rows.
import { bars, heat } from "./charts";
import { phrase } from "./conditions";
import { meter } from "./details";
import { h, name, number, percent } from "./dom";
import { heldAt } from "./held";
import { Lines } from "./lines";
import { ruleOf } from "./rules";
import { RuleTools } from "./rule_tools";
import type { Shown } from "./shown";
import type { Histogram, Summary } from "./types";
import type { Words } from "./words";

const MOST_LINES = 40;

export function section(id: string, title: string, hint: string | null, ...children: (Node | null)[]): HTMLElement {
  return h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), hint ? h("p", { class: "note" }, hint) : null, ...children);
}

/** A cell that says what it is about, where the screen has no room for columns. */
function cell(label: string, style: string, ...children: (Node | string)[]): HTMLElement {
  return h("td", { role: "cell", class: style || null, "data-label": label }, ...children);
}

interface Rule {
  node: number;
  length: number;
  answer: string | number;
  rows: number;
  support: number;
  confidence: number; // -1 where no row came
  given: number; // weight of the rows given, where the tree has not seen them
  held: number; // of these: share with the answer of the rule, or their mean; -Infinity where none came
}

type Key = "node" | "length" | "answer" | "rows" | "support" | "confidence" | "given" | "held";

/** The rules of the tree as it is shown, to be sorted. */
export class Rules {
  readonly element = h("div", {});
  private readonly list = h("div", {});
  private readonly tools: RuleTools;
  private key: Key = "node";
  private falling = false;

  constructor(
    private readonly shown: Shown,
    private readonly words: Words,
    private readonly onPick: (node: number) => void,
  ) {
    this.tools = new RuleTools(shown, words, () => this.rules(), () => this.draw());
    this.element.append(this.tools.element, this.list);
    this.draw();
  }

  draw(): void {
    const { words, shown } = this;
    const rules = this.rules();
    const heads: [Key, string][] = [
      ["node", words.node],
      ["length", words.ifs],
      ["answer", words.then],
      ["rows", words.rowsHead],
      ["support", words.support],
      ...(shown.tree.labels ? ([["confidence", words.confidence]] as [Key, string][]) : []),
      ...(shown.tree.data.given ? ([["given", words.given], ["held", shown.tree.labels ? words.givenRight : words.givenMean]] as [Key, string][]) : []),
    ];
    const table = h(
      "table",
      { class: "rules cards", role: "table", "aria-rowcount": rules.length + 1 },
      h("thead", { role: "rowgroup" }, h("tr", { role: "row", "aria-rowindex": 1 }, ...heads.map(([key, text]) => this.head(key, text)))),
    );
    const frame = h("div", { class: "lines" }, table);
    const region = h("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": words.rules }, frame);
    const lines = new Lines(region, frame, rules.length, (at) => this.line(rules[at]));
    table.append(lines.body);
    this.list.replaceChildren(region);
    lines.show();
  }

  private head(key: Key, text: string): HTMLElement {
    const isBy = key === this.key;
    const sort = (): void => {
      this.falling = isBy ? !this.falling : key !== "node" && key !== "answer" && key !== "length";
      this.key = key;
      this.draw();
      this.element.querySelector<HTMLElement>(`[data-key=${key}]`)?.focus();
    };
    const arrow = isBy ? (this.falling ? " ▼" : " ▲") : "";
    const isNumber = key !== "node" && key !== "length" && key !== "answer";
    return h(
      "th",
      { scope: "col", role: "columnheader", class: isNumber ? "num" : null, "aria-sort": isBy ? (this.falling ? "descending" : "ascending") : "none" },
      h("button", { type: "button", "data-key": key, click: sort }, text + arrow),
    );
  }

  private line(rule: Rule): HTMLElement {
    const { shown, words } = this;
    const conditions = ruleOf(shown.tree, rule.node, words);
    const parts = conditions.flatMap((clause, at) => {
      const [begin, end] = conditions.length > 1 && clause.orMissing ? ["(", ")"] : ["", ""];
      return [`${at ? ` ${words.and} ` : ""}${begin}`, phrase(clause, shown.summary.columns[clause.column], words), end];
    });
    const answer = typeof rule.answer === "number" ? h("span", {}, number(rule.answer, 6)) : name(rule.answer);
    return h(
      "tr",
      { role: "row" },
      cell(words.node, "", h("button", { type: "button", class: "link", click: () => this.onPick(rule.node) }, String(shown.number(rule.node)))),
      cell(words.ifs, "wide", ...(parts.length ? parts : [words.anything])),
      cell(words.then, "", answer),
      cell(words.rowsHead, "num", number(rule.rows)),
      cell(words.support, "num", percent(rule.support)),
      shown.tree.labels && cell(words.confidence, "num", rule.confidence < 0 ? "" : rule.confidence.toFixed(3)),
      shown.tree.data.given && cell(words.given, "num", number(rule.given)),
      shown.tree.data.given && cell(shown.tree.labels ? words.givenRight : words.givenMean, "num", rule.held === -Infinity ? "" : shown.tree.labels ? rule.held.toFixed(3) : number(rule.held)),
    );
  }

  private rules(): Rule[] {
    const { shown, words } = this;
    const { tree } = shown;
    const rules = shown.nodes.filter(shown.isLeaf).map((node): Rule => {
      return {
        node,
        get length(): number {
          return ruleOf(tree, node, words).length;
        },
        answer: tree.answerText(node),
        rows: tree.data.rows[node],
        support: tree.data.weight[node] / (tree.data.weight[0] || 1),
        confidence: tree.labels && tree.data.weight[node] > 0 ? tree.shares(node)[tree.data.answer[node]] : -1,
        ...heldAt(tree, node),
      };
    }).filter((rule) => this.tools.passes(rule));
    const sign = this.falling ? -1 : 1;
    const by = this.key;
    return rules.sort((a, b) => sign * (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : 0) || a.node - b.node);
  }
}

export function importancesOf(shown: Shown, words: Words): HTMLElement {
  const order = shown.importances;
  if (!order.length) return h("p", {}, words.noImportances);
  const most = order[0].importance;
  return h(
    "table",
    { class: "importances" },
    h(
      "tbody",
      {},
      ...order.slice(0, MOST_LINES).map(({ importance, column }) =>
        h("tr", {}, h("th", { scope: "row" }, name(shown.summary.columns[column].name)), h("td", {}, meter(importance / most, "c0")), h("td", { class: "num" }, importance.toFixed(3))),
      ),
    ),
  );
}

export function qualityOf(shown: Shown, words: Words): HTMLElement {
  const { summary, quality } = shown;
  if (quality.residuals && quality.map) {
    return h("div", { class: "pictures" }, h("div", { class: "picture" }, bars(quality.residuals, words.residuals)), h("div", { class: "picture" }, heat(quality.map, words)));
  }
  const labels = summary.target.labels!;
  const names = summary.quality.labels!.map((code) => labels[code]);
  const matrix = quality.matrix!;
  const title = (at: number): HTMLElement => (at < names.length ? name(names[at]) : h("span", {}, words.others));
  const shade = (count: number, sum: number): number => (sum && count ? 1 + Math.floor((4.999 * count) / sum) : 0);
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": words.confusion },
    h(
      "table",
      { class: "matrix" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, `${words.truth} ↓`), ...matrix.map((_, at) => h("th", { scope: "col" }, title(at))))),
      h(
        "tbody",
        {},
        ...matrix.map((line, truth) => {
          const sum = line.reduce((a, b) => a + b, 0);
          return h(
            "tr",
            {},
            h("th", { scope: "row" }, title(truth)),
            ...line.map((count, answer) => h("td", { class: `num shade${shade(count, sum)} ${truth === answer ? "right" : ""}` }, number(count))),
          );
        }),
      ),
    ),
  );
}

export function dataOf(summary: Summary, words: Words): HTMLElement {
  const { target, rows } = summary;
  const ofTarget = target.labels
    ? h(
        "table",
        { class: "classes" },
        h(
          "tbody",
          {},
          ...target.labels
            .map((label, code) => ({ label, code, weight: (rows.target as number[])[code] }))
            .sort((a, b) => b.weight - a.weight || a.code - b.code)
            .slice(0, MOST_LINES)
            .map(({ label, code, weight }) =>
              h(
                "tr",
                {},
                h("th", { scope: "row" }, name(label)),
                h("td", {}, meter(weight / rows.weight, target.has_rest && target.groups![code] === target.n_groups - 1 ? "rest" : `c${target.groups![code] % 8}`), ` ${percent(weight / rows.weight)}`),
                h("td", { class: "num" }, number(weight)),
              ),
            ),
        ),
      )
    : h("div", { class: "picture" }, bars(rows.target as Histogram, words.target));
  const lines = summary.columns.slice(0, 500).map((column) => {
    const { profile } = column;
    const values: (HTMLElement | string)[] = profile.top
      ? profile.top.slice(0, 6).flatMap(([code, count]) => [h("span", { class: "condition" }, name(column.categories![code]), ` ${number(count)}`)])
      : [(profile.quantiles ?? []).join(" · ")];
    if (profile.n_distinct && profile.n_distinct > 6) values.push(h("span", { class: "note" }, words.more(number(profile.n_distinct - 6))));
    return h(
      "tr",
      { role: "row" },
      h("th", { scope: "row", role: "rowheader" }, name(column.name)),
      cell(words.kind, "", words.kinds[column.kind]),
      cell(words.missingHead, "num", number(profile.n_missing)),
      cell(words.values, "wide", ...values),
      h("td", { role: "cell", class: "small" }, profile.counts ? bars({ low: profile.low!, high: profile.high!, counts: profile.counts }, words.values, "", "") : ""),
    );
  });
  const heads = [words.column, words.kind, words.missingHead, `${words.values} (${words.quantiles})`];
  return section(
    "data",
    words.data,
    null,
    h("h3", {}, words.target, target.name ? ": " : "", target.name ? name(target.name) : ""),
    ofTarget,
    h("h3", {}, words.columns),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": words.columns },
      h(
        "table",
        { class: "profile cards", role: "table" },
        h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, ...heads.map((text, at) => h("th", { scope: "col", role: "columnheader", class: at === 2 ? "num" : null }, text)), h("td", { role: "cell" }))),
        h("tbody", { role: "rowgroup" }, ...lines),
      ),
    ),
  );
}
