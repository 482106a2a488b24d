// Find nodes by number, by the column they ask about, or by what is on the way to them.
import { conditionOf } from "./conditions";
import { plain } from "./dom";
import type { Shown } from "./shown";
import type { Words } from "./words";

function folded(text: string): string {
  return text.toLowerCase().replace(/<=/g, "≤").replace(/\s+/g, " ").trim();
}

export function searched(shown: Shown, query: string, words: Words): number[] {
  const asked = folded(query);
  if (!asked) return [];
  const numbered = /^#?(\d+)$/.exec(asked);
  if (numbered) {
    const byNumber = shown.nodes.filter((node) => shown.number(node) === Number(numbered[1]));
    if (byNumber.length) return byNumber;
  }
  const terms = asked.split(/ (?:and|且) |[,，;&] ?/).filter(Boolean);
  const { tree } = shown;
  const own = new Map<number, string>();
  const way = new Map<number, string>();
  return shown.nodes.filter((node) => {
    const condition = conditionOf(tree, node, words);
    const lead = condition ? folded(`${plain(tree.summary.columns[condition.column].name)} ${condition.text}`) : "";
    const column = shown.isLeaf(node) ? folded(String(tree.answerText(node))) : folded(plain(tree.columnOf(node).name));
    own.set(node, `${lead}\n${column}`);
    way.set(node, `${way.get(tree.data.parent[node]) ?? ""}\n${lead}`);
    const whole = `${way.get(node)}\n${column}`;
    return terms.every((term) => whole.includes(term)) && terms.some((term) => own.get(node)!.includes(term));
  });
}
