import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { run } from '@signalbox/platform-runtime/command-line'
import { signatureHeaders } from '@signalbox/platform-runtime/signature'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { createPlatform } from '../platform.ts'
import type { Config } from '../source-modules.ts'
import { captureTerminal } from '../testing/capture-terminal.ts'
import { allCommands, commands } from './all.ts'

const configuration: Config = {
  queues: { orders: {} },
  queueListener: { port: 0 },
  access: {
    identities: {
      shop: {
        keys: [{ id: 'shop-of-the-file', secret: 'a secret of the file' }],
        rights: { queues: { send: ['orders'] } },
      },
      idle: {},
    },
  },
}

let folder: ReturnType<typeof temporaryFolder>
let platform: ReturnType<typeof createPlatform>
let url = ''
// The clock starts at the system time, because commands use the system time in signatures.
const clock = manualClock(Date.now())
beforeAll(async () => {
  folder = temporaryFolder()
  writeFileSync(join(folder.path, 'signalbox.config.mjs'), `export default ${JSON.stringify(configuration)}`)
  platform = createPlatform(configuration, { root: folder.path, clock })
  const [address] = await platform.start()
  url = address!.url
})
afterAll(async () => {
  await platform.stop()
  folder[Symbol.dispose]()
})

async function command(...args: string[]) {
  const captured = captureTerminal(folder.path)
  const exitCode = await run(args, commands, '1', captured.terminal, allCommands)
  return { exitCode, printed: captured.printed, printedErrors: captured.printedErrors }
}

interface Key {
  readonly id: string
  readonly secret: string
}

async function send({ id, secret }: Key): Promise<string> {
  const body = Buffer.from(JSON.stringify({ QueueUrl: '/0/orders', MessageBody: 'x' }))
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' }
  const request = {
    method: 'POST',
    target: '/',
    headers: Object.entries({ host: new URL(url).host, ...headers }).flat(),
    body,
  }
  const signature = signatureHeaders(
    request,
    { accessKeyId: id, secretAccessKey: secret },
    { region: 'local', service: 'sqs', now: Date.now() },
  )
  const answer = await fetch(url, { method: 'POST', headers: { ...headers, ...signature }, body })
  return answer.headers.get('x-amzn-query-error')?.split(';')[0] ?? 'sent'
}

it('a running platform accepts a new access key at once, and refuses a revoked key at once', async () => {
  const { printed } = await command('access', 'add', 'shop', '--json')
  const key = JSON.parse(printed) as Key
  expect(await send(key)).toBe('sent')
  expect(await send({ ...key, secret: `${key.secret}x` })).toBe('SignatureDoesNotMatch')

  const rotated = JSON.parse((await command('access', 'rotate', key.id, '--json')).printed) as Key
  expect([await send(key), await send(rotated)]).toEqual(['sent', 'sent'])
  const again = JSON.parse(
    (await command('access', 'rotate', rotated.id, '--keep', '0', '--json')).printed,
  ) as Key
  expect([await send(rotated), await send(again)]).toEqual(['InvalidClientTokenId', 'sent'])
  expect((await command('access', 'revoke', again.id)).printed).toBe(
    `The key ${again.id} of shop is revoked.`,
  )
  expect(await send(again)).toBe('InvalidClientTokenId')

  const list = (await command('access', 'list')).printed
  expect(list).toMatch(/^shop\n {2}may send queues: orders\n {2}key shop-of-the-file +in the configuration\n/)
  expect(list).toMatch(new RegExp(`key ${key.id} .*made .*, valid until`))
  expect(list).toMatch(new RegExp(`key ${again.id} .*revoked`))
  expect(list).toContain('idle\n  has no rights')
  for (const { secret } of [key, rotated, again]) {
    expect(list).not.toContain(secret)
    for (const name of ['access.sqlite', 'access.sqlite-wal', 'invocation-log.sqlite-wal'])
      expect(readFileSync(join(folder.path, '.signalbox', name)).includes(secret)).toBe(false)
  }
})

it('commands can act on a running platform without an access key in the configuration', async () => {
  expect((await command('send', 'orders', 'hello')).exitCode).toBe(0)
  expect((await command('redrive', 'orders')).printedErrors).not.toContain('authorized')
})

it('the access log shows who did what, but no secret', async () => {
  await send({ id: 'shop-of-the-file', secret: 'a secret of the file' })
  await send({ id: 'shop-of-the-file', secret: 'a secret of others' })
  await send({ id: 'a secret pasted as id', secret: 'a secret of others' })
  await clock.advance(1000)
  const { printed } = await command('access', 'log')
  expect(printed).toMatch(/unknown +queues +- +- +UnrecognizedClient/)
  expect(printed).toMatch(/shop +queues +SendMessage +orders +allowed +127\.0\.0\.1/)
  expect(printed).toMatch(/operator +queues +SendMessage +orders +allowed/)
  expect(printed).toMatch(/unknown +queues +SendMessage +- +InvalidSignature/)
  expect(printed).not.toContain('a secret')
  const refused = (await command('access', 'log', '--refused', '--json')).printed.split('\n')
  expect(refused.every(line => (JSON.parse(line) as { result: string }).result !== 'allowed')).toBe(true)
  expect((await command('access', 'log', 'idle')).printed).toBe('Nothing was logged yet.')
})

it.each([
  ['access', '"access" needs a second word.'],
  ['access add', 'access add needs the name of an identity.'],
  ['access add shpo', 'There is no identity "shpo". Did you mean shop?'],
  ['access rotate', 'access rotate needs the id of a key.'],
  ['access rotate x --keep long', '--keep needs a number of hours.'],
  ['access revoke', 'access revoke needs the id of a key.'],
  ['access revoke SBAKNOT', 'There is no key "SBAKNOT".'],
  ['access log --last x', '--last needs a number.'],
])('"signalbox %s" exits with code 2 and says what is wrong', async (line, message) => {
  const { exitCode, printedErrors } = await command(...line.split(' '))
  expect(exitCode).toBe(2)
  expect(printedErrors).toContain(message)
})

it.each([
  ['queueListener', { queueListener: { port: 0, host: '0.0.0.0' }, queues: { orders: {} } }],
  ['control', { control: { port: 0, host: '::' }, queues: { orders: {} } }],
  ['mail', { mail: { port: 0, host: '0.0.0.0', relay: 'keep' } }],
])(
  'the setting "%s" with a host that other machines can reach needs "access" or "open: true"',
  async (name, config) => {
    const open = { ...config, [name]: { ...(config as never as Record<string, object>)[name], open: true } }
    const make = (part: object) => createPlatform({ dataDir: ':memory:', functions: {}, ...part } as Config)
    expect(() => make(config)).toThrow(
      `/${name}/host: expected an address of this machine such as 127.0.0.1; or open: true beside it`,
    )
    await make(open).stop()
    if (name !== 'mail') await make({ ...config, access: { identities: {} } }).stop()
  },
)
