// Elements, made of data that is only ever text.
const SVG = "http://www.w3.org/2000/svg";
type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => void)>;

function filled<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child): child is Node | string => !!child));
  return element;
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS(SVG, tag) as SVGElementTagNameMap[K], attributes, children);
}

const LONGEST = 400;

/** One line of characters that show as they are: names are data, and may hold anything. */
export function plain(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  const shown = cut
    .replace(/\r\n|[\n\r\v\f\x85\u2028\u2029]/g, "↵")
    .replace(/\t/g, "⇥")
    .replace(/[\x00-\x1f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)))
    .replace(/[\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, "\ufffd")
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
  return shown.trim() ? shown : `'${shown}'`;
}

/** A name, kept from turning the text around it. */
export function name(text: string): HTMLElement {
  return h("bdi", {}, plain(text));
}

export function number(value: number, digits = 4): string {
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  const size = Math.abs(value);
  if (size >= 1e15 || size < 1e-4) return value.toPrecision(digits).replace(/\.?0+(?=e|$)/, "");
  if (size >= 1000) return value.toLocaleString("en-US", { maximumFractionDigits: 1 });
  return String(Number(value.toPrecision(digits)));
}

/** A number with some decimals, of which rounding makes no -0. */
export function fixed(value: number, decimals: number): string {
  const text = value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return text.replace(/^-(?=[0.]+$)/, "");
}

/** A figure and its standard error, to the second digit of the error, as `format_with_error` writes them in a terminal. */
export function withError(value: number, error: number, unit = ""): string {
  if (!(error > 1e-6 && error < 1e6)) return `${number(value)}${unit} ± ${number(error, 2)}${unit}`;
  const decimals = Math.max(0, 1 - Math.floor(Math.log10(error)));
  return `${fixed(value, decimals)}${unit} ± ${fixed(error, decimals)}${unit}`;
}

/** A figure of a ledger, in few places. */
export function figure(value: number): string {
  const size = Math.abs(value);
  if (!value || (size >= 1e-4 && size < 1000)) return value.toFixed(size < 10 ? 4 : 2);
  return size < 1e5 && size >= 1000 ? value.toFixed(1) : value.toExponential(2).replace("e+", "e");
}

export function percent(share: number): string {
  if (share > 0 && share < 0.0005) return "<0.1%";
  return `${(share * 100).toFixed(share > 0 && share < 0.0995 ? 1 : 0)}%`;
}

/** A change, with its sign. `size`: of what it is a part of; what rounding leaves of a change is none. */
export function signed(value: number, size: number): string {
  if (Math.abs(value) <= 1e-12 * size) return "0";
  const text = number(value, 3);
  return value > 0 ? `+${text}` : text.replace("-", "−");
}

const NO_PLACE = /[\p{Mn}\p{Me}\p{Cf}]/u;
const TWO_PLACES = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** The places that a text takes in a terminal, where the library's own texts are shown. */
export function textWidth(text: string): number {
  return [...text].reduce((sum, letter) => sum + (NO_PLACE.test(letter) ? 0 : TWO_PLACES.test(letter) ? 2 : 1), 0);
}

const canvas = document.createElement("canvas").getContext("2d");
const widths = new Map<string, number>();

/** Cut a text to a width in pixels. */
export function fitted(text: string, width: number, font: string): string {
  const measure = (part: string): number => {
    const key = `${font}|${part}`;
    let found = widths.get(key);
    if (found === undefined) {
      if (canvas) canvas.font = font;
      found = canvas ? canvas.measureText(part).width : part.length * 8;
      widths.set(key, found);
    }
    return found;
  };
  const letters = [...text.slice(0, 300)];
  if (text.length <= 300 && measure(text) <= width) return text;
  let low = 0;
  let high = letters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(`${letters.slice(0, middle).join("")}…`) <= width) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join("")}…`;
}
