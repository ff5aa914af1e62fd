#!/usr/bin/env node
// `npm create signalbox shop` runs this. It is `signalbox init shop` of the package @signalbox/platform.
import { fileURLToPath } from 'node:url'

const manifest = import.meta.resolve('@signalbox/platform/package.json')
const program = new URL('./bin/signalbox.js', manifest)
process.argv.splice(1, process.argv.length, fileURLToPath(program), 'init', ...process.argv.slice(2))
await import(program.href)
