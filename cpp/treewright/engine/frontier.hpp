// Which open node is next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "treewright/engine/engine.hpp"  // for OpenNode
#include "treewright/recipe/recipe.hpp"  // for Order

namespace treewright {

class Frontier {
 public:
  explicit Frontier(Order order) : order_(order) {}

  bool empty() const { return first_ == nodes_.size(); }
  std::span<const OpenNode> nodes() const { return std::span(nodes_).subspan(first_); }

  void clear() {
    nodes_.clear();
    first_ = 0;
  }

  void push(OpenNode&& node) {
    nodes_.push_back(std::move(node));
    if (order_ == Order::Best) std::push_heap(nodes_.begin(), nodes_.end(), comes_later);
  }

  OpenNode pop() {
    if (order_ == Order::Breadth) return pop_first();
    if (order_ == Order::Best) std::pop_heap(nodes_.begin(), nodes_.end(), comes_later);
    OpenNode node = std::move(nodes_.back());
    nodes_.pop_back();
    return node;
  }

 private:
  // The room of those that are gone is given back when it is most of it.
  OpenNode pop_first() {
    OpenNode node = std::move(nodes_[first_++]);
    if (2 * first_ > nodes_.size()) {
      nodes_.erase(nodes_.begin(), nodes_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    return node;
  }

  // Best first: the largest gain; of equal ones the node opened first.
  static bool comes_later(const OpenNode& a, const OpenNode& b) {
    if (a.winner.score.gain != b.winner.score.gain) return a.winner.score.gain < b.winner.score.gain;
    return a.id > b.id;
  }

  Order order_;
  std::vector<OpenNode> nodes_;
  std::size_t first_ = 0;  // those before it are gone
};

}  // namespace treewright
