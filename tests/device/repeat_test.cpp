// Launches that a device records once and replays.
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "tests/shared/open_device.h"

namespace meniscus {
namespace {

struct TwiceAnd {
  Index* v;
  Index more;
  MNS_HD void operator()(Index i) const { v[i] = 2 * v[i] + more; }
};
struct CountUp {
  Index* v;
  MNS_HD void operator()(const double (&sum)[1]) const { v[0] = Index(sum[0]); }
};
struct AddUp {
  const Index* v;
  MNS_HD void operator()(Index i, double (&acc)[1]) const { acc[0] += double(v[i]); }
};

// v = 2 v + 1, v = 2 v + 2 in that order, and the sum of all; recorded or given one by one.
TEST(DeviceRepeat, IsTheSameAsGivingThemAgain) {
  std::vector<std::vector<Index>> ends;
  for (const bool recorded : {true, false}) {
    DeviceOptions options;
    options.recorded = recorded;
    MNS_OPEN_DEVICE(device, options);
    DeviceBuffer<Index> v(*device, "values"), sum(*device, "sum");
    v.resize(3000);
    sum.resize(1);
    v.fillZero();
    launchFold<1>(*device, "sum", 3000, AddUp{v.data()}, CountUp{sum.data()});  // makes the room that recorded ones need
    Repeated both(*device);
    const DeviceCounters before = device->counters();
    for (int k = 0; k < 5; ++k)
      both.run("both", [&] {
        launch(*device, "and 1", 3000, TwiceAnd{v.data(), 1});
        launch(*device, "and 2", 3000, TwiceAnd{v.data(), 2});
        launchFold<1>(*device, "sum", 3000, AddUp{v.data()}, CountUp{sum.data()});
      });
    const DeviceCounters after = device->counters();
    EXPECT_EQ(after.launches - before.launches, recorded ? 0u : 15u);
    EXPECT_EQ(after.replays - before.replays, recorded ? 5u : 0u);
    EXPECT_EQ(after.replayed - before.replayed, recorded ? 15u : 0u);
    std::vector<Index> found(3001);
    v.download(found.data());
    sum.download(&found[3000]);
    ends.push_back(found);
  }
  Index value = 0;
  for (int k = 0; k < 5; ++k) value = 2 * (2 * value + 1) + 2;
  EXPECT_EQ(ends[0][0], value);
  EXPECT_EQ(ends[0][3000], 3000 * value);
  EXPECT_EQ(ends[0], ends[1]);
}

// What is recorded are the arguments: others count from the next forget() on, with other launches too.
TEST(DeviceRepeat, ArgumentsAreThoseOfTheRecording) {
  MNS_OPEN_DEVICE(device, {});
  DeviceBuffer<Index> v(*device, "values");
  v.resize(1);
  v.fillZero();
  Repeated r(*device);
  Index more = 1;
  const auto give = [&] { launch(*device, "and", 1, TwiceAnd{v.data(), more}); };
  r.run("and", give);  // 1
  more = 5;
  r.run("and", give);  // 3
  r.forget();
  r.run("and", give);  // 11
  r.forget();
  r.run("and twice", [&] {
    give();
    give();
  });  // 59
  Index found = 0;
  v.download(&found);
  EXPECT_EQ(found, 59);
}

// A copy within a recording would be made once, not each time: it is refused by name, and the device goes on.
TEST(DeviceRepeat, TakesLaunchesAlone) {
  MNS_OPEN_DEVICE(device, {});
  DeviceBuffer<Index> v(*device, "values");
  v.resize(1);
  v.fillZero();
  Repeated r(*device);
  const auto refused = [&](const char* name, const auto& call) {
    try {
      r.run("not launches alone", [&] {
        launch(*device, "and", 1, TwiceAnd{v.data(), 1});
        call();
      });
      ADD_FAILURE() << name;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind, ErrorKind::internal);
      EXPECT_NE(std::string(e.what()).find(name), std::string::npos) << e.what();
    }
  };
  Index value = 7;
  DeviceBuffer<Index> other(*device, "other");
  refused("\"values\"", [&] { v.download(&value); });
  refused("\"values\"", [&] { v.upload(&value, 1); });
  refused("\"values\"", [&] { v.fillZero(); });
  refused("\"other\"", [&] { other.resize(1000); });
  v.download(&value);
  EXPECT_EQ(value, 0);  // none of them was run
  r.run("and", [&] { launch(*device, "and", 1, TwiceAnd{v.data(), 1}); });
  v.download(&value);
  EXPECT_EQ(value, 1);
}

}  // namespace
}  // namespace meniscus
