// Where rows live. Only an engine touches them; the grower asks and tells.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "treewright/candidate.hpp"  // for Candidate
#include "treewright/ledger.hpp"     // for NotedColumn
#include "treewright/limits.hpp"     // for Facts
#include "treewright/monotone.hpp"   // for Bounds
#include "treewright/question.hpp"   // for Question
#include "treewright/tree.hpp"       // for Sprout
#include "treewright/work.hpp"       // for Work

namespace treewright {

// A node whose rows may still be parted.
struct OpenNode {
  std::uint32_t begin = 0, end = 0;  // its rows, in whatever way the engine keeps them
  std::uint32_t place = 0;           // ... and which lists they are in, where nodes have lists of their own
  std::int32_t id = 0;               // in the sprout
  std::int32_t depth = 0;
  std::uint64_t path = 0;  // key of its random draws: the same on every engine
  Facts facts;
  Bounds bounds;  // of what it may answer
  // Columns from this one on are held to Recipe::limits_once_unknown.
  std::size_t unknown_from = SIZE_MAX;
  std::int32_t column = -1;  // the winner, once evaluated
  Candidate winner;

  // Whether the winner tells known values apart; otherwise it only asks whether there is one.
  bool parts_known_values() const { return std::int64_t{winner.n_left} + winner.n_missing < facts.rows; }
};

// How far the growth is, and what it has cost. `look` is called now and then, on the thread that called for
// the tree; it may throw, and then the growth ends.
struct Watch {
  void add(const Work& more) {
    const std::lock_guard lock(mutex);
    work += more;
  }

  std::mutex mutex;
  Work work;
  std::string path;  // which of the ways to grow was taken, in words
  std::atomic<std::int64_t> rows_settled{0};
  std::function<void()> look;
  std::thread::id caller = std::this_thread::get_id();
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::size_t n_columns() const = 0;

  // All rows as one node, its facts filled in.
  virtual OpenNode root() = 0;

  // The first column of more than two categories without a known value in the node, or how many there are.
  virtual std::size_t first_unknown(const OpenNode& node) = 0;

  // One candidate a column: its best question, or why it has none. What `candidates` held before counts for
  // nothing. Where no ledger is kept, a column that cannot win may be passed over.
  virtual void propose(const OpenNode& node, std::span<Candidate> candidates) = 0;

  // What `propose` noted of every column, where the ledger is kept.
  virtual std::span<const NotedColumn> noted() const = 0;

  // The winner's question, put in the column's own values.
  virtual Question question_of(const OpenNode& node) = 0;

  // Half-way between the values of the winner's sides, as scored: where the bounds of the children meet.
  virtual double middle(const OpenNode& node) = 0;

  // Rows follow their branch; no child has those that stop at the node. Facts of the children are filled in;
  // rows of a child that `closes` says is a leaf need not be put in order.
  virtual void route(const OpenNode& node, const Question& question, std::span<OpenNode> children,
                     const std::function<bool(const OpenNode&)>& closes) = 0;

  // Write what the rows of a node say of the target: of every leaf, and of inner nodes where what they say
  // cannot be put together from their leaves, as where rows may stop.
  virtual void settle(const OpenNode& node, LeafStore& leaves) = 0;
  virtual bool settles_inner() const = 0;

  // Small now: may the rest of this node be grown in one place? If so, `finish` does, for all such nodes.
  virtual bool finishes(const OpenNode& node) const = 0;
  virtual void finish(std::span<const OpenNode> nodes, Sprout& sprout) = 0;

  // What it has done since this was last asked.
  Work take_work() { return std::exchange(work_, Work{}); }

 protected:
  Work work_;
};

}  // namespace treewright
