// A tree of the summary: who is whose child, what nodes ask and what they say of a row.
import type { Asked, ColumnData, Cut, Summary, SurrogateData, TreeData } from "./types";

/** A value as questions compare it: a number, a count of units, the code of a category; null is missing. */
export type Value = number | bigint | null;

const STOP = -2; // for a branch: rows without a value go no further
const ROUNDING = 2 ** -40; // as in the model: shares that differ by less are equal

export class Question {
  readonly column: number;
  readonly kind: "cut" | "known" | "sets";
  readonly cut: number | bigint;
  readonly text: string;
  readonly sets: number[][];
  private readonly branchOfCode = new Map<number, number>();

  constructor(asked: Asked) {
    this.column = asked.column;
    this.sets = asked.sets ?? [];
    this.text = asked.cut_text ?? "";
    this.kind = asked.sets ? "sets" : asked.cut === null ? "known" : "cut";
    this.cut = compared(asked.cut ?? null);
    this.sets.forEach((codes, branch) => codes.forEach((code) => this.branchOfCode.set(code, branch)));
  }

  /** The branch of a value; -1 where this question cannot tell. */
  branch(value: Value): number {
    if (value === null) return -1;
    if (this.kind === "sets") return this.branchOfCode.get(Number(value)) ?? -1;
    return this.kind === "known" || value <= this.cut ? 0 : 1;
  }
}

function compared(cut: Cut): number | bigint {
  return cut === null ? 0 : typeof cut === "string" ? BigInt(cut) : cut;
}

/** Codes of classes and weights, which the summary has in turn. */
export function pairs(list: number[]): [number, number][] {
  return Array.from({ length: list.length / 2 }, (_, at) => [list[2 * at], list[2 * at + 1]]);
}

/** How a row comes to a node, and why. */
export interface Visit {
  node: number;
  share: number;
  branch: number; // -1: every branch, or a leaf
  decidedBy: number; // column; -1 at a leaf
  why: "known" | "surrogate" | "missing" | "spread" | "stop" | "leaf";
  agree: number; // of the surrogate
}

export interface Answer {
  visits: Visit[];
  leaves: { node: number; share: number }[];
  code: number; // of the class
  prediction: number[]; // probability of each class, or the number
  contributions: number[][]; // by column
}

export class Tree {
  readonly children: number[][];
  readonly depth: number[];
  readonly branch: number[]; // which one of its parent's leads to a node
  readonly labels: string[] | null;
  private ends: { low: number; high: number } | undefined;
  private readonly questions = new Map<number, Question>();
  private readonly surrogates = new Map<number, { question: Question; low: number; agree: number }[]>();

  constructor(
    readonly data: TreeData,
    readonly summary: Summary,
  ) {
    this.labels = summary.target.labels;
    this.children = data.parent.map(() => []);
    this.depth = data.parent.map(() => 0);
    this.branch = data.parent.map(() => -1);
    data.parent.forEach((above, node) => {
      if (above < 0) return;
      this.branch[node] = this.children[above].length;
      this.children[above].push(node);
      this.depth[node] = this.depth[above] + 1;
    });
  }

  /** The least and the greatest number that the tree says. */
  get range(): { low: number; high: number } {
    this.ends ??= (this.data.outcome as number[]).reduce(
      ({ low, high }, said) => ({ low: Math.min(low, said), high: Math.max(high, said) }),
      { low: Infinity, high: -Infinity },
    );
    return this.ends;
  }

  get n(): number {
    return this.data.parent.length;
  }

  columnOf(node: number): ColumnData {
    return this.summary.columns[this.data.column[node]];
  }

  question(node: number): Question {
    let question = this.questions.get(node);
    if (!question) {
      const { cut, cut_text, sets, column } = this.data;
      question = new Question({ column: column[node], cut: cut[node], cut_text: cut_text[node], sets: sets[node] });
      this.questions.set(node, question);
    }
    return question;
  }

  surrogatesOf(node: number): { question: Question; low: number; agree: number }[] {
    let found = this.surrogates.get(node);
    if (!found) {
      found = (this.data.surrogates[node] ?? []).map((each: SurrogateData) => ({
        question: new Question(each),
        low: each.low,
        agree: each.agree,
      }));
      this.surrogates.set(node, found);
    }
    return found;
  }

  /** Weight of each class. */
  weights(node: number): number[] {
    const weights = new Array<number>(this.labels?.length ?? 0).fill(0);
    for (const [code, weight] of pairs(this.data.outcome[node] as number[])) weights[code] = weight;
    return weights;
  }

  /** Share of each class, or the number. */
  shares(node: number): number[] {
    if (!this.labels) return [this.data.outcome[node] as number];
    const untold = this.data.shares[node];
    if (untold) return untold;
    const total = this.data.told.length ? this.data.told[node] : this.data.weight[node];
    return this.weights(node).map((weight) => weight / total);
  }

  /** The same, smoothed if that was asked for. */
  probabilities(node: number): number[] {
    const added = this.data.smoothing;
    if (!this.labels || !added || !this.data.sum) return this.shares(node);
    const total = this.data.sum[node] + added * this.labels.length;
    return this.weights(node).map((weight) => (weight + added) / total);
  }

  answerText(node: number): string | number {
    return this.labels ? this.labels[this.data.answer[node]] : (this.data.outcome[node] as number);
  }

  /** The class of these shares: the heaviest, or that of least expected loss; the first of equals. */
  chosen(shares: number[]): number {
    const loss = this.data.loss;
    if (!loss) {
      const most = shares.reduce((a, b) => Math.max(a, b), -Infinity);
      return shares.findIndex((share) => share >= most - ROUNDING);
    }
    const expected = shares.map(() => 0);
    loss.forEach((costs, truth) => costs.forEach((cost, at) => (expected[at] += shares[truth] * cost)));
    const worst = loss.reduce((most, costs) => costs.reduce((a, b) => Math.max(a, b), most), 0);
    const least = expected.reduce((a, b) => Math.min(a, b), Infinity) + ROUNDING * worst;
    return expected.findIndex((cost) => cost <= least);
  }

  decide(node: number, values: Value[]): Pick<Visit, "branch" | "decidedBy" | "why" | "agree"> {
    const question = this.question(node);
    const own = question.branch(values[question.column]);
    if (own >= 0) return { branch: own, decidedBy: question.column, why: "known", agree: 1 };
    for (const { question: other, low, agree } of this.surrogatesOf(node)) {
      const said = other.branch(values[other.column]);
      if (said < 0) continue;
      const branch = other.kind === "sets" || !low ? said : 1 - said;
      return { branch, decidedBy: other.column, why: "surrogate", agree };
    }
    const branch = this.data.missing[node];
    return { branch, decidedBy: question.column, why: branch === STOP ? "stop" : branch < 0 ? "spread" : "missing", agree: 1 };
  }

  /** Send a row down, as far as nodes are split. */
  answer(values: Value[], isLeaf: (node: number) => boolean, spreads: boolean): Answer {
    const visits: Visit[] = [];
    const ways = [{ node: 0, share: 1 }];
    while (ways.length) {
      const { node, share } = ways.pop()!;
      if (isLeaf(node)) {
        visits.push({ node, share, branch: -1, decidedBy: -1, why: "leaf", agree: 1 });
        continue;
      }
      const decision = this.decide(node, values);
      visits.push({ node, share, ...decision });
      if (decision.why === "stop") continue;
      const below = this.children[node];
      if (decision.branch >= 0) {
        ways.push({ node: below[decision.branch], share });
        continue;
      }
      const total = below.reduce((sum, child) => sum + this.data.weight[child], 0);
      for (const child of [...below].reverse()) {
        const part = this.data.weight[child] / total;
        if (part > 0) ways.push({ node: child, share: share * part });
      }
    }
    const leaves = visits.filter(({ why }) => why === "leaf" || why === "stop").map(({ node, share }) => ({ node, share }));
    const mixed = (say: (node: number) => number[]): number[] => {
      if (leaves.length === 1) return say(leaves[0].node);
      const sum = say(leaves[0].node).map(() => 0);
      for (const { node, share } of leaves) say(node).forEach((each, at) => (sum[at] += share * each));
      return sum;
    };
    const code = !this.labels ? -1 : spreads ? this.chosen(mixed((n) => this.shares(n))) : this.data.answer[leaves[0].node];
    const prediction = mixed((n) => this.probabilities(n));
    return { visits, leaves, code, prediction, contributions: this.contributions(visits) };
  }

  /** What the steps that each column decided changed. */
  private contributions(visits: Visit[]): number[][] {
    const k = this.labels?.length ?? 1;
    const changes = this.summary.columns.map(() => new Array<number>(k).fill(0));
    const at = new Map(visits.map((visit) => [visit.node, visit]));
    for (const visit of visits) {
      const above = at.get(this.data.parent[visit.node]);
      if (!above) continue;
      const said = this.probabilities(visit.node);
      const before = this.probabilities(above.node);
      said.forEach((each, i) => (changes[above.decidedBy][i] += visit.share * (each - before[i])));
    }
    return changes;
  }
}
