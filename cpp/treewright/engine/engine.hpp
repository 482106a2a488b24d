// Where rows live. Only an engine touches them; the grower asks and tells.
#pragma once

#include <atomic>
#include <mutex>

#include "treewright/tree/tree.hpp"  // for GrowingTree, NotedColumn, Question, Candidate, Bounds

namespace treewright {

// What a growth cost, in operations: the same on every machine, whatever the clock says. An entry is a row
// in the list of a column; they are counted by list, not one by one.
struct Work {
  std::int64_t sorted = 0;                // entries times passes over them
  std::int64_t scanned = 0;               // in search of a cut
  std::int64_t moved = 0;                 // to the side of their branch, or to a narrower block
  std::int64_t rounds = 0;                // in which all threads were set to work, and waited for each other
  std::int64_t alone = 0;                 // bins and entries that one thread looked at for all of them
  std::array<std::int64_t, 3> n_nodes{};  // looked into: in lists of 32, 16, 8 bits

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

// Which rows a node has, in whatever way its engine keeps them. Nobody else looks inside.
struct NodeHandle {
  std::uint32_t begin = 0, end = 0;  // a range of rows
  std::uint32_t store = 0;           // where they are kept, if there is more than one place

  std::uint32_t size() const { return end - begin; }
};

// What an engine keeps of nodes, by number of its store; one that was left is used again, 0 is nobody's.
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
  Bounds bounds;     // of what it may answer
  Candidate winner;  // once it was proposed for

  std::size_t column() const { return static_cast<std::size_t>(winner.column); }
};

// What the columns of a node offer.
struct Proposal {
  std::vector<Candidate> candidates;  // with a ledger one a column; without one, all that may win are there
  std::vector<NotedColumn> noted;     // the same for the ledger, where it is kept
  Stop stop = Stop::None;             // why the engine closes the node, whatever they offer
};

// How far the growth is, and what it has cost.
struct Progress {
  void add(const Work& more) {
    const std::lock_guard lock(mutex);
    work += more;
  }

  std::mutex mutex;
  Work work;
  std::string path;  // which of the ways to grow was taken, in words
  std::atomic<std::int64_t> rows_settled{0};
};

// The contract. Every verb takes a span of nodes; its answer depends on its arguments and the rows alone. So
// an engine may do the nodes of a call at once, on threads or on other machines, or do them again.
class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::size_t n_columns() const = 0;

  // All rows as one node, its facts filled in.
  virtual OpenNode root() = 0;

  // How many nodes it would like to be handed at once.
  virtual std::size_t batch() const { return 1; }

  // Whether what it finds at a node may close later ones: it then proposes when a node's turn has come.
  virtual bool takes_turns() const { return false; }

  // What every column offers; without a ledger one that cannot win may be passed over. Proposals are reused.
  virtual void propose(std::span<const OpenNode> nodes, std::span<Proposal> proposals) = 0;

  // The winners' questions, put in the column's own values.
  virtual void ask(std::span<const OpenNode> nodes, std::span<Question> questions) = 0;

  // Rows follow their branch; no child has those that stop at the node. Handles and statistics of the
  // children are filled in; rows of a child that the recipe's limits close need not be put in order.
  virtual void route(std::span<const OpenNode> nodes, std::span<const Question> questions,
                     std::span<const std::span<OpenNode>> children) = 0;

  // Write what rows say of the target: those of leaves, and of inner nodes that leaves do not tell all of.
  virtual void settle(std::span<const OpenNode> nodes, LeafStore& leaves) = 0;
  virtual bool settles_inner() const { return false; }

  // Small now: may the rest of this node be grown in one place? If so, `finish` does, for all such nodes.
  virtual bool finishes(const OpenNode&) const { return false; }
  virtual void finish(std::span<const OpenNode>, GrowingTree&) {}

  // What `finish` grew apart: the rest of those nodes that name such a tree.
  std::vector<GrowingTree> take_subtrees() { return std::move(subtrees_); }

  // What it has done since this was last asked.
  Work take_work() { return std::exchange(work_, Work{}); }

 protected:
  Work work_;
  std::vector<GrowingTree> subtrees_;
};

// An engine that takes nodes one by one.
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
