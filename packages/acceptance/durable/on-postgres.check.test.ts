import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { testServer } from '@signalbox/platform-postgres/testing/server-suite'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'

const database = testServer(['max_connections=400'])
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** What the test runner reports. */
interface Report {
  readonly numPassedTests: number
  readonly testResults: readonly { readonly message: string }[]
}

/** Runs the other test files of this folder. */
async function runOthers(environment: { readonly [name: string]: string }): Promise<Report> {
  using folder = temporaryFolder()
  const report = join(folder.path, 'report.json')
  const jest = ['--conditions=@signalbox/source', 'node_modules/jest/bin/jest.js']
  const output = ['--json', `--outputFile=${report}`]
  const others = ['packages/acceptance/durable/', String.raw`--testPathIgnorePatterns=\.check\.test\.ts$`]
  const child = spawn(process.execPath, [...jest, ...output, ...others], {
    ...{ cwd: root, env: { ...process.env, ...environment }, stdio: 'ignore' },
  })
  await once(child, 'exit')
  return JSON.parse(readFileSync(report, 'utf8'))
}

it('all that durable functions require holds on three platforms that share a PostgreSQL server', async () => {
  const { url } = database.server
  const report = await runOthers({ DURABLE_POSTGRES_URL: url, DURABLE_PLATFORMS: '3' })
  expect(report.testResults.map(({ message }) => message).filter(message => message !== '')).toEqual([])
  expect(report.numPassedTests).toBeGreaterThan(150)
})
