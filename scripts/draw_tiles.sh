#!/usr/bin/env bash
# Draws the pictures of docs/hierarchy.md: tiles in 1D and 2D, and which values of a tile are right after each sweep.
set -euo pipefail
cd "$(dirname "$0")/../docs"

# Colours and the words for them are the same in every picture.
shapes='
function open_svg(w, h) {
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"", w, h, w, h
  print " font-family=\"sans-serif\" font-size=\"14\">"
  printf "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", w, h
}
function colour(kind) {
  return kind == "own" ? "#2b6cb0" : kind == "shared" ? "#f6ad55" : kind == "ghost" ? "#cbd5e0" : \
         kind == "side" ? "#1a202c" : kind == "wrong" ? "#e53e3e" : "#ffffff"
}
function box(x, y, size, kind) {
  printf "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"%s\" stroke=\"#4a5568\" stroke-width=\"0.7\"/>\n", \
         x, y, size, size, colour(kind)
}
function text(x, y, words) { printf "<text x=\"%g\" y=\"%g\" fill=\"#1a202c\">%s</text>\n", x, y, words }
function key(x, y, kind, words) { box(x, y - 12, 14, kind); text(x + 20, y, words) }
function close_svg() { print "</svg>" }
# Kind of unknown i for the tile that starts at s: E updated, O overlap per side, N unknowns.
function kind_of(i, s, E, O, N,    last) {
  last = s + E < N ? s + E : N
  if (i < -1 || i > N || i < s - 1 || i > last) return ""
  if (i == -1 || i == N) return "side"
  if (i == s - 1 || i == last) return "ghost"
  if ((s > 0 && i < s + O) || (last < N && i >= last - O)) return "shared"
  return "own"
}'

awk "$shapes"'
BEGIN {
  N = 26; E = 10; O = 2; a = 26
  open_svg(860, 262)
  text(20, 26, "26 unknowns in tiles of 10, overlap 2 per side: two neighbours share 4 unknowns and own 2 of them each")
  for (i = -1; i <= N; ++i) box(60 + (i + 1) * a, 44, a, i < 0 || i == N ? "side" : "")
  text(20, 62, "grid")
  for (j = 0; j * (E - 2 * O) + 2 * O < N; ++j) {
    y = 84 + 34 * j
    text(8, y + 18, "tile " j)
    for (i = -1; i <= N; ++i)
      if ((kind = kind_of(i, j * (E - 2 * O), E, O, N)) != "") box(60 + (i + 1) * a, y, a, kind)
  }
  y = 84 + 34 * j + 24
  key(60, y, "own", "updated and owned"); key(240, y, "shared", "updated, owned by the neighbour")
  key(510, y, "ghost", "frozen ghost"); key(660, y, "side", "boundary value")
  close_svg()
}' > tiles_1d.svg

awk "$shapes"'
BEGIN {
  N = 18; E = 10; O = 2; s = 4; a = 17
  open_svg(760, 380)
  text(20, 24, "One tile of 10 x 10 in a grid of 18 x 18, overlap 2 per side")
  for (r = -1; r <= N; ++r)
    for (i = -1; i <= N; ++i) {
      x = kind_of(i, s, E, O, N); y = kind_of(r, s, E, O, N)
      kind = i < 0 || i == N || r < 0 || r == N ? "side" : ""
      if (x == "own" && y == "own") kind = "own"
      else if ((x == "own" || x == "shared") && (y == "own" || y == "shared")) kind = "shared"
      else if ((x == "ghost" && (y == "own" || y == "shared")) || (y == "ghost" && (x == "own" || x == "shared"))) kind = "ghost"
      box(20 + (i + 1) * a, 36 + (N - r) * a, a, kind)
    }
  key(400, 90, "own", "updated and owned: scattered after k sweeps")
  key(400, 120, "shared", "updated, owned by a neighbour: given up")
  key(400, 150, "ghost", "frozen ghosts: read, never changed in a cycle")
  key(400, 180, "", "the rest of the grid")
  key(400, 210, "side", "boundary values")
  text(400, 250, "Corners of the ghost ring are not read: the"); text(400, 268, "stencil is a star.")
  close_svg()
}' > tiles_2d.svg

awk "$shapes"'
BEGIN {
  E = 12; K = 5; a = 24; O = 3
  open_svg(800, 230)
  text(20, 24, "What sweep t of a cycle gets right in a tile of 12 between two cuts, overlap 3 per side: exact up to sweep 4")
  for (t = 0; t <= K; ++t) {
    y = 40 + (K - t) * 29
    text(20, y + 17, t == 0 ? "gathered" : "sweep " t)
    for (i = -1; i <= E; ++i) {
      depth = i < E - 1 - i ? i : E - 1 - i
      right = t == 0 || depth >= t - 1
      kind = i < 0 || i == E ? "ghost" : !right ? "wrong" : (i < O || i >= E - O) ? "shared" : "own"
      box(110 + (i + 1) * a, y, a, kind)
    }
  }
  key(480, 60, "own", "right, owned"); key(480, 90, "shared", "right, owned by a neighbour")
  key(480, 120, "wrong", "not what a plain sweep gives"); key(480, 150, "ghost", "frozen ghost of the gathered iterate")
  close_svg()
}' > tiles_exact.svg
