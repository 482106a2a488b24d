// What is to be expected of the tree: figures of rows that it has not seen lead, beside those of a tree of one leaf.
import { facts } from "./details";
import { fixed, h, name, number, withError } from "./dom";
import type { Shown } from "./shown";
import type { Score } from "./types";
import type { Words } from "./words";

interface Line {
  of: "judged" | "rows" | "baseline";
  text: (Node | string)[];
  figures: Partial<Record<Score, { value?: number | null; standard_error?: number | null }>>;
}

/** Where figures of the tree as shown come from, the ones to rely on first. */
export function headline(shown: Shown, words: Words): Line[] {
  const { summary, quality } = shown;
  const { rows, baseline, judged, target } = summary;
  const plainly = (figures: Partial<Record<Score, number | null>>): Line["figures"] =>
    Object.fromEntries(scoresOf(shown).map((score) => [score, { value: figures[score] }]));
  const lines: Line[] = [];
  const table = summary.path.table;
  const at = table ? table.leaves.indexOf(shown.nLeaves) : -1;
  if (judged && shown.isFitted) {
    lines.push({ of: "judged", text: [judged.folds ? words.folds(number(judged.folds)) : words.heldOutRows(number(judged.rows))], figures: judged });
  } else if (table?.score && at >= 0 && table.score.values[at] !== null) {
    const { name: score, values, errors } = table.score;
    lines.push({ of: "judged", text: [words.crossValidated], figures: { [score]: { value: values[at], standard_error: errors[at] } } });
  }
  const ofRows = rows.are_training === null ? words.onRows : rows.are_training ? words.onTrainingRows : words.onNewRows;
  lines.push({ of: "rows", text: [ofRows(number(rows.n))], figures: plainly(quality) });
  const answer = target.labels ? name(target.labels[baseline.answer]) : number(baseline.answer);
  lines.push({ of: "baseline", text: [words.always, answer], figures: plainly(baseline) });
  return lines;
}

function scoresOf(shown: Shown): Score[] {
  return shown.summary.target.labels ? ["accuracy"] : ["mean_absolute_error", "root_mean_squared_error", "r2"];
}

export function summaryOf(shown: Shown, words: Words): HTMLElement {
  const { summary } = shown;
  const asked = new Set(shown.nodes.filter((node) => !shown.isLeaf(node)).map((node) => shown.tree.data.column[node]));
  const depth = shown.nodes.reduce((most, node) => Math.max(most, shown.tree.depth[node]), 0);
  const lines = headline(shown, words);
  const scores = scoresOf(shown);
  const heads = { accuracy: words.accuracy, mean_absolute_error: words.mae, root_mean_squared_error: words.rmse, r2: words.r2 };
  return h(
    "div",
    { class: "summary" },
    facts([
      [words.nodes, number(shown.nodes.length)],
      [words.leaves, number(shown.nLeaves)],
      [words.depth, number(depth)],
      [words.columns, words.columnsAsked(asked.size, summary.columns.length)],
      [words.rowsGiven, number(summary.rows.n)],
    ]),
    h(
      "table",
      { class: "headline cards", role: "table" },
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, h("td", { role: "cell" }), ...scores.map((score) => h("th", { scope: "col", role: "columnheader", class: "num" }, heads[score])))),
      h(
        "tbody",
        { role: "rowgroup" },
        ...lines.map(({ of, text, figures }, at) =>
          h(
            "tr",
            { role: "row", class: at ? null : "lead", "data-of": of },
            h("th", { scope: "row", role: "rowheader" }, ...text),
            ...scores.map((score) => h("td", { role: "cell", class: "num", "data-label": heads[score] }, told(score, figures[score]))),
          ),
        ),
      ),
    ),
    ...notes(shown, lines, words).map((note) => h("p", { class: "note" }, note)),
  );
}

function notes(shown: Shown, lines: Line[], words: Words): string[] {
  const { are_training } = shown.summary.rows;
  const found = [are_training === null ? words.unknownRows : are_training ? words.training : words.notTraining];
  if (are_training && lines[0].of !== "judged") found.push(words.giveOthers);
  const score = shown.summary.target.labels ? "accuracy" : "r2";
  const [of, baseline] = [lines[0], lines[lines.length - 1]].map(({ figures }) => figures[score]?.value);
  if (typeof of === "number" && typeof baseline === "number" && of <= baseline && shown.nLeaves > 1) found.push(words.noBetter);
  return found;
}

function told(score: Score, figure?: { value?: number | null; standard_error?: number | null }): string {
  if (figure?.value === undefined || figure.value === null) return "";
  const write = (value: number): string => (score === "accuracy" ? `${(100 * value).toFixed(1)}%` : score === "r2" ? fixed(value, 3) : number(value));
  const { value, standard_error: error } = figure;
  if (error === undefined || error === null) return write(value);
  return score === "accuracy" ? withError(100 * value, 100 * error, "%") : withError(value, error);
}
