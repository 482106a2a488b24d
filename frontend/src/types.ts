// What treewright.report.summary.summarize puts down; see its docstring.
import type { Language } from "./words";

export type Cut = number | string | null;

export interface Asked {
  column: number;
  cut?: Cut;
  cut_text?: string;
  sets?: number[][];
}

export interface SurrogateData extends Asked {
  low: 0 | 1;
  agree: number;
}

export interface Histogram {
  low: number;
  high: number;
  counts: number[];
}

export interface Spread {
  n: number;
  missing?: number[];
  low?: number;
  high?: number;
  low_text?: string;
  high_text?: string;
  codes?: number[];
  n_more?: number;
  counts?: number[][];
  means?: (number | null)[];
  targets?: Histogram;
}

export interface Candidate {
  column: string;
  question: string;
  or_missing: boolean;
  each: number | null;
  gain: number | null;
  split: number | null;
  ratio: number | null;
  rank: number | null;
  verdict: string;
  reason: Told;
  formula: Told | null;
}

/** Standard deviation, mean absolute error, mean deviance, or the impurity as it is. */
export type Spreads = "sd" | "MAE" | "deviance" | "impurity";

/** A text that the library says, with its figures, in each language. */
export type Told = Record<Language, string>;

export interface LedgerOfNode {
  why: Told;
  stop: string;
  rows: Candidate[];
  n_more: number;
}

export interface TreeData {
  parent: number[];
  column: number[];
  missing: number[];
  rows: number[];
  weight: number[];
  impurity: number[];
  gain: number[];
  answer: number[];
  loss: number[][] | null;
  smoothing: number;
  cut: Record<string, Cut>;
  cut_text: Record<string, string>;
  sets: Record<string, number[][]>;
  surrogates: Record<string, SurrogateData[]>;
  outcome: number[][] | number[];
  told: number[];
  sum?: number[];
  shares: Record<string, number[]>;
  spread: (Spread | null)[];
  given: (number[] | null)[] | null; // null: the rows given are those that the tree was grown on
  ledger: Record<string, LedgerOfNode> | null;
}

export interface Bins {
  edges: (number | string)[];
  texts: string[];
  kind: string;
  unit: string;
  zone: string;
}

export interface ColumnData {
  name: string;
  kind: "number" | "integer" | "datetime" | "duration" | "category";
  unit: string;
  zone: string;
  has_missing: boolean;
  categories: string[] | null;
  spelt: Record<string, string>; // categories that conditions write otherwise, by position
  are_numbers: boolean;
  bins: Bins | null;
  profile: {
    n_missing: number;
    top?: [number, number][];
    n_distinct?: number;
    quantiles?: string[];
    low?: number;
    high?: number;
    counts?: number[];
  };
}

/** How well the probabilities of a class sort the rows given. */
export interface CurveData {
  scores: number[];
  hits: number[];
  all: number[];
  auc: number | null;
  brier: number;
  bands: [number, number, number][];
}

export interface Example {
  row: number;
  target: number;
  values: (string | number | null)[];
}

export type Score = "accuracy" | "mean_absolute_error" | "root_mean_squared_error" | "r2";

export interface Judged extends Partial<Record<Score, { value: number | null; standard_error: number | null }>> {
  folds: number | null;
  rows: number;
}

export interface PruningData {
  score: { name: Score; values: (number | null)[]; errors: (number | null)[] } | null;
  leaves: number[];
  alpha: (number | null)[];
  relative_error: (number | null)[];
  cv_error: (number | null)[];
  cv_std: (number | null)[];
  within_one_se: number | null;
  chosen: number;
}

/** How well a tree does on the rows given. */
export interface Quality {
  accuracy?: number;
  matrix?: number[][];
  mean_absolute_error?: number;
  root_mean_squared_error?: number;
  r2?: number | null;
  residuals?: Histogram;
  map?: { low: number; high: number; cells: number[][] };
  curves?: CurveData[];
}

export interface Summary {
  library: string | null;
  title: string | null;
  learner: string;
  grown_on: number | null;
  target: {
    name: string | null;
    labels: string[] | null;
    groups: number[] | null;
    n_groups: number;
    has_rest: boolean;
    spread: Spreads | null; // what measures the spread of numbers; null for classes
  };
  takes_missing: boolean;
  columns: ColumnData[];
  rows: { n: number; weight: number; are_training: boolean | null; target: number[] | Histogram; examples: Example[] };
  trees: TreeData[];
  path: {
    tree: number;
    price: (number | null)[];
    alphas: number[];
    leaves: number[];
    risks: number[];
    fitted: number | null;
    n_larger: number;
    table: PruningData | null;
    importances: Record<string, number>[];
    quality: Quality[];
  };
  importances: number[]; // of the model's own tree, as is its quality
  quality: Quality & { labels?: number[]; ranked?: number[] };
  baseline: { answer: number } & Partial<Record<Score, number | null>>;
  judged: Judged | null;
}
