// One page: put together of its parts. Serves a file that stands alone, and notebooks through anywidget.
import { addressOf, readAddress } from "./address";
import { askAll, AskForm } from "./ask";
import { Curve, legend } from "./charts";
import { Curves } from "./curves";
import { detailsOf } from "./details";
import { h, name, number, plain } from "./dom";
import { Drawing } from "./drawing";
import { summaryOf } from "./headline";
import { keepKeys } from "./notebook";
import { searched } from "./search";
import { dataOf, importancesOf, qualityOf, Rules, section } from "./sections";
import { Shown } from "./shown";
import { followNotebook, recallTheme, rememberTheme, turnTheme } from "./theme";
import type { Summary } from "./types";
import { wordsOf, type Words } from "./words";

export class Page {
  readonly shown: Shown;
  readonly drawing: Drawing;
  private readonly words: Words;
  private readonly curve: Curve;
  private readonly curves: Curves | null;
  private readonly rules: Rules;
  private readonly form: AskForm;
  private readonly panel = h("div", { id: "panel-node", role: "tabpanel", "aria-labelledby": "tab-node", class: "panel" });
  private readonly figures = h("div", {});
  private readonly importances = h("div", {});
  private readonly quality = h("div", {});
  private readonly stopText = h("output", { class: "stop", for: "stop" });
  private readonly slider: HTMLInputElement;
  private readonly search: HTMLInputElement;
  private readonly count = h("output", { id: "found", for: "search" });
  private found: number[] = [];
  private foundAt = -1;

  constructor(
    private readonly root: HTMLElement,
    readonly summary: Summary,
    lang: string,
    private readonly onAddress: (address: string) => void = () => {},
  ) {
    const words = (this.words = wordsOf(lang));
    const { path } = summary;
    const [quality, qualityHint] = summary.target.labels ? [words.confusion, words.confusionHint] : [words.residuals, words.residualsHint];
    this.shown = new Shown(summary);
    this.drawing = new Drawing(this.shown, words, (node) => {
      this.pick(node);
      this.openTab("node");
    });
    this.curve = new Curve(summary, words);
    this.curves = summary.target.labels ? new Curves(this.shown, words) : null;
    this.rules = new Rules(this.shown, words, (node) => this.goTo(node));
    this.form = new AskForm(this.shown, words, (shares) => this.drawing.light(shares));
    this.slider = h("input", {
      id: "stop",
      type: "range",
      min: 0,
      max: path.alphas.length - 1,
      step: 1,
      value: path.alphas.length - 1 - (path.fitted ?? nearest(path.leaves, this.shown.nLeaves)),
      input: () => this.show(path.alphas.length - 1 - Number(this.slider.value)), // larger to the right, as in the curve
    });
    this.search = h("input", {
      id: "search",
      type: "search",
      placeholder: words.searchHint,
      input: () => this.find(),
      keydown: (event: KeyboardEvent) => event.key === "Enter" && this.nextFound(),
    });
    root.classList.add("tw");
    root.lang = lang;
    root.replaceChildren(
      h(
        "header",
        {},
        h("h1", {}, summary.title ? name(summary.title) : words.report),
        h("p", { class: "note" }, words.by(plain(summary.learner), plain(summary.library ?? "?")), summary.target.name ? ` · ${words.target}: ` : "", summary.target.name ? name(summary.target.name) : ""),
        h("button", { type: "button", id: "theme", click: () => rememberTheme(turnTheme(root)) }, words.theme),
      ),
      this.navigation(quality),
      h(
        "main",
        {},
        this.figures,
        section("tree", words.theTree, null, this.toolbar(), this.pruning(), h("div", { class: "stage" }, h("div", { class: "frame" }, this.drawing.frame, this.keys()), this.side())),
        section("rules", words.rules, words.rulesHint, this.rules.element),
        section("importances", words.importances, words.importancesHint, this.importances),
        section("quality", quality, qualityHint, this.quality),
        this.curves && section("curves", words.curves, this.whichRows(), this.curves.element),
        dataOf(summary, words),
      ),
    );
    this.settle();
    this.drawing.restart();
    this.describe(0);
  }

  /** Show one of the nested trees; null is the model's own where it is none of them. */
  show(stop: number | null): void {
    const before = this.shown.tree;
    this.shown.show(stop);
    if (this.shown.tree === before) this.drawing.refresh();
    else this.drawing.restart();
    this.settle();
    this.rules.draw();
    this.form.again();
    this.find();
    this.pick(this.drawing.chosen);
  }

  private settle(): void {
    const { shown, words } = this;
    const { path } = this.summary;
    const leaves = number(shown.nLeaves);
    this.figures.replaceChildren(summaryOf(shown, words));
    this.importances.replaceChildren(importancesOf(shown, words));
    this.quality.replaceChildren(qualityOf(shown, words));
    this.curves?.draw();
    this.curve.at(shown.stop);
    this.stopText.value = shown.isFitted ? words.asFitted(leaves) : words.stop(leaves, number(path.alphas[shown.stop!]));
    if (shown.stop !== null) this.slider.value = String(path.alphas.length - 1 - shown.stop);
    this.slider.setAttribute("aria-valuetext", this.stopText.value);
  }

  private pick(node: number): void {
    this.describe(node);
    this.onAddress(addressOf(this.shown, node));
  }

  private describe(node: number): void {
    this.panel.replaceChildren(...detailsOf(this.shown, node, this.words));
  }

  /** Show the node that an address names. */
  follow(address: string): void {
    const named = readAddress(address, this.shown);
    if (!named) return;
    if (named.stop !== this.shown.stop) this.show(named.stop);
    const node = this.shown.nodes[named.number];
    if (node !== undefined) this.goTo(node);
  }

  private goTo(node: number): void {
    this.drawing.reveal(node);
    this.drawing.element.scrollIntoView({ block: "nearest" });
  }

  private whichRows(): string {
    const { are_training, n } = this.summary.rows;
    const { words } = this;
    return (are_training === null ? words.onRows : are_training ? words.onTrainingRows : words.onNewRows)(number(n));
  }

  private navigation(quality: string): HTMLElement {
    const { words } = this;
    const links: [string, string][] = [
      ["tree", words.theTree],
      ["rules", words.rules],
      ["importances", words.importances],
      ["quality", quality],
      ...(this.curves ? ([["curves", words.curves]] as [string, string][]) : []),
      ["data", words.data],
    ];
    const go = (event: Event, id: string): void => {
      if (this.root.getRootNode() === document) return;
      event.preventDefault(); // addresses do not lead into the shadow root of a notebook
      this.root.querySelector(`#${id}`)!.scrollIntoView();
    };
    return h("nav", { "aria-label": words.report }, ...links.map(([id, text]) => h("a", { href: `#${id}`, click: (event: Event) => go(event, id) }, text)));
  }

  private toolbar(): HTMLElement {
    const { words, drawing } = this;
    const button = (id: string, text: string, press: () => void): HTMLElement => h("button", { type: "button", id, click: press }, text);
    return h(
      "div",
      { class: "toolbar" },
      h("span", { class: "searching" }, h("label", { for: "search" }, words.search), this.search, button("next", words.next, () => this.nextFound()), this.count),
      h(
        "span",
        { class: "buttons" },
        button("zoom-in", words.zoomIn, () => drawing.zoomBy(1.4)),
        button("zoom-out", words.zoomOut, () => drawing.zoomBy(1 / 1.4)),
        button("fit", words.fit, () => drawing.fit()),
        button("open-all", words.openAll, () => drawing.openAll()),
        button("close-all", words.closeAll, () => {
          drawing.closeAll();
          this.pick(0);
        }),
      ),
    );
  }

  private find(): void {
    this.found = searched(this.shown, this.search.value, this.words);
    this.foundAt = -1;
    this.drawing.mark(this.found);
    this.count.value = this.search.value.trim() ? this.words.found(this.found.length) : "";
  }

  private nextFound(): void {
    if (!this.found.length) return;
    this.foundAt = (this.foundAt + 1) % this.found.length;
    this.drawing.reveal(this.found[this.foundAt]);
  }

  private pruning(): HTMLElement {
    const { words } = this;
    const { path } = this.summary;
    const key = (style: string, text: string): HTMLElement => h("span", { class: `line ${style}` }, text);
    return h(
      "div",
      { class: "pruning" },
      h(
        "div",
        {},
        h("label", { for: "stop" }, `${words.pruning}: ${words.slider}`),
        this.slider,
        h("p", {}, this.stopText, " ", h("button", { type: "button", id: "fitted", click: () => this.show(path.fitted) }, words.fitted)),
        path.n_larger ? h("p", { class: "note" }, words.larger(number(path.n_larger))) : null,
        h("p", { class: "note" }, key("train", words.onTraining), path.table ? key("cv", words.heldOut) : "", path.table?.within_one_se ? key("se", words.oneSe) : "", this.summary.rows.are_training === false ? key("given", words.onGiven) : ""),
      ),
      h("div", { class: "picture" }, this.curve.element),
    );
  }

  private keys(): HTMLElement {
    const marks = legend(this.summary, this.words);
    return h("p", { class: "legend" }, ...marks.map((mark) => h("span", {}, mark, ` ${mark.getAttribute("aria-label")}`)));
  }

  private side(): HTMLElement {
    const { words } = this;
    const asking = h("div", { id: "panel-ask", role: "tabpanel", "aria-labelledby": "tab-ask", class: "panel", hidden: true }, this.form.element);
    const tab = (id: string, text: string, isOn: boolean): HTMLElement =>
      h("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, "aria-selected": String(isOn), tabindex: isOn ? 0 : -1, click: () => this.openTab(id) }, text);
    const turn = (event: KeyboardEvent): void => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const id = this.panel.hidden ? "node" : "ask";
      this.openTab(id);
      this.root.querySelector<HTMLElement>(`#tab-${id}`)?.focus();
    };
    return h(
      "aside",
      { class: "side", "aria-label": words.details },
      h("div", { role: "tablist", class: "tabs", "aria-label": words.details, keydown: turn }, tab("node", words.details, true), tab("ask", words.ask, false)),
      this.panel,
      asking,
    );
  }

  private openTab(id: string): void {
    for (const each of ["node", "ask"]) {
      const tab = this.root.querySelector<HTMLElement>(`#tab-${each}`)!;
      tab.setAttribute("aria-selected", String(each === id));
      tab.tabIndex = each === id ? 0 : -1;
      this.root.querySelector<HTMLElement>(`#panel-${each}`)!.hidden = each !== id;
    }
  }
}

function nearest(values: number[], wanted: number): number {
  return values.reduce((best, value, at) => (Math.abs(value - wanted) < Math.abs(values[best] - wanted) ? at : best), 0);
}

const data = document.getElementById("treewright-data");
const place = document.getElementById("treewright");
if (data && place) {
  recallTheme(place);
  // Other pages that hold this one, say in a frame, have addresses of their own.
  const isOwn = /^(https?|file):$/.test(location.protocol);
  const page = new Page(place, JSON.parse(data.textContent!) as Summary, document.documentElement.lang, (address) => {
    if (isOwn) history.replaceState(null, "", address);
  });
  page.follow(location.hash);
  addEventListener("hashchange", () => page.follow(location.hash));
  addEventListener("beforeprint", () => page.drawing.print(true));
  addEventListener("afterprint", () => page.drawing.print(false));
  // For whoever wants to ask of many rows at once: values in the order of the columns.
  Object.assign(globalThis, {
    treewright: {
      show: (stop: number | null) => page.show(stop),
      ask: (rows: (string | number | null)[][]) =>
        askAll(page.shown, rows).map((asked) => ({ ...asked, nodes: [...asked.nodes] })),
      nodes: () => {
        const { nodes, tree, isLeaf, number } = page.shown;
        return {
          parent: nodes.map((node) => (node ? number(tree.data.parent[node]) : -1)),
          column: nodes.map((node) => (isLeaf(node) ? -1 : tree.data.column[node])),
          rows: nodes.map((node) => tree.data.rows[node]),
          answer: nodes.map((node) => tree.answerText(node)),
        };
      },
    },
  });
}

export default {
  /** Each view has a tree of its own, so that neither its ids nor the style of the notebook meet anything else. */
  render({ model, el }: { model: { get(name: string): unknown }; el: HTMLElement }): () => void {
    const shadow = el.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    style.textContent = model.get("sheet") as string;
    const root = document.createElement("div");
    shadow.append(style, root);
    new Page(root, model.get("summary") as Summary, model.get("lang") as string);
    const ends = [followNotebook(root), keepKeys(el)];
    return () => ends.forEach((end) => end());
  },
};
