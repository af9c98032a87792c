#include <gtest/gtest.h>

#include "datasets/dataset.h"
#include "perceive/picture_kind.h"
#include "render/draw_figure.h"
#include "render/trace.h"
#include "scene/place_objects.h"

namespace neumann {
namespace {

TEST(PictureKind, ShareOfTheGround) {
    Image picture = Image::blank(4, 4, 3);
    EXPECT_EQ(even_ground_share(picture), 1);
    for (unsigned x = 0; x < 4; ++x) picture.at(x, 0)[1] = 200;
    EXPECT_EQ(even_ground_share(picture), 0.75);
    for (unsigned x = 0; x < 4; ++x) picture.at(x, 1)[0] = 15;  // not enough to be another colour
    EXPECT_EQ(even_ground_share(picture), 0.75);
    EXPECT_EQ(even_ground_share(Image()), 0);
}

TEST(PictureKind, FiguresAreFlatWhateverTheirSize) {
    for (const std::string pattern : {"twopairs", "closeby", "online-pair"}) {
        DatasetRequest request;
        request.name = "kandinsky";
        request.pattern = pattern;
        request.count = 20;
        for (const SceneExample& example : make_examples(request, Split::Train)) {
            const Image picture = draw_figure(example.images.front(), 128, 128);
            EXPECT_TRUE(shows_flat_figures(picture)) << pattern << " " << even_ground_share(picture);
        }
    }
}

TEST(PictureKind, SolidScenesAreNot) {
    DatasetRequest request;
    request.name = "clevr-hans";
    request.count = 6;
    TraceOptions options = TraceOptions::training();
    options.width = options.height = 64;
    for (const SceneExample& example : make_examples(request, Split::Train)) {
        const Image picture = trace_scene(example.images.front(), options).picture;
        EXPECT_FALSE(shows_flat_figures(picture)) << even_ground_share(picture);
    }
}

TEST(PictureKind, AnotherGroundIsNot) {
    Image picture = Image::blank(32, 32, 3);
    std::fill(picture.data.begin(), picture.data.end(), std::uint8_t{255});
    EXPECT_FALSE(shows_flat_figures(picture));
    std::fill(picture.data.begin(), picture.data.end(), std::uint8_t{215});
    EXPECT_TRUE(shows_flat_figures(picture));
    picture.channels = 1;
    picture.data.resize(32 * 32);
    EXPECT_TRUE(shows_flat_figures(picture));
}

}  // namespace
}  // namespace neumann
