// Which tree is shown: the model's own, or one that a price of a leaf makes of the tree as grown.
import { Tree, type Answer, type Value } from "./tree";
import type { Quality, Summary } from "./types";

export class Shown {
  readonly trees: Tree[];
  tree: Tree;
  stop: number | null; // place among the nested trees; null: the model's own tree, which is none of them
  private leaf: boolean[] = [];
  private numbers: number[] = [];
  private spreads = false;

  constructor(readonly summary: Summary) {
    this.trees = summary.trees.map((data) => new Tree(data, summary));
    this.tree = this.trees[0];
    this.stop = summary.path.fitted;
    this.settle();
  }

  get isFitted(): boolean {
    return this.stop === this.summary.path.fitted;
  }

  get quality(): Quality {
    return this.stop === null ? this.summary.quality : this.summary.path.quality[this.stop];
  }

  /** Columns by importance, the highest first. */
  get importances(): { column: number; importance: number }[] {
    const all = this.stop === null ? this.summary.importances : this.summary.path.importances[this.stop];
    return Object.entries(all)
      .map(([column, importance]) => ({ column: Number(column), importance }))
      .filter(({ importance }) => importance > 0)
      .sort((a, b) => b.importance - a.importance || a.column - b.column);
  }

  show(stop: number | null): void {
    this.stop = stop;
    this.tree = stop === null ? this.trees[0] : this.trees[this.summary.path.tree];
    this.settle();
  }

  isLeaf = (node: number): boolean => this.leaf[node];
  /** Number of a node in the tree shown, as `tree_.node` knows it; -1 for one that is not there. */
  number = (node: number): number => this.numbers[node];

  get nodes(): number[] {
    return this.numbers.flatMap((number, node) => (number < 0 ? [] : [node]));
  }

  get nLeaves(): number {
    return this.nodes.filter(this.isLeaf).length;
  }

  children(node: number): number[] {
    return this.leaf[node] ? [] : this.tree.children[node];
  }

  answer(values: Value[]): Answer {
    return this.tree.answer(values, this.isLeaf, this.spreads);
  }

  /** The class that a leaf answers for a row that is in no other. */
  answerOf(leaf: number): number {
    return this.spreads ? this.tree.chosen(this.tree.shares(leaf)) : this.tree.data.answer[leaf];
  }

  private settle(): void {
    const { path } = this.summary;
    const { data, n } = this.tree;
    const alpha = this.stop === null ? null : path.alphas[this.stop];
    this.leaf = data.column.map(
      (column, node) => column < 0 || (alpha !== null && path.price[node] !== null && path.price[node]! <= alpha),
    );
    this.numbers = new Array<number>(n).fill(-1);
    let next = 0;
    for (let node = 0; node < n; node++) {
      const above = data.parent[node];
      if (above < 0 || (this.numbers[above] >= 0 && !this.leaf[above])) this.numbers[node] = next++;
    }
    this.spreads = this.nodes.some((node) => !this.leaf[node] && data.missing[node] === -1);
  }
}
