#include "html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <regex>

#include "core/words.hpp"
#include "io/words.hpp"
#include "jacobi/error.hpp"
#include "last_step.hpp"
#include "machine.hpp"
#include "process.hpp"
#include "progress.hpp"

namespace jacobi::cli {

namespace {

constexpr const char* style =
    "body{font:15px/1.5 sans-serif;color:#222;max-width:76em;margin:2em auto;padding:0 1em}"
    "h1{font-size:1.6em}h2{font-size:1.2em;margin-top:1.8em;border-bottom:1px solid #ddd}"
    "table{border-collapse:collapse;margin:.6em 0;display:block;overflow-x:auto}"
    "th,td{padding:.15em .8em .15em 0;text-align:left;border-bottom:1px solid #eee;white-space:nowrap}"
    "td.long{white-space:normal}"
    "pre{background:#f6f6f6;padding:.8em;white-space:pre-wrap}img{max-width:100%}"
    ".good{color:#060;font-weight:bold}.bad{color:#a00;font-weight:bold}";

std::string base64(const std::string& bytes) {
  constexpr const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k > bytes.size() ? '=' : letters[three >> (18 - 6 * k) & 63U];
  }
  return out;
}

/// What an interrupted run leaves, and what it was at.
std::string interrupted_in_words(const std::string& unfinished) {
  return "interrupted: what was measured before is kept" +
         (unfinished.empty() ? "" : "; not finished: " + unfinished);
}

bool is_plain(const ordered_json& value) { return !value.is_array() && !value.is_object(); }

std::string in_cell(const ordered_json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_float()) return fmt::format("{:.5g}", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::string list;
  for (const ordered_json& one : value)
    list += (list.empty() ? "" : ", ") +
            (one.is_array() ? in_cell(one[0]) + ":" + in_cell(one[1]) : in_cell(one));
  return list;
}

bool is_short_list(const ordered_json& value) {
  const auto is_small = [](const ordered_json& one) {
    return is_plain(one) || (one.is_array() && one.size() == 2 && std::ranges::all_of(one, is_plain));
  };
  return value.is_array() && value.size() <= 8 && std::ranges::all_of(value, is_small);
}

/// Objects within an object as "outer inner".
ordered_json flat(const ordered_json& object, const std::string& before = "") {
  ordered_json out = ordered_json::object();
  for (const auto& [name, value] : object.items())
    if (value.is_object())
      out.update(flat(value, before + name + " "));
    else if (is_plain(value) || is_short_list(value))
      out[before + name] = value;
  return out;
}

std::string words_of_key(std::string key) {
  std::ranges::replace(key, '_', ' ');
  static const std::regex rate("\\blups\\b");
  return std::regex_replace(key, rate, "updates/s");
}

/// A cell of a column that not all rows have is empty.
std::string cell_of(const ordered_json& row, const std::string& key) {
  return row.contains(key) ? in_cell(row[key]) : "";
}

/// Keys of all rows, in the order of their first use; raw runs are for programs.
std::vector<std::string> columns_of(const std::vector<ordered_json>& rows) {
  std::vector<std::string> keys;
  for (const ordered_json& row : rows)
    for (const auto& [key, value] : row.items())
      if (std::ranges::find(keys, key) == keys.end() && !(key.ends_with("_runs") && value.is_array()))
        keys.push_back(key);
  return keys;
}

}  // namespace

void HtmlPage::heading(const std::string& text) { body_ += "<h2>" + io::for_xml(text) + "</h2>\n"; }

void HtmlPage::paragraph(const std::string& text) { body_ += "<p>" + io::for_xml(text) + "</p>\n"; }

void HtmlPage::verdict(const std::string& text, bool good) {
  body_ += fmt::format("<p class=\"{}\">{}</p>\n", good ? "good" : "bad", io::for_xml(text));
}

void HtmlPage::lines(const std::string& text) { body_ += "<pre>" + io::for_xml(text) + "</pre>\n"; }

void HtmlPage::table(const std::vector<std::string>& head,
                     const std::vector<std::vector<std::string>>& rows) {
  constexpr std::size_t long_text = 40;
  const auto row = [&](const std::vector<std::string>& cells, const char* tag) {
    body_ += "<tr>";
    for (const std::string& cell : cells)
      body_ += fmt::format("<{0}{1}>{2}</{0}>", tag, cell.size() > long_text ? " class=\"long\"" : "",
                           io::for_xml(cell));
    body_ += "</tr>\n";
  };
  body_ += "<table>\n";
  if (!head.empty()) row(head, "th");
  for (const auto& cells : rows) row(cells, "td");
  body_ += "</table>\n";
}

void HtmlPage::facts(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(facts.size());
  for (const auto& [name, value] : facts) rows.push_back({name, value});
  table({}, rows);
}

void HtmlPage::json(const ordered_json& json) {
  std::vector<std::pair<std::string, std::string>> plain;
  const ordered_json values = flat(json);
  for (const auto& [name, value] : values.items()) plain.emplace_back(words_of_key(name), in_cell(value));
  if (!plain.empty()) facts(plain);
  for (const auto& [name, list] : json.items()) {
    if (!list.is_array() || list.empty() || !list.front().is_object()) continue;
    heading(words_of_key(name));
    const bool nested = std::ranges::any_of(list.front(), [](const ordered_json& value) {
      return value.is_array() && !value.empty() && value.front().is_object();
    });
    if (nested) {
      for (const ordered_json& one : list) this->json(one);
      continue;
    }
    std::vector<ordered_json> flat_rows;
    for (const ordered_json& one : list) flat_rows.push_back(flat(one));
    std::vector<std::string> keys = columns_of(flat_rows);
    std::string alike;
    const auto is_alike = [&](const std::string& key) {
      const std::string first = cell_of(flat_rows.front(), key);
      return std::ranges::all_of(flat_rows, [&](const auto& row) { return cell_of(row, key) == first; });
    };
    if (list.size() > 2)
      std::erase_if(keys, [&](const std::string& key) {
        if (key == "disturbed" || !is_alike(key)) return false;
        alike += (alike.empty() ? "In all rows: " : "; ") + words_of_key(key) + " " +
                 cell_of(flat_rows.front(), key);
        return true;
      });
    if (!alike.empty()) paragraph(alike + ".");
    if (keys.empty()) continue;
    std::vector<std::string> head;
    std::ranges::transform(keys, std::back_inserter(head), words_of_key);
    std::vector<std::vector<std::string>> rows;
    for (const ordered_json& one : flat_rows) {
      rows.emplace_back();
      for (const std::string& key : keys) rows.back().push_back(cell_of(one, key));
    }
    table(head, rows);
  }
}

void HtmlPage::image(const std::string& type, const std::string& bytes, const std::string& title) {
  body_ += fmt::format("<p><img alt=\"{}\" src=\"data:image/{};base64,{}\"></p>\n", io::for_xml(title), type,
                       base64(bytes));
}

/// A page goes without what gnuplot cannot draw, as numbers close to the ends of what a double holds.
void HtmlPage::drawn(const std::string& type, const std::string& title,
                     const std::function<std::string()>& draw) {
  try {
    image(type, draw(), title);
  } catch (const BackendError& error) {
    paragraph(fmt::format("{}: not drawn, {}", title, error.what()));
  }
}

void HtmlPage::chart(const io::Chart& chart) {
  drawn("svg+xml", chart.title, [&] { return io::drawn(chart); });
}

void HtmlPage::picture(const std::string& title, const std::function<std::string()>& draw) {
  drawn("png", title, draw);
}

void HtmlPage::machine_and_command() {
  heading("Machine");
  ordered_json machine = describe_machine();
  machine.erase("command_line");
  json(machine);
  heading("Command");
  lines(command_line());
}

std::string HtmlPage::text() const {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</"
      "h1>\n"
      "{2}</body>\n</html>",
      io::for_xml(title_), style, body_);
}

OutputFile report_file(const std::string& path) { return {"--report", path, {".html"}, false, true}; }

void add_report_to(CLI::App& app, std::string& path) {
  app.add_option("--report", path,
                 "write a report with charts as one HTML file without outside parts (needs gnuplot)")
      ->type_name("R.html");
}

io::Chart convergence(const Report& r) {
  io::Chart chart{"Convergence: " + std::string(name(r.norm)) + " norm after each check",
                  "sweeps",
                  "norm",
                  false,
                  true,
                  {},
                  {}};
  io::Series norms{std::string("norm (") + name(r.norm) + ")", {}, {}, "linespoints", {}};
  for (const HistoryEntry& entry : r.history) {
    norms.x.push_back(static_cast<double>(entry.sweeps));
    norms.y.push_back(entry.norm);
  }
  if (norms.x.size() > 60) norms.style = "lines";
  const double last = norms.x.empty() ? 1 : norms.x.back();
  chart.series.push_back(std::move(norms));
  if (r.tolerance > 0)
    chart.series.push_back({"tolerance", {0, last}, {r.tolerance, r.tolerance}, "lines", {}});
  return chart;
}

std::string page_of(const std::string& title, const Report& report, const ordered_json& problem,
                    const std::string& below, const std::function<void(HtmlPage&)>& more) {
  HtmlPage page(title);
  const std::string text = to_text(report);
  const std::size_t first = std::min(text.find('\n'), text.size());
  page.verdict(text.substr(0, first), report.converged());
  page.heading("Problem");
  page.json(problem.contains("problem") ? problem["problem"] : problem);
  page.heading("Reached");
  page.lines(text.substr(std::min(first + 1, text.size())) + below);
  const bool drawable = std::ranges::any_of(
      report.history, [](const HistoryEntry& e) { return std::isfinite(e.norm) && e.norm > 0; });
  if (drawable && report.history.size() > 1) {
    page.heading("Convergence");
    page.chart(convergence(report));
  }
  more(page);
  page.machine_and_command();
  return page.text();
}

std::string page_of(const std::string& title, const ordered_json& tables,
                    const std::vector<io::Chart>& charts) {
  HtmlPage page(title);
  ordered_json rest = tables;
  const ordered_json machine = describe_machine();
  for (const auto& [name, value] : machine.items()) rest.erase(name);  // told below
  if (rest.value("interrupted", false)) page.verdict(interrupted_in_words(Watch::unfinished()), false);
  rest.erase("interrupted");
  rest.erase("unfinished");
  page.json(rest);
  if (!charts.empty()) page.heading(charts.size() > 1 ? "Charts" : "Chart");
  for (const io::Chart& chart : charts) page.chart(chart);
  page.machine_and_command();
  return page.text();
}

void write_found(LastStep& last, const FoundFiles& to, const std::string& title, const ordered_json& found,
                 const std::vector<io::Chart>& charts) {
  ordered_json told = found;
  told["interrupted"] = Watch::interrupted();
  told["unfinished"] = or_null(Watch::unfinished());
  if (!to.report.empty())
    last.attempt("--report " + to.report, [&] { write_text(to.report, page_of(title, told, charts)); });
  if (!to.json.empty()) last.attempt("--json " + to.json, [&] { write_text(to.json, json_text(told)); });
  if (to.json == "-") return;
  if (Watch::interrupted()) fmt::print("{}\n", interrupted_in_words(Watch::unfinished()));
  fmt::print("{}", written_in_words({to.report, to.chart, to.json}, last.failures()));
}

}  // namespace jacobi::cli
