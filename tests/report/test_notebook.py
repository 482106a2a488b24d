"""The page in cells of a notebook, beside others and among what belongs to the notebook."""

import report_pages
from report_pages import report_of
from treewright.estimators.reporting import summary_of
from treewright.report.render import static


def test_the_script_shows_reports_in_notebooks_too(shared, folder, opened):
    tree, file = report_of("watermelon", shared, folder)
    page = opened(file)
    notebook = page.context.new_page()
    notebook.set_content("<style>dt { display: none; color: red }</style>")  # the notebook's own
    script = notebook.evaluate_handle(
        "code => import(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})))",
        static("report.js"),
    )
    notebook.evaluate(
        """([script, summary, sheet]) => {
          const model = {get: name => ({summary, lang: "en", sheet})[name]};
          const [now, later] = [document.createElement('div'), document.createElement('div')];
          document.body.append(now);
          for (const el of [now, later]) script.default.render({model, el});
          document.body.append(later);
        }""",
        [script, summary_of(tree, *report_pages.watermelon(shared)[1:]), static("report.css")],
    )
    assert notebook.locator(".tw").count() == 2
    assert notebook.locator(".box").count() == 2 * tree.tree_.n_nodes
    notebook.wait_for_function(
        """() => {
          const [one, other] = [...document.querySelectorAll('div')]
            .map(each => each.shadowRoot.querySelector('svg.tree > g').outerHTML);
          return one === other;
        }"""
    )
    notebook.locator(".tw").nth(1).locator("#close-all").click()
    assert notebook.locator(".box").count() == tree.tree_.n_nodes + 1
    notebook.close()


# Shows a report twice in a page that looks like JupyterLab.
NOTEBOOK = """async ([code, summary, sheet]) => {
  const script = await import(URL.createObjectURL(new Blob([code], {type: 'text/javascript'})));
  const model = {get: name => ({summary, lang: "en", sheet})[name]};
  window.ends = [];
  for (let view = 0; view < 2; view++) {
    const el = document.body.appendChild(document.createElement('div'));
    ends.push(script.default.render({model, el}));
  }
}"""
IN_VIEW = """([view, selector, style]) => {
  const root = document.querySelectorAll('div')[view].shadowRoot;
  return getComputedStyle(root.querySelector(selector))[style];
}"""


def test_views_keep_apart_from_each_other_and_from_the_notebook(shared, folder, opened):
    tree, file = report_of("watermelon", shared, folder)
    page = opened(file)
    notebook = page.context.new_page()
    # JupyterLab 4 lets the terms of lists float; its theme is told by the body.
    notebook.set_content(
        "<style>dt { float: left; display: table-cell }</style><body data-jp-theme-light='false'></body>"
    )
    summary = summary_of(tree, *report_pages.watermelon(shared)[1:])
    notebook.evaluate(NOTEBOOK, [static("report.js"), summary, static("report.css")])
    for view in (0, 1):
        assert notebook.evaluate(IN_VIEW, [view, "dt", "float"]) == "none"
        assert notebook.evaluate(IN_VIEW, [view, "dt", "display"]) == "block"
        assert notebook.evaluate(IN_VIEW, [view, ".tw", "backgroundColor"]) == "rgb(20, 24, 29)"
    assert notebook.evaluate("document.querySelectorAll('[id]').length") == 0, "ids are inside the views"
    notebook.evaluate("document.body.dataset.jpThemeLight = 'true'")
    light = "rgb(255, 255, 255)"
    notebook.wait_for_function(
        f"""() => [...document.querySelectorAll('div')].every(each =>
          getComputedStyle(each.shadowRoot.querySelector('.tw')).backgroundColor === '{light}')"""
    )
    notebook.locator("nav a[href='#data']").nth(1).click()
    assert abs(notebook.locator("#data").nth(1).bounding_box()["y"]) < 900
    notebook.locator("label[for=search]").nth(1).click()
    assert notebook.evaluate("document.querySelectorAll('div')[1].shadowRoot.activeElement.id") == "search"
    notebook.evaluate("ends[0]()")
    notebook.evaluate("document.body.dataset.jpThemeLight = 'false'")
    notebook.wait_for_timeout(50)
    papers = [notebook.evaluate(IN_VIEW, [view, ".tw", "backgroundColor"]) for view in (0, 1)]
    assert papers == [light, "rgb(20, 24, 29)"]
    notebook.close()


# Says which keys JupyterLab, which listens at the document before the page, would take for its own.
SHORTCUTS = """() => {
  window.taken = [];
  document.addEventListener('keydown', event => {
    let at = event.target;
    while (at && !at.hasAttribute('data-lm-suppress-shortcuts')) at = at.parentElement;
    if (!at) taken.push(event.key);
  }, true);
}"""


def test_keys_pressed_in_a_view_are_not_the_notebooks(shared, folder, opened):
    """In JupyterLab "d d" deletes a cell, and arrows go to the next one; Ctrl+S still saves the notebook."""
    tree, file = report_of("watermelon", shared, folder)
    notebook = opened(file).context.new_page()
    notebook.set_content("<body></body>")
    summary = summary_of(tree, *report_pages.watermelon(shared)[1:])
    notebook.evaluate(SHORTCUTS)
    notebook.evaluate(NOTEBOOK, [static("report.js"), summary, static("report.css")])
    notebook.locator(".box").first.click()
    for key in ("d", "ArrowDown", "Enter", "Control+s", "Shift+Enter", "Home"):
        notebook.keyboard.press(key)
    taken = notebook.evaluate("taken")
    assert [key for key in taken if key not in ("Control", "Shift")] == ["s", "Enter"]
    notebook.evaluate("ends.forEach(end => end())")
    notebook.close()
