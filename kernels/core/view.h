// A view is a pointer and a count: the only form in which kernels see arrays. It owns nothing.
#pragma once

#include <type_traits>

#include "kernels/core/macros.h"

MNS_NS_BEGIN

template <class T>
struct View {
  T* data{};
  Index n{};

  MNS_HD constexpr T& operator[](Offset i) const { return data[i]; }
  MNS_HD constexpr T* begin() const { return data; }
  MNS_HD constexpr T* end() const { return data + n; }
  // to a view that only reads
  template <class U, class = std::enable_if_t<std::is_same_v<U, const T> && !std::is_const_v<T>>>
  MNS_HD constexpr operator View<U>() const {
    return {data, n};
  }
};

MNS_NS_END
