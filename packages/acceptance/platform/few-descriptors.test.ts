import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'

const program = fileURLToPath(new URL('./testing/two-listeners.ts', import.meta.url))

// Only Linux says how many descriptors a process may have.
const isLinux = process.platform === 'linux'
const onLinux = isLinux ? it : it.skip

onLinux(
  `clients of one listener cannot use up the descriptors of a process, so that functions start and other listeners answer${isLinux ? '' : ' (skipped: needs Linux)'}`,
  async () => {
    const limit = 400
    const child = spawn(
      'sh',
      [
        '-c',
        `ulimit -n ${limit}; exec "$@"`,
        'sh',
        process.execPath,
        '--conditions=@signalbox/source',
        program,
      ],
      { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    )
    const [{ web, control }] = (await once(child, 'message')) as [{ web: string; control: string }]
    const clients: Socket[] = []
    for (let i = 0; i < 2 * limit; i++) {
      const client = connect(Number(new URL(web).port), '127.0.0.1').on('error', () => {})
      client.write('GET / HTTP/1.1\r\nHo')
      clients.push(client)
    }
    await Promise.all(clients.map(client => once(client, 'connect')))
    const status = async (url: string) =>
      (await fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(30_000) })).status
    expect([await status(`${control}/livez`), await status(`${web}/`)]).toEqual([200, 200])
    for (const client of clients) client.destroy()
    child.kill()
    await once(child, 'exit')
  },
  90_000,
)
