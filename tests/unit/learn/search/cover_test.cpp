#include <random>

#include <gtest/gtest.h>

#include "learn/search/pool.h"
#include "unit/random_seed.h"

namespace neumann::search {
namespace {

Candidate candidate(std::size_t size, std::size_t positives, std::size_t negatives, std::uint32_t covered,
                    std::uint32_t wrong) {
    Candidate one;
    one.clause.body.resize(size - 1);
    one.positives = Bits(positives);
    one.negatives = Bits(negatives);
    for (std::size_t p = 0; p < positives; ++p) {
        if ((covered >> p & 1U) != 0) one.positives.set(p);
    }
    for (std::size_t n = 0; n < negatives; ++n) {
        if ((wrong >> n & 1U) != 0) one.negatives.set(n);
    }
    one.false_positives = one.negatives.count();
    return one;
}

// The least size of a set that covers everything; 0 if there is none.
std::size_t least_by_trial(const std::vector<Candidate>& candidates, std::size_t positives) {
    std::size_t best = 0;
    for (std::uint32_t set = 0; set < 1U << candidates.size(); ++set) {
        Bits covered(positives);
        std::size_t size = 0;
        bool crisp = true;
        for (std::size_t c = 0; c < candidates.size(); ++c) {
            if ((set >> c & 1U) == 0) continue;
            covered |= candidates[c].positives;
            size += candidates[c].size();
            crisp = crisp && candidates[c].false_positives == 0;
        }
        if (crisp && covered.count() == positives && (best == 0 || size < best)) best = size;
    }
    return best;
}

TEST(Cover, CrispOnesAreShortest) {
    const unsigned seed = random_seed(4);
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 100; ++i) {
        const std::size_t positives = 8;
        std::vector<Candidate> candidates;
        for (int c = 0; c < 10; ++c)
            candidates.push_back(candidate(2 + random() % 4, positives, 3, random() % 256, random() % 4 == 0 ? 1 : 0));
        bool proven = false;
        Work work;
        const Selection selection = crisp_cover(candidates, positives, {}, work, proven);
        const std::size_t best = least_by_trial(candidates, positives);
        EXPECT_TRUE(proven);
        EXPECT_EQ(selection.is_right(), best > 0);
        if (best > 0) {
            EXPECT_EQ(selection.size, best);
        }
    }
}

TEST(Cover, ShortOnesLeaveNoiseAlone) {
    const std::vector<Candidate> candidates = {
        candidate(3, 10, 4, 0b0111111111, 0b0001),  // nine of ten, one negative: costs 3 + 1 + 1
        candidate(9, 10, 4, 0b1000000000, 0),       // the last one is not worth nine literals
    };
    Work work;
    const Selection selection = short_cover(candidates, 10, 4, {}, {}, work);
    EXPECT_EQ(selection.chosen, (std::vector<std::size_t>{0}));
    EXPECT_EQ(selection.cost({}), 5);
}

TEST(Cover, PoolKeepsWhatIsNotDominated) {
    Work work;
    Pool pool(4, work);
    EXPECT_TRUE(pool.add(candidate(4, 4, 2, 0b0011, 0)));
    EXPECT_FALSE(pool.add(candidate(4, 4, 2, 0b0001, 0)));
    EXPECT_TRUE(pool.add(candidate(3, 4, 2, 0b0111, 0)));
    EXPECT_EQ(pool.candidates().size(), 1U);
    EXPECT_EQ(pool.covered().count(), 3U);
}

}  // namespace
}  // namespace neumann::search
