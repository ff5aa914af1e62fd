#!/bin/sh
# restore.sh ARCHIVE DATA_DIRECTORY: unpacks an archive of backup.sh into a folder that is new or empty.
set -eu
archive=$1
data=$2
umask 077
mkdir -p "$data"
if [ -n "$(ls -A "$data")" ]; then
  echo "$data is not empty. Move it away first." >&2
  exit 1
fi
# No platform starts in this folder as long as it has this file.
touch "$data/incomplete-copy"
tar -C "$data" -xzpf "$archive"
rm "$data/incomplete-copy"
