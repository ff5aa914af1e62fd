import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/**
 * Prints what one event of each kind passes through: the files, functions and source lines of our packages that run for a
 * second event after an equal first one. With `--functions`, it prints them by name, with the number of their calls.
 * Counts of the platform include work that follows an event, such as the invocation log.
 *
 * Run it from source: `node --conditions=@signalbox/source benchmarks/entered.ts`.
 */
const packages = fileURLToPath(new URL('../packages/', import.meta.url))
const showsFunctions = process.argv.includes('--functions')
/** Milliseconds after an event, in which its work in the background ends. */
const afterwards = 1000

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

/** Prints what ran since the last call. Without a name, it only begins anew. */
async function entered(name?: string): Promise<void> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  if (name === undefined) return
  let functions = 0
  let lines = 0
  const files = new Map<string, string[]>()
  for (const { url, functions: all } of result) {
    if (!url.startsWith('file:')) continue
    const path = fileURLToPath(url)
    if (!path.startsWith(packages)) continue
    // Node keeps the positions of source text when it removes types.
    const text = readFileSync(path, 'utf8')
    // The module itself is no function.
    const own = all.filter(({ ranges: [range] }) => range!.startOffset > 0 || range!.endOffset < text.length)
    const run = own.filter(({ ranges: [range] }) => range!.count > 0)
    if (run.length === 0) continue
    functions += run.length
    files.set(
      path.slice(packages.length),
      run.map(
        ({ functionName, ranges: [range] }) => `${functionName || '(without a name)'} ×${range!.count}`,
      ),
    )
    lines += linesOf(text, own)
  }
  console.log(`${name}: ${files.size} files, ${functions} functions, ${lines} lines`)
  if (showsFunctions) for (const [file, names] of files) console.log(`  ${file}: ${names.join(', ')}`)
}

/**
 * Returns the number of lines of the functions that ran, without blank lines and comments. A line belongs to the innermost
 * function that contains its first character.
 */
function linesOf(text: string, functions: readonly Profiler.FunctionCoverage[]): number {
  // An outer function comes before the functions in it.
  const ranges = functions
    .map(({ ranges: [range] }) => range!)
    .sort((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset)
    .slice(1)
  let count = 0
  let at = 0
  for (const line of text.split('\n')) {
    const first = at + line.search(/\S|$/)
    at += line.length + 1
    if (/^\s*(?:$|\/\/|\/\*|\*)/.test(line)) continue
    const innermost = ranges.findLast(
      // The line of a function's name may begin before the function.
      ({ startOffset, endOffset }) =>
        startOffset < at && first < endOffset && (startOffset <= first || endOffset > at),
    )
    if (innermost !== undefined && innermost.count > 0) count++
  }
  return count
}

/** Runs an event twice, and prints what the second one passes through. */
async function measure(name: string, run: () => Promise<unknown>): Promise<void> {
  await run()
  await delay(afterwards)
  await entered()
  await run()
  await delay(afterwards)
  await entered(name)
}

function expect(what: string, is: boolean): void {
  if (!is) throw new Error(`${what} did not give the expected answer.`)
}

const { signalbox } = await import('@signalbox/core')
const { fromJson } = await import('@signalbox/codec')
const { queue } = await import('@signalbox/queue')
const { queueEvent } = await import('@signalbox/queue/testing')
const t = await import('io-ts')

const batch = signalbox(
  queue({
    body: fromJson(t.type({ id: t.string, n: t.number })),
    log: false,
    onMessage: async ({ body }: { readonly body: { readonly n: number } }) => {
      if (body.n > 1) throw new Error('refused')
    },
  } as never),
) as unknown as (
  event: unknown,
  context: object,
) => Promise<{ readonly batchItemFailures: readonly unknown[] }>
const messages = queueEvent({ bodies: ['{"id":"a","n":1}', '{"id":"b","n":2}', '{"id":'] } as never)
await measure('a batch of three messages', async () => {
  const { batchItemFailures } = await batch(structuredClone(messages), {})
  expect('the batch', batchItemFailures.length === 2)
})

const { createPlatform } = await import('@signalbox/platform')
const { srpClient } = await import('@signalbox/platform-user-pool/testing/parts')
const folder = mkdtempSync(join(tmpdir(), 'signalbox-entered-'))
const poolId = 'eu-central-1_Staff01'
const web = {
  statusCode: 200,
  statusDescription: '200 OK',
  isBase64Encoded: false,
  headers: {},
  body: 'hello',
}
const config = {
  functions: {
    web: { handler: async () => web },
    sort: { handler: async () => ({ actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] }) },
    staff: {
      handler: async (event: { readonly triggerSource: string }) =>
        event.triggerSource === 'PreSignUp_SignUp'
          ? { ...event, response: { autoConfirmUser: true } }
          : event,
    },
  },
  loadBalancers: { web: { port: 0, function: 'web' } },
  queues: { jobs: {} },
  queueListener: { port: 0 },
  mail: {
    port: 0,
    domains: { 'office.example': { to: 'mailboxes' } },
    rules: [{ direction: 'INBOUND', function: 'sort' }],
    relay: 'keep',
  },
  userPools: {
    staff: {
      id: poolId,
      triggers: {
        function: 'staff',
        routes: ['PreSignUp_SignUp', 'PreAuthentication', 'PostAuthentication', 'TokenGeneration'],
      },
      clients: { web: { id: 'web', flows: ['srp'] } },
    },
  },
  userPoolListener: { port: 0 },
  dataDir: folder,
  grace: 1,
}
await entered()
const platform = createPlatform(config as never, { root: import.meta.dirname })
await entered('createPlatform()')

try {
  const addresses = await platform.start()
  const urlOf = (source: string) => addresses.find(each => each.source.includes(source))!.url
  const call = async (url: string, target: string, input: object) => {
    const type = target.startsWith('AmazonSQS') ? 'application/x-amz-json-1.0' : 'application/x-amz-json-1.1'
    const headers = { 'x-amz-target': target, 'content-type': type }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(input) })
    return (await response.json()) as Record<string, never>
  }

  await measure('a GET', async () => {
    const response = await fetch(`${urlOf('load balancer')}/orders?x=1`)
    expect('the GET', (await response.text()) === 'hello')
  })

  const queues = urlOf('queue')
  const { QueueUrl } = await call(queues, 'AmazonSQS.GetQueueUrl', { QueueName: 'jobs' })
  await measure('SendMessage', async () => {
    const { MessageId } = await call(queues, 'AmazonSQS.SendMessage', { QueueUrl, MessageBody: 'a' })
    expect('SendMessage', MessageId !== undefined)
  })

  let mails = 0
  await measure('a mail', async () => {
    const { hostname, port } = new URL(urlOf('mail'))
    const socket = connect(Number(port), hostname).setEncoding('utf8')
    const lines = [
      'EHLO client.example',
      'MAIL FROM:<ann@client.example>',
      'RCPT TO:<bob@office.example>',
      'DATA',
      `From: ann@client.example\r\nTo: bob@office.example\r\nSubject: hello\r\nMessage-ID: <${mails++}@client.example>\r\n\r\nhello\r\n.`,
      'QUIT',
    ]
    let accepted = 0
    for await (const reply of socket as AsyncIterable<string>) {
      if (!/^\d{3} [^\n]*\n$/m.test(reply)) continue
      if (reply.startsWith('250 ')) accepted++
      const next = lines.shift()
      if (next !== undefined) socket.write(`${next}\r\n`)
    }
    expect('the mail', lines.length === 0 && accepted > 0)
  })

  const pool = (operation: string, input: object) =>
    call(urlOf('user pool'), `AWSCognitoIdentityProviderService.${operation}`, input)
  await pool('SignUp', { ClientId: 'web', Username: 'ann', Password: 'Passw0rd!xyz' })
  await measure('an SRP sign-in', async () => {
    const client = srpClient(poolId, 'Passw0rd!xyz')
    const AuthParameters = { USERNAME: 'ann', SRP_A: client.SRP_A }
    const challenge = await pool('InitiateAuth', {
      ClientId: 'web',
      AuthFlow: 'USER_SRP_AUTH',
      AuthParameters,
    })
    const { AuthenticationResult } = await pool('RespondToAuthChallenge', {
      ClientId: 'web',
      ChallengeName: 'PASSWORD_VERIFIER',
      Session: challenge.Session,
      ChallengeResponses: client.prove(challenge.ChallengeParameters!),
    })
    expect('the sign-in', AuthenticationResult !== undefined)
  })
} finally {
  await platform.stop()
  rmSync(folder, { recursive: true, force: true })
}
