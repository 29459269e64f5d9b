#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include "io/atomic_file.hpp"
#include "io/unfinished.hpp"
#include "io_temporary.hpp"
#include "jacobi/error.hpp"

namespace {

using namespace jacobi::io_test;
using jacobi::InputError;
using jacobi::io::check_writable;
using jacobi::io::write_atomically;

TEST(AtomicFile, WritesTheContentAndLeavesNothingElse) {
  const TemporaryFolder folder;
  write_atomically(folder / "a.txt", [](std::ostream& out) { out << "one\ntwo\n"; });
  EXPECT_EQ(content(folder / "a.txt"), "one\ntwo\n");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(AtomicFile, ReplacesAnOlderFileAndKeepsItsPermissions) {
  const TemporaryFolder folder;
  put(folder / "a.txt", "a much longer old content");
  ASSERT_EQ(::chmod((folder / "a.txt").c_str(), 0640), 0);
  write_atomically(folder / "a.txt", [](std::ostream& out) { out << "new"; });
  EXPECT_EQ(content(folder / "a.txt"), "new");
  struct stat status {};
  ASSERT_EQ(::stat((folder / "a.txt").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
}

TEST(AtomicFile, KeepsTheOldFileWhenTheWriterThrows) {
  const TemporaryFolder folder;
  put(folder / "a.txt", "old");
  EXPECT_THROW(write_atomically(folder / "a.txt",
                                [](std::ostream& out) {
                                  out << "half";
                                  throw std::logic_error("stop");
                                }),
               std::logic_error);
  EXPECT_EQ(content(folder / "a.txt"), "old");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(AtomicFile, LeavesNothingWhenTheStreamFails) {
  const TemporaryFolder folder;
  const auto fail = [](std::ostream& out) {
    out << "half";
    out.setstate(std::ios::badbit);
  };
  EXPECT_TRUE(contains(message_of<InputError>([&] { write_atomically(folder / "a.txt", fail); }), "a.txt: "));
  EXPECT_EQ(folder.files(), 0U);
}

TEST(AtomicFile, ReportsAFullDevice) {
  if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const auto write = [] { write_atomically("/dev/full", [](std::ostream& out) { out << "text"; }); };
  EXPECT_TRUE(contains(message_of<InputError>(write), "no space left"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(AtomicFile, WritesThroughASymbolicLink) {
  const TemporaryFolder folder;
  put(folder / "real.txt", "old");
  std::filesystem::create_symlink("real.txt", folder / "link.txt");
  write_atomically(folder / "link.txt", [](std::ostream& out) { out << "new"; });
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
  EXPECT_EQ(content(folder / "real.txt"), "new");
}

TEST(AtomicFile, AcceptsNamesAsLongAsTheFileSystemDoes) {
  const TemporaryFolder folder;
  const std::string longest(255, 'x');
  EXPECT_NO_THROW(write_atomically(folder / longest, [](std::ostream& out) { out << "x"; }));
  const auto longer = [&] { write_atomically(folder / (longest + "x"), [](std::ostream&) {}); };
  EXPECT_TRUE(contains(message_of<InputError>(longer), "too long"));
  EXPECT_EQ(folder.files(), 1U);
}

TEST(CheckWritable, AcceptsAWritablePlaceAndLeavesNoTrace) {
  const TemporaryFolder folder;
  EXPECT_NO_THROW(check_writable(folder / "x.npy"));
  EXPECT_EQ(folder.files(), 0U);
  put(folder / "old.npy", "old");
  EXPECT_NO_THROW(check_writable(folder / "old.npy"));
  EXPECT_EQ(content(folder / "old.npy"), "old");
}

TEST(CheckWritable, NamesAMissingFolderAndTheCure) {
  const TemporaryFolder folder;
  const std::string path = folder / "out/x.npy";
  EXPECT_EQ(message_of<InputError>([&] { check_writable(path); }),
            path + ": folder '" + folder / "out" + "' does not exist; create it first");
}

TEST(CheckWritable, RefusesAFolderAnEmptyNameAndAFileAsFolder) {
  const TemporaryFolder folder;
  put(folder / "file", "");
  EXPECT_TRUE(contains(message_of<InputError>([&] { check_writable(folder.path()); }), "is a folder"));
  EXPECT_TRUE(contains(message_of<InputError>([&] { check_writable(""); }), "empty"));
  EXPECT_TRUE(
      contains(message_of<InputError>([&] { check_writable(folder / "file/x"); }), "is not a folder"));
  EXPECT_TRUE(contains(message_of<InputError>([&] { check_writable(folder / "new/"); }), "'/'"));
}

/// What a handler of the command line does.
void end_by_signal(int) {
  jacobi::io::remove_unfinished();
  ::_exit(7);
}

TEST(AtomicFile, IsRemovedWhereASignalEndsTheProgram) {
  const TemporaryFolder folder;
  put(folder / "a.txt", "old");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGTERM, end_by_signal);
    write_atomically(folder / "a.txt", [](std::ostream& out) {
      out << "half";
      std::raise(SIGTERM);
    });
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(content(folder / "a.txt"), "old");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(CheckWritable, RefusesAReadOnlyFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "locked");
  ASSERT_EQ(::chmod((folder / "locked").c_str(), 0555), 0);
  const Nobody nobody;
  EXPECT_TRUE(contains(message_of<InputError>([&] { check_writable(folder / "locked/x"); }), "is read-only"));
}

}  // namespace
