import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'

const program = fileURLToPath(new URL('./testing/some-listeners.ts', import.meta.url))

// Only Linux says how many descriptors a process may have.
const isLinux = process.platform === 'linux'
const onLinux = isLinux ? it : it.skip

onLinux.each(['web', 'mail'] as const)(
  `clients of the listener %s cannot use up the descriptors of a process, so that functions start and other listeners answer${isLinux ? '' : ' (skipped: needs Linux)'}`,
  async held => {
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
    const clients: Socket[] = []
    try {
      const [urls] = (await once(child, 'message')) as [{ web: string; control: string; mail: string }]
      const { web, control } = urls
      for (let i = 0; i < 2 * limit; i++) {
        const client = connect(Number(new URL(urls[held]).port), '127.0.0.1').on('error', () => {})
        if (held === 'web') client.write('GET / HTTP/1.1\r\nHo')
        clients.push(client)
      }
      // A mail client is served when it is greeted, and a client of HTTP would wait for the rest of its request.
      const served = held === 'mail' ? 'data' : 'connect'
      await Promise.all(
        clients.map(
          client =>
            new Promise<void>(resolve => {
              client.once(served, () => resolve())
              client.once('close', () => resolve())
            }),
        ),
      )
      const status = async (url: string) =>
        (await fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(30_000) })).status
      expect([await status(`${control}/livez`), await status(`${web}/`)]).toEqual([200, 200])
    } finally {
      for (const client of clients) client.destroy()
      child.kill()
      await once(child, 'exit')
    }
  },
  90_000,
)
