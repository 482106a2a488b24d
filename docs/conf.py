"""How Sphinx makes the site: `make docs`. Pages are Markdown, to be read where they stand as well."""

import sys
from pathlib import Path

import treewright

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "treewright"
author = "The treewright developers"
copyright = "the treewright developers, BSD-3-Clause"
version = release = treewright.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    # Ours, in _extensions/.
    "api_pages",
    "command_line",
    "formulas",
    "gallery",
    "languages",
]
exclude_patterns = ["_extensions"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
myst_links_external_new_tab = False


default_role = "code"  # `name` in a docstring
autodoc_typehints = "none"  # types stand in the words of the docstring
toc_object_entries_show_parents = "hide"
autodoc_member_order = "alphabetical"
numpydoc_show_class_members = False  # autodoc lists them
numpydoc_validation_checks = set()

copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = "treewright"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "treewright"},
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "navigation_with_keys": False,
    "show_toc_level": 2,
    # One page has a table that needs the whole width.
    "secondary_sidebar_items": {
        "**": ["page-toc"],
        "explanation/how-it-compares": [],
        "explanation/how-it-compares.zh": [],
    },
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_sidebars = {"index": [], "index.zh": [], "gallery/*": ["sidebar-nav-bs"]}
