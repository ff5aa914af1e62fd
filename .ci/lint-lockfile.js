// Checks that npm can verify every package of the lockfile. An entry without integrity is installed unchecked, and an
// entry with an address comes from there, and not from the registry that this machine uses. npm leaves integrity out for packages of other systems when it
// updates a lockfile beside an existing `node_modules`: remove those entries, and run
// `npm install --package-lock-only` in a copy without that folder.
import { readFileSync } from 'node:fs'

const file = process.argv[2] ?? 'package-lock.json'
const { packages } = JSON.parse(readFileSync(file, 'utf8'))
for (const [path, { link, inBundle, integrity, resolved }] of Object.entries(packages)) {
  // Packages of this repository are not downloaded. A bundled package is a part of the one that brings it.
  if (!path.includes('node_modules/') || link || inBundle) continue
  if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
    fail(`${file}: ${path} has no integrity by SHA-512`)
  if (resolved !== undefined) fail(`${file}: ${path} comes from ${resolved}, expected no address`)
}

function fail(text) {
  console.error(text)
  process.exitCode = 1
}
