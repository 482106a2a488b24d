// Rules by how many rows they hold for and how often they are right; and to take elsewhere, as text.
import { h, plain } from "./dom";
import { ruleOf } from "./rules";
import type { Shown } from "./shown";
import type { Words } from "./words";

export interface Weighed {
  node: number;
  answer: string | number;
  rows: number;
  support: number;
  confidence: number;
}

export class RuleTools {
  readonly element: HTMLElement;
  private readonly support: HTMLInputElement;
  private readonly confidence: HTMLInputElement | null;
  private readonly said = h("output", { id: "rules-said" });

  constructor(
    private readonly shown: Shown,
    private readonly words: Words,
    private readonly rules: () => Weighed[],
    onFilter: () => void,
  ) {
    const least = (id: string): HTMLInputElement => h("input", { id, type: "number", min: 0, max: 100, step: "any", placeholder: "0", input: onFilter });
    this.support = least("least-support");
    this.confidence = shown.tree.labels ? least("least-confidence") : null;
    const button = (id: string, text: string, press: () => void): HTMLElement => h("button", { type: "button", id, click: press }, text);
    this.element = h(
      "div",
      { class: "rule-tools" },
      h(
        "span",
        {},
        h("label", { for: "least-support" }, words.leastSupport),
        this.support,
        this.confidence && h("label", { for: "least-confidence" }, words.leastConfidence),
        this.confidence,
      ),
      h("span", {}, button("copy-rules", words.copyRules, () => void this.copy()), button("download-rules", words.downloadRules, () => this.download()), this.said),
    );
  }

  passes({ support, confidence }: Weighed): boolean {
    const reaches = (field: HTMLInputElement | null, share: number): boolean => !field?.value || 100 * share >= Number(field.value) - 1e-9;
    return reaches(this.support, support) && reaches(this.confidence, confidence);
  }

  /** The rules that are shown, one a line, with every category by its name. */
  text(): string {
    const { words, shown } = this;
    return this.rules()
      .map(({ node, answer, rows, confidence }) => {
        const clauses = ruleOf(shown.tree, node, words);
        const alone = clauses.map(({ before, after, column, orMissing }) => {
          const text = `${before && `${before} `}${plain(shown.summary.columns[column].name)} ${after}`;
          return orMissing && clauses.length > 1 ? `(${text})` : text;
        });
        const facts = [words.rows(rows.toLocaleString("en-US")), ...(confidence < 0 ? [] : [`${words.confidence} ${confidence.toFixed(3)}`])];
        return `${words.ifs} ${alone.join(` ${words.and} `) || words.anything} ${words.then} ${typeof answer === "number" ? answer : plain(answer)} [${facts.join(", ")}]\n`;
      })
      .join("");
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.text());
      this.said.value = this.words.copied(this.rules().length);
    } catch {
      this.said.value = this.words.notCopied;
    }
  }

  private download(): void {
    const address = URL.createObjectURL(new Blob([this.text()], { type: "text/plain;charset=utf-8" }));
    const link = h("a", { href: address, download: "rules.txt" });
    link.click();
    URL.revokeObjectURL(address);
  }
}
