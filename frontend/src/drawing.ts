// The tree itself, to walk, open, close, zoom and light up.
import { BOX, boxOf, branchOf, farBoxOf, placeFar, type Spot, type State } from "./boxes";
import { h, s } from "./dom";
import { areaOf, spotsOf } from "./layout";
import { isCrossed, isIn, marksOf, type Frame } from "./marks";
import { Minimap, type Area } from "./minimap";
import { astray, nodeAt } from "./near";
import type { Shown } from "./shown";
import { View } from "./view";
import type { Words } from "./words";

const ACROSS = { wide: 276, narrow: 226 }; // from one level to the next
const NARROW = 500; // a phone's screen
const AROUND = 12; // beside a tree that fills its frame
const OPENED = [26, 18, 12, 8, 5, 3]; // nodes that are open at first: as many as can be read
const READABLE = 0.62; // of the size of letters
const MOST_BOXES = 500; // with more nodes than these, only those in view have boxes,
const NEAR = 0.25; // and only from this scale on; below it they are marks

export class Drawing {
  readonly element: SVGSVGElement;
  readonly frame: HTMLElement;
  private readonly sheet: SVGGElement;
  private readonly lines = s("g", { role: "none" });
  private readonly items = s("g", { role: "none" });
  private readonly view: View;
  private readonly minimap = new Minimap((point) => this.view.put(point, this.view.k, undefined, true));
  private readonly open = new Set<number>();
  private spots: Spot[] = []; // nodes that are not hidden, from top to bottom as a list would have them
  private places = new Map<number, number>(); // of nodes among these
  private area: Area = { left: 0, top: 0, right: BOX.width, bottom: BOX.height };
  private readonly boxes = new Map<number, SVGGElement>();
  private isNear = true; // the boxes are to be read
  private lit = new Map<number, number>();
  private found = new Set<number>();
  private selected = 0;
  private across = ACROSS.wide;
  private tall = 0; // pixels made room for: the frame never shrinks under the reader's hand
  private shownAs: "home" | "fit" | null = null; // null: as the reader moved it
  private seenAs = { width: 0, height: 0 };
  private printed: { x: number; y: number; k: number; kx: number } | null = null; // where the drawing was before

  constructor(
    private readonly shown: Shown,
    private readonly words: Words,
    private readonly onSelect: (node: number) => void,
  ) {
    this.sheet = s("g", { role: "none" }, this.lines, this.items);
    this.element = s("svg", { class: "tree", role: "tree", "aria-label": words.treeLabel }, this.sheet);
    this.frame = h("div", { class: "view" }, this.element, this.minimap.element);
    this.view = new View(this.element, {
      fitting: () => this.scaleToFit(),
      across: (scale) => this.scaleAcross(scale),
      astray: () => astray(this.spots, this.framed),
      moved: (byHand) => {
        if (byHand) this.shownAs = null;
        this.paint();
      },
    });
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.element.addEventListener("click", (event) => this.onClick(event));
    new ResizeObserver(() => this.onResize()).observe(this.element);
  }

  /** The node that is selected. */
  get chosen(): number {
    return this.selected;
  }

  /** Whether there are too many nodes for a box each. */
  private get isLarge(): boolean {
    return this.spots.length > MOST_BOXES;
  }

  private get framed(): Frame {
    const { size, x, y, kx, k } = this.view;
    return { ...size, x, y, kx, k };
  }

  /** Begin again with the tree that is shown now: its heaviest nodes open, as far as they can be read. */
  restart(): void {
    this.lit.clear();
    this.found.clear();
    this.selected = 0;
    this.across = this.view.size.width < NARROW ? ACROSS.narrow : ACROSS.wide;
    const { tall } = this;
    for (const room of OPENED) {
      this.tall = tall;
      this.openHeaviest(room);
      this.layOut();
      this.makeRoom();
      if (this.scaleToFit() >= READABLE) break;
    }
    this.redraw();
    this.home();
    const { width, height } = this.element.getBoundingClientRect();
    this.seenAs = { width, height };
  }

  /** Keep what is open where it still is. */
  refresh(): void {
    if (this.shown.number(this.selected) < 0) this.selected = 0;
    this.lit.clear();
    this.draw();
  }

  openAll(): void {
    this.shown.nodes.forEach((node) => this.open.add(node));
    this.layOut();
    this.makeRoom();
    this.redraw();
    this.fit();
  }

  closeAll(): void {
    this.open.clear();
    this.selected = 0;
    this.layOut();
    this.redraw();
    this.home();
  }

  /** Open the way to a node, and put it in the middle. */
  reveal(node: number): void {
    for (let at = this.shown.tree.data.parent[node]; at >= 0; at = this.shown.tree.data.parent[at]) this.open.add(at);
    if (!this.places.has(node)) this.draw();
    this.centre(node);
    this.choose(node, false);
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
    if (!this.isNear) this.paint();
  }

  zoomBy(factor: number): void {
    this.view.zoomBy(factor);
  }

  fit(): void {
    this.shownAs = "fit";
    const { left, top, right, bottom } = this.area;
    this.view.put({ x: (left + right) / 2, y: (top + bottom) / 2 }, this.scaleToFit());
  }

  /** Show all of it on paper, however large that is; and afterwards as before. */
  print(isOn: boolean): void {
    const { element, view } = this;
    if (!isOn) {
      element.removeAttribute("viewBox");
      Object.assign(view, this.printed);
      this.printed = null;
      return this.paint();
    }
    const { x, y, k, kx } = view;
    this.printed = { x, y, k, kx };
    const { left, top, right, bottom } = this.area;
    if (this.isLarge) {
      const { shownAs } = this;
      this.fit();
      this.shownAs = shownAs;
      element.setAttribute("viewBox", `0 0 ${view.size.width} ${view.size.height}`);
    } else {
      const width = Math.max(right - left + 16, 640); // a small tree is not blown up
      element.setAttribute("viewBox", `${left - 8} ${top - 8} ${width} ${bottom - top + 16}`);
      this.sheet.setAttribute("transform", "");
    }
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

  /** Fit again what was made to fit; otherwise keep what was in the middle there. */
  private onResize(): void {
    const { width, height } = this.element.getBoundingClientRect();
    const { width: before, height: beforeHigh } = this.seenAs;
    if (!width || matchMedia("print").matches || (width === before && height === beforeHigh)) return;
    this.seenAs = { width, height };
    if (!before) return this.restart(); // notebooks make a page before they show it
    if (this.shownAs) {
      this.makeRoom();
      this[this.shownAs]();
    } else this.view.put(this.view.under({ x: before / 2, y: beforeHigh / 2 }), this.view.k);
  }

  private scaleToFit(): number {
    const { width, height } = this.view.size;
    const { left, top, right, bottom } = this.area;
    const down = (height - 2 * AROUND) / (bottom - top);
    return this.isLarge ? Math.min(NEAR, down) : Math.min(1, (width - 2 * AROUND) / (right - left), down);
  }

  /** A large tree is much taller than wide: from afar it is stretched, so that it always fills the frame. */
  private scaleAcross(scale: number): number {
    const least = this.scaleToFit();
    if (!this.isLarge || scale >= NEAR || least >= NEAR) return scale;
    const wanted = (this.view.size.width - 2 * AROUND) / (this.area.right - this.area.left);
    return NEAR * (Math.min(wanted, NEAR) / NEAR) ** (Math.log(scale / NEAR) / Math.log(least / NEAR));
  }

  /** Make the frame as tall as the tree is, within what the style allows. */
  private makeRoom(): void {
    const { left, top, right, bottom } = this.area;
    const scale = Math.min(1, (this.view.size.width - 2 * AROUND) / (right - left));
    this.tall = Math.max(this.tall, Math.ceil((bottom - top) * scale) + 2 * AROUND);
    this.element.closest<HTMLElement>(".stage")?.style.setProperty("--tall", `${this.tall}px`);
  }

  /** All of it if that can be read, else the root and what is beside it. */
  private home(): void {
    this.fit();
    this.shownAs = "home";
    if (this.scaleToFit() >= READABLE) return;
    const root = this.spots[0];
    this.view.put({ x: root.x, y: root.y + BOX.height / 2 }, READABLE, { x: AROUND, y: this.view.size.height / 2 });
  }

  private centre(node: number): void {
    const { x, y } = this.spots[this.places.get(node)!];
    this.shownAs = null;
    this.view.put({ x: x + BOX.width / 2, y: y + BOX.height / 2 }, Math.max(this.view.k, READABLE));
  }

  private choose(node: number, focus: boolean): void {
    const before = this.selected;
    this.selected = node;
    if (this.isLarge) this.paint(); // other nodes are near it now
    [before, node].forEach((each) => this.markSelected(each));
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

  private onClick(event: MouseEvent): void {
    if (this.view.isDrag) return;
    const box = (event.target as Element).closest<SVGGElement>(".box");
    const node = box ? Number(box.dataset.node) : this.isNear ? undefined : nodeAt(this.view.inFrame(event), this.spots, this.framed);
    if (node === undefined) return;
    if (node === this.selected) {
      if (this.isNear) this.setOpen(node, !this.open.has(node));
      else this.centre(node); // to see what it is
    }
    this.choose(node, true);
  }

  private onKey(event: KeyboardEvent): void {
    const { tree } = this.shown;
    const at = this.places.get(this.selected)!;
    const isOpen = this.open.has(this.selected) && !this.shown.isLeaf(this.selected);
    let next: number | undefined = this.selected;
    switch (event.key) {
      case "ArrowDown":
        next = this.spots[at + 1]?.node;
        break;
      case "ArrowUp":
        next = this.spots[at - 1]?.node;
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
        next = this.spots[this.spots.length - 1].node;
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

  /** Draw anew after nodes were opened, closed or lit. */
  private draw(): void {
    this.layOut();
    this.redraw();
    this.shownAs = null;
  }

  private layOut(): void {
    this.spots = spotsOf(this.shown, this.open, this.across);
    this.places = new Map(this.spots.map(({ node }, at) => [node, at]));
    this.area = areaOf(this.spots, (node) => !this.shown.isLeaf(node) && !this.open.has(node));
  }

  private redraw(): void {
    const hadFocus = this.items.querySelector(":focus") !== null;
    this.forget();
    this.minimap.draw(this.shown, this.spots, this.area);
    const corner = { x: 0, y: 0 };
    this.view.put(this.view.under(corner), this.view.k, corner);
    if (hadFocus) this.boxes.get(this.selected)?.focus({ preventScroll: true });
  }

  private forget(): void {
    this.boxes.clear();
    this.items.replaceChildren();
  }

  /** Show what is in view: all boxes of a small tree, those in view of a large one, or its marks from afar. */
  private paint(): void {
    const { shown, words, spots, view } = this;
    const frame = this.framed;
    const inView = this.isLarge ? spots.filter((spot) => isIn(spot, frame)) : spots;
    const isNear = !this.isLarge || (view.k >= NEAR && inView.length <= MOST_BOXES);
    const isFocused = this.items.querySelector(":focus") !== null;
    if (isNear !== this.isNear) this.forget();
    this.isNear = isNear;
    this.sheet.setAttribute("transform", isNear ? `translate(${view.x},${view.y}) scale(${view.k})` : "");
    const isDone = !this.isLarge && this.boxes.size === spots.length; // only moved
    if (!isNear) this.lines.replaceChildren(...marksOf(shown, spots, frame, this.styleOf));
    else if (!isDone) {
      const lines = spots.filter((spot) => spot.above && (!this.isLarge || isCrossed(spot, spot.above, frame)));
      this.lines.replaceChildren(...lines.map((spot) => branchOf(shown, words, spot, spot.above!, this.lit.has(spot.node))));
    }
    if (!isDone) this.showBoxes(this.isLarge ? this.withKin(isNear ? inView : []) : spots, frame);
    if (isFocused && !this.items.querySelector(":focus")) this.boxes.get(this.selected)?.focus({ preventScroll: true });
    const [start, end] = [view.under({ x: 0, y: 0 }), view.under({ x: frame.width, y: frame.height })];
    this.minimap.show({ left: start.x, top: start.y, right: end.x, bottom: end.y });
  }

  private readonly styleOf = (node: number): string | null => (this.lit.has(node) ? "lit" : this.found.has(node) ? "found" : null);

  /** Spots with those that keys lead to from the selected one: they are heard even where they are not seen. */
  private withKin(inView: readonly Spot[]): Spot[] {
    const { spots, places } = this;
    const at = places.get(this.selected)!;
    const kin = [spots[at].above, spots[at - 1], spots[at], spots[at + 1]].filter((spot): spot is Spot => !!spot);
    return [...new Set([...inView, ...kin])].sort((a, b) => places.get(a.node)! - places.get(b.node)!);
  }

  /** Keep the boxes of these spots, and make those that are not there; none is moved, or it would lose the focus. */
  private showBoxes(wanted: readonly Spot[], { x, y, kx, k }: Frame): void {
    const { shown, words, boxes } = this;
    const nodes = new Set(wanted.map(({ node }) => node));
    for (const [node, box] of boxes) {
      if (nodes.has(node)) continue;
      box.remove();
      boxes.delete(node);
    }
    let next = this.items.firstChild;
    for (const spot of wanted) {
      const { node } = spot;
      let box = boxes.get(node);
      if (box) next = box.nextSibling;
      else {
        const state: State = { isOpen: this.open.has(node), reach: this.lit.get(node) };
        box = this.isNear ? boxOf(shown, words, spot, state) : farBoxOf(shown, words, spot, state);
        box.classList.toggle("found", this.found.has(node));
        boxes.set(node, box);
        this.items.insertBefore(box, next);
        this.markSelected(node);
      }
      if (!this.isNear) placeFar(box, { x: x + kx * spot.x, y: y + k * spot.y, width: kx * BOX.width, height: k * BOX.height });
    }
  }
}
