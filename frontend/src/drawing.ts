// The tree itself, to walk, open, close, zoom and light up.
import { hierarchy, tree as tidy } from "d3-hierarchy";
import { select, type Selection } from "d3-selection";
import { zoom, zoomIdentity, zoomTransform, type ZoomBehavior } from "d3-zoom";
import { BOX, boxOf, branchOf, type Place } from "./boxes";
import { s } from "./dom";
import type { Shown } from "./shown";
import type { Words } from "./words";

const DOWN = 76; // from one box to the next
const ACROSS = { wide: 276, narrow: 226 };
const NARROW = 500; // a phone's screen
const BADGE = 48; // beside a node that is closed
const AROUND = 12; // beside a tree that fills its frame
const OPENED = [26, 18, 12, 8, 5, 3]; // nodes that are open at first: as many as can be read
const READABLE = 0.62; // of the size of letters

export class Drawing {
  readonly element: SVGSVGElement;
  private readonly sheet: SVGGElement;
  private readonly svg: Selection<SVGSVGElement, unknown, null, undefined>;
  private readonly zooming: ZoomBehavior<SVGSVGElement, unknown>;
  private readonly open = new Set<number>();
  private order: number[] = []; // nodes drawn, from top to bottom as a list would have them
  private boxes = new Map<number, SVGGElement>();
  private places = new Map<number, Place>();
  private lit = new Map<number, number>();
  private found = new Set<number>();
  private selected = 0;
  private across = ACROSS.wide; // from one level to the next
  private tall = 0; // pixels made room for: the frame never shrinks under the reader's hand

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
      .extent((): [[number, number], [number, number]] => {
        const { width, height } = this.size();
        return [
          [0, 0],
          [width, height],
        ];
      })
      .filter((event: WheelEvent) => (event.type !== "wheel" || event.ctrlKey || event.metaKey) && !event.button)
      .on("zoom", ({ transform }) => this.sheet.setAttribute("transform", transform.toString()));
    this.svg.call(this.zooming).on("dblclick.zoom", null);
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.element.addEventListener("click", (event) => this.onClick(event));
  }

  /** The node that is selected. */
  get chosen(): number {
    return this.selected;
  }

  /** Begin again with the tree that is shown now: its heaviest nodes open, as far as they can be read. */
  restart(): void {
    this.lit.clear();
    this.found.clear();
    this.selected = 0;
    this.across = this.size().width < NARROW ? ACROSS.narrow : ACROSS.wide;
    const { tall } = this;
    for (const room of OPENED) {
      this.tall = tall;
      this.openHeaviest(room);
      this.draw();
      this.makeRoom();
      if (this.scaleToFit() >= READABLE) break;
    }
    this.home();
    if (!this.element.getBoundingClientRect().width) this.restartWhenSeen();
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
    this.makeRoom();
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
    const scale = this.scaleToFit();
    const x = (width - scale * (left + right)) / 2;
    const y = (height - scale * (top + bottom)) / 2;
    this.svg.call(this.zooming.transform, zoomIdentity.translate(x, y).scale(scale));
  }

  /** Show all of it on paper, however large that is; and afterwards as before. */
  print(isOn: boolean): void {
    const [left, top, right, bottom] = this.extent();
    const width = Math.max(right - left + 16, 640); // a small tree is not blown up
    if (isOn) this.element.setAttribute("viewBox", `${left - 8} ${top - 8} ${width} ${bottom - top + 16}`);
    else this.element.removeAttribute("viewBox");
    this.sheet.setAttribute("transform", isOn ? "" : zoomTransform(this.element).toString());
  }

  private openHeaviest(room: number): void {
    const { weight } = this.shown.tree.data;
    this.open.clear();
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
  }

  /** Notebooks make a page before they show it: only then is there a size to go by. */
  private restartWhenSeen(): void {
    const observer = new ResizeObserver(() => {
      if (!this.element.getBoundingClientRect().width) return;
      observer.disconnect();
      this.restart();
    });
    observer.observe(this.element);
  }

  private extent(): [number, number, number, number] {
    let [top, right, bottom] = [0, BOX.width, BOX.height];
    for (const [node, { x, y }] of this.places) {
      const isClosed = !this.shown.isLeaf(node) && !this.open.has(node);
      top = Math.min(top, y);
      right = Math.max(right, x + BOX.width + (isClosed ? BADGE : 0));
      bottom = Math.max(bottom, y + BOX.height);
    }
    return [0, top, right, bottom];
  }

  private scaleToFit(): number {
    const { width, height } = this.size();
    const [left, top, right, bottom] = this.extent();
    return Math.min(1, (width - 2 * AROUND) / (right - left), (height - 2 * AROUND) / (bottom - top));
  }

  /** Make the frame as tall as the tree is, within what the style allows. */
  private makeRoom(): void {
    const [left, top, right, bottom] = this.extent();
    const scale = Math.min(1, (this.size().width - 2 * AROUND) / (right - left));
    this.tall = Math.max(this.tall, Math.ceil((bottom - top) * scale) + 2 * AROUND);
    this.element.closest<HTMLElement>(".stage")?.style.setProperty("--tall", `${this.tall}px`);
  }

  /** All of it if that can be read, else the root and what is beside it. */
  private home(): void {
    this.fit();
    if (this.scaleToFit() >= READABLE) return;
    const root = this.places.get(0)!;
    const { height } = this.size();
    const y = height / 2 - (root.y + BOX.height / 2) * READABLE;
    this.svg.call(this.zooming.transform, zoomIdentity.translate(AROUND - root.x * READABLE, y).scale(READABLE));
  }

  private centre(node: number): void {
    const place = this.places.get(node)!;
    const { width, height } = this.size();
    const near = Math.max(zoomTransform(this.element).k, READABLE);
    const x = width / 2 - near * (place.x + BOX.width / 2);
    const y = height / 2 - near * (place.y + BOX.height / 2);
    this.svg.call(this.zooming.transform, zoomIdentity.translate(x, y).scale(near));
  }

  private size(): { width: number; height: number } {
    const { width, height } = this.element.getBoundingClientRect();
    return { width: width || 800, height: height || 500 };
  }

  private choose(node: number, focus: boolean): void {
    const before = this.selected;
    this.selected = node;
    if (this.boxes.has(node)) [before, node].forEach((each) => this.markSelected(each));
    else this.draw();
    this.onSelect(node);
    if (focus) this.boxes.get(node)?.focus({ preventScroll: true });
  }

  private markSelected(node: number): void {
    const is = node === this.selected;
    const box = this.boxes.get(node);
    box?.classList.toggle("selected", is);
    box?.setAttribute("tabindex", is ? "0" : "-1");
    box?.setAttribute("aria-selected", String(is));
  }

  private setOpen(node: number, isOpen: boolean): void {
    if (this.shown.isLeaf(node)) return;
    if (isOpen) this.open.add(node);
    else this.open.delete(node);
    this.draw();
  }

  private onClick(event: Event): void {
    const box = (event.target as Element).closest<SVGGElement>(".box");
    if (!box) return;
    const node = Number(box.dataset.node);
    if (node === this.selected) this.setOpen(node, !this.open.has(node));
    this.choose(node, true);
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
        else this.setOpen(this.selected, true);
        break;
      case "ArrowLeft":
        if (isOpen) this.setOpen(this.selected, false);
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
        this.setOpen(this.selected, !isOpen);
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
    const box = this.boxes.get(node)!.getBoundingClientRect();
    const frame = this.element.getBoundingClientRect();
    const isInside = box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
    if (!isInside) this.centre(node);
  }

  private draw(): void {
    const { shown, words } = this;
    const below = (node: number): number[] => (this.open.has(node) ? shown.children(node) : []);
    const root = tidy<number>().nodeSize([DOWN, this.across]).separation(() => 1)(hierarchy(0, below));
    const branches: SVGElement[] = [];
    this.order = [];
    this.boxes.clear();
    this.places.clear();
    root.eachBefore(({ data: node, x, y, depth, parent }) => {
      const place = { x: y, y: x }; // from left to right
      const reach = this.lit.get(node);
      this.order.push(node);
      this.places.set(node, place);
      if (parent) branches.push(branchOf(shown, words, node, this.places.get(parent.data)!, place, reach !== undefined));
      const siblings = parent?.children!.length ?? 1;
      this.boxes.set(node, boxOf(shown, words, node, { place, depth, siblings, isOpen: this.open.has(node), reach }));
      this.markSelected(node);
    });
    this.mark(this.found);
    this.sheet.replaceChildren(...branches, ...this.boxes.values());
  }
}
