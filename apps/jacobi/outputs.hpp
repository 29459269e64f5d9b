/// The files that a command will write, checked together before it begins.
#pragma once
#include <string>
#include <vector>

#include "report/json.hpp"

namespace jacobi::cli {

/// A file to write and the option that names it; no path: not asked for.
struct OutputFile {
  std::string option, path;
  std::vector<std::string> endings = {};  ///< those that it can be written as; none: any name will do
  bool text = false;                      ///< may go to standard output as "-"
  bool drawn = false;                     ///< by gnuplot
};

/// What --json names.
OutputFile json_file(const std::string& path);
/// What --chart names.
OutputFile chart_file(const std::string& path);

/// Throws: UsageError for "-" where it means nothing, for an ending of another format, for two options with
/// one file, for one of the files `read` (but --output may be `initial`, to go on from there); InputError
/// naming the first file that could not be written; BackendError where one is to be drawn and nothing is
/// there to draw it. Devices and pipes may have any name. Removes what killed runs have left beside the
/// files. Returns whether one of them goes to standard output.
bool check_outputs(const std::vector<OutputFile>& files, const std::vector<std::string>& read = {},
                   const std::string& initial = "");
/// The same for the folder that --charts names, into which several charts are drawn; "": not asked for.
void check_chart_folder(const std::string& folder);
/// A note for each of these files that is asked for: a dry run does not write it.
std::vector<std::string> left_unwritten(const std::vector<OutputFile>& files);

/// Shows what was printed so far. Throws: std::system_error, as printing does.
void show_printed();

/// Writes text to `path` atomically, or to standard output for "-".
void write_text(const std::string& path, const std::string& text);

}  // namespace jacobi::cli
