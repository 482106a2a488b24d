// Light or dark: as the reader chose, as the notebook is, or as the system is.
const KEY = "treewright-theme";
type Theme = "light" | "dark";

export function turnTheme(root: HTMLElement): Theme {
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  return (root.dataset.theme = isDark ? "light" : "dark") as Theme;
}

/** Keep the choice for the next page; where the browser stores nothing for files, it lasts as long as this one. */
export function rememberTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    return;
  }
}

export function recallTheme(root: HTMLElement): void {
  try {
    const theme = localStorage.getItem(KEY);
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    return;
  }
}

/** Follow the theme of JupyterLab or VS Code; returns what ends that. */
export function followNotebook(root: HTMLElement): () => void {
  const { body } = document;
  const follow = (): void => {
    const theme = themeOf(body);
    if (theme) root.dataset.theme = theme;
  };
  follow();
  const watch = new MutationObserver(follow);
  watch.observe(body, { attributes: true, attributeFilter: ["data-jp-theme-light", "class"] });
  return () => watch.disconnect();
}

function themeOf(body: HTMLElement): Theme | null {
  const { jpThemeLight } = body.dataset;
  if (jpThemeLight) return jpThemeLight === "true" ? "light" : "dark";
  if (body.classList.contains("vscode-dark")) return "dark";
  return body.classList.contains("vscode-light") ? "light" : null;
}
