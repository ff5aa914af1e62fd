import { createServer } from 'node:net'
import { expect, it } from '@jest/globals'
import { listenError } from './listen-error.ts'

it.each([
  ['EADDRINUSE', 'is in use'],
  ['EACCES', 'is not permitted'],
])('listenError explains %s', (code, why) => {
  const cause = Object.assign(new Error(`listen ${code}`), { code })
  const error = listenError('The mail listener', { port: 25, host: '::' }, cause)
  expect(error).toMatchObject({ message: `The mail listener cannot start: port 25 of :: ${why}.`, cause })
})

it('listenError quotes the system for any other code', async () => {
  const server = createServer()
  const failed = new Promise<Error>(resolve => server.once('error', resolve))
  // RFC 5737: an address that no machine has.
  const place = { port: 2525, host: '192.0.2.1' }
  server.listen(place)
  expect(listenError('The mail listener', place, await failed).message).toMatch(
    /^The mail listener cannot start: port 2525 of 192\.0\.2\.1 cannot be listened on \(.*EADDRNOTAVAIL.*\)\.$/,
  )
})
