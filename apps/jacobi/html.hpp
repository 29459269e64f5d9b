/// Reports as one file of HTML without outside parts: pictures lie in it, nothing is fetched.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "io/chart.hpp"
#include "jacobi/report.hpp"
#include "outputs.hpp"
#include "report/json.hpp"

namespace jacobi::cli {

class LastStep;

/// Text of a page, escaped where it is put in.
class HtmlPage {
 public:
  explicit HtmlPage(std::string title) : title_(std::move(title)) {}

  void heading(const std::string& text);
  void paragraph(const std::string& text);
  /// A verdict in green or red.
  void verdict(const std::string& text, bool good);
  /// Lines as they are, as a terminal shows them.
  void lines(const std::string& text);
  void table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows);
  /// Names and what they stand for.
  void facts(const std::vector<std::pair<std::string, std::string>>& facts);
  /// Numbers, texts and tables as JSON has them; lists of numbers longer than eight are left out.
  void json(const ordered_json& json);
  void chart(const io::Chart& chart);
  /// draw: gives the bytes of a PNG.
  void picture(const std::string& title, const std::function<std::string()>& draw);
  /// Machine, version, date and command line: how every page ends.
  void machine_and_command();

  std::string text() const;

 private:
  void drawn(const std::string& type, const std::string& title, const std::function<std::string()>& draw);
  void image(const std::string& type, const std::string& bytes, const std::string& title);
  std::string title_, body_;
};

/// What --report names.
OutputFile report_file(const std::string& path);
void add_report_to(CLI::App& app, std::string& path);

/// The norm tested against sweeps, with the tolerance.
io::Chart convergence(const Report& report);

/// The page of a solve: problem, verdict, what was reached, chart of convergence, then whatever `more` adds.
std::string page_of(const std::string& title, const Report& report, const ordered_json& problem,
                    const std::string& below, const std::function<void(HtmlPage&)>& more);

/// The page of tables that were measured, with charts.
std::string page_of(const std::string& title, const ordered_json& tables,
                    const std::vector<io::Chart>& charts);

/// Where the files go that a command leaves of what it measured; empty: nowhere.
struct FoundFiles {
  std::string json, report;
  std::string chart = {};  ///< drawn by the command itself
};
/// Writes them, the page with the charts, and says so; all of them tell whether the run was interrupted,
/// and at what.
void write_found(LastStep& last, const FoundFiles& to, const std::string& title, const ordered_json& found,
                 const std::vector<io::Chart>& charts = {});

}  // namespace jacobi::cli
