#!/bin/sh
# backup.sh DATA_DIRECTORY ARCHIVE: archives the data directory of a platform that has stopped.
set -eu
data=$1
archive=$2
refuse_use() {
  if [ -e "$data/platform.json" ]; then
    echo "$data is in use, or its platform was killed. Stop the platform; if it was killed, start it before." >&2
    exit 1
  fi
}
refuse_use
if [ -e "$data/incomplete-copy" ]; then
  echo "$data holds only a part of the data, because a copy or a restore into it was stopped." >&2
  exit 1
fi
umask 077
tar -C "$data" -czf "$archive.part" .
# The platform may have started meanwhile.
refuse_use
mv "$archive.part" "$archive"
