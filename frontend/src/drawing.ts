// The tree itself: boxes and branches to walk, open, close, zoom and light up.
import { hierarchy, tree as tidy, type HierarchyPointNode } from "d3-hierarchy";
import { select, type Selection } from "d3-selection";
import { zoom, zoomIdentity, zoomTransform, type ZoomBehavior } from "d3-zoom";
import { shareBar } from "./charts";
import { conditionOf } from "./conditions";
import { fitted, number, percent, plain, s } from "./dom";
import type { Shown } from "./shown";
import type { Words } from "./words";

const BOX = { width: 196, height: 64 };
const STEP = { across: 276, down: 76 };
const BADGE = 48; // beside a node that is closed
const THICKEST = 16;
const OPENED = 26; // nodes that are open at first
const FONT = "12px system-ui, sans-serif";
const BOLD = "600 13px system-ui, sans-serif";

export class Drawing {
  readonly element: SVGSVGElement;
  private readonly sheet: SVGGElement;
  private readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private readonly zooming: ZoomBehavior<SVGSVGElement, unknown>;
  private readonly open = new Set<number>();
  private order: number[] = []; // nodes drawn, from top to bottom as a list would have them
  private boxes = new Map<number, SVGGElement>();
  private places = new Map<number, { x: number; y: number }>();
  private lit = new Map<number, number>();
  private found = new Set<number>();
  private selected = 0;

  constructor(
    private readonly shown: Shown,
    private readonly words: Words,
    private readonly onSelect: (node: number) => void,
  ) {
    this.sheet = s("g", { role: "none" });
    this.element = s("svg", { class: "tree", role: "tree", "aria-label": words.treeLabel }, this.sheet);
    this.svg = select(this.element);
    this.zooming = zoom<SVGSVGElement, unknown>()
      .scaleExtent([0.01, 4])
      .filter((event: WheelEvent) => (event.type !== "wheel" || event.ctrlKey || event.metaKey) && !event.button)
      .on("zoom", ({ transform }) => this.sheet.setAttribute("transform", transform.toString()));
    this.svg.call(this.zooming).on("dblclick.zoom", null);
    this.element.addEventListener("keydown", (event) => this.onKey(event));
  }

  /** Begin again with the tree that is shown now: its heaviest nodes open. */
  restart(): void {
    this.open.clear();
    this.lit.clear();
    this.found.clear();
    this.selected = 0;
    let room = OPENED;
    const { weight } = this.shown.tree.data;
    let level = [0];
    while (level.length) {
      level.sort((a, b) => weight[b] - weight[a] || a - b);
      const next: number[] = [];
      for (const node of level) {
        const below = this.shown.children(node);
        if (!below.length || (node && below.length > room)) continue;
        room -= below.length;
        this.open.add(node);
        next.push(...below);
      }
      level = next;
    }
    this.draw();
    this.home();
  }

  /** Keep what is open where it still is. */
  refresh(): void {
    if (this.shown.number(this.selected) < 0) this.selected = 0;
    this.lit.clear();
    this.draw();
  }

  openAll(): void {
    this.shown.nodes.forEach((node) => this.open.add(node));
    this.draw();
    this.fit();
  }

  closeAll(): void {
    this.open.clear();
    this.selected = 0;
    this.draw();
    this.home();
  }

  /** Open the way to a node, and put it in the middle. */
  reveal(node: number): void {
    for (let at = this.shown.tree.data.parent[node]; at >= 0; at = this.shown.tree.data.parent[at]) this.open.add(at);
    this.choose(node, false);
    this.centre(node);
  }

  /** Light up the nodes that a row passes, each with how much of it does. */
  light(shares: Map<number, number>): void {
    this.lit = shares;
    for (const node of shares.keys()) if (!this.shown.isLeaf(node)) this.open.add(node);
    this.draw();
  }

  mark(found: Iterable<number>): void {
    this.found = new Set(found);
    for (const [node, box] of this.boxes) box.classList.toggle("found", this.found.has(node));
  }

  zoomBy(factor: number): void {
    this.svg.call(this.zooming.scaleBy, factor);
  }

  fit(): void {
    const { width, height } = this.size();
    const [left, top, right, bottom] = this.extent();
    const scale = Math.min(1, (width - 24) / (right - left), (height - 24) / (bottom - top));
    const x = (width - scale * (left + right)) / 2;
    const y = (height - scale * (top + bottom)) / 2;
    this.svg.call(this.zooming.transform, zoomIdentity.translate(x, y).scale(scale));
  }

  /** Show all of it on paper, however large that is; and afterwards as before. */
  print(isOn: boolean): void {
    const [left, top, right, bottom] = this.extent();
    if (isOn) this.element.setAttribute("viewBox", `${left - 8} ${top - 8} ${right - left + 16} ${bottom - top + 16}`);
    else this.element.removeAttribute("viewBox");
    this.sheet.setAttribute("transform", isOn ? "" : zoomTransform(this.element).toString());
  }

  private extent(): [number, number, number, number] {
    let [top, right, bottom] = [0, BOX.width, BOX.height];
    for (const { x, y } of this.places.values()) {
      top = Math.min(top, y);
      right = Math.max(right, x + BOX.width + BADGE);
      bottom = Math.max(bottom, y + BOX.height);
    }
    return [0, top, right, bottom];
  }

  /** All of it if that can be read, else the root and what is beside it. */
  private home(): void {
    this.fit();
    const { width, height } = this.size();
    const scale = Number(/scale\(([^)]+)\)/.exec(this.sheet.getAttribute("transform") ?? "")?.[1] ?? 1);
    if (scale >= (width < 500 ? 0.7 : 0.42)) return;
    const root = this.places.get(0)!;
    const wanted = width < 500 ? 0.75 : 0.8;
    this.svg.call(
      this.zooming.transform,
      zoomIdentity.translate(14 - root.x * wanted, height / 2 - (root.y + BOX.height / 2) * wanted).scale(wanted),
    );
  }

  private centre(node: number): void {
    const place = this.places.get(node);
    if (!place) return;
    const { width, height } = this.size();
    const scale = Number(/scale\(([^)]+)\)/.exec(this.sheet.getAttribute("transform") ?? "")?.[1] ?? 1);
    const near = Math.max(scale, 0.6);
    this.svg.call(
      this.zooming.transform,
      zoomIdentity
        .translate(width / 2 - near * (place.x + BOX.width / 2), height / 2 - near * (place.y + BOX.height / 2))
        .scale(near),
    );
  }

  private size(): { width: number; height: number } {
    const { width, height } = this.element.getBoundingClientRect();
    return { width: width || 800, height: height || 500 };
  }

  private choose(node: number, focus: boolean): void {
    this.selected = node;
    this.draw();
    this.onSelect(node);
    if (focus) this.boxes.get(node)?.focus({ preventScroll: true });
  }

  private toggle(node: number): void {
    if (this.shown.isLeaf(node)) return;
    if (!this.open.delete(node)) this.open.add(node);
  }

  private onKey(event: KeyboardEvent): void {
    const { tree } = this.shown;
    const at = this.order.indexOf(this.selected);
    const isOpen = this.open.has(this.selected) && !this.shown.isLeaf(this.selected);
    let next: number | undefined = this.selected;
    switch (event.key) {
      case "ArrowDown":
        next = this.order[at + 1];
        break;
      case "ArrowUp":
        next = this.order[at - 1];
        break;
      case "ArrowRight":
        if (isOpen) next = tree.children[this.selected][0];
        else if (!this.shown.isLeaf(this.selected)) this.open.add(this.selected);
        break;
      case "ArrowLeft":
        if (isOpen) this.open.delete(this.selected);
        else next = tree.data.parent[this.selected];
        break;
      case "Home":
        next = 0;
        break;
      case "End":
        next = this.order[this.order.length - 1];
        break;
      case "Enter":
      case " ":
        this.toggle(this.selected);
        break;
      case "*":
        this.openAll();
        break;
      default:
        return;
    }
    event.preventDefault();
    if (next === undefined || next < 0) return;
    this.choose(next, true);
    this.keepInView(next);
  }

  private keepInView(node: number): void {
    const box = this.boxes.get(node)?.getBoundingClientRect();
    const frame = this.element.getBoundingClientRect();
    if (!box) return;
    const isInside = box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
    if (!isInside) this.centre(node);
  }

  private draw(): void {
    const { shown } = this;
    const below = (node: number): number[] => (this.open.has(node) ? shown.children(node) : []);
    const root = tidy<number>().nodeSize([STEP.down, STEP.across]).separation(() => 1)(hierarchy(0, below));
    const total = shown.tree.data.weight[0] || 1;
    const branches: SVGElement[] = [];
    const boxes: SVGElement[] = [];
    this.order = [];
    this.boxes.clear();
    this.places.clear();
    root.eachBefore((at) => {
      this.order.push(at.data);
      this.places.set(at.data, { x: at.y, y: at.x });
      if (at.parent) branches.push(this.branch(at, total));
      const box = this.box(at);
      this.boxes.set(at.data, box);
      boxes.push(box);
    });
    this.sheet.replaceChildren(...branches, ...boxes);
  }

  private branch(at: HierarchyPointNode<number>, total: number): SVGElement {
    const { data } = this.shown.tree;
    const above = at.parent!;
    const [x1, y1, x2, y2] = [above.y + BOX.width, above.x + BOX.height / 2, at.y, at.x + BOX.height / 2];
    const middle = (x1 + x2) / 2;
    const condition = conditionOf(this.shown.tree, at.data, this.words)!;
    const weight = data.weight[at.data];
    const style = [
      "branch",
      condition.isForMissing || condition.alsoMissing ? "missing" : "",
      weight > 0 ? "" : "empty",
      this.lit.has(at.data) ? "lit" : "",
    ];
    return s("path", {
      class: style.filter(Boolean).join(" "),
      d: `M${x1},${y1}C${middle},${y1} ${middle},${y2} ${x2},${y2}`,
      "stroke-width": Math.max(1, (THICKEST * weight) / total).toFixed(2),
      "data-node": at.data,
      "aria-hidden": "true",
    });
  }

  private box(at: HierarchyPointNode<number>): SVGGElement {
    const { shown, words } = this;
    const { tree } = shown;
    const node = at.data;
    const isLeaf = shown.isLeaf(node);
    const isOpen = this.open.has(node);
    const condition = conditionOf(tree, node, words);
    const reach = this.lit.get(node);
    const answer = tree.answerText(node);
    const title = isLeaf ? (typeof answer === "number" ? number(answer) : plain(answer)) : `${plain(tree.columnOf(node).name)} ?`;
    const lead = condition ? condition.text : words.allRows;
    const share = tree.labels ? percent(Math.max(...tree.shares(node))) : number(tree.data.outcome[node] as number);
    const facts = `${shown.number(node)} · ${words.rows(number(tree.data.rows[node]))} · ${share}${reach !== undefined && reach < 1 ? ` · ${percent(reach)}` : ""}`;
    const spoken = `${words.node} ${shown.number(node)}: ${lead}. ${isLeaf ? "" : `${words.question}: `}${title}. ${words.rows(number(tree.data.rows[node]))}`;
    const style = ["box", isLeaf ? "leaf" : "inner", tree.data.weight[node] > 0 ? "" : "empty"];
    if (node === this.selected) style.push("selected");
    if (reach !== undefined) style.push("lit");
    if (this.found.has(node)) style.push("found");
    const group = s(
      "g",
      {
        class: style.filter(Boolean).join(" "),
        transform: `translate(${at.y} ${at.x})`,
        role: "treeitem",
        tabindex: node === this.selected ? 0 : -1,
        "aria-label": spoken,
        "aria-level": at.depth + 1,
        "aria-posinset": tree.branch[node] + 1 || 1,
        "aria-setsize": at.parent ? at.parent.children!.length : 1,
        "aria-selected": String(node === this.selected),
        "aria-expanded": isLeaf ? null : String(isOpen),
        "data-node": node,
        click: () => {
          if (node === this.selected) this.toggle(node);
          this.choose(node, true);
        },
      },
      s("rect", { width: BOX.width, height: BOX.height, rx: isLeaf ? 14 : 4 }),
      s("text", { class: "lead", x: 10, y: 16 }, fitted(lead, BOX.width - 20, FONT)),
      s("text", { class: "title", x: 10, y: 33 }, fitted(title, BOX.width - 20, BOLD)),
      s("text", { class: "facts", x: 10, y: 49 }, fitted(facts, BOX.width - 20, FONT)),
      tree.labels
        ? shareBar(tree.shares(node), shown.summary, 8, BOX.height - 9, BOX.width - 16, 5)
        : this.level(tree.data.outcome[node] as number),
    );
    if (!isLeaf && !isOpen) {
      const hidden = words.hidden(number(this.countBelow(node)));
      group.append(
        s("rect", { class: "more", x: BOX.width - 1, y: BOX.height / 2 - 10, width: 12 + 7 * hidden.length, height: 20, rx: 10 }),
        s("text", { class: "facts", x: BOX.width + 5, y: BOX.height / 2 + 4 }, hidden),
      );
    }
    return group;
  }

  /** Where a number lies between the least and the greatest that the tree says. */
  private level(value: number): SVGElement {
    const said = this.shown.tree.data.outcome as number[];
    const low = said.reduce((a, b) => Math.min(a, b), Infinity);
    const high = said.reduce((a, b) => Math.max(a, b), -Infinity);
    const width = BOX.width - 16;
    const at = high > low ? (value - low) / (high - low) : 0;
    return s(
      "g",
      { "aria-hidden": "true" },
      s("rect", { class: "track", x: 8, y: BOX.height - 9, width, height: 5, rx: 2 }),
      s("rect", { class: "c0", x: 8, y: BOX.height - 9, width: Math.max(2, width * at), height: 5, rx: 2 }),
    );
  }

  private countBelow(node: number): number {
    let count = 0;
    const waiting = [...this.shown.children(node)];
    while (waiting.length) {
      count += 1;
      waiting.push(...this.shown.children(waiting.pop()!));
    }
    return count;
  }
}
