#include "backend/opencl/device.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/memory.hpp"
#include "jacobi/error.hpp"

namespace jacobi::opencl {

namespace {

std::string text_of(std::string text) {
  text.resize(std::min(text.find('\0'), text.size()));
  const std::size_t last = text.find_last_not_of(' ');
  return text.substr(text.find_first_not_of(' ') == text.npos ? text.size() : text.find_first_not_of(' '),
                     last == text.npos ? 0 : last + 1);
}

std::string name_of(PlatformId platform) {
  std::size_t bytes = 0;
  require(api().GetPlatformInfo(platform, platform_name, 0, nullptr, &bytes), "asking for a platform's name");
  std::string text(bytes, ' ');
  require(api().GetPlatformInfo(platform, platform_name, bytes, text.data(), nullptr),
          "asking for a platform's name");
  return text_of(text);
}

std::string text_of(DeviceId device, Uint what) {
  std::size_t bytes = 0;
  require(api().GetDeviceInfo(device, what, 0, nullptr, &bytes), "asking for a device's name");
  std::string text(bytes, ' ');
  require(api().GetDeviceInfo(device, what, bytes, text.data(), nullptr), "asking for a device's name");
  return text_of(text);
}

/// What is not known counts as 0.
template <class Value>
Value value_of(DeviceId device, Uint what) {
  Value value{};
  return api().GetDeviceInfo(device, what, sizeof value, &value, nullptr) == success ? value : Value{};
}

Properties properties_of(PlatformId platform, DeviceId id) {
  Properties p;
  p.platform = name_of(platform);
  p.name = text_of(id, device_name);
  p.version = text_of(id, device_version);
  p.type = value_of<Bits>(id, device_type);
  p.units = static_cast<int>(value_of<Uint>(id, device_units));
  p.memory = static_cast<Index>(value_of<Bits>(id, device_memory));
  p.largest_buffer = static_cast<Index>(value_of<Bits>(id, device_largest_buffer));
  p.local_memory = static_cast<Index>(value_of<Bits>(id, device_local_memory));
  p.most_items = std::max<Index>(1, static_cast<Index>(value_of<std::size_t>(id, device_most_items)));
  p.doubles = value_of<Bits>(id, device_double);
  p.available = value_of<Uint>(id, device_available) != 0;
  p.compiles = value_of<Uint>(id, device_compiler) != 0;
  p.platform_id = platform;
  p.id = id;
  return p;
}

std::vector<PlatformId> list_platforms() {
  Uint count = 0;
  const Int code = api().GetPlatformIDs(0, nullptr, &count);
  if (code == platform_not_found || (code == success && count == 0))
    throw BackendError(
        "opencl: there is no platform: install the driver of the device (for processors pocl-opencl-icd)");
  require(code, "asking for platforms");
  std::vector<PlatformId> platforms(count);
  require(api().GetPlatformIDs(count, platforms.data(), nullptr), "asking for platforms");
  return platforms;
}

}  // namespace

std::vector<Properties> list_devices() {
  std::vector<Properties> all;
  std::string platforms;
  for (const PlatformId platform : list_platforms()) {
    platforms += (platforms.empty() ? "" : ", ") + name_of(platform);
    Uint count = 0;
    if (api().GetDeviceIDs(platform, every_type, 0, nullptr, &count) != success || count == 0) continue;
    std::vector<DeviceId> devices(count);
    require(api().GetDeviceIDs(platform, every_type, count, devices.data(), nullptr), "asking for devices");
    for (const DeviceId device : devices) all.push_back(properties_of(platform, device));
  }
  if (all.empty()) throw BackendError("opencl: no device found on platform " + platforms);
  return all;
}

std::string lack_of_double(const Properties& p) {
  return fmt::format(
      "{}: give --precision float",
      p.double_in_name ? "says that it has double, but builds no program with it" : "has no double");
}

std::string in_words(const Properties& p) {
  std::vector<std::string> lacking;
  if (!p.available) lacking.emplace_back("is not available");
  if (!p.compiles) lacking.emplace_back("has no compiler");
  if (p.doubles == 0) lacking.push_back(lack_of_double(p));
  if (!p.fault.empty()) lacking.push_back(p.fault);
  const char* const kind = p.is_cpu() ? "CPU" : (p.type & type_gpu) != 0 ? "GPU" : "accelerator";
  return fmt::format("{} ({}, {}), {} unit{}, {}, largest buffer {}, {} of local memory{}{}", p.name, kind,
                     p.platform, p.units, p.units == 1 ? "" : "s",
                     jacobi::in_words(static_cast<double>(p.memory)),
                     jacobi::in_words(static_cast<double>(p.largest_buffer)),
                     jacobi::in_words(static_cast<double>(p.local_memory)), lacking.empty() ? "" : "; ",
                     fmt::join(lacking, ", "));
}

Device::Device(const Properties& properties) : properties_(properties) {
  if (!properties.available) throw BackendError("opencl: device " + properties.name + " is not available");
  if (!properties.compiles) throw BackendError("opencl: device " + properties.name + " has no compiler");
  Int code = success;
  context_ = api().CreateContext(nullptr, 1, &properties_.id, nullptr, nullptr, &code);
  require(code, "opening device " + properties.name);
  if (properties.doubles != 0 && !builds_double()) {  // some say that they have it
    properties_.doubles = 0;
    properties_.double_in_name = true;
  }
  doubt_ = probe();
}

Device::Device(const Device& like, const Properties& other)
    : properties_(other), context_(like.context_), doubt_(like.doubt_) {}

const Device& Device::open(int number) {
  static std::mutex lock;
  static auto& opened = *new std::map<int, std::unique_ptr<const Device>>;  // never closed
  const std::lock_guard one_at_a_time(lock);
  std::unique_ptr<const Device>& device = opened[number];
  if (device) return *device;
  const std::vector<Properties> all = list_devices();
  if (number >= static_cast<int>(all.size()))
    throw BackendError(fmt::format("opencl: no device {}: there {}, counted from 0", number,
                                   all.size() == 1 ? "is 1" : fmt::format("are {}", all.size())));
  device.reset(new Device(all[static_cast<std::size_t>(number)]));
  return *device;
}

Properties Device::tried(int number, Properties said) {
  if (!said.available || !said.compiles) return said;
  try {
    return open(number).properties();
  } catch (const BackendError& error) {
    said.fault = error.what();
    return said;
  }
}

Queue::Queue(const Device& device) : device_(&device) {
  Int code = success;
  const QueueId made = api().CreateCommandQueue(device.context(), device.properties().id, 0, &code);
  require(code, "making a queue");
  queue_ = {made, api().ReleaseCommandQueue};
}

Owned<Memory> allocate(const Queue& queue, Index bytes, const std::string& what) {
  const Properties& p = queue.device().properties();
  const auto words = [](Index of) { return jacobi::in_words(static_cast<double>(of)); };
  if (bytes > p.largest_buffer)
    throw BackendError(fmt::format("opencl: {} would need {} in one buffer, {} on this device is the most",
                                   what, words(bytes), words(p.largest_buffer)));
  Int code = success;
  const Memory made =
      api().CreateBuffer(queue.device().context(), read_and_write,
                         static_cast<std::size_t>(std::max<Index>(bytes, 16)), nullptr, &code);
  require(code, fmt::format("allocating {} for {}", words(bytes), what));
  return {made, api().ReleaseMemObject};
}

void require_room(const Device& device, Index bytes, const std::string& what) {
  const Index all = device.properties().memory;
  if (bytes > all)
    throw BackendError(fmt::format("opencl: out of device memory: {} needs {}, the device has {}", what,
                                   jacobi::in_words(static_cast<double>(bytes)),
                                   jacobi::in_words(static_cast<double>(all))));
}

}  // namespace jacobi::opencl
