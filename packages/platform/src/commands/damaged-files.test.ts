import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { run } from '../command-line/run.ts'
import { createPlatform } from '../platform.ts'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { commands } from './all.ts'

const config = {
  functions: {},
  queues: { orders: {} },
  queueListener: { port: 0 },
  mail: { port: 0, mailboxes: { 'office.example': '*' as const }, relay: 'keep' as const },
}

it.each([
  [
    'queues',
    'The queues',
    'Put a copy of the file back, or move it away: then all queues begin empty.',
    [['send', 'orders', 'x'], ['redrive', 'orders'], ['queues']],
  ],
  [
    'mail',
    'The mails',
    'Put a copy of the file back, or move it away: mailboxes keep what was delivered, and mail on its way is lost.',
    [['mails']],
  ],
])('a damaged %s.sqlite is told of by its name, with what to do', async (name, what, remedy, all) => {
  using folder = temporaryFolder()
  writeFileSync(join(folder.path, 'signalbox.config.ts'), `export default ${JSON.stringify(config)}`)
  const box = () => createPlatform(config, { root: folder.path })
  const first = box()
  await first.start()
  await first.stop()
  const path = join(folder.path, '.signalbox', `${name}.sqlite`)
  writeFileSync(path, 'x'.repeat(5000))
  const sentence = `${what} in ${path} are damaged: file is not a database. ${remedy}`
  for (const args of all) {
    const captured = captureTerminal(folder.path)
    expect(await run(args, commands, '1', captured.terminal)).toBe(2)
    expect(captured.complained).toBe(sentence)
  }
  await expect(box().start()).rejects.toThrow(sentence)
  rmSync(path)
  const last = box()
  await last.start()
  await last.stop()
})
