import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { answerWith } from '@signalbox/platform-load-balancer/testing/project-folder'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { queueEvent } from '@signalbox/queue/testing'
import { spawnCommand } from '../testing/spawned-command.ts'

const command = fileURLToPath(new URL('../command.ts', import.meta.url))

function projectFolder(more = '') {
  const folder = temporaryFolder()
  writeFileSync(join(folder.path, 'shop.ts'), answerWith('one', 'console.log("password=hunter2hunter2")'))
  writeFileSync(
    join(folder.path, 'signalbox.config.ts'),
    `export default {
      functions: { shop: { module: './shop.ts', timeout: 20 } },
      loadBalancers: { web: { port: 0, function: 'shop' } },
      queues: { orders: {} },
      queueListener: { port: 0 },
      userPools: { staff: { clients: { web: {} } } },
      userPoolListener: { port: 0 },
      mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' } }, relay: 'keep' },
      control: { port: 0 },
      ${more}
    }`,
  )
  return folder
}

/** Connects a client to `signalbox mcp`. */
async function connected(folder: string, ...args: readonly string[]) {
  const client = new Client({ name: 'test', version: '1' })
  const options = ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning']
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...options, command, 'mcp', ...args],
      cwd: folder,
      stderr: 'pipe',
    }),
  )
  return {
    async [Symbol.asyncDispose]() {
      await client.close()
    },
    names: async () => (await client.listTools()).tools.map(({ name }) => name).sort(),
    async call(name: string, given: Record<string, unknown> = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: given })
      const [{ text }] = content as unknown as [{ text: string }]
      return { text, isError }
    },
  }
}

const reading = [
  ...['check_event', 'explain_invocation', 'find_option', 'list_codes', 'list_invocations', 'list_mailbox'],
  ...['list_mails', 'list_queues', 'peek_queue', 'sample_event', 'show_mail', 'trace_invocation'],
]

it('a client reads a running platform, and changes it only with --allow-changes', async () => {
  using folder = projectFolder()
  await using platform = spawnCommand(['dev'], folder.path, null)
  const [, url] = await platform.prints(/load balancer web: +(http:\S+)\n/)
  await platform.prints(/Watching/)
  await (await fetch(`${url}/hello`)).text()
  {
    await using client = await connected(folder.path)
    expect(await client.names()).toEqual(reading)
    expect((await client.call('list_invocations')).text).toMatch(/#1 .*shop GET \/hello → /)
    const explained = JSON.parse((await client.call('explain_invocation', { id: 1 })).text)
    expect(explained).toMatchObject({ functionName: 'shop', verdict: { ok: true }, eventProblems: [] })
    expect(JSON.stringify(explained)).not.toContain('hunter2hunter2')
    expect(await client.call('explain_invocation', { id: 7 })).toEqual({
      text: 'The invocation log has no entry #7.',
      isError: true,
    })
    expect((await client.call('trace_invocation', { invocation: '#1' })).text).toContain('1 invocation')
    expect((await client.call('list_codes', { pool: 'staff' })).isError).toBe(false)
    expect((await client.call('list_codes', { pool: '--help' })).isError).toBe(true)
    expect((await client.call('find_option', { words: 'queues visibility' })).text).toContain(
      'visibilityTimeout',
    )
    expect((await client.call('sample_event', { name: 'queue' })).text).toContain('"Records"')
    const event = JSON.stringify(queueEvent({ bodies: ['a'] }))
    expect((await client.call('check_event', { event })).text).toContain('"valid"')
    await expect(client.call('send_message', { queue: 'orders', body: 'a' })).rejects.toThrow(/send_message/)
  }
  await using client = await connected(folder.path, '--allow-changes')
  expect(await client.names()).toEqual([...reading, 'replay_invocation', 'send_message'].sort())
  expect((await client.call('send_message', { queue: 'orders', body: '--help' })).isError).toBe(false)
  expect((await client.call('peek_queue', { queue: 'orders' })).text).toContain('--help')
  expect((await client.call('list_queues')).text).toContain('orders')
  const replayed = await client.call('replay_invocation', { id: 1 })
  expect(replayed.text).toContain('replay of #1')
  expect(replayed.text).not.toContain('hunter2hunter2')
})

it('with access, an identity is needed, and its rights over the console count', async () => {
  const identities =
    "reader: { rights: { console: { read: ['*'] } } }, actor: { rights: { console: { read: ['*'], act: ['*'] } } }, shop: { rights: { queues: { send: ['*'] } } }"
  using folder = projectFolder(`access: { identities: { ${identities} } },`)
  const refused = async (...args: readonly string[]) => {
    await using started = spawnCommand(['mcp', ...args], folder.path)
    const { code, printedErrors } = await started.exit
    return [code, printedErrors.split('\n')[0]]
  }
  expect(await refused()).toEqual([
    2,
    'The configuration has access. Name an identity with --identity: reader, actor, shop.',
  ])
  expect(await refused('--identity', 'raeder')).toEqual([2, expect.stringContaining('reader')])
  expect(await refused('--identity', 'shop')).toEqual([
    2,
    expect.stringContaining("console: { read: ['*'] }"),
  ])
  expect(await refused('--identity', 'reader', '--allow-changes')).toEqual([
    2,
    expect.stringContaining("console: { act: ['*'] }"),
  ])
  const file = join(folder.path, 'event.json')
  writeFileSync(file, JSON.stringify(mailEvent({ subject: 'Sign in with tulip' })))
  await using invoking = spawnCommand(['invoke', 'shop', file], folder.path)
  await invoking.exit
  /** What each tool that reads the invocation log answers to an identity. */
  const answers = async (identity: string) => {
    await using client = await connected(folder.path, '--identity', identity)
    const explained = await client.call('explain_invocation', { id: 1 })
    const { requestId } = JSON.parse(explained.text)
    const traced = await client.call('trace_invocation', { invocation: requestId })
    return [explained, await client.call('list_invocations'), traced].map(({ text }) => text)
  }
  for (const text of await answers('reader')) {
    expect(text).toContain('hidden, because seeing it needs the right to act')
    expect(text).not.toContain('tulip')
  }
  for (const text of await answers('actor')) expect(text).toContain('Sign in with tulip')
  await using client = await connected(folder.path, '--identity', 'reader')
  const withCodes = ['list_codes', 'list_mailbox', 'list_mails', 'show_mail']
  expect(await client.names()).toEqual(reading.filter(name => !withCodes.includes(name)))
})
