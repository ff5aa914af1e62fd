#!/usr/bin/env node
// `npx signalbox` runs this outside a project. The name of this command is another one than that of the platform, so that
// a project that has both packages gets the command of the platform.
const command = ['npx @signalbox/platform', ...process.argv.slice(2)].join(' ')
console.error(`The command signalbox comes with the package @signalbox/platform: ${command}`)
process.exitCode = 1
