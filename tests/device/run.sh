#!/usr/bin/env bash
# Runs what compile.sh made: run.sh PROGRAM. Exits 77, a skip, where it was not made or finds no device.
[ -x "$1" ] || { echo "skipped: the cycle was not compiled for a device"; exit 77; }
exec "$1"
