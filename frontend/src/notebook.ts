// A view in a notebook.

/**
 * Keep the keys pressed in a view from the shortcuts of JupyterLab, where "d d" deletes a cell; returns what ends that.
 * Combinations remain the notebook's: Ctrl+S saves it, Shift+Enter runs a cell.
 */
export function keepKeys(el: HTMLElement): () => void {
  const mark = (event: KeyboardEvent): void => {
    const isCombined = event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter");
    el.toggleAttribute("data-lm-suppress-shortcuts", !isCombined);
  };
  addEventListener("keydown", mark, true); // at the window: JupyterLab listens at the document, which comes next
  return () => removeEventListener("keydown", mark, true);
}
