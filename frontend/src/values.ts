// Texts that people type, as values that questions compare.
import type { Value } from "./tree";
import type { ColumnData } from "./types";

const NANOSECONDS: Record<string, bigint> = { ns: 1n, us: 1_000n, ms: 1_000_000n, s: 1_000_000_000n };
const LARGEST = 2n ** 63n - 1n;

export interface Read {
  value: Value;
  unseen: boolean; // a category that was not there in training
  wrong: boolean; // not a value of this kind at all
}

const MISSING: Read = { value: null, unseen: false, wrong: false };
const WRONG: Read = { value: null, unseen: false, wrong: true };

/** Read what is given for a column: a number, a text, or null for no value. */
export function read(column: ColumnData, given: string | number | null): Read {
  if (given === null) return MISSING;
  const text = String(given);
  if (column.bins) return readInterval(column, text);
  if (column.categories) {
    let code = column.categories.indexOf(text);
    if (code < 0 && column.are_numbers && text.trim()) code = column.categories.findIndex((each) => Number(each) === Number(text));
    return code < 0 ? { value: null, unseen: true, wrong: false } : known(code);
  }
  return readNumber(column.kind, column.unit, text);
}

function known(value: Value): Read {
  return { value, unseen: false, wrong: false };
}

function readNumber(kind: string, unit: string, text: string): Read {
  const typed = text.trim();
  if (!typed) return MISSING;
  if (kind === "number") {
    const value = Number(typed);
    return Number.isFinite(value) ? known(value) : WRONG;
  }
  if (kind === "integer") {
    if (/^[+-]?\d+$/.test(typed)) return known(clipped(BigInt(typed)));
    const value = Number(typed); // rounding down keeps every comparison with a whole cut
    return Number.isFinite(value) ? known(clipped(BigInt(Math.floor(value)))) : WRONG;
  }
  const nanoseconds = kind === "datetime" ? moment(typed) : duration(typed);
  return nanoseconds === null ? WRONG : known(clipped(floored(nanoseconds, NANOSECONDS[unit])));
}

function readInterval(column: ColumnData, text: string): Read {
  const { edges, kind, unit } = column.bins!;
  const read = readNumber(kind, unit, text);
  if (read.value === null) return read;
  const above = edges.findIndex((edge) => read.value! <= (kind === "number" ? Number(edge) : BigInt(edge)));
  return known(above < 0 ? edges.length : above);
}

function clipped(value: bigint): bigint {
  return value > LARGEST ? LARGEST : value < -LARGEST ? -LARGEST : value;
}

function floored(value: bigint, unit: bigint): bigint {
  const quotient = value / unit;
  return value % unit < 0n ? quotient - 1n : quotient;
}

function fraction(digits: string | undefined): bigint {
  return BigInt((digits ?? "").padEnd(9, "0").slice(0, 9));
}

/** "2024-02-29 13:30:00.5" in nanoseconds since 1970; a zone, if any, must be UTC. */
function moment(text: string): bigint | null {
  const parts = /^([+-]?\d{4,6})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?(?: ?(?:UTC|Z|\+00:00))?$/.exec(text);
  if (!parts) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  if (!isReal) return null;
  const seconds = BigInt(date.getTime() / 1000 + hour * 3600 + minute * 60 + second);
  return seconds * NANOSECONDS.s + fraction(parts[7]);
}

/** "1 day 02:03:04.5" in nanoseconds. */
function duration(text: string): bigint | null {
  const parts = /^(-)?(?:(\d+) days?)? ?(?:(\d+):(\d\d):(\d\d)(?:\.(\d{1,9}))?)?$/.exec(text);
  if (!parts || (parts[2] === undefined && parts[3] === undefined)) return null;
  const [days, hours, minutes, seconds] = parts.slice(2, 6).map((part) => BigInt(part ?? 0));
  const size = (((days * 24n + hours) * 60n + minutes) * 60n + seconds) * NANOSECONDS.s + fraction(parts[6]);
  return parts[1] ? -size : size;
}
