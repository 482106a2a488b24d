#include "treewright/criteria/registry.hpp"

#include <algorithm>
#include <deque>

namespace treewright {
namespace {

std::deque<CriterionEntry>& entries() {
  static std::deque<CriterionEntry> all;
  return all;
}

}  // namespace

const CriterionEntry* find_criterion(std::string_view word) {
  for (const auto& entry : entries()) {
    if (entry.word == word) return &entry;
  }
  return nullptr;
}

std::vector<std::string_view> criterion_words() {
  std::vector<std::string_view> words;
  for (const auto& entry : entries()) words.push_back(entry.word);
  std::sort(words.begin(), words.end());  // files register in no order
  return words;
}

RegisterCriterion::RegisterCriterion(const CriterionEntry& entry) { entries().push_back(entry); }

}  // namespace treewright
