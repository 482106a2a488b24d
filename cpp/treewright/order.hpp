// Which open node is next.
#pragma once

#include <algorithm>
#include <deque>
#include <utility>

#include "treewright/engine.hpp"  // for OpenNode
#include "treewright/recipe.hpp"  // for Order

namespace treewright {

class Frontier {
 public:
  explicit Frontier(Order order) : order_(order) {}

  bool empty() const { return nodes_.empty(); }
  std::deque<OpenNode>& nodes() { return nodes_; }

  void push(OpenNode node) {
    nodes_.push_back(std::move(node));
    if (order_ == Order::Best) std::push_heap(nodes_.begin(), nodes_.end(), comes_later);
  }

  OpenNode pop() {
    if (order_ == Order::Best) std::pop_heap(nodes_.begin(), nodes_.end(), comes_later);
    OpenNode node;
    if (order_ == Order::Breadth) {
      node = std::move(nodes_.front());
      nodes_.pop_front();
    } else {
      node = std::move(nodes_.back());
      nodes_.pop_back();
    }
    return node;
  }

 private:
  // Best first: the largest gain; of equal ones the node opened first.
  static bool comes_later(const OpenNode& a, const OpenNode& b) {
    if (a.winner.score.gain != b.winner.score.gain) return a.winner.score.gain < b.winner.score.gain;
    return a.id > b.id;
  }

  Order order_;
  std::deque<OpenNode> nodes_;
};

}  // namespace treewright
