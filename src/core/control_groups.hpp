/// The control groups that this process lies in.
#pragma once
#include <functional>
#include <string>

namespace jacobi {

/// visit(folder, version) for the group of a controller ("memory", "cpu") and for every group that it lies
/// in, of either version: folder ends in '/'. Of a path that is not below the mount, as within a container
/// whose own group is mounted there, the mount alone. root: of the folders proc and sys, for tests.
void for_each_group(const std::string& root, const std::string& controller,
                    const std::function<void(const std::string& folder, int version)>& visit);

/// The first number in a file; `otherwise` where there is none, as in "max".
double read_number(const std::string& path, double otherwise);

}  // namespace jacobi
