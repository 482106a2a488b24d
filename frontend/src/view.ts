// Where on the screen the drawing lies: pan, zoom and pinch, within bounds.
const LARGEST = 4; // times its own size
const SLACK = 0.5; // of the scale that shows all: zooming out ends there
const WHEEL = 0.02; // of a doubling for each pixel that the wheel turns
const STEADY = 3; // pixels that a press may move and still be a click

export interface Point {
  x: number;
  y: number;
}

/** What a view needs to know of what it shows. */
export interface Scene {
  /** The scale at which all of it is seen. */
  fitting(): number;
  /** The horizontal scale that goes with a vertical one. */
  across(scale: number): number;
  /** How far to move so that something is in view. */
  astray(): Point;
  /** The view is another one now; `byHand` if the reader moved it. */
  moved(byHand: boolean): void;
}

/** A point of the drawing is on the screen at `x + kx * point.x`, `y + k * point.y`. */
export class View {
  k = 1;
  kx = 1;
  x = 0;
  y = 0;
  private wasDragged = false;
  private readonly fingers = new Map<number, Point>();

  constructor(
    private readonly element: SVGSVGElement,
    private readonly scene: Scene,
  ) {
    element.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    element.addEventListener("pointerdown", (event) => this.onDown(event));
    element.addEventListener("pointermove", (event) => this.onMove(event));
    for (const end of ["pointerup", "pointercancel"] as const) element.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
  }

  get size(): { width: number; height: number } {
    const { width, height } = this.element.getBoundingClientRect();
    return { width: width || 800, height: height || 500 };
  }

  /** Whether the press that ends now moved the drawing, so that it is no click. */
  get isDrag(): boolean {
    return this.wasDragged;
  }

  /** Where a point of the window is in the frame. */
  inFrame({ clientX, clientY }: MouseEvent): Point {
    const { left, top } = this.element.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  /** Put a point of the drawing at a place of the frame, its middle if none is given, at a scale. */
  put(point: Point, scale: number, at?: Point, byHand = false): void {
    const { width, height } = this.size;
    this.k = Math.min(Math.max(scale, SLACK * this.scene.fitting()), LARGEST);
    this.kx = this.scene.across(this.k);
    this.x = (at?.x ?? width / 2) - this.kx * point.x;
    this.y = (at?.y ?? height / 2) - this.k * point.y;
    const { x, y } = this.scene.astray();
    this.x += x;
    this.y += y;
    this.scene.moved(byHand);
  }

  /** The point of the drawing at a place of the frame. */
  under(at: Point): Point {
    return { x: (at.x - this.x) / this.kx, y: (at.y - this.y) / this.k };
  }

  zoomBy(factor: number, at?: Point): void {
    const { width, height } = this.size;
    const fixed = at ?? { x: width / 2, y: height / 2 };
    this.put(this.under(fixed), this.k * factor, fixed, true);
  }

  private onWheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return; // the page scrolls
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1);
    this.zoomBy(Math.min(Math.max(2 ** (-WHEEL * pixels), 0.5), 2), this.inFrame(event));
  }

  private onDown(event: PointerEvent): void {
    if (event.button) return;
    if (!this.fingers.size) this.wasDragged = false;
    this.fingers.set(event.pointerId, this.inFrame(event));
  }

  private onMove(event: PointerEvent): void {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    const now = this.inFrame(event);
    if (!this.wasDragged && Math.hypot(now.x - before.x, now.y - before.y) < STEADY) return;
    this.wasDragged = true;
    this.element.setPointerCapture(event.pointerId);
    const others = [...this.fingers].filter(([finger]) => finger !== event.pointerId).map(([, at]) => at);
    const [from, to] = [around([before, ...others]), around([now, ...others])];
    const spread = others.length ? Math.hypot(now.x - others[0].x, now.y - others[0].y) / Math.hypot(before.x - others[0].x, before.y - others[0].y) : 1;
    this.put(this.under(from), this.k * (spread || 1), to, true);
    this.fingers.set(event.pointerId, now);
  }
}

function around(points: Point[]): Point {
  return { x: points.reduce((sum, { x }) => sum + x, 0) / points.length, y: points.reduce((sum, { y }) => sum + y, 0) / points.length };
}
