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

/** Nodes that have all of some terms on the way to them, one at least of their own. */
function withAll(shown: Shown, terms: string[], words: Words): number[] {
  const { tree } = shown;
  const { columns } = tree.summary;
  const way = new Map<number, string>();
  const clauseText = ({ column, before, after }: Clause): string => folded(`${before} ${plain(columns[column].name)} ${after}`);
  return shown.nodes.filter((node) => {
    const condition = conditionOf(tree, node, words);
    const lead = condition ? folded(`${plain(columns[condition.column].name)} ${condition.text}`) : "";
    const says = folded(shown.isLeaf(node) ? String(tree.answerText(node)) : plain(tree.columnOf(node).name));
    const rule = ruleOf(tree, node, words);
    const merged = rule.filter(({ column }) => column === condition?.column).map(clauseText);
    const own = [lead, says, ...merged].join("\n");
    way.set(node, `${way.get(tree.data.parent[node]) ?? ""}\n${lead}`);
    const whole = [way.get(node), own, ...rule.map(clauseText)].join("\n");
    return terms.every((term) => whole.includes(term)) && terms.some((term) => own.includes(term));
  });
}
