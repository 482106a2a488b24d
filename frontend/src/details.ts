// All about one node: how its rows are spread, what was considered there.
import { bars, classOfGroup, split } from "./charts";
import { branchText, phrase, questionText } from "./conditions";
import { figure, h, name, number, percent, plain, s } from "./dom";
import { heldAt } from "./held";
import { ruleOf } from "./rules";
import type { Shown } from "./shown";
import { pairs } from "./tree";
import type { LedgerOfNode, Spread } from "./types";
import type { Words } from "./words";

const MOST_CLASSES = 12;

export function detailsOf(shown: Shown, node: number, words: Words): HTMLElement[] {
  const { tree } = shown;
  const { data } = tree;
  const rule = ruleOf(tree, node, words);
  const [rows, weight] = [number(data.rows[node]), number(data.weight[node])];
  const parts: (HTMLElement | null)[] = [
    h("h3", {}, `${words.node} ${shown.number(node)}`),
    h(
      "p",
      { class: "path" },
      ...(rule.length
        ? rule.map((clause) => phrase(clause, tree.summary.columns[clause.column], words))
        : [words.allRows]),
    ),
    facts([
      [words.rowsHead, rows],
      weight === rows ? null : [words.weight, weight],
      [words.impurity, number(data.impurity[node])],
      shown.isLeaf(node) ? null : [words.decrease, number(data.gain[node])],
      tree.labels ? null : [words.value, number(data.outcome[node] as number, 6)],
      ...heldFacts(shown, node, words),
    ]),
    tree.labels ? classTable(shown, node, words) : null,
    ...distribution(shown, node, words),
    surrogates(shown, node, words),
    ...ledger(shown, node, words),
  ];
  return parts.filter((part): part is HTMLElement => part !== null);
}

/** Rows that the tree has not seen, apart from those that it was grown on. */
function heldFacts({ tree }: Shown, node: number, words: Words): [string, string][] {
  if (!tree.data.given) return [];
  const here = tree.data.given[node];
  const { given, held } = heldAt(tree, node);
  const found: [string, string][] = [[words.given, number(given)]];
  if (!here) return found;
  if (tree.labels) return [...found, [words.givenRight, percent(held)]];
  return [...found, [words.givenMean, number(held)], [words.givenError, number(here[2])]];
}

export function facts(pairs: ([string, string] | null)[]): HTMLElement {
  return h("dl", { class: "facts" }, ...pairs.flatMap((pair) => (pair ? [h("div", {}, h("dt", {}, pair[0]), h("dd", {}, pair[1]))] : [])));
}

export function meter(share: number, style: string): SVGSVGElement {
  return s(
    "svg",
    { class: "meter", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("rect", { class: "track", width: 100, height: 8 }),
    s("rect", { class: style, width: 100 * Math.min(Math.max(share, 0), 1), height: 8 }),
  );
}

function classTable(shown: Shown, node: number, words: Words): HTMLElement {
  const { tree } = shown;
  const shares = tree.shares(node);
  const weights = tree.weights(node);
  const order = shares.map((_, code) => code).sort((a, b) => shares[b] - shares[a] || a - b);
  const given = tree.data.given;
  const held = new Map(pairs(given?.[node] ?? []));
  const some = order.filter((code) => shares[code] > 0 || held.has(code)).slice(0, MOST_CLASSES);
  return h(
    "table",
    { class: given ? "classes and-given" : "classes" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, words.classOf), h("th", { scope: "col" }, words.share), h("th", { scope: "col", class: "num" }, words.count), given && h("th", { scope: "col", class: "num" }, words.given))),
    h(
      "tbody",
      {},
      ...some.map((code) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, name(tree.labels![code])),
          h("td", {}, meter(shares[code], classOfGroup(tree.summary.target.groups![code], tree.summary)), ` ${percent(shares[code])}`),
          h("td", { class: "num" }, number(weights[code])),
          given && h("td", { class: "num" }, number(held.get(code) ?? 0)),
        ),
      ),
    ),
  );
}

function distribution(shown: Shown, node: number, words: Words): (HTMLElement | null)[] {
  const { tree } = shown;
  const spread = tree.data.spread[node];
  if (!spread) return [h("p", { class: "note" }, words.noRows)];
  const parts: HTMLElement[] = [];
  if (!shown.isLeaf(node)) {
    const column = tree.columnOf(node);
    const title = words.distribution(plain(column.name));
    parts.push(h("h4", {}, title));
    parts.push(spread.codes ? byCategory(shown, node, spread, words) : h("div", { class: "picture" }, byValue(shown, node, spread, title)));
    if (spread.means && !spread.codes) parts.push(h("p", { class: "note" }, words.meanTarget));
    const missing = spread.missing!.reduce((a, b) => a + b, 0);
    if (missing > 0) parts.push(h("p", { class: "note" }, `${words.missingHead}: ${number(missing)}`));
  }
  if (spread.targets) parts.push(h("h4", {}, words.targets), h("div", { class: "picture" }, bars(spread.targets, words.targets)));
  return parts;
}

function byValue(shown: Shown, node: number, spread: Spread, title: string): SVGSVGElement {
  const question = shown.tree.question(node);
  const cut = question.kind === "cut" && spread.low !== undefined ? Number(question.cut) : null;
  return split(spread, cut, question.text, shown.summary, title);
}

function byCategory(shown: Shown, node: number, spread: Spread, words: Words): HTMLElement {
  const { tree } = shown;
  const question = tree.question(node);
  const categories = tree.columnOf(node).categories!;
  const sums = spread.counts!.map((groups) => groups.reduce((a, b) => a + b, 0));
  const most = Math.max(...sums, 1e-300);
  return h(
    "table",
    { class: "categories" },
    h(
      "tbody",
      {},
      ...spread.codes!.map((code, at) => {
        let x = 0;
        const bar = s(
          "svg",
          { class: "meter", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
          s("rect", { class: "track", width: 100, height: 8 }),
          ...spread.counts![at].map((weight, group) => {
            const rect = s("rect", { class: classOfGroup(group, shown.summary), x, width: (100 * weight) / most, height: 8 });
            x += (100 * weight) / most;
            return rect;
          }),
        );
        return h(
          "tr",
          {},
          h("th", { scope: "row" }, name(categories[code])),
          h("td", {}, bar),
          h("td", { class: "num" }, number(sums[at])),
          h("td", { class: "note" }, words.branchNo(question.branch(code) + 1)),
        );
      }),
      spread.n_more ? h("tr", {}, h("td", { class: "note", colspan: 4 }, words.more(number(spread.n_more)))) : null,
    ),
  );
}

function surrogates(shown: Shown, node: number, words: Words): HTMLElement | null {
  const { tree } = shown;
  const others = shown.isLeaf(node) ? [] : tree.surrogatesOf(node);
  if (!others.length) return null;
  return h(
    "div",
    {},
    h("h4", {}, words.surrogates),
    h(
      "ol",
      {},
      ...others.map(({ question, low, agree }) => {
        const column = tree.summary.columns[question.column];
        const branch = question.kind === "sets" ? 0 : low;
        return h("li", {}, name(column.name), ` ${branchText(question, branch, column, words)} → ${words.branchNo(1)} (${percent(agree)})`);
      }),
    ),
  );
}

function ledger(shown: Shown, node: number, words: Words): HTMLElement[] {
  const all = shown.tree.data.ledger;
  const head = h("h4", {}, words.ledger);
  if (!all) return [head, h("p", { class: "note" }, words.noLedger)];
  const here: LedgerOfNode | undefined = all[node];
  if (!here) return [head, h("p", { class: "note" }, words.noLedgerHere)];
  const hasRatio = here.rows.some((row) => row.ratio !== null);
  const cell = (value: number | null): HTMLElement => h("td", { class: "num" }, value === null ? "" : figure(value));
  const isCut = shown.isLeaf(node) && here.stop === "asks";
  const parts = [
    head,
    h("p", { class: "note" }, isCut ? `${words.prunedHere} ` : "", plain(here.why[words.lang])),
    here.rows.length > 0 && h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": words.ledger }, h(
      "table",
      { class: "ledger" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...["#", words.column, words.question].map((text) => h("th", { scope: "col" }, text)),
          h("th", { scope: "col", class: "num" }, words.gain),
          hasRatio && h("th", { scope: "col", class: "num" }, words.ratio),
        ),
      ),
      ...here.rows.map((row) =>
        h(
          "tbody",
          { class: row.verdict === "won" ? "won" : null },
          h(
            "tr",
            {},
            h("td", { class: "num" }, row.rank === null ? "" : String(row.rank)),
            h("th", { scope: "row" }, name(row.column)),
            h("td", {}, row.each ? words.eachOf(row.each) : row.question ? h("bdi", {}, questionText(row.question, row.or_missing, words)) : ""),
            cell(row.gain),
            hasRatio && cell(row.ratio),
          ),
          h(
            "tr",
            {},
            h("td"),
            h(
              "td",
              { class: "note", colspan: hasRatio ? 4 : 3 },
              plain(row.reason[words.lang]),
              row.formula && h("details", {}, h("summary", {}, words.formula), h("pre", {}, row.formula[words.lang])),
            ),
          ),
        ),
      ),
    )),
    here.n_more > 0 && h("p", { class: "note" }, words.more(number(here.n_more))),
  ];
  return parts.filter((part) => part !== false);
}
