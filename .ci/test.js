// Runs all checks one after the other, even if one fails. The last line of the output is `N passed, N failed`, which
// counts each check and each unit test.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const scratch = mkdtempSync(join(tmpdir(), 'signalbox-test-'))
const report = join(scratch, 'jest.json')
const bin = name => join('node_modules', '.bin', name)

// Building AWS's runtime client takes almost a minute after each installation. The other checks run in the
// meantime.
const runtimeClient = run([bin('node'), 'packages/aws/lambda/build-client.ts'])

const checks = [
  { name: 'build', command: [bin('turbo'), 'run', 'build', '--output-logs=errors-only'] },
  { name: 'lint', command: [bin('biome'), 'check', '.'] },
  { name: 'workflows', command: [bin('node'), '.ci/lint-workflows.js'], showsOutput: true },
  { name: 'types', command: [bin('tsc'), '-p', 'tsconfig.json'] },
  { name: 'type tests', command: [bin('tstyche'), '--root', '.', '--config', '.ci/tstyche.json'] },
  { name: 'dead code', command: [bin('knip')] },
  { name: 'package shape', command: [bin('turbo'), 'run', 'shape', '--output-logs=errors-only'] },
  { name: 'dry run of publishing', command: [bin('node'), '.ci/dry-publish.js'] },
  { name: "a new user's first minutes", command: [bin('node'), '.ci/first-minutes.js'] },
  {
    name: 'unit and property tests, with coverage',
    after: runtimeClient,
    command: [
      bin('node'),
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      '--coverage',
      '--json',
      `--outputFile=${report}`,
    ],
  },
]

let passed = 0
let failed = 0
for (const { name, command, after, showsOutput } of checks) {
  await after
  const started = Date.now()
  const { code, output } = await run(command)
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
  if (code === 0) passed++
  else failed++
  if ((code !== 0 || showsOutput) && output !== '') console.log(output.trimEnd())
}
try {
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
    readFileSync(report, 'utf8'),
  )
  passed += numPassedTests
  failed += numFailedTests + numRuntimeErrorTestSuites
} catch {
  console.log('FAIL the unit tests wrote no report')
  failed++
}
rmSync(scratch, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function run([command, ...args]) {
  return new Promise(resolve => {
    const child = spawn(command, args)
    let output = ''
    child.stdout.on('data', chunk => (output += chunk))
    child.stderr.on('data', chunk => (output += chunk))
    child.on('error', error => resolve({ code: 1, output: String(error) }))
    child.on('close', code => resolve({ code: code ?? 1, output }))
  })
}
