// Scenes step, alone and on their own thread, and are as they were after a step that did not happen.
#include <atomic>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "tests/api/api_fixture.h"
#include "tests/api/grid_texts.h"

namespace {

class Step : public ApiTest {};

TEST_F(Step, StartsByItselfAndMakesTime) {
  mnsScene* scene = tankWithBall();
  mnsView view{};
  EXPECT_EQ(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &view), MNS_ERROR_NOT_STARTED);
  EXPECT_OK(mnsScene_Step(scene, 0.004));
  EXPECT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &view));
  EXPECT_EQ(view.count, 1200);
  EXPECT_EQ(mnsScene_Start(scene), MNS_ERROR_STARTED);
}

TEST_F(Step, RefusesStepsItWasNotMadeFor) {
  mnsScene* scene = tankWithBall();
  for (const double dt : {0.0, -1.0, 1e-300, 0.9e-8, 0.02, std::nan(""), HUGE_VAL}) {
    EXPECT_EQ(mnsScene_Step(scene, dt), MNS_ERROR_INVALID_ARGUMENT) << dt;
  }
}

TEST_F(Step, OnItsOwnThreadGivesTheSame) {
  mnsScene* here = tankWithBall();
  mnsScene* there = tankWithBall();
  for (int k = 0; k < 10; ++k) {
    EXPECT_OK(mnsScene_Step(here, 0.004));
    mnsTicket ticket{};
    ASSERT_OK(mnsScene_StepAsync(there, 0.004, &ticket));
    EXPECT_OK(mnsScene_Wait(there, ticket, -1));
    EXPECT_EQ(mnsScene_Wait(there, ticket, -1), MNS_ERROR_INVALID_HANDLE);
  }
  mnsView a{}, b{};
  ASSERT_OK(mnsScene_GetParticles(here, MNS_PARTICLE_POSITION, &a));
  ASSERT_OK(mnsScene_GetParticles(there, MNS_PARTICLE_POSITION, &b));
  ASSERT_EQ(a.count, b.count);
  for (std::int64_t k = 0; k < 4 * a.count; ++k)
    ASSERT_EQ(static_cast<const float*>(a.data)[k], static_cast<const float*>(b.data)[k]) << k;
}

TEST_F(Step, IsBusyMeanwhile) {
  mnsScene* scene = tankWithBall();
  EXPECT_OK(mnsScene_Start(scene));
  mnsTicket ticket{};
  ASSERT_OK(mnsScene_StepAsync(scene, 0.01, &ticket));
  mnsView view{};
  const mnsResult during = mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &view);
  const mnsResult waited = mnsScene_Wait(scene, ticket, 0);
  // the step may have ended before either call
  EXPECT_TRUE(during == MNS_ERROR_BUSY || during == MNS_OK);
  if (waited == MNS_PENDING) { EXPECT_OK(mnsScene_Wait(scene, ticket, -1)); }
  EXPECT_OK(mnsScene_GetParticles(scene, MNS_PARTICLE_POSITION, &view));
}

TEST_F(Step, HostsThreadsGiveTheSame) {
  struct Host {
    int calls = 0;
    static void run(void* user, std::int32_t count, mnsTask* task, void* taskContext) {
      ++static_cast<Host*>(user)->calls;
      std::vector<std::thread> threads;
      for (std::int32_t k = 1; k < count; ++k) threads.emplace_back([=] { task(taskContext, k); });
      task(taskContext, 0);
      for (std::thread& t : threads) t.join();
    }
  } host;
  mnsContextDef def = mnsDefaultContextDef();
  def.device = MNS_DEVICE_CPU;
  def.threads = 3;
  def.runTasks = &Host::run;
  def.tasksUser = &host;
  mnsContext* other = nullptr;
  ASSERT_OK(mnsCreateContext(MNS_VERSION, &def, &other));
  mnsScene* here = tankWithBall();
  std::swap(context, other);
  mnsScene* hosted = tankWithBall();
  std::swap(context, other);
  for (int k = 0; k < 3; ++k) {
    EXPECT_OK(mnsScene_Step(here, 0.004));
    EXPECT_OK(mnsScene_Step(hosted, 0.004));
  }
  EXPECT_GT(host.calls, 0);
  mnsView a{}, b{};
  ASSERT_OK(mnsScene_GetParticles(here, MNS_PARTICLE_VELOCITY, &a));
  ASSERT_OK(mnsScene_GetParticles(hosted, MNS_PARTICLE_VELOCITY, &b));
  for (std::int64_t k = 0; k < 4 * a.count; ++k)
    ASSERT_EQ(static_cast<const float*>(a.data)[k], static_cast<const float*>(b.data)[k]) << k;
  EXPECT_OK(mnsDestroyContext(other));
}

// A force that no step survives is not kept for the next one.
TEST_F(Step, GoesOnAfterAForceBeyondAllBounds) {
  mnsScene* scene = tankWithBall();
  ASSERT_OK(mnsScene_Step(scene, 0.004));
  mnsBodyId ball{};
  ASSERT_OK(mnsScene_FindBody(scene, "ball", &ball));
  std::uint64_t before = 0, after = 1;
  ASSERT_OK(mnsScene_GetHash(scene, &before));
  ASSERT_OK(mnsBody_ApplyForce(scene, ball, {1e300, 0, 0}, nullptr));
  EXPECT_EQ(mnsScene_Step(scene, 0.004), MNS_ERROR_SIMULATION);
  ASSERT_OK(mnsScene_GetHash(scene, &after));
  EXPECT_EQ(after, before);
  EXPECT_OK(mnsScene_Step(scene, 0.004));
}

// Scenes share nothing: two that step at the same time end as they would have alone.
TEST_F(Step, TwoScenesFromTwoThreadsAreAsAlone) {
  const auto hashAfter = [](mnsScene* scene) {
    std::uint64_t hash = 0;
    for (int k = 0; k < 20; ++k) EXPECT_OK(mnsScene_Step(scene, 0.004));
    EXPECT_OK(mnsScene_GetHash(scene, &hash));
    return hash;
  };
  const auto shallow = [this] {
    mnsScene* scene = emptyTank();
    addWater(scene, 0.03);
    addBall(scene, 2000);
    return scene;
  };
  const std::uint64_t deepAlone = hashAfter(tankWithBall()), shallowAlone = hashAfter(shallow());
  EXPECT_NE(deepAlone, shallowAlone);
  mnsScene *one = tankWithBall(), *other = shallow();
  std::uint64_t deep = 0, flat = 0;
  std::thread thread([&] { flat = hashAfter(other); });
  deep = hashAfter(one);
  thread.join();
  EXPECT_EQ(deep, deepAlone);
  EXPECT_EQ(flat, shallowAlone);
}

// The same of a tank of particles and a room on a grid, and of two rooms.
TEST_F(Step, AGridBesideParticlesAndGridsAreAsAlone) {
  const auto hashAfter = [](mnsScene* scene, int steps) {
    std::uint64_t hash = 0;
    for (int k = 0; k < steps; ++k) EXPECT_OK(mnsScene_Step(scene, 0.004));
    EXPECT_OK(mnsScene_GetHash(scene, &hash));
    return hash;
  };
  const auto room = [this](const std::string& text) {
    mnsScene* scene = nullptr;
    EXPECT_OK(mnsLoadSceneText(context, text.data(), text.size(), nullptr, &scene));
    return scene;
  };
  const std::uint64_t tank = hashAfter(tankWithBall(), 10), smoke = hashAfter(room(smokeText()), 40),
                      water = hashAfter(room(waterText()), 40);
  for (const bool particles : {true, false}) {
    mnsScene *one = particles ? tankWithBall() : room(waterText()), *other = room(smokeText());
    std::uint64_t a = 0, b = 0;
    std::thread thread([&] { b = hashAfter(other, 40); });
    a = hashAfter(one, particles ? 10 : 40);
    thread.join();
    EXPECT_EQ(a, particles ? tank : water);
    EXPECT_EQ(b, smoke);
  }
}

// Readers that never rest do not keep a writer out.
TEST_F(Step, GoesOnBesideReadersThatNeverRest) {
  mnsScene* scene = tankWithBall();
  ASSERT_OK(mnsScene_Start(scene));
  std::atomic<bool> stop{false};
  std::atomic<int> reads{0};
  std::vector<std::thread> readers;
  for (int k = 0; k < 2; ++k)
    readers.emplace_back([&] {
      mnsStatistics statistics{};
      statistics.structSize = sizeof statistics;
      while (!stop) reads += mnsScene_GetStatistics(scene, &statistics) == MNS_OK;
    });
  while (reads < 1000) std::this_thread::yield();
  for (int k = 0; k < 50; ++k) {
    ASSERT_OK(mnsScene_Step(scene, 0.0001));
    mnsTicket ticket{};
    ASSERT_OK(mnsScene_StepAsync(scene, 0.0001, &ticket));
    ASSERT_OK(mnsScene_Wait(scene, ticket, -1));
  }
  stop = true;
  for (std::thread& t : readers) t.join();
}

TEST_F(Step, SaysAFailureThatNobodyWaitedFor) {
  std::string said;
  mnsContextDef def = mnsDefaultContextDef();
  def.device = MNS_DEVICE_CPU;
  def.threads = 1;
  def.logLevel = MNS_LOG_WARNING;
  def.logUser = &said;
  def.log = [](void* user, mnsLogLevel, const char*, const char* message, const char*, std::int32_t) {
    *static_cast<std::string*>(user) += message;
  };
  mnsContext* listening = nullptr;
  ASSERT_OK(mnsCreateContext(MNS_VERSION, &def, &listening));
  std::swap(context, listening);
  mnsScene* scene = tankWithBall();
  mnsBodyId ball{};
  ASSERT_OK(mnsScene_FindBody(scene, "ball", &ball));
  ASSERT_OK(mnsScene_Start(scene));
  ASSERT_OK(mnsBody_ApplyForce(scene, ball, {1e300, 0, 0}, nullptr));
  mnsTicket ticket{};
  ASSERT_OK(mnsScene_StepAsync(scene, 0.004, &ticket));
  mnsResult result = MNS_ERROR_BUSY;
  while (result == MNS_ERROR_BUSY) result = mnsScene_Step(scene, 0.004);
  EXPECT_OK(result);
  EXPECT_NE(said.find("step 1 was not waited for; it failed: "), std::string::npos) << said;
  std::swap(context, listening);
  EXPECT_OK(mnsDestroyContext(listening));
}

}  // namespace
