#include "check.hpp"
#include "treewright/criteria/classes.hpp"
#include "treewright/recipe/candidate.hpp"

using namespace treewright;

TEST(of_cuts_worth_the_same_the_more_even_one_is_taken_and_else_the_first_one_stays) {
  Candidate candidate;
  CHECK(candidate.offer(2.0, 1, false, 8));
  CHECK(!candidate.offer(1.0, 2, false, 0));  // however even
  CHECK(candidate.offer(2.0, 3, false, 4));
  CHECK(!candidate.offer(2.0, 4, true, 4));
  CHECK(candidate.offer(3.0, 5, false, 10));  // however uneven
  CHECK(candidate.n_left == 5 && candidate.unevenness == 10);
}

TEST(a_tie_with_another_column_is_lost_however_even_the_cut_is) {
  Candidate candidate;
  candidate.score.worth = 2.0;
  CHECK(!candidate.offer(2.0, 1, false, 0));
  CHECK(candidate.offer(2.5, 2, false, 6));
}

TEST(equals_reach_the_floor_only_where_one_of_them_could_be_more_even) {
  const MisclassificationOfClasses criterion;
  Candidate candidate;
  candidate.score.worth = 2.0;
  CHECK(score_floor_over(criterion, candidate) > 2.0);
  candidate.offer(3.0, 1, false, 4);
  CHECK(score_floor_over(criterion, candidate) == 3.0);
  candidate.offer(3.0, 2, false, 0);
  CHECK(score_floor_over(criterion, candidate) > 3.0);
}

TEST(only_misclassification_asks_how_even_sides_are) {
  CHECK(unevenness_of<MisclassificationOfClasses>(3, 8) == 5);
  CHECK(unevenness_of<MisclassificationOfClasses>(8, 3) == 5);
  CHECK(unevenness_of<TwoingOfClasses>(3, 8) == 0);
}
