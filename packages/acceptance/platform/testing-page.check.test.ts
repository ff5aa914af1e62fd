import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { spawnCommand } from '@signalbox/platform/testing/spawned-command'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { hasProgram, runProgram } from './testing/run-program.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/platform/testing.md'), 'utf8')
const python = /^```python\n([\s\S]*?)\n```$/m.exec(page)![1]!
const curls = [...page.matchAll(/^curl .*$/gm)].map(([line]) => line)

/** Starts the platform of the page, with the sources that its examples name, on free ports. */
async function start() {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder.path, 'work.ts'),
    `export const handler = (event: object) => {
      if (JSON.stringify(event).includes('fail')) throw new Error('no')
      return { batchItemFailures: [] }
    }`,
  )
  writeFileSync(
    join(folder.path, 'signalbox.config.ts'),
    `export const config = {
      functions: { work: { module: './work.ts' } },
      queues: { jobs: { function: 'work', deadLetter: { queue: 'letters', maxReceiveCount: 3 } } },
      queueListener: { port: 0 },
      mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' } } },
      userPools: { staff: { clients: { web: {} } } },
      userPoolListener: { port: 0 },
      invoke: { port: 0 },
      control: { port: 0, testing: true },
      dataDir: ':memory:',
    }`,
  )
  const dev = spawnCommand(['dev', '--clock', 'manual'], folder.path)
  const url = async (name: string) => (await dev.prints(new RegExp(`^${name}: +(http://\\S+)$`, 'm')))[1]!
  return {
    control: await url('control'),
    queues: await url('queues'),
    async [Symbol.asyncDispose]() {
      await dev[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

describe('the page about the test interface', () => {
  const pythonTest = hasProgram('python3', ['--version']) ? it : it.skip
  pythonTest('has a test in Python that passes', async () => {
    await using platform = await start()
    const { exitCode, output } = await runProgram('python3', ['-c', python], {
      env: { SIGNALBOX_CONTROL: platform.control, SIGNALBOX_QUEUES: platform.queues },
    })
    expect([exitCode, output]).toEqual([0, expect.stringContaining('Ran 2 tests')])
  })

  const curlTest = hasProgram('curl', ['--version']) ? it : it.skip
  curlTest('has examples with curl for every path, which all work', async () => {
    await using platform = await start()
    for (const line of curls) {
      const command = line.replace('localhost:9330', platform.control).replace('curl ', 'curl -sf ')
      const { exitCode, output } = await runProgram('sh', ['-c', command])
      expect([line, exitCode]).toEqual([line, 0])
      expect(() => JSON.parse(output)).not.toThrow()
    }
    const { output } = await runProgram('curl', ['-s', `${platform.control}/testing`])
    const { paths } = JSON.parse(output) as { readonly paths: readonly string[] }
    const parts = (path: string) => path.replace(/^(?:GET|POST) /, '').replace(/[?{ ].*$/, '')
    // Paths about one mail need its id, which no example can know.
    const withoutId = paths.filter(path => !path.includes('{id}'))
    for (const path of withoutId)
      if (parts(path) !== '/testing') expect(curls.join('\n')).toContain(parts(path).replace(/\/$/, ''))
    for (const path of paths) expect(page).toContain(parts(path).replace(/\/$/, ''))
  })
})
