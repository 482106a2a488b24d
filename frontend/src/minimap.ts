// The whole tree in a corner of its frame, with the part that is in view.
import { BOX, type Spot } from "./boxes";
import { s } from "./dom";
import { marksOf } from "./marks";
import type { Shown } from "./shown";
import type { Point } from "./view";

const SIZE = { width: 132, height: 92 };
const EDGE = 4; // around the tree

/** The corners of a part of the drawing. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export class Minimap {
  readonly element: SVGSVGElement;
  private readonly window = s("rect", { class: "window" });
  private readonly sheet = s("g");
  private area: Area = { left: 0, top: 0, right: 1, bottom: 1 };

  constructor(onPoint: (point: Point) => void) {
    this.element = s("svg", { class: "minimap hidden", ...SIZE, "aria-hidden": "true" }, this.sheet, this.window);
    const point = (event: PointerEvent): void => {
      const { left, top } = this.element.getBoundingClientRect();
      const { kx, k } = this.scales();
      onPoint({ x: this.area.left + (event.clientX - left - EDGE) / kx, y: this.area.top + (event.clientY - top - EDGE) / k });
    };
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      point(event);
    });
    this.element.addEventListener("pointermove", (event) => event.buttons && point(event));
  }

  draw(shown: Shown, spots: readonly Spot[], area: Area): void {
    this.area = area;
    const { kx, k } = this.scales();
    const frame = { ...SIZE, kx, k, x: EDGE - kx * area.left, y: EDGE - k * area.top };
    this.sheet.replaceChildren(...marksOf(shown, spots, frame, () => null));
  }

  /** Outline what is in view; where that is all of it there is nothing to outline. */
  show(view: Area): void {
    const { area, element, window } = this;
    const { kx, k } = this.scales();
    const isAll = view.left <= area.left && view.top <= area.top && view.right >= area.right && view.bottom >= area.bottom;
    element.classList.toggle("hidden", isAll);
    const [left, right] = [Math.max(view.left, area.left), Math.min(view.right, area.right)];
    const [top, bottom] = [Math.max(view.top, area.top), Math.min(view.bottom, area.bottom)];
    window.setAttribute("x", String(EDGE + kx * (left - area.left)));
    window.setAttribute("y", String(EDGE + k * (top - area.top)));
    window.setAttribute("width", String(Math.max(2, kx * (right - left))));
    window.setAttribute("height", String(Math.max(2, k * (bottom - top))));
  }

  private scales(): { kx: number; k: number } {
    const { left, top, right, bottom } = this.area;
    return { kx: (SIZE.width - 2 * EDGE) / Math.max(right - left, BOX.width), k: (SIZE.height - 2 * EDGE) / Math.max(bottom - top, BOX.height) };
  }
}
