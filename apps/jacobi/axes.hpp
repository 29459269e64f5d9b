/// The axes of `poisson` that are not spaced equally, and what they measure.
#pragma once
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "box.hpp"

namespace jacobi::cli {

/// Fills axes, coordinates and with them the domain of a box that has its points and sides. An axis from a
/// file has as many points as that, where their number is `unsaid`. A side of x at r = 0 becomes one where
/// nothing flows. Throws: UsageError or InputError naming the option and what is wrong with it.
void read_axes(Box& box, const BoxText& text, bool unsaid);

/// Smallest and largest distance of neighbours along a direction.
struct Spacings {
  double smallest = 0, largest = 0;
};
Spacings spacings_of(const Box& box, int d);
/// "0.1 x 0.2", or "1.53e-05 to 0.00778 x 0.2".
std::string spacings_in_words(const Box& box);

/// Where point i of a direction is, and where all are. Of a period not its end.
double point_of(const Box& box, int d, Index i);
std::vector<double> points_of(const Box& box, int d);
/// The same of every direction; 0 in those that the box has not.
std::array<std::vector<double>, 3> places_of(const Box& box);

/// Between neighbours along a direction, of a period the one to its end too.
Index intervals_of(const Box& box, int d);

/// A direction with other points: so many, spaced as the ones before.
std::vector<double> resampled(const std::vector<double>& at, Index intervals);

/// "coordinates" and "axes", see to_json() of a box.
void add_axes(nlohmann::ordered_json& json, const Box& box);

}  // namespace jacobi::cli
