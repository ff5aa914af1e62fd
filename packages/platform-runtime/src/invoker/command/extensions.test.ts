import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { commandInvoker } from '../testing/command-test-invoker.ts'

const program = fileURLToPath(new URL('../testing/functions/extension.ts', import.meta.url))

/** Returns a function with an extension, and what the extension has got. */
function extended(mode = 'good') {
  const folder = temporaryFolder()
  const path = join(folder.path, 'watcher')
  const file = join(folder.path, 'seen')
  writeFileSync(file, '')
  writeFileSync(
    path,
    `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${program}' watcher '${file}' '${mode}'\n`,
  )
  chmodSync(path, 0o755)
  const shop = commandInvoker({ folder: folder.path, extensions: ['./watcher'] })
  return {
    ...shop,
    seen: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(line => line !== '')
        .map(line => JSON.parse(line) as object),
    goOn: () => writeFileSync(`${file}.go`, ''),
    async [Symbol.asyncDispose]() {
      await shop.stop()
      folder[Symbol.dispose]()
    },
  }
}

it('an extension registers before the first event, sees each event, and the end of the instance', async () => {
  await using shop = extended()
  expect(await shop.answer({ do: 'echo', n: 1 })).toEqual({ do: 'echo', n: 1 })
  expect(await shop.answer({ do: 'echo', n: 2 })).toEqual({ do: 'echo', n: 2 })
  await shop.stop()
  expect(shop.seen().filter(each => !('type' in each))).toEqual([
    {
      registered: 200,
      functionName: 'shop',
      functionVersion: '$LATEST',
      handler: 'app.handler',
      accountId: '000000000000',
    },
    { subscribed: 400 },
    { subscribed: 200 },
    { eventType: 'INVOKE', requestId: 'r-1' },
    { eventType: 'INVOKE', requestId: 'r-2' },
    { eventType: 'SHUTDOWN', shutdownReason: 'spindown' },
  ])
})

it('an extension gets the telemetry to which it subscribed', async () => {
  await using shop = extended()
  await shop.answer({ do: 'echo' })
  const wanted = [
    { type: 'platform.start', record: { requestId: 'r-1', version: '$LATEST' } },
    { type: 'function', record: 'doing echo\n' },
    { type: 'platform.runtimeDone', record: { status: 'success' } },
  ]
  const telemetry = () => shop.seen().filter(each => 'type' in each)
  for (let tries = 0; tries < 500 && telemetry().length < wanted.length; tries++)
    await new Promise(resolve => setTimeout(resolve, 20))
  expect(telemetry()).toEqual(wanted)
})

it('the next event waits for an extension that has not finished with the last one', async () => {
  await using shop = extended('waits')
  await shop.answer({ do: 'echo', n: 1 })
  const second = shop.answer({ do: 'echo', n: 2 })
  const pause = new Promise(resolve => setTimeout(resolve, 200, 'waiting'))
  expect(await Promise.race([second, pause])).toBe('waiting')
  shop.goOn()
  expect(await second).toEqual({ do: 'echo', n: 2 })
  expect(shop.started!()).toBe(1)
})

it.each([
  [
    'reports that it cannot start',
    'init error',
    /^the extension watcher failed: Extension.NoKey: the key is missing$/,
  ],
  ['registers for an event that does not exist', 'wrong', /^the extension watcher ended$/],
])('an extension that %s makes the function unloadable', async (_what, mode, message) => {
  await using shop = extended(mode)
  expect(await shop.answer({ do: 'echo' })).toEqual({
    kind: 'unloadable',
    message: expect.stringMatching(message),
  })
})

it('an extension that ends fails the running event, and the instance is replaced', async () => {
  await using shop = extended('exits')
  expect(await shop.answer({ do: 'wait', milliseconds: 20_000 })).toEqual({
    kind: 'crash',
    message: 'the extension watcher ended',
  })
})
