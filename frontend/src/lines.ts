// The body of a long table, of which only the lines near those in view exist.
import { h } from "./dom";

const AT_ONCE = 100; // lines that come and go together
const TALL = 30; // pixels of a line that has not been seen
const REGION = 512; // pixels in view, as long as there is no window

export class Lines {
  readonly body = h("tbody", { role: "rowgroup" });
  private readonly heights: (number | null)[]; // of blocks of lines, null before they are seen
  private readonly blocks = new Map<number, HTMLElement[]>();

  /** `region` scrolls; `frame` is in it around the table. */
  constructor(
    private readonly region: HTMLElement,
    private readonly frame: HTMLElement,
    private readonly n: number,
    private readonly line: (at: number) => HTMLElement,
  ) {
    this.heights = new Array<number | null>(Math.ceil(n / AT_ONCE)).fill(null);
    region.addEventListener("scroll", () => this.show());
    addEventListener("beforeprint", () => this.show(true)); // on paper nobody scrolls
    addEventListener("afterprint", () => this.show());
  }

  /** Make the lines in view and a screen before and after them, or all, and drop the others. */
  show(all = false): void {
    const high = all ? Infinity : this.region.clientHeight || REGION;
    const [from, to] = [this.region.scrollTop - high, this.region.scrollTop + 2 * high];
    const heights = this.estimated();
    const wanted = new Set<number>();
    let end = 0;
    heights.forEach((height, block) => {
      if (end < to && end + height > from) wanted.add(block);
      end += height;
    });
    for (const [block, lines] of this.blocks) {
      if (wanted.has(block)) continue;
      lines.forEach((line) => line.remove());
      this.blocks.delete(block);
    }
    let next = this.body.firstChild;
    for (const block of wanted) {
      let lines = this.blocks.get(block);
      if (lines) next = lines[lines.length - 1].nextSibling;
      else {
        lines = this.made(block);
        this.blocks.set(block, lines);
        for (const line of lines) this.body.insertBefore(line, next);
      }
    }
    const shown = [...wanted];
    this.pad(shown); // before anything is measured: a region that is too short for a moment scrolls
    this.measure(shown);
    this.pad(shown);
  }

  private made(block: number): HTMLElement[] {
    const from = block * AT_ONCE;
    return Array.from({ length: Math.min(AT_ONCE, this.n - from) }, (_, at) => {
      const line = this.line(from + at);
      line.setAttribute("aria-rowindex", String(from + at + 2)); // the heading is the first
      return line;
    });
  }

  private measure(shown: number[]): void {
    for (const block of shown) {
      const lines = this.blocks.get(block)!;
      const height = lines[lines.length - 1].getBoundingClientRect().bottom - lines[0].getBoundingClientRect().top;
      if (height > 0) this.heights[block] = height;
    }
  }

  /** Leave room for the lines that are not there. */
  private pad(shown: number[]): void {
    const heights = this.estimated();
    const sum = (some: number[]): number => some.reduce((a, b) => a + b, 0);
    this.frame.style.setProperty("padding-top", `${sum(heights.slice(0, shown[0]))}px`);
    this.frame.style.setProperty("padding-bottom", `${sum(heights.slice(shown[shown.length - 1] + 1))}px`);
  }

  /** Height of each block; lines that have not been seen are as tall as the others on average. */
  private estimated(): number[] {
    const size = (block: number): number => Math.min(AT_ONCE, this.n - block * AT_ONCE);
    let [seen, tall] = [0, 0];
    this.heights.forEach((height, block) => {
      if (height === null) return;
      seen += size(block);
      tall += height;
    });
    const mean = seen ? tall / seen : TALL;
    return this.heights.map((height, block) => height ?? mean * size(block));
  }
}
