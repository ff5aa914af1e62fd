import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { type Config, createPlatform } from '@signalbox/platform'
import { captureTerminal } from '@signalbox/platform/testing/capture-terminal'
import { commands } from '@signalbox/platform/testing/whole-program'
import { run } from '@signalbox/platform-runtime/command-line'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { hasProgram, type Run, runProgram } from './testing/run-program.ts'

/**
 * Returns a function like `it`, for tests that need a program that the project does not install. If the program is
 * missing, the test is skipped, and its name says what it needs.
 */
function itNeeds(program: string, args: readonly string[], what = program) {
  const isThere = hasProgram(program, args)
  return (name: string, test: () => Promise<void>): void =>
    isThere ? it(name, test) : it.skip(`${name} (skipped: needs ${what})`, test)
}

const poolId = 'eu-central-1_Staff01'
const clock = manualClock(Date.now())
const key = { id: 'SHOPKEY', secret: 'a long/secret+of the shop' }
const nobody = 65534

let folder: ReturnType<typeof temporaryFolder>
let platform: ReturnType<typeof createPlatform>
let changing: Server
const urls = new Map<string, string>()
const path = (name: string) => join(folder.path, name)
const portOf = (source: string) => new URL(urls.get(source)!).port

beforeAll(async () => {
  folder = temporaryFolder()
  chmodSync(folder.path, 0o755)
  writeFileSync(path('cert.pem'), certificate.cert)
  writeFileSync(path('key.pem'), certificate.key, { mode: 0o600 })
  const config: Config = {
    functions: {
      greet: { handler: async (event: { readonly name: string }) => `Hi ${event.name}` },
      web: {
        handler: async ({ path, body }: { readonly path: string; readonly body: string }) => ({
          statusCode: 200,
          statusDescription: '200 OK',
          isBase64Encoded: false,
          headers: { 'content-type': 'text/plain' },
          body: `${path} ${body.length}`,
        }),
      },
    },
    loadBalancers: { web: { port: 0, function: 'web', tls: { cert: 'cert.pem', key: 'key.pem' } } },
    queues: { orders: {}, invoices: {} },
    control: { port: 0 },
    queueListener: { port: 0 },
    userPools: { staff: { id: poolId, clients: { web: {} } } },
    userPoolListener: { port: 0 },
    invoke: { port: 0 },
    mail: {
      port: 0,
      domains: { 'office.example': { to: 'mailboxes' } },
      relay: 'keep',
      tls: { cert: 'cert.pem', key: 'key.pem' },
      submission: { port: 0 },
    },
    access: {
      identities: {
        shop: {
          keys: [key],
          rights: {
            queues: { send: ['orders'], receive: ['orders'], administer: ['invoices'] },
            userPools: { administer: ['staff'] },
            functions: { invoke: ['greet'], read: ['*'] },
            mail: { submit: ['shop@office.example'] },
          },
        },
      },
    },
  } as Config
  // The configuration is written as JSON, so the function must be in a separate module.
  const module = './greet.mjs'
  const file = { ...config, functions: { greet: { module }, web: { module } } }
  writeFileSync(path('signalbox.config.mjs'), `export default ${JSON.stringify(file)}`)
  writeFileSync(path('greet.mjs'), 'export const handler = async () => {}')
  platform = createPlatform(config, { root: folder.path, clock })
  for (const { source, url } of await platform.start()) urls.set(source, url)
  changing = await changingProxy()
})
afterAll(async () => {
  changing.close()
  await platform.stop()
  folder[Symbol.dispose]()
})

/**
 * Starts a proxy that changes a letter of the body or of a signed header, and forwards the request to the queue
 * listener.
 */
async function changingProxy(): Promise<Server> {
  const server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces).toString()
    const changed = body.replace('hello', 'hallo')
    const headers = changed === body ? { ...incoming.headers, 'x-amz-date': laterDate() } : incoming.headers
    const { method, url: target } = incoming
    const to = request(urls.get('queues')!, { method, path: target, headers: headers as never }, answer => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    to.end(changed)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  urls.set('a proxy that changes requests', `http://127.0.0.1:${port}`)
  return server
}

const laterDate = () => new Date(Date.now() + 1000).toISOString().replace(/[-:]|\.\d+/g, '')

async function signalbox(...args: string[]): Promise<string> {
  const captured = captureTerminal(folder.path)
  await run(args, commands, '1', captured.terminal)
  return captured.printedErrors || captured.printed
}

/** Calls an operation with an AWS client that is a separate program, and returns its output. */
type Call = (
  service: 'sqs' | 'cognito-idp' | 'lambda',
  operation: string,
  input: Readonly<Record<string, string>>,
  key: { readonly id: string; readonly secret: string },
  source?: string,
) => Promise<Run>

const credentials = ({ id, secret }: typeof key) => ({
  AWS_ACCESS_KEY_ID: id,
  AWS_SECRET_ACCESS_KEY: secret,
  AWS_REGION: 'local',
  AWS_DEFAULT_REGION: 'local',
  AWS_MAX_ATTEMPTS: '1',
  AWS_EC2_METADATA_DISABLED: 'true',
})
const sourceOf = { sqs: 'queues', 'cognito-idp': 'user pools', lambda: 'invoke' }

const commandLine: Call = async (service, operation, input, own, source = sourceOf[service]) => {
  const dashed = (name: string) => name.replace(/(?<!^)[A-Z]/g, letter => `-${letter}`).toLowerCase()
  const options = Object.entries(input).flatMap(([name, value]) => [
    `--${dashed(name)}`,
    name === 'Payload' ? payloadFile(value) : value,
  ])
  const args = ['--endpoint-url', urls.get(source)!, service, dashed(operation), ...options]
  const answer = path('answer')
  if (service === 'lambda') args.push(answer)
  const { exitCode, output } = await runProgram('aws', args, { env: { ...credentials(own), AWS_PAGER: '' } })
  return { exitCode, output: service === 'lambda' ? output + readFileSync(answer, 'utf8') : output }
}

/** Writes a payload to a file, because versions 1 and 2 of the aws command can both read it from there. */
function payloadFile(text: string): string {
  writeFileSync(path('payload'), text)
  return `fileb://${path('payload')}`
}

const script = `
import boto3, json, sys
service, operation, given, url = sys.argv[1:]
answer = getattr(boto3.client(service, endpoint_url=url), operation)(**json.loads(given))
print(answer['Payload'].read().decode() if 'Payload' in answer else json.dumps(answer, default=str))
`
const boto: Call = (service, operation, input, own, source = sourceOf[service]) => {
  const snake = operation.replace(/(?<!^)[A-Z]/g, letter => `_${letter}`).toLowerCase()
  const args = ['-c', script, service, snake, JSON.stringify(input), urls.get(source)!]
  return runProgram('python3', args, { env: credentials(own) })
}

const message = (queue = 'orders') => ({
  QueueUrl: `http://127.0.0.1/000000000000/${queue}`,
  MessageBody: 'hello',
})

itNeeds(
  'python3',
  ['-c', 'import boto3'],
  'python3 with boto3',
)('boto3 creates, changes, lists and deletes the mapping of a queue', async () => {
  const EventSourceArn = 'arn:aws:sqs:local:000000000000:invoices'
  const ask = async (operation: string, input: object, own = key) => {
    const { exitCode, output } = await boto('lambda', operation, input as never, own)
    return exitCode === 0 ? JSON.parse(output) : output
  }
  const created = await ask('CreateEventSourceMapping', {
    ...{ FunctionName: 'greet', EventSourceArn, Enabled: false, BatchSize: 4 },
    FilterCriteria: { Filters: [{ Pattern: '{"body":["a"]}' }] },
  })
  expect(created).toMatchObject({
    State: 'Creating',
    BatchSize: 4,
    ResponseMetadata: { HTTPStatusCode: 202 },
  })
  const { UUID } = created
  const changed = await ask('UpdateEventSourceMapping', { UUID, BatchSize: 5 })
  expect(changed).toMatchObject({ UUID, BatchSize: 5, State: 'Updating' })
  const shown = await ask('GetEventSourceMapping', { UUID })
  expect(shown).toMatchObject({ UUID, BatchSize: 5, EventSourceArn, State: 'Disabled' })
  const { EventSourceMappings } = await ask('ListEventSourceMappings', { EventSourceArn })
  expect(EventSourceMappings).toMatchObject([{ UUID, FilterCriteria: created.FilterCriteria }])
  expect(await ask('UpdateEventSourceMapping', { UUID, MaximumRetryAttempts: 3 })).toContain(
    'MaximumRetryAttempts is not supported',
  )
  expect(await ask('DeleteEventSourceMapping', { UUID })).toMatchObject({ UUID })
  expect(await ask('GetEventSourceMapping', { UUID })).toContain('ResourceNotFoundException')
})

describe.each([
  ['the aws command', commandLine, itNeeds('aws', ['--version'])],
  ['boto3', boto, itNeeds('python3', ['-c', 'import boto3'], 'python3 with boto3')],
] as const)('%s', (_, call, itWith) => {
  itWith('calls queues, user pools and functions with an access key', async () => {
    const sent = await call('sqs', 'SendMessage', message(), key)
    expect(sent).toMatchObject({ exitCode: 0, output: expect.stringContaining('MessageId') })
    const listed = await call('cognito-idp', 'ListUsers', { UserPoolId: poolId }, key)
    expect(listed).toMatchObject({ exitCode: 0, output: expect.stringContaining('Users') })
    const invoked = await call('lambda', 'Invoke', { FunctionName: 'greet', Payload: '{"name":"Ann"}' }, key)
    expect(invoked).toMatchObject({ exitCode: 0, output: expect.stringContaining('Hi Ann') })
  })

  itWith('shows a different error for a wrong secret, an unknown key and a missing permission', async () => {
    const wrong = { ...key, secret: 'another long secret' }
    expect((await call('sqs', 'SendMessage', message(), wrong)).output).toContain('(SignatureDoesNotMatch)')
    const listed = await call('cognito-idp', 'ListUsers', { UserPoolId: poolId }, wrong)
    expect(listed.output).toContain('(InvalidSignatureException)')
    const unknown = { ...key, id: 'UNKNOWN' }
    expect((await call('sqs', 'SendMessage', message(), unknown)).output).toContain('(InvalidClientTokenId)')
    const denied = await call('sqs', 'SendMessage', message('invoices'), key)
    expect(denied).toMatchObject({
      exitCode: expect.any(Number),
      output: expect.stringContaining('(AccessDenied)'),
    })
  })

  itWith('works with a key from `signalbox access add` until the key is revoked', async () => {
    const made = JSON.parse(await signalbox('access', 'add', 'shop', '--json')) as typeof key
    expect((await call('sqs', 'SendMessage', message(), made)).exitCode).toBe(0)
    await signalbox('access', 'revoke', made.id)
    expect((await call('sqs', 'SendMessage', message(), made)).output).toContain('(InvalidClientTokenId)')
  })

  itWith('shows a signature error if the body or a header was changed after signing', async () => {
    const proxy = 'a proxy that changes requests'
    const body = await call('sqs', 'SendMessage', message(), key, proxy)
    expect(body.output).toContain('(SignatureDoesNotMatch)')
    const header = await call('sqs', 'ListQueues', {}, key, proxy)
    expect(header.output).toContain('(SignatureDoesNotMatch)')
    expect((await call('sqs', 'ListQueues', {}, key)).exitCode).toBe(0)
  })

  itWith('shows an error for a request that arrives fifteen minutes after it was signed', async () => {
    // Clients use the system time, which advances while the platform's clock stands still.
    const ahead = Date.now() + 20 * 60_000 - clock.now()
    await clock.advance(ahead)
    try {
      const { output } = await call('sqs', 'SendMessage', message(), key)
      expect(output).toMatch(/\(SignatureDoesNotMatch\).*Signature expired/)
    } finally {
      await clock.advance(-ahead)
    }
  })
})

const sender = 'shop@office.example'
const subjects = async () => {
  const mails = await platform.mail.inbox('bob@office.example')
  const texts = await Promise.all(mails.map(async mail => String(await platform.mail.read(mail))))
  return texts.map(text => /^Subject: (.*?)\r?$/m.exec(text)?.[1])
}
const delivered = async (subject: string) => {
  while (!(await subjects()).includes(subject)) await new Promise(resolve => setTimeout(resolve, 20))
}

describe('swaks', () => {
  const itWith = itNeeds('swaks', ['--version'])
  const swaks = (mechanism: string, secret: string, subject: string, from = sender) =>
    runProgram('swaks', [
      ...['--server', `127.0.0.1:${portOf('mail submission')}`, '--tls', '--auth', mechanism],
      ...['--auth-user', key.id, '--auth-password', secret, '--from', from, '--to', 'bob@office.example'],
      ...['--h-Subject', subject],
    ])
  for (const mechanism of ['PLAIN', 'LOGIN'])
    itWith(
      `submits mail with AUTH ${mechanism} over TLS, and shows that a wrong secret was refused`,
      async () => {
        expect((await swaks(mechanism, key.secret, `by ${mechanism}`)).exitCode).toBe(0)
        await delivered(`by ${mechanism}`)
        const refused = swaks(mechanism, 'wrong', 'refused')
        // The platform delays its answer to a wrong secret by one second.
        await ended(refused)
        expect(await refused).toMatchObject({
          exitCode: 28,
          output: expect.stringContaining('<~* 535 5.7.8'),
        })
      },
    )
  itWith('shows that a sender address is refused if the identity is not allowed to use it', async () => {
    const refused = await swaks('PLAIN', key.secret, 'foreign', 'ceo@office.example')
    expect(refused).toMatchObject({ exitCode: 23, output: expect.stringContaining('<~* 550 ') })
  })
})

/** Advances the clock of the platform until a program has ended. */
async function ended(program: Promise<unknown>): Promise<void> {
  let isOver = false
  const mark = () => {
    isOver = true
  }
  program.then(mark, mark)
  while (!isOver) {
    await clock.advance(100)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

describe('msmtp', () => {
  const msmtp = (secret: string, subject: string) => {
    writeFileSync(path('secret'), secret, { mode: 0o600 })
    return runProgram(
      'msmtp',
      [
        ...['--file=/dev/null', '--host=localhost', `--port=${portOf('mail submission')}`, '--tls=on'],
        ...[`--tls-trust-file=${path('cert.pem')}`, '--auth=scram-sha-256', `--user=${key.id}`],
        ...[`--passwordeval=cat ${path('secret')}`, `--from=${sender}`, 'bob@office.example'],
      ],
      { input: `From: ${sender}\nSubject: ${subject}\n\nHi\n` },
    )
  }
  itNeeds('msmtp', ['--version'])(
    'submits mail with AUTH SCRAM-SHA-256 over TLS, and shows that a wrong secret was refused',
    async () => {
      expect(await msmtp(key.secret, 'by SCRAM')).toEqual({ exitCode: 0, output: '' })
      await delivered('by SCRAM')
      const refused = msmtp('wrong', 'refused')
      await ended(refused)
      expect(await refused).toMatchObject({
        exitCode: 77,
        output: expect.stringContaining('authentication failed'),
      })
    },
  )
})

describe('exim as a mail server that relays through the platform', () => {
  const isRoot = process.geteuid?.() === 0
  const exim = async (secret: string, subject: string) => {
    const spool = path(`spool-of-${secret.length}`)
    mkdirSync(spool, { mode: 0o777 })
    if (isRoot) chownSync(spool, nobody, nobody)
    const user = isRoot ? nobody : process.getuid!()
    writeFileSync(
      path('exim.conf'),
      `spool_directory = ${spool}
exim_user = ${user}
exim_group = ${user}
trusted_users = ${user}
primary_hostname = relay.example
begin routers
platform:
  driver = manualroute
  route_list = * localhost byname
  self = send
  transport = platform
begin transports
platform:
  driver = smtp
  port = ${portOf('mail submission')}
  hosts_require_auth = *
  hosts_require_tls = *
  tls_verify_certificates = ${path('cert.pem')}
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  client_send = ^${key.id}^${secret.replaceAll('^', '^^')}
`,
    )
    const uid = isRoot ? nobody : undefined
    const args = ['-f', sender, '-odi', 'bob@office.example']
    const input = `From: ${sender}\nTo: bob@office.example\nSubject: ${subject}\n\nHi\n`
    const ran = runProgram('exim4', ['-C', path('exim.conf'), ...args], { input, uid })
    await ended(ran)
    return (await ran).output
  }
  itNeeds('exim4', ['-bV'])(
    'delivers mail with AUTH PLAIN over TLS, and keeps a mail that was refused because of a wrong secret',
    async () => {
      const sent = await exim(key.secret, 'by exim')
      expect(sent).toMatch(/=> bob@office\.example .* A=plain C="250 /)
      await delivered('by exim')
      const refused = await exim('wrong', 'refused by exim')
      expect(refused).toMatch(/plain authenticator failed .* 535 5\.7\.8/)
      expect(refused).not.toContain('=>')
    },
  )
})

describe('a load balancer with TLS', () => {
  const address = () => `https://localhost:${portOf('load balancer web')}`
  const hasHttp2 = hasProgram('sh', ['-c', 'curl --version | grep -q HTTP2'])
  const curl = (...args: string[]) =>
    runProgram('curl', ['-sS', '--cacert', path('cert.pem'), '-w', ' %{http_version} %{http_code}', ...args])

  itNeeds(
    hasHttp2 ? 'curl' : 'no curl',
    ['--version'],
    'curl with HTTP/2',
  )('serves curl over HTTP/2, or over HTTP/1.1 if curl asks for it', async () => {
    const body = 'x'.repeat(300_000)
    writeFileSync(path('body'), body)
    expect(await curl('--http2', `${address()}/two`)).toEqual({ exitCode: 0, output: '/two 0 2 200' })
    const text = ['-H', 'content-type: text/plain', '--data-binary', `@${path('body')}`]
    expect(await curl('--http2', ...text, `${address()}/large`)).toEqual({
      exitCode: 0,
      output: '/large 300000 2 200',
    })
    expect(await curl('--http1.1', `${address()}/one`)).toEqual({ exitCode: 0, output: '/one 0 1.1 200' })
    // The client sends several requests on one connection.
    const both = await curl('--http2', `${address()}/a`, `${address()}/b`)
    expect(both.output).toBe('/a 0 2 200/b 0 2 200')
  })

  itNeeds('nghttp', ['--version'])('serves nghttp, which accepts only HTTP/2', async () => {
    const { exitCode, output } = await runProgram('nghttp', ['-v', '--no-verify-peer', `${address()}/n`])
    expect({ exitCode, output }).toMatchObject({ exitCode: 0, output: expect.stringContaining('/n 0') })
    expect(output).toContain('The negotiated protocol: h2')
    expect(output).toContain(':status: 200')
  })
})

it('the access log does not contain the secret key that the stock clients use', async () => {
  expect(await signalbox('access', 'log', '--json')).not.toContain(key.secret)
})
