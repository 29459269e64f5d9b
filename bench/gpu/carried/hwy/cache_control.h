/// Of Highway's cache control: a hint that may be ignored, and is.
#pragma once

namespace hwy {

template <class T>
void Prefetch(const T*) {}

}  // namespace hwy
