import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { until } from '../testing/mail-setup.ts'
import { milterClient } from '../testing/milter-client.ts'
import { testMilter } from '../testing/test-milter.ts'

it('the milter listens on a socket that its group may use', async () => {
  using folder = temporaryFolder()
  const socket = join(folder.path, 'milter.sock')
  {
    await using milter = await testMilter(() => ({ type: 'DROP' }), { milter: { socket } })
    expect(milter.url).toBe(`unix:${socket}`)
    expect(statSync(socket).mode & 0o777).toBe(0o660)
    await using client = await milterClient(milter.url)
    expect((await client.ask()).reply).toBe('d')
  }
  expect(statSync(socket, { throwIfNoEntry: false })).toBeUndefined()
})

it('the milter replaces a socket that a killed process has left', async () => {
  using folder = temporaryFolder()
  const socket = join(folder.path, 'milter.sock')
  const script = `require('node:net').createServer().listen(${JSON.stringify(socket)}, () => console.log('ready'))`
  const other = spawn(process.execPath, ['-e', script])
  await once(other.stdout, 'data')
  await expect(testMilter(undefined, { milter: { socket } })).rejects.toThrow(
    `The milter cannot start: the socket ${socket} of mail.milter.socket cannot be used (another process listens on it).`,
  )
  other.kill('SIGKILL')
  await once(other, 'close')
  await using milter = await testMilter(undefined, { milter: { socket } })
  await using client = await milterClient(milter.url)
  expect((await client.ask()).reply).toBe('c')
})

it('the milter keeps a file that is no socket', async () => {
  using folder = temporaryFolder()
  const socket = join(folder.path, 'milter.sock')
  writeFileSync(socket, 'precious')
  await expect(testMilter(undefined, { milter: { socket } })).rejects.toThrow(
    'a file that is not a socket has this name',
  )
})

it('the milter says which port is in use', async () => {
  await using milter = await testMilter()
  const port = Number(new URL(milter.url).port)
  await expect(testMilter(undefined, { milter: { port } })).rejects.toThrow(
    `The milter cannot start: port ${port} of 127.0.0.1 is in use by this program. Choose another with mail.milter.port`,
  )
})

it('the milter that stops answers mails on which functions decide, and closes other connections', async () => {
  let decided = (_: 'open') => {}
  await using milter = await testMilter(() => new Promise(resolve => (decided = resolve)))
  await using idle = await milterClient(milter.url)
  await using busy = await milterClient(milter.url)
  await busy.begin()
  const answer = busy.end()
  await until(() => milter.mails.length === 1)
  const stopped = milter.stop(60_000)
  await idle.closed
  decided('open')
  expect((await answer).reply).toBe('c')
  await busy.closed
  await stopped
})

it('the milter that stops gives up after the grace period', async () => {
  await using milter = await testMilter(() => new Promise(() => {}))
  await using busy = await milterClient(milter.url)
  const answer = busy.ask()
  await until(() => milter.mails.length === 1)
  const stopped = milter.stop(1000)
  await milter.clock.advance(1000)
  await expect(answer).rejects.toThrow('The filter has closed the connection')
  await stopped
})
