// Find nodes by number, by the column they ask about, or by what is on the way to them.
import { conditionOf } from "./conditions";
import { plain } from "./dom";
import { ruleOf, type Clause } from "./rules";
import type { Shown } from "./shown";
import type { Words } from "./words";

const JOINTS = / (?:and|then) | ?(?:且|那么) ?|[,，;&] ?/; // of a rule

function folded(text: string): string {
  return text.toLowerCase().replace(/<=/g, "≤").replace(/\s+/g, " ").trim();
}

/** A condition of a rule without its parentheses. */
function bare(part: string): string {
  return part.replace(/^\((.* or missing|.*或缺失)\)$/, "$1");
}

export function searched(shown: Shown, query: string, words: Words): number[] {
  const asked = folded(query);
  if (!asked) return [];
  const numbered = /^#?(\d+)$/.exec(asked);
  if (numbered) {
    const byNumber = shown.nodes.filter((node) => shown.number(node) === Number(numbered[1]));
    if (byNumber.length) return byNumber;
  }
  const parts = asked.replace(/^(?:if |如果 ?)/, "").split(JOINTS).map(bare).filter(Boolean);
  const found = withAll(shown, parts, words);
  // Names may hold what joins the parts of a rule.
  return found.length || parts.length < 2 ? found : withAll(shown, [asked], words);
}

/** What a node says by itself, and what its rule does. */
interface Said {
  lead: string; // the condition of its branch
  own: string;
  rule: Clause[];
}

/** Nodes that have all of some terms on the way to them, one at least of their own. */
function withAll(shown: Shown, terms: string[], words: Words): number[] {
  const { tree, nodes } = shown;
  const said = nodes.map((node) => saidOf(shown, node, words));
  const onWay = new Uint8Array(tree.n);
  const hasAll = new Uint8Array(tree.n).fill(1);
  const hasOwn = new Uint8Array(tree.n);
  for (const term of terms) {
    // Each text is searched once, however many nodes are below it.
    const inClause = new Map<Clause, boolean>();
    const isIn = (clause: Clause): boolean => {
      let found = inClause.get(clause);
      if (found === undefined) inClause.set(clause, (found = textOf(shown, clause).includes(term)));
      return found;
    };
    nodes.forEach((node, at) => {
      const { lead, own, rule } = said[at];
      const isOwn = own.includes(term);
      onWay[node] = Number((node > 0 && onWay[tree.data.parent[node]] > 0) || lead.includes(term));
      if (isOwn) hasOwn[node] = 1;
      if (!isOwn && !onWay[node] && !rule.some(isIn)) hasAll[node] = 0;
    });
  }
  return nodes.filter((node) => hasAll[node] && hasOwn[node]);
}

function saidOf(shown: Shown, node: number, words: Words): Said {
  const { tree } = shown;
  const condition = conditionOf(tree, node, words);
  const lead = condition ? folded(`${plain(tree.summary.columns[condition.column].name)} ${condition.text}`) : "";
  const says = folded(shown.isLeaf(node) ? String(tree.answerText(node)) : plain(tree.columnOf(node).name));
  const rule = ruleOf(tree, node, words);
  const merged = rule.filter(({ column }) => column === condition?.column).map((clause) => textOf(shown, clause));
  return { lead, own: [lead, says, ...merged].join("\n"), rule };
}

function textOf(shown: Shown, { column, before, after }: Clause): string {
  return folded(`${before} ${plain(shown.tree.summary.columns[column].name)} ${after}`);
}
