#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "io/atomic_file.hpp"
#include "io_temporary.hpp"
#include "jacobi/error.hpp"

namespace {

using namespace jacobi::io_test;
using jacobi::InputError;
using namespace jacobi::io;

void write_new(const std::string& path) {
  write_atomically(path, [](std::ostream& out) { out << "new"; });
}

struct stat status_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status;
}

TEST(ReplacedFile, KeepsAllItsNames) {
  const TemporaryFolder folder;
  put(folder / "a", "a longer old content");
  std::filesystem::create_hard_link(folder / "a", folder / "b");
  write_new(folder / "a");
  EXPECT_EQ(content(folder / "b"), "new");
  EXPECT_EQ(status_of(folder / "a").st_nlink, 2U);
  EXPECT_EQ(folder.files(), 2U);
}

TEST(ReplacedFile, KeepsItsOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  const TemporaryFolder folder;
  put(folder / "a", "old");
  ASSERT_EQ(::chown((folder / "a").c_str(), 65534, 65533), 0);
  ASSERT_EQ(::chmod((folder / "a").c_str(), 02664), 0);
  write_new(folder / "a");
  const struct stat now = status_of(folder / "a");
  EXPECT_EQ(now.st_uid, 65534U);
  EXPECT_EQ(now.st_gid, 65533U);
  EXPECT_EQ(now.st_mode & 07777, 02664U);
}

TEST(ReplacedFile, KeepsItsAttributesAndAccessList) {
  const TemporaryFolder folder;
  put(folder / "a", "old");
  const std::string path = folder / "a";
  // version 2; tag, permissions, id: owner rw, user 1000 r, group r, mask r, others none
  const std::array<unsigned char, 44> list{2, 0,    0,   0,   1,   0,   6,  0, 255, 255, 255, 255, 2,   0,  4,
                                           0, 0xe8, 3,   0,   0,   4,   0,  4, 0,   255, 255, 255, 255, 16, 0,
                                           4, 0,    255, 255, 255, 255, 32, 0, 0,   0,   255, 255, 255, 255};
  const bool has_list = ::setxattr(path.c_str(), "system.posix_acl_access", list.data(), list.size(), 0) == 0;
  const bool has_users = ::setxattr(path.c_str(), "user.origin", "here", 4, 0) == 0;
  if (!has_list && !has_users) GTEST_SKIP() << "this file system keeps neither";
  write_new(path);
  EXPECT_EQ(content(path), "new");
  std::array<char, 64> read{};
  if (has_users) EXPECT_EQ(::getxattr(path.c_str(), "user.origin", read.data(), read.size()), 4);
  if (has_list) EXPECT_EQ(::getxattr(path.c_str(), "system.posix_acl_access", read.data(), read.size()), 44);
  EXPECT_EQ(status_of(path).st_mode & 0777, has_list ? 0640U : 0644U);
}

/// In a folder in which everybody may write, only its owner may replace a file; others may write it.
TEST(ReplacedFile, OfAnotherUserIsWrittenInItsPlaceOrRefusedBefore) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs a second user";
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "all");
  ASSERT_EQ(::chmod((folder / "all").c_str(), 01777), 0);
  for (const char* name : {"all/open", "all/closed"}) put(folder / name, "a longer old content");
  ASSERT_EQ(::chmod((folder / "all/open").c_str(), 0666), 0);
  ASSERT_EQ(::chmod((folder / "all/closed").c_str(), 0644), 0);
  {
    const Nobody nobody;
    EXPECT_TRUE(
        contains(message_of<InputError>([&] { check_writable(folder / "all/closed"); }), "is read-only"));
    EXPECT_NO_THROW(check_writable(folder / "all/open"));
    write_new(folder / "all/open");
  }
  EXPECT_EQ(content(folder / "all/open"), "new");
  EXPECT_EQ(status_of(folder / "all/open").st_uid, 0U);
}

TEST(ReplacedFile, ThatIsPrivateIsSoWhileItIsWritten) {
  const TemporaryFolder folder;
  put(folder / "a", "old");
  ASSERT_EQ(::chmod((folder / "a").c_str(), 0600), 0);
  write_atomically(folder / "a", [&](std::ostream& out) {
    out << "secret";
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      EXPECT_EQ(status_of(entry.path()).st_mode & 0077, 0U) << entry.path();
  });
}

TEST(FileBatch, PutsFilesToTheirPlacesTogether) {
  const TemporaryFolder folder;
  put(folder / "a", "old");
  FileBatch batch;
  write_new(folder / "a");
  write_new(folder / "b");
  EXPECT_EQ(content(folder / "a"), "old");
  EXPECT_FALSE(std::filesystem::exists(folder / "b"));
  EXPECT_TRUE(batch.place().empty());
  EXPECT_EQ(content(folder / "a") + content(folder / "b"), "newnew");
  EXPECT_EQ(folder.files(), 2U);
}

TEST(FileBatch, KeepsWhatItCannotPlaceAndPlacesTheRest) {
  const TemporaryFolder folder;
  FileBatch batch;
  write_new(folder / "a.txt");
  write_new(folder / "b");
  std::filesystem::create_directories(folder / "a.txt/full");
  const std::vector<std::string> failed = batch.place();
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_TRUE(failed[0].starts_with(folder / "a.txt: cannot be replaced")) << failed[0];
  const std::string kept = failed[0].substr(failed[0].rfind(' ') + 1);
  EXPECT_TRUE(kept.ends_with("-kept.txt"));
  EXPECT_EQ(content(kept), "new");
  EXPECT_EQ(content(folder / "b"), "new");
}

TEST(FileBatch, LeavesNothingWhereNothingIsPlaced) {
  const TemporaryFolder folder;
  {
    const FileBatch batch;
    write_new(folder / "a");
    EXPECT_EQ(folder.files(), 1U);
  }
  EXPECT_EQ(folder.files(), 0U);
}

pid_t process_that_ended() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

TEST(LeftBehind, IsRemovedUnlessSomebodyElseMayNeedIt) {
  const TemporaryFolder folder;
  const std::string dead = folder / (".jacobi-" + std::to_string(process_that_ended()));
  const std::string left = dead + "-0.tmp", locked = dead + "-1.tmp", foreign = dead + "-2.tmp",
                    living = folder / (".jacobi-" + std::to_string(::getppid()) + "-0.tmp");
  for (const std::string& path : {left, locked, foreign, living}) put(path, "x");
  std::filesystem::create_symlink(living, dead + "-3.tmp");
  std::filesystem::create_directory(dead + "-4.tmp");
  const int lock = ::open(locked.c_str(), O_RDONLY);
  ASSERT_EQ(::flock(lock, LOCK_EX), 0);
  const bool is_root = ::geteuid() == 0 && ::chown(foreign.c_str(), 65534, 65534) == 0;
  remove_left_behind(folder.path());
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_EQ(std::filesystem::exists(foreign), is_root);
  EXPECT_EQ(folder.files(), is_root ? 5U : 4U);
  ::close(lock);
}

TEST(SpecialFile, StreamIsWrittenFromWhereItStands) {
  const TemporaryFolder folder;
  put(folder / "log", "");
  const int file = ::open((folder / "log").c_str(), O_WRONLY);
  ASSERT_EQ(::write(file, "head ", 5), 5);
  const std::string name = "/dev/fd/" + std::to_string(file);
  EXPECT_TRUE(is_special(name));
  EXPECT_NO_THROW(check_writable(name));
  write_new(name);
  ASSERT_EQ(::write(file, " tail", 5), 5);
  ::close(file);
  EXPECT_EQ(content(folder / "log"), "head new tail");
}

TEST(SpecialFile, PipeIsWrittenToItsReaderOrGivenUp) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string large(1 << 20, 'x');
  std::string got;
  std::thread reader([&] { got = content(pipe); });
  write_atomically(pipe, [&](std::ostream& out) { out << large; });
  reader.join();
  EXPECT_EQ(got, large);
  stop_waiting_when([] { return true; });
  EXPECT_THROW(write_new(pipe), Unread);
  stop_waiting_when(nullptr);
}

}  // namespace
