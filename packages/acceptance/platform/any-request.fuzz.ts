import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createPlatform } from '@signalbox/platform'
import { fastestFolder, temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { operations } from '@signalbox/platform-user-pool/testing/parts'
import fc from 'fast-check'

interface Sent {
  readonly listener: 'invoke' | 'user pools' | 'control'
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** JSON text that is nested so deeply that it often cannot be serialized again. */
const nested = fc
  .tuple(
    fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[0,{"UserPoolId":', '}]']),
    fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 3000, max: 10_000 })),
    fc.constantFrom('', '0', '"a"', 'null', '{'),
  )
  .map(([[open, close], depth, inner]) => open!.repeat(depth) + (inner || '{}') + close!.repeat(depth))

const json = fc.oneof(
  { weight: 2, arbitrary: nested },
  { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
  fc.constantFrom('', '{', 'null', '[]', '{"__proto__":{"a":1}}', '\ud800'),
)

/** Values of the operations of user pools. Any other field of an operation is any JSON. */
const known: { readonly [field: string]: string } = {
  UserPoolId: '"eu-central-1_Staff01"',
  ClientId: '"web"',
  Username: '"ann"',
  AuthFlow: '"USER_PASSWORD_AUTH"',
  PoolName: '"made"',
}

const fields = [
  ...Object.keys(known),
  ...['Password', 'AccessToken', 'Session', 'AuthParameters', 'ChallengeName', 'ChallengeResponses'],
  ...['ClientMetadata', 'UserAttributes', 'ValidationData', 'AnalyticsMetadata', 'UserContextData'],
  ...['Policies', 'LambdaConfig', 'Schema', 'EmailConfiguration', 'SmsConfiguration', 'DeviceConfiguration'],
  ...['UserPoolAddOns', 'UserPoolTags', 'AccountRecoverySetting', 'ProviderName', 'ProviderDetails'],
  ...['AttributeMapping', 'Identifier', 'Scopes', 'CSS', 'Credential', 'ResourceArn', 'Tags', 'Filter'],
  ...['ClientName', 'CallbackURLs', 'TokenValidityUnits', 'GroupName', 'Domain', 'CustomDomainConfig'],
]

// RotateSigningKeys is left out, because each call takes a second of processor time.
const operation = fc.constantFrom(...Object.keys(operations).filter(name => name !== 'RotateSigningKeys'))

const input = fc.dictionary(fc.constantFrom(...fields), fc.tuple(fc.boolean(), json), { maxKeys: 6 }).map(
  found =>
    `{${Object.entries(found)
      .map(([name, [isAny, text]]) => `"${name}":${isAny ? text || '0' : (known[name] ?? '"a"')}`)
      .join()}}`,
)

const base64 = fc.oneof(json, fc.string()).map(text => Buffer.from(text).toString('base64'))

/** The values of a header that a client of Node's can send. */
const anyValue = fc
  .oneof(
    fc.uint8Array({ maxLength: 100 }).map(bytes => Buffer.from(bytes).toString('latin1')),
    json,
    base64,
  )
  .map(text => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 3500))

const headers = fc.dictionary(
  fc.oneof(
    fc.constantFrom(
      ...['x-amz-client-context', 'x-amz-invocation-type', 'x-amz-log-type', 'x-amz-target', 'authorization'],
      ...[
        'content-type',
        'content-encoding',
        'origin',
        'cookie',
        'x-amz-date',
        'x-amz-content-sha256',
        'host',
      ],
      ...['x-amz-user-agent', 'x-amzn-trace-id', 'sec-fetch-site', 'if-none-match', 'accept', 'range'],
    ),
    fc.stringMatching(/^x-[a-z]{1,8}$/),
  ),
  anyValue,
  { maxKeys: 4 },
)

const invocation = fc
  .record({
    name: fc.constantFrom('work', 'same', 'work:$LATEST', 'none', '%ff', '__proto__', ''),
    type: fc.constantFrom('RequestResponse', 'RequestResponse', 'Event', 'DryRun', 'a'),
    context: fc.option(base64, { nil: undefined, freq: 2 }),
    more: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, headers),
    body: json,
  })
  .map(({ name, type, context, more, body }): Sent => {
    const own = { 'x-amz-invocation-type': type, ...(context && { 'x-amz-client-context': context }) }
    const path = `/2015-03-31/functions/${name}/invocations`
    return { listener: 'invoke', method: 'POST', path, headers: { ...own, ...more }, body }
  })

const poolOperation = fc
  .record({
    operation,
    more: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, headers),
    body: fc.oneof({ weight: 4, arbitrary: input }, json),
  })
  .map(({ operation: name, more, body }): Sent => {
    const own = { 'x-amz-target': `AWSCognitoIdentityProviderService.${name}` }
    return { listener: 'user pools', method: 'POST', path: '/', headers: { ...own, ...more }, body }
  })

const anyRequest = fc.record({
  listener: fc.constantFrom<Sent['listener']>('invoke', 'user pools', 'control'),
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
  path: fc.oneof(
    fc.constantFrom(
      '/',
      '/mail/none',
      '/mail/%ff',
      '/livez',
      '/readyz',
      '/console',
      '/console/api/invocations',
    ),
    fc.constantFrom('/console/api/login', '/console/api/queues/a/messages', '/userImport', '//', '/%00'),
    fc.string({ maxLength: 40 }).map(text => `/${encodeURIComponent(text.toWellFormed())}`),
  ),
  headers,
  body: json,
})

const requests = fc.oneof(
  { weight: 3, arbitrary: invocation },
  { weight: 3, arbitrary: poolOperation },
  { weight: 2, arbitrary: anyRequest },
)

/**
 * Sends JSON of any depth in any place, and any headers, to the Invoke API, the user pools and the control address. No
 * request may end the process, and none may be answered with an internal error.
 */
export async function fuzz(runs: number, seed: number): Promise<string> {
  using folder = temporaryFolder(fastestFolder)
  const notices: string[] = []
  const platform = createPlatform(
    {
      functions: {
        // A process, whose pipes and timers handle events.
        work: {
          module: fileURLToPath(
            import.meta.resolve('@signalbox/platform-runtime/invoker/testing/functions/faulty'),
          ),
          instances: 2,
        },
        same: { handler: async (event: unknown) => event as never },
      },
      invoke: { port: 0, maximumRetryAttempts: 0 },
      userPools: {
        staff: { id: 'eu-central-1_Staff01', clients: { web: { id: 'web', flows: ['password'] } } },
      },
      userPoolListener: { port: 0 },
      control: { port: 0, console: true },
      dataDir: folder.path,
      grace: 1,
    },
    { onNotice: text => notices.push(text) },
  )
  const addresses = await platform.start()
  const portOf = (name: string) => Number(new URL(addresses.find(({ source }) => source === name)!.url).port)
  const ports = { invoke: portOf('invoke'), 'user pools': portOf('user pools'), control: portOf('control') }
  const agent = new Agent({ keepAlive: true })
  const counts = new Map<number, number>()

  const send = ({ listener, method, path, headers: fields, body }: Sent) =>
    new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
      const sent = request(
        {
          agent,
          port: ports[listener],
          host: '127.0.0.1',
          method,
          path,
          headers: { host: 'localhost', ...fields },
        },
        response => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({ status: response.statusCode!, text: String(Buffer.concat(chunks)) }),
          )
        },
      )
      sent.on('error', reject)
      const bytes = Buffer.from(body)
      sent.setHeader('content-length', bytes.length)
      sent.end(bytes)
    })

  try {
    await fc.assert(
      fc.asyncProperty(requests, async each => {
        const { status, text } = await send(each)
        counts.set(status, (counts.get(status) ?? 0) + 1)
        if (status < 500 || status === 503) return
        throw new Error(`${status} ${text} ${notices.at(-1)}`)
      }),
      { numRuns: runs, seed },
    )
    const alive = await send({ listener: 'control', method: 'GET', path: '/livez', headers: {}, body: '' })
    if (alive.status !== 200) throw new Error(`The control address answers ${alive.status}.`)
  } finally {
    agent.destroy()
    await platform.stop()
  }
  const figures = [...counts]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${count} × ${status}`)
  return `${runs} requests: ${figures.join(', ')}`
}
