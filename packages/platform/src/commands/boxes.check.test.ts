import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { testServer } from '@signalbox/platform-postgres/testing/server-suite'
import { run } from '@signalbox/platform-runtime/command-line'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { createPlatform } from '../platform.ts'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { commands } from './all.ts'

const database = testServer()

it('signalbox boxes lists the platforms that share a database, and marks those that have stopped', async () => {
  using folder = temporaryFolder()
  const config = (schema: string) => ({
    functions: {},
    queues: { orders: {} },
    queueListener: { port: 0 },
    storage: { postgres: { url: database.server.url, schema } },
    dataDir: ':memory:',
  })
  writeFileSync(
    join(folder.path, 'signalbox.config.ts'),
    `export default ${JSON.stringify(config('platforms'))}`,
  )
  const boxes = async (...args: string[]) => {
    const captured = captureTerminal(folder.path)
    expect([await run(['boxes', ...args], commands, '1', captured.terminal), captured.printedErrors]).toEqual(
      [0, ''],
    )
    return captured.printed
  }
  expect(await boxes()).toBe('No platform is running.')
  const platforms = [createPlatform(config('platforms')), createPlatform(config('platforms'))]
  const urls: string[] = []
  for (const platform of platforms) urls.push((await platform.start())[0]!.url)
  const shown = (await boxes('--json')).split('\n').map(line => JSON.parse(line))
  expect(shown).toMatchObject(
    urls.map(url => ({
      host: hostname(),
      process: process.pid,
      addresses: [{ source: 'queues', url }],
      isAlive: true,
    })),
  )
  for (const { seen } of shown) expect(seen).toBeLessThan(15_000)

  // Makes the last heartbeat of the first platform too old, as if the platform were paused or cut off.
  await database.query(
    `update platforms.platforms set alive_until = alive_until - 100000 where addresses like '%' || $1 || '%'`,
    [urls[0]],
  )
  const [heading, first, second] = (await boxes()).split('\n')
  expect(heading).toMatch(/^PLATFORM +SINCE +LAST SIGN +ADDRESSES$/)
  expect(first).toMatch(/ {2}1\d\d s ago, gone {2}queues http:/)
  expect(second).toMatch(/ \d s ago {2,}queues http:/)
  await platforms[1]!.stop()
  expect((await boxes('--json')).split('\n')).toHaveLength(1)
  await platforms[0]!.stop()
})

it('signalbox boxes refuses a configuration without a shared database', async () => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'signalbox.config.ts'), 'export default { functions: {} }')
  const captured = captureTerminal(folder.path)
  expect(await run(['boxes'], commands, '1', captured.terminal)).toBe(2)
  expect(captured.printedErrors).toContain('only one platform can use')
})
