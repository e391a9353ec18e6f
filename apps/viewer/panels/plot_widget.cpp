#include "apps/viewer/panels/plot_widget.h"

#include <algorithm>
#include <cmath>

#include "apps/viewer/text.h"
#include "apps/viewer/theme.h"

namespace meniscus::viewer {
namespace {

constexpr ImU32 kColours[] = {IM_COL32(86, 156, 230, 255),  IM_COL32(232, 140, 70, 255), IM_COL32(90, 180, 110, 255),
                              IM_COL32(200, 110, 180, 255), IM_COL32(200, 180, 70, 255), IM_COL32(120, 120, 220, 255)};

struct Extent {
  double low = 0, high = 1;
};

Extent extentOf(const PlotDef& def, const Samples& samples, std::size_t stride) {
  Extent e{0, 0};  // zero is always in the plot: heights can then be compared
  for (const Curve* curve = def.curves; curve != def.curves + def.curveCount; ++curve)
    for (std::size_t k = 0; k < samples.size(); k += stride) {
      const double v = curve->value(samples, k, curve->name);
      if (!std::isfinite(v)) continue;
      e.low = std::min(e.low, v);
      e.high = std::max(e.high, v);
    }
  if (!(e.high - e.low > 0)) e.high = e.low + 1;
  const double room = 0.06 * (e.high - e.low);
  return {e.low < 0 ? e.low - room : 0, e.high > 0 ? e.high + room : 0};
}

// The least round distance, 1, 2 or 5 times a power of ten, that is not below `least`.
double roundStep(double least) {
  const double power = std::pow(10., std::floor(std::log10(least))), ratio = least / power;
  return power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
}

// The names of the first curves, as many as there is room for: the first ones say most.
void legend(const PlotDef& def, float left, float right, float y, float gap) {
  const auto widthOf = [&](std::size_t c) { return ImGui::CalcTextSize(def.curves[c].name).x + gap; };
  std::size_t count = 0;
  float width = 0;
  while (count < def.curveCount && width + widthOf(count) <= right - left) width += widthOf(count++);
  float x = right - width;
  for (std::size_t c = 0; c < count; ++c) {
    ImGui::GetWindowDrawList()->AddText({x + gap, y}, kColours[c % std::size(kColours)], def.curves[c].name);
    x += widthOf(c);
  }
}

}  // namespace

void plot(const PlotDef& def, const Samples& samples, const ImVec2& size) {
  const std::size_t count = samples.size();
  const auto value = [&](std::size_t curve, std::size_t k) { return def.curves[curve].value(samples, k, def.curves[curve].name); };
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(def.title, size);
  const bool over = ImGui::IsItemHovered();
  const float line = ImGui::GetTextLineHeight(), pad = ImGui::GetFontSize() * 0.4f;
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text), grid = ImGui::GetColorU32(ImGuiCol_Separator);
  draw.AddRectFilled(at, {at.x + size.x, at.y + size.y}, ImGui::GetColorU32(ImGuiCol_FrameBg, 0.5f),
                     ImGui::GetStyle().FrameRounding);
  draw.PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
  Line title("%s", def.title);
  if (*def.unit) title.append(" [%s]", def.unit);
  draw.AddText({at.x + pad, at.y + 2}, ink, title.c_str());
  const float left = at.x + pad + ImGui::CalcTextSize("-0.0000").x, right = at.x + size.x - pad;
  const float top = at.y + 1.5f * line + pad, bottom = at.y + size.y - pad;
  // no more points than the plot has pixels
  const std::size_t stride = std::max<std::size_t>(1, count / std::size_t(std::max(50.f, right - left)));
  const Extent y = extentOf(def, samples, stride);
  const double begin = count ? samples[0].time : 0, end = count ? std::max(samples.back().time, begin + 1e-9) : 1;
  const auto toX = [&](double t) { return left + float((t - begin) / (end - begin)) * (right - left); };
  const auto toY = [&](double v) { return bottom - float((v - y.low) / (y.high - y.low)) * (bottom - top); };
  // numbers do not touch
  const double step = roundStep((y.high - y.low) * double(std::clamp(1.3f * line / std::max(bottom - top, 1.f), 0.2f, 1.f)));
  for (double v = std::ceil(y.low / step) * step; v <= y.high; v += step) {
    draw.AddLine({left, toY(v)}, {right, toY(v)}, grid);
    const Line number("%.3g", std::abs(v) < step * 1e-6 ? 0. : v);
    draw.AddText({left - ImGui::CalcTextSize(number.c_str()).x - 3, toY(v) - line / 2}, dimColour(), number.c_str());
  }
  static std::vector<ImVec2> points;
  for (std::size_t c = 0; c < def.curveCount; ++c) {
    points.clear();
    for (std::size_t k = 0; k < count; k += stride)
      if (const double v = value(c, k); std::isfinite(v)) points.push_back({toX(samples[k].time), toY(v)});
    draw.AddPolyline(points.data(), int(points.size()), kColours[c % std::size(kColours)], 0, 1.5f);
  }
  if (def.curveCount > 1) legend(def, at.x + pad + ImGui::CalcTextSize(title.c_str()).x, right, at.y + 2, pad * 1.5f);
  draw.PopClipRect();
  if (!over || count == 0) return;
  const double t = begin + double(std::clamp((ImGui::GetIO().MousePos.x - left) / (right - left), 0.f, 1.f)) * (end - begin);
  std::size_t k = 0, high = count - 1;
  while (k < high) {
    const std::size_t middle = (k + high) / 2;
    if (samples[middle].time < t) {
      k = middle + 1;
    } else {
      high = middle;
    }
  }
  draw.AddLine({toX(samples[k].time), top}, {toX(samples[k].time), bottom}, ink);
  ImGui::BeginTooltip();
  ImGui::Text("%.4f s", samples[k].time);
  for (std::size_t c = 0; c < def.curveCount; ++c)
    ImGui::TextColored(toVector(kColours[c % std::size(kColours)]), "%s: %.5g %s", def.curves[c].name, value(c, k), def.unit);
  ImGui::EndTooltip();
}

}  // namespace meniscus::viewer
