#!/usr/bin/env bash
# Names every C++ file that is not formatted as .clang-format says; with --fix, formats them.
set -euo pipefail
cd "$(dirname "$0")/.."

clang_format=$(command -v clang-format-14 || command -v clang-format) ||
  { echo "check-format: clang-format-14 not found: run 'scripts/setup.sh check'" >&2; exit 1; }

mapfile -t files < <(find include src apps tests examples bench python \( -name '*.[hc]pp' -o -name '*.cu' \) -type f 2>/dev/null | sort)
[ ${#files[@]} -gt 0 ] || { echo "check-format: no files"; exit 0; }

if [ "${1:-}" = --fix ]; then
  "$clang_format" -i "${files[@]}"
  exit 0
fi

bad=0
for file in "${files[@]}"; do
  if ! "$clang_format" "$file" | cmp -s - "$file"; then
    echo "$file: badly formatted (make format)"
    bad=$((bad + 1))
  fi
done
echo "check-format: ${#files[@]} files, $bad badly formatted"
[ "$bad" -eq 0 ]
