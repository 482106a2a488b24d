#include "treewright/tree/check_tree.hpp"

#include <sstream>

#include "treewright/tree/question.hpp"  // for kEveryBranch, kNoBranch

namespace treewright {
namespace {

template <class... Parts>
[[noreturn, gnu::cold, gnu::noinline]] void refuse(const Parts&... parts) {
  std::ostringstream text;
  text << "not a tree: ";
  (text << ... << parts);
  throw std::invalid_argument(text.str());
}

template <class Value, class... Parts>
[[noreturn, gnu::cold, gnu::noinline]] void refuse_entry(std::string_view name, std::size_t at,
                                                         const Value& value, const Parts&... parts) {
  refuse(name, "[", at, "] is ", value, "; ", parts...);
}

bool is_below(std::int32_t number, std::size_t end) { return number >= 0 && index(number) < end; }

void check_most(std::string_view before, std::size_t n, std::string_view what) {
  if (n > kMostEntries) refuse(before, n, what, "; at most ", kMostEntries);
}

// Check that runs lie one after the other and fill an array of `n_entries`.
void check_begins(std::string_view name, Indices begins, std::size_t n, std::size_t n_entries) {
  if (begins.size() != n + 1)
    refuse(name, " has ", begins.size(), " entries; it should have ", n + 1, ", one more than runs");
  if (begins[0] != 0) refuse_entry(name, 0, begins[0], "it should be 0");
  for (std::size_t i = 1; i <= n; ++i) {
    if (begins[i] < begins[i - 1])
      refuse_entry(name, i, begins[i], "the one before it is ", begins[i - 1], ", and begins never fall");
  }
  if (index(begins[n]) != n_entries)
    refuse_entry(name, n, begins[n], "it should be ", n_entries, ", where the last run ends");
}

// `n_branches(i)`: of split i; 0: there is no split.
void check_questions(const std::string& prefix, const QuestionViews& questions, const auto& n_branches) {
  const auto n = questions.column.size(), n_codes = questions.set_code.size();
  const auto check = [&](std::string_view name, std::size_t length, std::string_view other, std::size_t of) {
    if (length != of) refuse(prefix, name, " has ", length, " entries; ", prefix, other, " has ", of);
  };
  check("cut", questions.cut.size(), "column", n);
  check("cut_integer", questions.cut_integer.size(), "column", n);
  check("set_branch", questions.set_branch.size(), "set_code", n_codes);
  check_most(prefix + "set_code has ", n_codes, " entries");
  check_begins(prefix + "set_begin", questions.set_begin, n, n_codes);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t branches = n_branches(i);
    if (!questions.is_set(i) && branches > 0 && std::isnan(questions.cut[i]))
      refuse_entry(prefix + "cut", i, questions.cut[i], "a question without a set needs a threshold");
    const auto begin = index(questions.set_begin[i]), end = index(questions.set_begin[i + 1]);
    for (auto at = begin; at < end; ++at) {
      const auto code = questions.set_code[at], branch = questions.set_branch[at];
      if (code < 0 || (at > begin && code <= questions.set_code[at - 1]))
        refuse_entry(prefix + "set_code", at, code, "the codes of a set are at least 0 and rise");
      if (!is_below(branch, branches))
        refuse_entry(prefix + "set_branch", at, branch, "its question, number ", i, ", has ", branches,
                     " branches");
    }
  }
}

}  // namespace

void check_length(std::string_view name, std::size_t length, std::size_t n, std::string_view of) {
  if (length != n) refuse(name, " has ", length, " entries; there are ", n, " ", of);
}

void check_numbers(std::string_view name, Indices numbers, std::size_t end, std::string_view of) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!is_below(numbers[i], end))
      refuse_entry(name, i, numbers[i], "there are ", end, " ", of, ", from 0 on");
  }
}

void check_child_begin(std::string_view name, Indices child_begin) {
  if (child_begin.size() < 2)
    refuse(name, " has ", child_begin.size(), " entries; a tree has a node at least");
  const auto n = child_begin.size() - 1;
  check_most("it has ", n, " nodes");
  check_begins(name, child_begin, n, n - 1);
  for (std::size_t i = 0; i < n; ++i) {
    if (size_of_run(child_begin, i) == 1)
      refuse_entry(name, i + 1, child_begin[i + 1], "node ", i,
                   " has one child, and a question has two branches or more");
  }
}

Children check_children(Indices child_begin, Indices child) {
  check_child_begin("child_begin", child_begin);
  const auto n = child_begin.size() - 1;
  check_length("child", child.size(), n - 1, "nodes beside the root");
  // From the last node up: the subtree of a node ends where the subtree of its last child ends.
  std::vector<std::int32_t> end(n);
  for (auto node = n; node-- > 0;) {
    auto next = static_cast<std::int32_t>(node) + 1;
    for (auto at = index(child_begin[node]); at < index(child_begin[node + 1]); ++at) {
      if (child[at] != next || index(next) >= n)
        refuse_entry("child", at, child[at], "in pre-order the child of node ", node, " there is ", next,
                     ", of ", n, " nodes");
      next = end[index(next)];
    }
    end[node] = next;
  }
  if (index(end[0]) != n) refuse("node ", end[0], " is no node's child");
  return {child_begin, child};
}

void check_tree(const TreeViews& tree) {
  check_children(tree.child_begin, tree.child);
  const auto n = tree.child_begin.size() - 1, n_surrogates = tree.surrogate.column.size();
  check_length("column", tree.question.column.size(), n, "nodes");
  check_length("missing_branch", tree.missing_branch.size(), n, "nodes");
  check_length("weight", tree.weight.size(), n, "nodes");
  check_length("surrogate_low_branch", tree.surrogate_low_branch.size(), n_surrogates, "surrogates");
  check_most("it has ", n_surrogates, " surrogates");
  check_begins("surrogate_begin", tree.surrogate_begin, n, n_surrogates);
  bool spreads = false;  // some node spreads rows over all of its branches
  for (std::size_t i = 0; i < n; ++i) {
    const auto column = tree.question.column[i], missing = tree.missing_branch[i];
    const auto n_branches = size_of_run(tree.child_begin, i);
    if (column < -1 || (column < 0) != (n_branches == 0))
      refuse_entry("column", i, column, "node ", i, " has ", n_branches,
                   " children, and it is -1 at a leaf and at least 0 elsewhere");
    const bool is_spread = missing == kEveryBranch;
    if (n_branches > 0 && missing != kNoBranch && !is_spread && !is_below(missing, n_branches))
      refuse_entry("missing_branch", i, missing, "node ", i, " has ", n_branches, " branches");
    if (size_of_run(tree.surrogate_begin, i) > 0 && n_branches != 2)
      refuse_entry("surrogate_begin", i + 1, tree.surrogate_begin[i + 1], "node ", i, " has ", n_branches,
                   " branches, and surrogates tell two apart");
    spreads |= n_branches > 0 && is_spread;
  }
  check_questions("", tree.question, [&](std::size_t i) { return size_of_run(tree.child_begin, i); });
  for (std::size_t i = 0; i < n_surrogates; ++i) {
    if (tree.surrogate.column[i] < 0)
      refuse_entry("surrogate_column", i, tree.surrogate.column[i], "a surrogate asks about a column");
  }
  check_numbers("surrogate_low_branch", tree.surrogate_low_branch, 2, "branches");
  check_questions("surrogate_", tree.surrogate, [](std::size_t) { return std::size_t{2}; });
  for (std::size_t i = 0; spreads && i < n; ++i) {
    double sum = 0;
    const auto children = run_of(tree.child_begin, tree.child, i);
    for (const auto child : children) {
      const auto weight = tree.weight[index(child)];
      if (!(weight >= 0)) refuse_entry("weight", index(child), weight, "it should be at least 0");
      sum += weight;
    }
    if (!children.empty() && !(sum > 0 && std::isfinite(sum)))
      refuse("the weight of the children of node ", i, " comes to ", sum,
             "; rows without a value are spread by it, so it should be above 0 and finite");
  }
}

}  // namespace treewright
