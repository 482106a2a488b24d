// A node at a time, where a row without a value goes down every branch with a share of its weight: it may
// then be in several nodes at once, so every node has lists and weights of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "treewright/engine/lists.hpp"  // for TableLists

namespace treewright {

// The rows of a node and what each weighs there.
struct NodeRows {
  std::vector<std::uint32_t> members;             // slots, rising
  std::vector<std::int64_t> weights;              // of the members
  std::vector<std::vector<std::uint32_t>> lists;  // by column; empty where the node is closed anyway
};

class FractionalRows {
 public:
  using Index = std::uint32_t;

  explicit FractionalRows(Table& table) : values_(table) {}

  const Table& table() const { return values_.table(); }
  std::size_t n_columns() const { return values_.n_columns(); }
  Index n_slots() const { return values_.n_slots(); }
  std::uint32_t row(Index slot) const { return values_.row(slot); }
  std::uint32_t table_slot(Index slot) const { return slot; }
  bool has_missing(std::size_t column) const { return values_.has_missing(column); }
  bool is_missing(std::size_t column, Index slot) const { return values_.is_missing(column, slot); }
  bool has_ties(std::size_t column) const { return values_.has_ties(column); }
  bool same_value(std::size_t column, Index a, Index b) const { return values_.same_value(column, a, b); }

  // Room for the rows of a node; valid until `leave`.
  std::uint32_t add(NodeRows rows) {
    if (free_.empty()) {
      rooms_.push_back(std::make_unique<NodeRows>(std::move(rows)));
      return static_cast<std::uint32_t>(rooms_.size()) - 1;
    }
    const auto place = free_.back();
    free_.pop_back();
    rooms_[place] = std::make_unique<NodeRows>(std::move(rows));
    return place;
  }

  void leave(std::uint32_t place) {
    rooms_[place].reset();
    free_.push_back(place);
    here_ = nullptr;
  }

  NodeRows& at(std::uint32_t place) { return *rooms_[place]; }

  // All rows; `weights` by slot.
  NodeRows all(const std::vector<std::int64_t>& weights) const {
    NodeRows rows{{values_.members(), values_.members() + n_slots()}, weights, {}};
    for (std::size_t column = 0; column < n_columns(); ++column) {
      rows.lists.emplace_back(values_.list(column), values_.list(column) + n_slots());
    }
    return rows;
  }

  // The node that is looked at from now on; false: it was before.
  bool load(std::uint32_t place) {
    if (here_ == rooms_[place].get()) return false;
    here_ = rooms_[place].get();
    return true;
  }
  const NodeRows& here() const { return *here_; }

  const Index* list(std::size_t column) const { return here_->lists[column].data(); }
  const Index* members() const { return here_->members.data(); }

 private:
  TableLists values_;
  std::vector<std::unique_ptr<NodeRows>> rooms_;
  std::vector<std::uint32_t> free_;
  const NodeRows* here_ = nullptr;
};

}  // namespace treewright
