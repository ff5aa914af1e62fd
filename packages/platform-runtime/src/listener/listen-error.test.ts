import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { listenError } from './listen-error.ts'

it('listenError() explains EACCES', () => {
  const cause = Object.assign(new Error('listen EACCES'), { code: 'EACCES' })
  const error = listenError('The mail listener', 'mail.port', { port: 25, host: '::' }, cause)
  expect(error).toMatchObject({
    message: 'The mail listener cannot start: port 25 of :: is not permitted.',
    cause,
  })
})

it('listenError() says which process uses the port, and how to choose another port', async () => {
  using folder = temporaryFolder()
  const script =
    "const s = require('node:net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))"
  const other = spawn(process.execPath, ['-e', script], { cwd: folder.path })
  try {
    const port = Number(String((await once(other.stdout, 'data'))[0]))
    const cause = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' })
    const { message } = listenError(
      'The queue listener',
      'queueListener.port',
      { port, host: '127.0.0.1' },
      cause,
    )
    // Only on Linux can the process that uses a port be found without another program.
    const by = process.platform === 'linux' ? ` by process ${other.pid}, node in ${folder.path}` : ''
    expect(message).toMatch(
      new RegExp(
        `^The queue listener cannot start: port ${port} of 127.0.0.1 is in use${by}. Choose another with queueListener.port; 0 takes one that is free.$`,
      ),
    )
  } finally {
    other.kill()
  }
})

it('listenError() quotes the system error message for any other error code', async () => {
  const server = createServer()
  const failed = new Promise<Error>(resolve => server.once('error', resolve))
  // No machine has this address (RFC 5737).
  const place = { port: 2525, host: '192.0.2.1' }
  server.listen(place)
  expect(listenError('The mail listener', 'mail.port', place, await failed).message).toMatch(
    /^The mail listener cannot start: port 2525 of 192\.0\.2\.1 cannot be listened on \(.*EADDRNOTAVAIL.*\)\.$/,
  )
})
