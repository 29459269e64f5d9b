/// What the rate of a solve is held against.
#pragma once
#include <functional>

#include "html.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/report.hpp"
#include "machine/limit.hpp"

namespace jacobi::cli {

/// Of a device: the share of its measured copy bandwidth that the solve's bytes took, and a note. Of the
/// processor: the share of what its measured ceilings allow, if they are known; work: of the sweeps, empty
/// where no limits are known for them.
void set_limit(Report& report, const Backend& on, const std::function<machine::Work()>& work);

/// The rate of the solve under the roofs of this machine, on a page; a sentence where no limits are known.
/// several: of right-hand sides, whose rates are not told.
void add_roofline(HtmlPage& page, const Report& report, const std::function<machine::Work()>& work,
                  bool several = false);

}  // namespace jacobi::cli
