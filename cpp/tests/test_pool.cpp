#include <atomic>
#include <stdexcept>

#include "check.hpp"
#include "treewright/pool.hpp"

using treewright::Pool;

TEST(every_task_is_done_once) {
  Pool pool(4);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::atomic<int>> done(37);
    pool.run(done.size(), [&](std::size_t task, int) { ++done[task]; });
    for (const auto& count : done) CHECK(count == 1);
  }
}

TEST(an_error_in_a_task_reaches_the_caller_and_the_pool_lives_on) {
  Pool pool(3);
  for (int round = 0; round < 50; ++round) {
    bool caught = false;
    try {
      pool.run(100, [](std::size_t task, int) {
        if (task == 42) throw std::runtime_error("42");
      });
    } catch (const std::runtime_error&) {
      caught = true;
    }
    CHECK(caught);
    std::atomic<int> sum{0};
    pool.run(10, [&](std::size_t task, int) { sum += static_cast<int>(task); });
    CHECK(sum == 45);
  }
}
