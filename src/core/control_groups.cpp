#include "core/control_groups.hpp"

#include <fstream>
#include <set>

namespace jacobi {

double read_number(const std::string& path, double otherwise) {
  std::ifstream in(path);
  double value;
  return in >> value ? value : otherwise;
}

namespace {

using Visit = std::function<void(const std::string& folder, int version)>;

void upwards(const std::string& mount, std::string path, int version, const Visit& visit) {
  for (bool on = true; on;) {
    if (path == "/") path.clear();
    visit(mount + path + "/", version);
    on = !path.empty();
    if (on) path.erase(path.rfind('/'));
  }
}

}  // namespace

void for_each_group(const std::string& root, const std::string& controller, const Visit& visit) {
  std::ifstream in(root + "/proc/self/cgroup");  // "4:cpu,memory:/a/b", and of version 2 "0::/a/b"
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':'), next = line.find(':', colon + 1);
    if (next == line.npos || next + 1 == line.size() || line[next + 1] != '/') continue;
    const std::string controllers = line.substr(colon + 1, next - colon - 1), path = line.substr(next + 1),
                      groups = root + "/sys/fs/cgroup";
    if (controllers.empty())
      for (const std::string& mount : {groups, groups + "/unified"}) upwards(mount, path, 2, visit);
    else if (("," + controllers + ",").find("," + controller + ",") != std::string::npos)
      for (const std::string& name :
           std::set{controller, controllers})  // one links to the other, or there is one
        upwards(std::string(groups).append("/").append(name), path, 1, visit);
  }
}

}  // namespace jacobi
