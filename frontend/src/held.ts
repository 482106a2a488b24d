// Rows that the tree has not seen, at its nodes.
import { pairs, type Tree } from "./tree";

/** Their weight at a node and, of these, the share with its answer, or their mean; -Infinity where none came. */
export function heldAt(tree: Tree, node: number): { given: number; held: number } {
  const here = tree.data.given?.[node];
  if (!here) return { given: 0, held: -Infinity };
  if (!tree.labels) return { given: here[0], held: here[1] };
  const weights = pairs(here);
  const given = weights.reduce((sum, [, weight]) => sum + weight, 0);
  return { given, held: (weights.find(([code]) => code === tree.data.answer[node])?.[1] ?? 0) / given };
}
