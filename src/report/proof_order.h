// Linear order and wording of a proof: the numbers and sentences of its steps. Shared by all forms of output, so that
// "(3)" means the same step in all of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <neumann/explanation.h>

namespace neumann {

// From here on a value reads as 1, and is not worth a number in a sentence.
constexpr double as_good_as_one = 0.995;

bool is_derived(const ExplainedStep& step);  // by a rule; else it is a leaf

// The derived steps in the order of the report: each once and after its premises, so step 0 is the last.
std::vector<std::uint32_t> leaves_first(const ExplainedProof& proof);

// Per step its place in leaves_first, from 1 on; 0 for leaves, which are reported together with their conclusion.
std::vector<std::uint32_t> told_numbers(const ExplainedProof& proof);

// The steps nearest to the first one, at most so many; premises beyond them are left out. The whole proof if it has no
// more.
ExplainedProof first_steps(const ExplainedProof& proof, std::size_t most);

// Per step how many premises of other steps it is; a step with more than one is shared.
std::vector<std::uint32_t> uses_of(const ExplainedProof& proof);

// "The image shows red and gray, because obj0 is red (seen with probability 0.98) and obj1 is left of it (1)." Of a
// derived step; `numbers` are told_numbers, or empty for no references. Premises with commas are set apart by
// semicolons.
std::string step_sentence(const ExplainedProof& proof, std::uint32_t index, const std::vector<std::uint32_t>& numbers);

// The words as they begin a sentence, with a capital; an atom that has none stays as the program spells it.
std::string sentence_start(const std::string& words, const std::string& atom);

// Where a leaf comes from: "seen with probability 0.98", "a fact of the program", "given".
std::string origin_words(const ExplainedStep& leaf);

std::string spoken(double value);  // for sentences: 0.54; two decimals, but never 0 or 1 for other values
std::string shown(double value);   // for lists and trees: 0.684, 1, 2e-07; at most four decimals

std::string place_of(const std::string& file, std::uint32_t line);  // "wet.nm:21"; empty where it is not known

// "X = red, Y = [gray,cyan]"
std::string substitution_text(const std::vector<std::pair<std::string, std::string>>& substitution);

// The failure of this step's atom, or null.
const Failure* failure_at(const NearMiss& miss, const ExplainedStep& step);

// The argument in which `instead` differs from `atom`: sphere, for shape(obj2,sphere) and shape(obj2,cube). The whole
// of `instead` if they differ in more.
std::string differing_part(std::string_view atom, std::string_view instead);

// One sentence about the relation of the best proof's value to the atom's. Needs an explanation with a proof.
std::string meaning_of_proof_value(const Explanation& explanation);

// Why a derivation without failed inputs still has a low value: a sentence.
std::string no_failure_text(const Explanation& explanation, const ExplainedProof& proof);

// A near miss's failure: "shape(obj2,cube) is 0.02, seen as sphere 0.97; were it 1, kp(img) would be 0.96; 0.54 would
// be enough for 0.5".
std::string failure_text(const Explanation& explanation, const NearMiss& miss, const Failure& failure);

}  // namespace neumann
