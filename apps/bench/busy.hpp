/// Other processes that want cores.
#pragma once
#include <sys/types.h>

#include <vector>

namespace jacobi::cli {

/// So many processes that compute without end, as long as this lives. Throws: BackendError where one cannot
/// be started.
class Busy {
 public:
  explicit Busy(int processes);
  ~Busy();
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  void end();

  std::vector<pid_t> processes_;
};

}  // namespace jacobi::cli
