// Small pictures: bars, histograms, the curve of errors.
import { number, plain, s } from "./dom";
import type { Histogram, PruningData, Spread, Summary } from "./types";
import type { Words } from "./words";

const W = 320;

export function classOfGroup(group: number, summary: Summary): string {
  return summary.target.has_rest && group === summary.target.n_groups - 1 ? "rest" : `c${group % 8}`;
}

export function picture(width: number, height: number, label: string, ...children: (Element | null)[]): SVGSVGElement {
  return s(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": label },
    ...children,
  );
}

/** A histogram of numbers. */
export function bars(of: Histogram, label: string, lowText = number(of.low), highText = number(of.high)): SVGSVGElement {
  const most = Math.max(...of.counts, 1e-300);
  const step = W / of.counts.length;
  return picture(
    W,
    96,
    label,
    ...of.counts.map((count, at) =>
      s("rect", { class: "c0", x: at * step + 0.5, width: step - 1, y: 78 - (74 * count) / most, height: (74 * count) / most }),
    ),
    s("line", { class: "axis", x1: 0, x2: W, y1: 78, y2: 78 }),
    s("text", { class: "tick", x: 0, y: 92 }, lowText),
    s("text", { class: "tick end", x: W, y: 92 }, highText),
  );
}

/** The rows of a node along the values of the column it asks about, class by class, with the cut. */
export function split(of: Spread, cut: number | null, cutText: string, summary: Summary, label: string): SVGSVGElement {
  const counts = of.counts!;
  const sums = counts.map((groups) => groups.reduce((a, b) => a + b, 0));
  const most = Math.max(...sums, 1e-300);
  const step = W / counts.length;
  const marks: Element[] = [];
  counts.forEach((groups, at) => {
    let y = 100;
    groups.forEach((weight, group) => {
      const height = (84 * weight) / most;
      y -= height;
      if (height > 0) marks.push(s("rect", { class: classOfGroup(group, summary), x: at * step + 0.5, width: step - 1, y, height }));
    });
  });
  if (of.means) {
    const known = of.means.filter((mean): mean is number => mean !== null);
    const low = Math.min(...known);
    const range = Math.max(...known) - low || 1;
    const points = of.means.flatMap((mean, at) =>
      mean === null ? [] : [`${at * step + step / 2},${94 - (74 * (mean - low)) / range}`],
    );
    marks.push(s("polyline", { class: "mean", points: points.join(" ") }));
  }
  if (cut !== null && of.high! > of.low!) {
    const x = (W * (cut - of.low!)) / (of.high! - of.low!);
    const anchor = x > W * 0.6 ? "end" : "";
    marks.push(s("line", { class: "cut", x1: x, x2: x, y1: 0, y2: 102 }));
    marks.push(s("text", { class: `tick strong ${anchor}`, x: x + (anchor ? -4 : 4), y: 10 }, cutText));
  }
  return picture(
    W,
    116,
    label,
    ...marks,
    s("line", { class: "axis", x1: 0, x2: W, y1: 100, y2: 100 }),
    s("text", { class: "tick", x: 0, y: 113 }, of.low_text ?? ""),
    s("text", { class: "tick end", x: W, y: 113 }, of.high_text ?? ""),
  );
}

/** A bar of shares. */
export function shareBar(shares: number[], summary: Summary, x: number, y: number, width: number, height: number): SVGGElement {
  const groups = new Array<number>(summary.target.n_groups).fill(0);
  shares.forEach((share, code) => (groups[summary.target.groups![code]] += share));
  const bar = s("g", { "aria-hidden": "true" }, s("rect", { class: "track", x, y, width, height, rx: 2 }));
  let at = x;
  groups.forEach((share, group) => {
    if (share > 0) bar.append(s("rect", { class: classOfGroup(group, summary), x: at, y, width: width * share, height }));
    at += width * share;
  });
  return bar;
}

/** The errors of nested trees against their leaves, with a mark at one of them. */
export class Curve {
  readonly element: SVGSVGElement;
  private readonly path: Summary["path"];
  private readonly mark: SVGLineElement;
  private readonly dot: SVGCircleElement;
  private readonly x: (leaves: number) => number;
  private readonly y: (error: number) => number;

  private readonly errors: number[];

  /** With rows that the tree has not seen, their errors are drawn too, and marked. */
  constructor(summary: Summary, words: Words) {
    const path = (this.path = summary.path);
    const ofNewRows = summary.rows.are_training === false ? relativeErrors(summary) : null;
    this.errors = ofNewRows ?? path.risks;
    const width = 360;
    const height = 150;
    const table = path.table;
    const most = Math.log(Math.max(...path.leaves, ...(table?.leaves ?? []), 2));
    const errors = [...path.risks, ...this.errors, ...banded(table).flatMap(({ high }) => [high]), 1];
    const highest = Math.max(...errors);
    this.x = (leaves) => 34 + ((width - 44) * Math.log(leaves)) / most;
    this.y = (error) => 118 - (104 * error) / highest;
    const line = (points: [number, number][], style: string): SVGPolylineElement =>
      s("polyline", { class: style, points: points.map(([leaves, error]) => `${this.x(leaves)},${this.y(error)}`).join(" ") });
    this.mark = s("line", { class: "cut", y1: 8, y2: 118 });
    this.dot = s("circle", { class: "dot", r: 4 });
    const band = banded(table);
    this.element = picture(
      width,
      height,
      words.curveLabel,
      ...[0, 0.5, 1].map((error) => s("line", { class: "grid", x1: 34, x2: width - 10, y1: this.y(error), y2: this.y(error) })),
      ...[0, 0.5, 1].map((error) => s("text", { class: "tick end", x: 30, y: this.y(error) + 4 }, String(error))),
      ...ticks(Math.exp(most)).map((leaves, at) => s("text", { class: at ? "tick end" : "tick", x: this.x(leaves), y: 131 }, number(leaves))),
      s("text", { class: "tick middle", x: 197, y: 145 }, words.leaves),
      band.length
        ? s("polygon", {
            class: "band",
            points: [
              ...band.map(({ leaves, high }) => `${this.x(leaves)},${this.y(high)}`),
              ...band.reverse().map(({ leaves, low }) => `${this.x(leaves)},${this.y(low)}`),
            ].join(" "),
          })
        : null,
      table?.within_one_se
        ? s("line", { class: "allowed", x1: 34, x2: width - 10, y1: this.y(table.within_one_se), y2: this.y(table.within_one_se) })
        : null,
      line(path.leaves.map((leaves, at) => [leaves, path.risks[at]]), "curve"),
      line(banded(table).map(({ leaves, error }) => [leaves, error]), "curve cv"),
      ofNewRows && line(path.leaves.map((leaves, at) => [leaves, ofNewRows[at]]), "curve given"),
      this.mark,
      this.dot,
    );
  }

  /** Mark a tree: one of the nested ones, or, with null, none of them. */
  at(stop: number | null): void {
    const is = stop !== null;
    this.mark.classList.toggle("hidden", !is);
    this.dot.classList.toggle("hidden", !is);
    if (!is) return;
    const leaves = this.path.leaves[stop];
    this.mark.setAttribute("x1", String(this.x(leaves)));
    this.mark.setAttribute("x2", String(this.x(leaves)));
    this.dot.setAttribute("cx", String(this.x(leaves)));
    this.dot.setAttribute("cy", String(this.y(this.errors[stop])));
  }
}

/** The errors of nested trees on the rows given, as shares of what the root alone gets wrong there; null if that is 0. */
export function relativeErrors({ path, baseline }: Summary): number[] | null {
  const ofRoot = baseline.accuracy === undefined ? baseline.root_mean_squared_error! ** 2 : 1 - baseline.accuracy!;
  if (!ofRoot) return null;
  return path.quality.map((quality) => (quality.accuracy === undefined ? quality.root_mean_squared_error! ** 2 : 1 - quality.accuracy) / ofRoot);
}

function ticks(most: number): number[] {
  const found = [1];
  for (let at = 10; at < most * 0.25; at *= 10) found.push(at);
  return [...found, Math.round(most)];
}

function banded(table: PruningData | null): { leaves: number; error: number; low: number; high: number }[] {
  if (!table) return [];
  return table.leaves.flatMap((leaves, at) => {
    const error = table.cv_error[at];
    const std = table.cv_std[at] ?? 0;
    return error === null ? [] : [{ leaves, error, low: Math.max(error - std, 0), high: error + std }];
  });
}

/** Truths against answers, a square a cell. */
export function heat(of: { low: number; high: number; cells: number[][] }, words: Words): SVGSVGElement {
  const side = of.cells.length;
  const step = 220 / side;
  const most = Math.max(...of.cells.flat(), 1e-300);
  return picture(
    280,
    262,
    words.map,
    s("rect", { class: "track", x: 40, y: 4, width: 220, height: 220 }),
    ...of.cells.flatMap((line, truth) =>
      line.flatMap((weight, answer) =>
        weight
          ? [s("rect", { class: "c0", x: 40 + answer * step, y: 224 - (truth + 1) * step, width: step, height: step, "fill-opacity": 0.12 + 0.88 * Math.sqrt(weight / most) })]
          : [],
      ),
    ),
    s("line", { class: "allowed", x1: 40, y1: 224, x2: 260, y2: 4 }),
    s("text", { class: "tick", x: 40, y: 238 }, number(of.low)),
    s("text", { class: "tick end", x: 260, y: 238 }, number(of.high)),
    s("text", { class: "tick middle", x: 150, y: 254 }, words.answers),
    s("text", { class: "tick middle", transform: "translate(30 114) rotate(-90)" }, words.trueValue),
  );
}

export function legend(summary: Summary, words: Words): SVGSVGElement[] {
  const { labels, groups, n_groups, has_rest } = summary.target;
  if (!labels || !groups) return [];
  return Array.from({ length: n_groups }, (_, group) => {
    const isRest = has_rest && group === n_groups - 1;
    const text = isRest ? words.others : plain(labels[groups.indexOf(group)]);
    return s(
      "svg",
      { class: "key", width: 12, height: 12, role: "img", "aria-label": text },
      s("rect", { class: classOfGroup(group, summary), width: 12, height: 12, rx: 2 }),
      s("title", {}, text),
    );
  });
}
