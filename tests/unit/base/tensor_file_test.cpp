#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/rng.h"
#include "base/tensor_file.h"
#include "unit/temporary_folder.h"

namespace neumann {
namespace {

using namespace std::string_literals;
namespace fs = std::filesystem;

std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
TensorFile parse(const std::string& bytes) { return TensorFile::parse(std::as_bytes(std::span(bytes)), "the-file"); }
std::string refusal(const std::string& bytes) {
    try {
        parse(bytes);
    } catch (const FileError& error) {
        EXPECT_NE(std::string(error.what()).find("the-file"), std::string::npos) << error.what();
        return error.what();
    }
    return "";
}
template <class Number>
std::string raw(std::initializer_list<Number> numbers) {
    std::string bytes(numbers.size() * sizeof(Number), '\0');
    std::memcpy(bytes.data(), std::data(numbers), bytes.size());
    return bytes;
}
// A file with this header, whatever it says.
std::string file_of(const std::string& header, const std::string& data = "") {
    return raw<std::uint64_t>({header.size()}) + header + data;
}
std::string one_tensor(const std::string& type, const std::string& shape, const std::string& offsets,
                       const std::string& data) {
    return file_of(R"({"w":{"dtype":")" + type + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}",
                   data);
}
void expect_refused(const std::string& bytes, const std::string& part) {
    const std::string text = refusal(bytes);
    EXPECT_NE(text.find(part), text.npos) << "'" << text << "' instead of '" << part << "'";
}

std::vector<StoredTensor> some_tensors() {
    return {{"layer.weight", {2, 3}, {1, -2, 0.5F, 3e-5F, 1000, -0.0F}},
            {"layer.bias", {2}, {0.1F, -0.1F}},
            {"scale", {}, {7}},
            {"nothing", {4, 0}, {}},
            {"ü \"quoted\"\n", {1, 1, 1}, {2}}};
}

TEST(TensorFile, WhatIsWrittenIsRead) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "weights.safetensors";
    const std::map<std::string, std::string> metadata{{"network", "a \"name\""}, {"empty", ""}};
    write_tensor_file(path, some_tensors(), metadata);
    const TensorFile file = TensorFile::read(path);
    EXPECT_EQ(file.name(), path.string());
    EXPECT_EQ(file.metadata(), metadata);
    EXPECT_EQ(file.metadata("network"), "a \"name\"");
    EXPECT_EQ(file.metadata("missing"), "");
    ASSERT_EQ(file.tensors().size(), some_tensors().size());
    EXPECT_TRUE(std::ranges::is_sorted(file.tensors(), {}, &StoredTensor::name));
    for (const StoredTensor& tensor : some_tensors()) {
        const StoredTensor* found = file.find(tensor.name);
        ASSERT_NE(found, nullptr) << tensor.name;
        EXPECT_EQ(found->name, tensor.name);
        EXPECT_EQ(found->shape, tensor.shape);
        EXPECT_EQ(found->values, tensor.values);
    }
    EXPECT_EQ(file.find("layer"), nullptr);
    EXPECT_EQ(file.find("zzz"), nullptr);
    // Numbers begin at a multiple of eight, behind spaces.
    EXPECT_EQ(static_cast<unsigned char>(content(path)[0]) % 8, 0);
}

TEST(TensorFile, TheSameContentGivesTheSameBytes) {
    const TemporaryFolder folder;
    std::vector<StoredTensor> tensors = some_tensors();
    write_tensor_file(folder.path() / "a", tensors, {{"k", "v"}});
    std::ranges::reverse(tensors);
    write_tensor_file(folder.path() / "b", tensors, {{"k", "v"}});
    EXPECT_EQ(content(folder.path() / "a"), content(folder.path() / "b"));
    EXPECT_EQ(TensorFile::read(folder.path() / "a").digest(), TensorFile::read(folder.path() / "b").digest());
    tensors[0].values.back() += 1;
    write_tensor_file(folder.path() / "b", tensors, {{"k", "v"}});
    EXPECT_NE(TensorFile::read(folder.path() / "a").digest(), TensorFile::read(folder.path() / "b").digest());
    // As it stands in the file, so that other versions of this project and other programs read it.
    write_tensor_file(folder.path() / "c", std::vector<StoredTensor>{{"w", {2}, {1, 2}}, {"a", {1}, {3}}},
                      {{"k", "v"}});
    const std::string header = R"({"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                               R"("w":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})";
    EXPECT_EQ(content(folder.path() / "c"),
              file_of(header + std::string((8 - header.size() % 8) % 8, ' '), raw<float>({3, 1, 2})));
}

TEST(TensorFile, HalfNumbersAreRounded) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "half";
    write_tensor_file(path, std::vector<StoredTensor>{{"w", {4}, {1, 1.0001F, -65504, 1e-9F}}}, {}, true);
    EXPECT_EQ(TensorFile::read(path).find("w")->values, (std::vector<float>{1, 1, -65504, 0}));
    const auto write = [&](float value) {
        write_tensor_file(path, std::vector<StoredTensor>{{"w", {1}, {value}}}, {}, true);
    };
    EXPECT_THROW(write(65520), std::invalid_argument);
    EXPECT_THROW(write(-1e6F), std::invalid_argument);
    EXPECT_EQ(TensorFile::read(path).find("w")->values.size(), 4U) << "a refused file replaced the old one";
}

TEST(TensorFile, WhatCannotBeReadIsNotWritten) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "weights";
    const auto refused = [&](std::vector<StoredTensor> tensors,
                             const std::map<std::string, std::string>& metadata = {}) {
        EXPECT_THROW(write_tensor_file(path, tensors, metadata), std::invalid_argument);
    };
    const float infinite = std::numeric_limits<float>::infinity();
    refused({{"w", {1}, {infinite}}});
    refused({{"w", {1}, {std::nanf("")}}});
    refused({{"w", {2}, {1}}});
    refused({{"w", {-1}, {}}});
    refused({{"w", {std::int64_t{1} << 62, 4}, {}}});
    refused({{"w", {}, {1}}, {"w", {}, {2}}});
    refused({{"__metadata__", {}, {1}}});
    refused({{"\xff", {}, {1}}});
    refused({}, {{"key", "\xc3"}});
    EXPECT_TRUE(fs::is_empty(folder.path()));
    EXPECT_THROW(write_tensor_file(folder.path() / "nowhere" / "w", {}, {}), FileError);
}

TEST(TensorFile, FilesOfOtherProgramsAreRead) {
    const TensorFile half = parse(one_tensor("F16", "[2,1]", "[0,4]", raw<std::uint16_t>({0x3c00, 0xc000})));
    EXPECT_EQ(half.find("w")->values, (std::vector<float>{1, -2}));
    EXPECT_EQ(half.find("w")->shape, (std::vector<std::int64_t>{2, 1}));
    const TensorFile upper = parse(one_tensor("BF16", "[2]", "[0,4]", raw<std::uint16_t>({0x3f80, 0xc000})));
    EXPECT_EQ(upper.find("w")->values, (std::vector<float>{1, -2}));
    // Any order of tensors and of fields, data that is not aligned, spaces.
    const TensorFile mixed = parse(file_of(R"({ "b" : {"shape":[1],"data_offsets":[2,6],"dtype":"F32"} ,
        "a":{"dtype":"F16","data_offsets":[0,2],"shape":[]}, "__metadata__":{"format":"pt"} }   )",
                                           raw<std::uint16_t>({0x3c00}) + raw<float>({5})));
    EXPECT_EQ(mixed.find("a")->values, std::vector<float>{1});
    EXPECT_EQ(mixed.find("b")->values, std::vector<float>{5});
    EXPECT_EQ(mixed.metadata("format"), "pt");
    EXPECT_TRUE(parse(file_of("{}")).tensors().empty());
}

TEST(TensorFile, HeadersThatDoNotHold) {
    const std::string eight = raw<float>({1, 2});
    expect_refused(one_tensor("F32", "[3]", "[0,8]", eight), "shape [3]");
    expect_refused(one_tensor("F32", "[2]", "[0,7]", eight), "bytes from 0 to 7");
    expect_refused(one_tensor("F32", "[2]", "[8,0]", eight), "bytes from 8 to 0");
    expect_refused(one_tensor("F32", "[2]", "[0,8]", eight + "x"), "belong to none");
    expect_refused(one_tensor("F32", "[2]", "[0,8]", "1234"), "ends too early");
    expect_refused(one_tensor("F32", "[1]", "[4,8]", eight), "there is a gap");
    expect_refused(one_tensor("F32", "[4294967296,4294967296]", "[0,8]", eight), "cannot lie in");
    expect_refused(one_tensor("F32", "[9223372036854775808]", "[0,8]", eight), "a side of 9223372036854775808");
    expect_refused(one_tensor("F32", "[4611686018427387904]", "[0,0]", ""), "cannot lie in");
    expect_refused(one_tensor("F32", "[0]", "[18446744073709551615,18446744073709551615]", ""), "there is a gap");
    expect_refused(one_tensor("F32", "[-2]", "[0,8]", eight), "whole numbers");
    expect_refused(one_tensor("F32", "[2.0]", "[0,8]", eight), "whole numbers");
    expect_refused(one_tensor("F32", "[[2]]", "[0,8]", eight), "whole numbers");
    expect_refused(one_tensor("F32", "2", "[0,8]", eight), "whole numbers");
    expect_refused(one_tensor("F32", "[2]", "[0,8,8]", eight), "two data_offsets");
    expect_refused(one_tensor("F32", "[2]", "[]", eight), "two data_offsets");
    expect_refused(one_tensor("I64", "[1]", "[0,8]", eight), "F32, F16 and BF16 are read");
    expect_refused(one_tensor("F32", "[2]", "[0,8],\"more\":1", eight), "'more'");
    expect_refused(one_tensor("F32", "[2]", "[0,8],\"dtype\":\"F16\"", eight), "'dtype' occurs twice");
    std::string ones = "[2";
    for (int k = 0; k < 100; ++k) ones += ",1";
    expect_refused(one_tensor("F32", ones + "]", "[0,8]", eight), "too long");
    const std::string w = R"("w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
    const std::string v = R"("v":{"dtype":"F32","shape":[1],"data_offsets":[4,8]})";
    expect_refused(file_of("{" + w + "," + w + "}", eight), "'w' occurs twice");
    expect_refused(file_of("{" + w + "," + v + "}", eight), "overlap");
    expect_refused(file_of("{" + w + "", eight), "not JSON");
    expect_refused(file_of("{" + w + "}{}", eight), "not JSON");
    expect_refused(file_of("{" + w + "}\0\0"s, eight), "not JSON");
    expect_refused(file_of("{\"\xff\":{}}"), "not JSON");
    expect_refused(file_of(R"({"w":{"dtype":"F32","shape":[2]}})", eight), "lacks");
    expect_refused(file_of(R"({"w":{"dtype":7,"shape":[2],"data_offsets":[0,8]}})", eight), "not a text");
    expect_refused(file_of(R"({"w":3})"), "'w' is not an object");
    expect_refused(file_of(R"({"w":[]})"), "'w' is not an object");
    expect_refused(file_of(R"({"__metadata__":{"k":1}})"), "'k' is not a text");
    expect_refused(file_of(R"({"__metadata__":{"k":{}}})"), "'k' is not a text");
    expect_refused(file_of(R"({"__metadata__":{"k":"","k":""}})"), "'k' occurs twice");
    expect_refused(file_of(R"({"__metadata__":{},"__metadata__":{}})"), "'__metadata__' occurs twice");
    expect_refused(file_of("{" + std::string(100000, '[')), "not");
    std::string nested = "{";
    for (int k = 0; k < 10000; ++k) nested += R"("a":{)";
    expect_refused(file_of(nested), "not known");
}

TEST(TensorFile, NumbersMustBeFinite) {
    const float infinite = std::numeric_limits<float>::infinity();
    expect_refused(one_tensor("F32", "[2]", "[0,8]", raw<float>({1, infinite})), "number 1 of tensor 'w'");
    expect_refused(one_tensor("F32", "[2]", "[0,8]", raw<float>({std::nanf(""), 1})), "finite");
    expect_refused(one_tensor("F16", "[1]", "[0,2]", raw<std::uint16_t>({0xfc00})), "finite");
    expect_refused(one_tensor("BF16", "[1]", "[0,2]", raw<std::uint16_t>({0x7fc0})), "finite");
}

TEST(TensorFile, OtherFilesAreNamed) {
    expect_refused("", "empty");
    expect_refused("abc", "ends too early");
    expect_refused("PK\x03\x04\0\0\x08\x08\0\0archive/data.pkl"s, "PyTorch");
    expect_refused("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"s, "PyTorch");
    expect_refused("version https://git-lfs.github.com/spec/v1\noid sha256:12\n", "git lfs pull");
    expect_refused("<!DOCTYPE html><html>", "web page");
    expect_refused("{\"metadata\":{}}", "JSON");
    expect_refused("\x93NUMPY\x01\0v\0{'descr'"s, "NumPy");
    expect_refused("some text that is long enough", "not a safetensors file");
    expect_refused(raw<std::uint64_t>({100'000'001}) + "{}", "at most 100000000");
    expect_refused(raw<std::uint64_t>({~std::uint64_t{0}}) + "{}", "at most 100000000");
    expect_refused(raw<std::uint64_t>({3}) + "{}", "ends too early");
    // Ours all the same: the header's length happens to be what a pickle begins with.
    EXPECT_EQ(refusal(file_of("{}" + std::string(0x280 - 2, ' '))), "");
    const TemporaryFolder folder;
    EXPECT_THROW(TensorFile::read(folder.path()), FileError);
    EXPECT_THROW(TensorFile::read(folder.path() / "missing"), FileError);
}

TEST(TensorFile, DamagedFilesDoNoHarm) {
    const TemporaryFolder folder;
    write_tensor_file(folder.path() / "whole", some_tensors(), {{"k", "v"}});
    const std::string whole = content(folder.path() / "whole");
    const std::uint64_t digest = parse(whole).digest();
    for (std::size_t size = 0; size < whole.size(); ++size)
        ASSERT_NE(refusal(whole.substr(0, size)), "") << size << " of " << whole.size() << " bytes";
    ASSERT_NE(refusal(whole + '\0'), "");
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const unsigned flip : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U, 255U}) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(flip));
            try {
                const TensorFile file = parse(damaged);
                ASSERT_NE(file.digest(), digest) << "byte " << at;
                for (const StoredTensor& tensor : file.tensors())
                    for (const float value : tensor.values) ASSERT_TRUE(std::isfinite(value));
            } catch (const FileError&) {  // any other exception fails the test
            }
        }
    }
}

}  // namespace
}  // namespace neumann
