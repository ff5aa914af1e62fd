#!/bin/sh
# backup.sh DATA_DIRECTORY ARCHIVE: archives the data directory of a platform that has stopped.
set -eu
data=$1
archive=$2
if [ -e "$data/platform.json" ]; then
  echo "$data is in use, or its platform was killed. Stop the platform; if it was killed, start it before." >&2
  exit 1
fi
umask 077
tar -C "$data" -czf "$archive.part" .
mv "$archive.part" "$archive"
