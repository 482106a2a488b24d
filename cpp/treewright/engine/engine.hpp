// Only engines access rows; the grower tells them what to do, and asks for the results.
#pragma once

#include <atomic>
#include <mutex>

#include "treewright/tree/tree.hpp"  // for GrowingTree, NotedColumn, Question, Candidate, Bounds

namespace treewright {

// The cost of a growth in operations, which are the same on every machine. An entry is a row in the list of a
// column; entries are counted list by list, not one by one.
struct Work {
  std::int64_t sorted = 0;                // entries times passes over them
  std::int64_t scanned = 0;               // in search of cuts
  std::int64_t moved = 0;                 // to the range of their branch, or to a narrower block
  std::int64_t rounds = 0;                // in which all threads worked, and waited for each other at the end
  std::int64_t alone = 0;                 // bins and entries that one thread searched for all of them
  std::array<std::int64_t, 3> n_nodes{};  // searched: in lists of 32, 16, 8 bits

  template <class Index>
  void look_into_node() {
    ++n_nodes[sizeof(Index) == 4 ? 0 : sizeof(Index) == 2 ? 1 : 2];
  }

  Work& operator+=(const Work& other) {
    for (const auto each : {&Work::sorted, &Work::scanned, &Work::moved, &Work::alone, &Work::rounds})
      this->*each += other.*each;
    for (std::size_t i = 0; i < n_nodes.size(); ++i) n_nodes[i] += other.n_nodes[i];
    return *this;
  }
};

// The rows of a node, in whatever way its engine keeps them. Only the engine reads this.
struct NodeHandle {
  std::uint32_t begin = 0, end = 0;  // a range of rows
  std::uint32_t store = 0;           // where they are kept, if there is more than one place

  std::uint32_t size() const { return end - begin; }
};

// What an engine keeps per node, by the number of its store; stores are reused, and 0 belongs to no node.
template <class Kept>
class Stores {
 public:
  Stores() { kept_.push_back(std::make_unique<Kept>()); }

  Kept& at(std::uint32_t store) { return *kept_[store]; }

  std::uint32_t add() {
    if (free_.empty()) {
      kept_.push_back(std::make_unique<Kept>());
      return static_cast<std::uint32_t>(kept_.size()) - 1;
    }
    const auto store = free_.back();
    free_.pop_back();
    return store;
  }
  void leave(std::uint32_t store) {
    if (store > 0) free_.push_back(store);
  }

 private:
  std::vector<std::unique_ptr<Kept>> kept_;
  std::vector<std::uint32_t> free_;
};

// A node whose rows may still be split.
struct OpenNode {
  NodeHandle handle;
  std::int32_t id = 0;  // in the growing tree
  std::int32_t depth = 0;
  std::uint64_t path = 0;  // key of its random draws: the same on every engine
  NodeStatistics facts;
  Bounds bounds;     // of its answer
  Candidate winner;  // once columns have proposed

  std::size_t column() const { return static_cast<std::size_t>(winner.column); }
};

// The candidates of a node's columns.
struct Proposal {
  std::vector<Candidate> candidates;  // with a ledger one per column; otherwise at least all that may win
  std::vector<NotedColumn> noted;     // the same for the ledger, if it is kept
  Stop stop = Stop::None;             // why the engine closes the node, whatever the candidates
};

// The state of a growth, and what it has cost.
struct Progress {
  void add(const Work& more) {
    const std::lock_guard lock(mutex);
    work += more;
  }

  std::mutex mutex;
  Work work;
  std::string path;  // the way of growing that was taken, in words
  std::atomic<std::int64_t> rows_settled{0};
};

// The contract. Every verb takes a span of nodes; its result depends only on its arguments and the rows. So
// an engine may process the nodes of a call at once, on threads or on other machines, or process them again.
class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::size_t n_columns() const = 0;

  // All rows as one node, with its statistics.
  virtual OpenNode root() = 0;

  // How many nodes it prefers to get at once.
  virtual std::size_t batch() const { return 1; }

  // Whether what it finds at a node may close later ones: then it proposes for a node when its turn has come.
  virtual bool takes_turns() const { return false; }

  // The candidates of all columns; without a ledger, of all that may win. Old content is overwritten.
  virtual void propose(std::span<const OpenNode> nodes, std::span<Proposal> proposals) = 0;

  // The splits that won, in the column's own values.
  virtual void ask(std::span<const OpenNode> nodes, std::span<Question> questions) = 0;

  // Send rows down their branches; those that stop at the node go to no child. Fills in handles and
  // statistics of the children; the rows of a child that the recipe's limits close need not be put in order.
  virtual void route(std::span<const OpenNode> nodes, std::span<const Question> questions,
                     std::span<const std::span<OpenNode>> children) = 0;

  // Write target statistics: of leaves, and of inner nodes for which those of the leaves are not enough.
  virtual void settle(std::span<const OpenNode> nodes, LeafStore& leaves) = 0;
  virtual bool settles_inner() const { return false; }

  // Whether a node is so small that `finish` will grow its subtree, as of all such nodes, in one place.
  virtual bool finishes(const OpenNode&) const { return false; }
  virtual void finish(std::span<const OpenNode>, GrowingTree&) {}

  // The trees that `finish` has grown; each takes the place of a node that names it.
  std::vector<GrowingTree> take_subtrees() { return std::move(subtrees_); }

  // The work done since the last call.
  Work take_work() { return std::exchange(work_, Work{}); }

 protected:
  Work work_;
  std::vector<GrowingTree> subtrees_;
};

// An engine that processes nodes one by one.
class NodeByNode : public Engine {
 public:
  void propose(std::span<const OpenNode> nodes, std::span<Proposal> proposals) final {
    for (std::size_t i = 0; i < nodes.size(); ++i) propose_one(nodes[i], proposals[i]);
  }
  void ask(std::span<const OpenNode> nodes, std::span<Question> questions) override {
    for_each(nodes, [&](std::size_t i) { questions[i] = ask_one(nodes[i]); });
  }
  void route(std::span<const OpenNode> nodes, std::span<const Question> questions,
             std::span<const std::span<OpenNode>> children) final {
    for_each(nodes, [&](std::size_t i) { route_one(nodes[i], questions[i], children[i]); });
  }
  void settle(std::span<const OpenNode> nodes, LeafStore& leaves) final {
    for_each(nodes, [&](std::size_t i) { settle_one(nodes[i], leaves); });
  }

 protected:
  virtual void propose_one(const OpenNode& node, Proposal& proposal) = 0;
  virtual Question ask_one(const OpenNode& node) = 0;
  virtual void route_one(const OpenNode& node, const Question& question, std::span<OpenNode> children) = 0;
  virtual void settle_one(const OpenNode& node, LeafStore& leaves) = 0;

 private:
  template <class Do>
  static void for_each(std::span<const OpenNode> nodes, const Do& act) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      heed_interrupts_before(static_cast<std::size_t>(nodes[i].facts.rows));
      act(i);
    }
  }
};

}  // namespace treewright
