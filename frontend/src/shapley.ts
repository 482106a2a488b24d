// Exact Shapley values of the columns for one row. The same game as treewright.explain.shapley, which has the reasons.
import type { Shown } from "./shown";
import type { Value } from "./tree";

type Factors = ReadonlyMap<number, readonly [number, number]>; // by column: what its steps leave with it, and without

/** What each column adds to `start`, of the class `code` or of the number; null where rows may stop at inner nodes. */
export function shapleyOf(shown: Shown, values: Value[], code: number): { start: number; values: number[] } | null {
  const { tree } = shown;
  const { missing, weight } = tree.data;
  if (shown.nodes.some((node) => !shown.isLeaf(node) && missing[node] < -1)) return null;
  const found = tree.summary.columns.map(() => 0);
  let start = 0;
  const ways: { node: number; factors: Factors; reach: number }[] = [{ node: 0, factors: new Map(), reach: 1 }];
  while (ways.length) {
    const { node, factors, reach } = ways.pop()!;
    if (shown.isLeaf(node)) {
      const said = tree.probabilities(node)[code];
      start += reach * said;
      credit(factors, said, found);
      continue;
    }
    const { branch, decidedBy } = tree.decide(node, values);
    const below = tree.children[node];
    const total = below.reduce((sum, child) => sum + weight[child], 0);
    const [before, beforeWithout] = factors.get(decidedBy) ?? [1, 1];
    below.forEach((child, at) => {
      const without = total ? weight[child] / total : 1 / below.length;
      const its = branch < 0 ? without : Number(at === branch);
      const next: Factors = new Map(factors).set(decidedBy, [before * its, beforeWithout * without]);
      ways.push({ node: child, factors: next, reach: reach * without });
    });
  }
  return { start, values: found };
}

function credit(factors: Factors, said: number, found: number[]): void {
  const pairs = [...factors];
  for (const { point, share } of quadrature(Math.max(1, (pairs.length + 1) >> 1))) {
    const mixed = pairs.map(([, [its, without]]) => point * its + (1 - point) * without);
    const whole = mixed.reduce((product, each) => product * each, 1);
    if (!whole) continue; // the row never goes there, with or without some column
    pairs.forEach(([column, [its, without]], at) => {
      found[column] += (share * (its - without) * said * whole) / mixed[at];
    });
  }
}

const known = new Map<number, { point: number; share: number }[]>();

/** Points from 0 to 1 and their shares of an integral, exact for polynomials of degree 2n - 1 (Gauss and Legendre). */
function quadrature(n: number): { point: number; share: number }[] {
  let rule = known.get(n);
  if (rule) return rule;
  rule = Array.from({ length: n }, (_, at) => {
    let x = Math.cos((Math.PI * (at + 0.75)) / (n + 0.5));
    let slope = 1;
    for (let round = 0; round < 20; round++) {
      let [before, value] = [1, x];
      for (let degree = 2; degree <= n; degree++) [before, value] = [value, ((2 * degree - 1) * x * value - (degree - 1) * before) / degree];
      slope = (n * (x * value - before)) / (x * x - 1);
      x -= value / slope;
    }
    return { point: (x + 1) / 2, share: 1 / ((1 - x * x) * slope * slope) };
  });
  known.set(n, rule);
  return rule;
}
