// The address of a node: what follows the page's own.
import type { Shown } from "./shown";

/** A node by its number in the tree shown, and the place of that tree on the slider, unless it is the fitted one. */
export function addressOf(shown: Shown, node: number): string {
  const stop = shown.isFitted ? "" : `&stop=${shown.stop}`;
  return `#node=${shown.number(node)}${stop}`;
}

/** The number and the stop that an address names; null if it names neither. */
export function readAddress(address: string, { summary }: Shown): { number: number; stop: number | null } | null {
  const parts = /^#node=(\d+)(?:&stop=(\d+))?$/.exec(address);
  if (!parts) return null;
  const { alphas, fitted } = summary.path;
  const stop = parts[2] === undefined ? fitted : Number(parts[2]);
  return stop !== null && stop >= alphas.length ? null : { number: Number(parts[1]), stop };
}
