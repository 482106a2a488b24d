// How well the probabilities of a class sort the rows given: ROC, lift and calibration, and what a threshold costs.
import { picture } from "./charts";
import { facts } from "./details";
import { h, number, percent, plain, s } from "./dom";
import type { Shown } from "./shown";
import type { CurveData } from "./types";
import type { Words } from "./words";

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [280, 240, 40, 200];
const MOST_COST = 100; // of one error in units of the other

/** What follows if a row is taken for the class from each of the probabilities on; first if none is. */
interface Taken {
  from: number | null;
  hits: number;
  alarms: number;
}

export class Curves {
  readonly element = h("div", {});
  private at = 0; // place of the class among those that have curves
  private chosen: number | null = null; // how many of the probabilities are enough; null: the cheapest
  private cost = 0; // logarithm of what a miss costs, in false alarms
  private readonly pictures = h("div", { class: "pictures" });
  private readonly table = h("div", { id: "threshold-told", "aria-live": "polite" });
  private readonly quality = h("div", {});
  private readonly threshold: HTMLInputElement;
  private readonly costs: HTMLInputElement;
  private readonly thresholdText = h("output", { for: "threshold" });
  private readonly costText = h("output", { for: "cost" });

  constructor(
    private readonly shown: Shown,
    private readonly words: Words,
  ) {
    const { labels } = shown.summary.target;
    const ranked = shown.summary.quality.ranked!;
    const weights = shown.summary.rows.target as number[];
    this.at = ranked.length === 2 && weights[ranked[1]] <= weights[ranked[0]] ? 1 : 0; // the rarer of two is looked for
    this.threshold = h("input", { id: "threshold", type: "range", min: 0, step: 1, input: () => this.choose(Number(this.threshold.value)) });
    this.costs = h("input", { id: "cost", type: "range", min: -2, max: 2, step: 0.05, value: 0, input: () => this.weigh(Number(this.costs.value)) });
    const choice = h(
      "select",
      { id: "curve-class", change: () => this.turn(Number(choice.value)) },
      ...ranked.map((code, at) => h("option", { value: at, selected: at === this.at }, plain(labels![code]))),
    );
    this.element.append(
      h("p", {}, h("label", { for: "curve-class" }, words.classOf), " ", choice),
      this.quality,
      this.pictures,
      h(
        "div",
        { class: "thresholds" },
        h("div", {}, h("label", { for: "threshold" }, words.threshold), this.threshold, this.thresholdText),
        h("div", {}, h("label", { for: "cost" }, words.cost), this.costs, this.costText),
      ),
      this.table,
    );
    this.draw();
  }

  /** Draw again: the tree may be another one. */
  draw(): void {
    const { words, curve } = this;
    this.threshold.max = String(curve.scores.length);
    if (this.chosen !== null) this.chosen = Math.min(this.chosen, curve.scores.length);
    this.quality.replaceChildren(facts([curve.auc === null ? null : [words.auc, curve.auc.toFixed(3)], [words.brier, curve.brier.toFixed(4)]]));
    this.mark();
  }

  private get curve(): CurveData {
    return this.shown.quality.curves![this.at];
  }

  private turn(at: number): void {
    this.at = at;
    this.chosen = null;
    this.draw();
  }

  private choose(chosen: number): void {
    this.chosen = chosen;
    this.mark();
  }

  private weigh(cost: number): void {
    this.cost = cost;
    this.chosen = null;
    this.mark();
  }

  private mark(): void {
    const { words, curve } = this;
    const taken = takenOf(curve);
    const [hits, all] = [sum(curve.hits), sum(curve.all)];
    const ratio = Math.min(10 ** this.cost, MOST_COST);
    const price = ({ hits: found, alarms }: Taken): number => ratio * (hits - found) + alarms;
    const cheapest = taken.reduce((best, each, at) => (price(each) < price(taken[best]) ? at : best), 0);
    const at = this.chosen ?? cheapest;
    const here = taken[at];
    this.threshold.value = String(at);
    this.thresholdText.value = here.from === null ? words.nobody : words.from(number(here.from));
    this.threshold.setAttribute("aria-valuetext", this.thresholdText.value);
    this.costText.value = ratio < 1 ? words.alarmCosts(number(1 / ratio, 3)) : words.missCosts(number(ratio, 3));
    this.costs.setAttribute("aria-valuetext", this.costText.value);
    const [found, alarms] = [here.hits, here.alarms];
    const share = (part: number, whole: number): string => (whole ? percent(part / whole) : "–");
    this.table.replaceChildren(
      facts([
        [words.accuracy, share(all - alarms - (hits - found), all)],
        [words.precision, share(found, found + alarms)],
        [words.recall, share(found, hits)],
        [words.alarms, share(alarms, all - hits)],
        [words.costHere, number(price(here) / all)],
        [words.costLeast, `${number(price(taken[cheapest]) / all)} (${taken[cheapest].from === null ? words.nobody : words.from(number(taken[cheapest].from!))})`],
      ]),
      h(
        "table",
        { class: "matrix" },
        h("thead", {}, h("tr", {}, h("td"), h("th", { scope: "col" }, words.taken), h("th", { scope: "col" }, words.notTaken))),
        h(
          "tbody",
          {},
          h("tr", {}, h("th", { scope: "row" }, words.ofClass), h("td", { class: "num right" }, number(found)), h("td", { class: "num" }, number(hits - found))),
          h("tr", {}, h("th", { scope: "row" }, words.ofOthers), h("td", { class: "num" }, number(alarms)), h("td", { class: "num right" }, number(all - hits - alarms))),
        ),
      ),
    );
    this.pictures.replaceChildren(...this.drawn(taken, at, hits, all));
  }

  private drawn(taken: Taken[], at: number, hits: number, all: number): HTMLElement[] {
    const { words, curve } = this;
    const part = (share: number, whole: number): number => (whole ? share / whole : 0);
    const roc = taken.map((each): Point => [part(each.alarms, all - hits), part(each.hits, hits)]);
    const lift = taken.slice(1).map((each): Point => [(each.hits + each.alarms) / all, part(each.hits / (each.hits + each.alarms), hits / all)]);
    const bands = curve.bands.map(([expected, found]): Point => [expected, found]);
    const highest = Math.max(...lift.map(([, y]) => y), 1);
    const ends = [percent(0), percent(1)];
    const charts: [string, string, string, Point[], number, string[], Point[], Point | null, boolean][] = [
      [words.roc, words.alarms, words.recall, roc, 1, ends, [[0, 0], [1, 1]], roc[at], false],
      [words.lift, words.shareTaken, words.liftAxis, lift, highest, ["0", number(highest, 3)], [[0, 1], [1, 1]], at ? lift[at - 1] : null, false],
      [words.calibration, words.probability, words.shareFound, bands, 1, ends, [[0, 0], [1, 1]], null, true],
    ];
    return charts.map(([title, x, y, points, most, told, even, mark, isDotted]) =>
      h("figure", { class: "picture" }, h("figcaption", {}, title), plot(title, x, y, points, most, told, even, mark, isDotted)),
    );
  }
}

type Point = [number, number];

function plot(title: string, xText: string, yText: string, points: Point[], most: number, ends: string[], even: Point[], mark: Point | null, isDotted: boolean): SVGSVGElement {
  const x = (share: number): number => LEFT + (WIDTH - LEFT - 12) * share;
  const y = (height: number): number => BOTTOM - ((BOTTOM - 10) * height) / most;
  const line = (some: Point[], style: string): SVGElement => s("polyline", { class: style, points: some.map(([a, b]) => `${x(a)},${y(b)}`).join(" ") });
  return picture(
    WIDTH,
    HEIGHT,
    title,
    s("line", { class: "axis", x1: x(0), x2: x(1), y1: y(0), y2: y(0) }),
    s("line", { class: "axis", x1: x(0), x2: x(0), y1: y(0), y2: y(most) }),
    line(even, "even"),
    line(points, "curve cv"),
    ...(isDotted ? points.map(([a, b]) => s("circle", { class: "c0", cx: x(a), cy: y(b), r: 3 })) : []),
    mark && s("circle", { class: "dot", cx: x(mark[0]), cy: y(mark[1]), r: 5 }),
    ...[0, 0.5, 1].map((share) => s("text", { class: `tick ${share === 1 ? "end" : share ? "middle" : ""}`, x: x(share), y: BOTTOM + 15 }, percent(share))),
    ...[0, most].map((height, at) => s("text", { class: "tick end", x: LEFT - 4, y: y(height) + (height ? 8 : 0) }, ends[at])),
    s("text", { class: "tick middle", x: x(0.5), y: BOTTOM + 33 }, xText),
    s("text", { class: "tick middle", transform: `translate(12 ${y(most / 2)}) rotate(-90)` }, yText),
  );
}

function takenOf({ scores, hits, all }: CurveData): Taken[] {
  const found: Taken[] = [{ from: null, hits: 0, alarms: 0 }];
  scores.forEach((from, at) => {
    const { hits: before, alarms } = found[at];
    found.push({ from, hits: before + hits[at], alarms: alarms + all[at] - hits[at] });
  });
  return found;
}

function sum(values: number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
