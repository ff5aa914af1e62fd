import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { loadBalancersPart } from '@signalbox/platform-load-balancer/testing/parts'
import { mailPart } from '@signalbox/platform-mail/testing/parts'
import { queuesPart } from '@signalbox/platform-queue/testing/parts'
import { InvalidConfigError } from '@signalbox/platform-runtime/config'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { settingsOf } from '../testing/whole-program.ts'

describe('settingsOf', () => {
  it('fills in defaults, converts times to milliseconds, and makes paths absolute', () => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'shop.ts'), '')
    const { of, ...settings } = settingsOf(
      {
        functions: { shop: { module: './shop.ts', timeout: 2.5 } },
        loadBalancers: { web: { port: 0, function: 'shop', healthCheck: {} } },
        watch: ['lib'],
      },
      folder.path,
    )
    expect(settings).toEqual({
      root: folder.path,
      functions: [
        {
          name: 'shop',
          code: { module: `file://${folder.path}/shop.ts`, exportName: 'handler' },
          timeout: 2500,
          concurrency: 1,
          instances: 8,
          tenancy: 'shared',
          wait: 10_000,
          memory: 256,
          env: {},
          dialect: undefined,
        },
      ],
      control: undefined,
      unauthenticated: [],
      needlesslyOpen: [],
      secretVariables: [],
      dataDir: join(folder.path, '.signalbox'),
      invocationLog: { age: 7 * 24 * 3600 * 1000, size: 64 * 1024 * 1024 },
      grace: 30_000,
      drain: 0,
      location: { region: 'local', account: '000000000000' },
      watch: [join(folder.path, 'lib')],
    })
    expect(of(loadBalancersPart)).toEqual([
      {
        name: 'web',
        arn: 'arn:cloud:balancer:local:000000000000:loadbalancer/web/1',
        port: 0,
        host: '127.0.0.1',
        open: false,
        action: {
          kind: 'forward',
          targets: [
            {
              functionName: 'shop',
              multiValue: false,
              targetGroupArn: 'arn:cloud:balancer:local:000000000000:targetgroup/web/1',
              weight: 1,
            },
          ],
        },
        rules: [],
        functionNames: ['shop'],
        healthCheck: { path: '/', interval: 35_000, healthyThreshold: 5, unhealthyThreshold: 2 },
      },
    ])
    expect([of(queuesPart), of(mailPart)]).toEqual([undefined, undefined])
    expect(settingsOf({ functions: {}, dataDir: ':memory:' }, folder.path).dataDir).toBeUndefined()
  })

  it('throws an error that lists all problems and names the configuration file', () => {
    expect(() =>
      settingsOf({ functions: 7 as never, grace: 'x' as never }, '/', '/a/signalbox.config.ts'),
    ).toThrow(
      new InvalidConfigError('/a/signalbox.config.ts', [
        { pointer: '/functions', expected: 'an object', actual: 'number 7' },
        { pointer: '/grace', expected: 'seconds from 0 to 900', actual: "string 'x'" },
      ]),
    )
  })

  it('refuses functions whose module file does not exist', () => {
    using folder = temporaryFolder()
    mkdirSync(join(folder.path, 'folder'))
    const functions = { a: { module: './a.ts' }, b: { module: './folder' } }
    expect(() => settingsOf({ functions }, folder.path)).toThrow(
      '/functions/a/module: expected a file, was ./a.ts, which is not a file\n/functions/b/module: expected a file',
    )
  })

  it('names the module file that exists with another extension', () => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'a.ts'), '')
    const functions = { a: { module: './a.js' }, b: { module: './a' } }
    expect(() => settingsOf({ functions }, folder.path)).toThrow(
      '/functions/a/module: expected the file ./a.ts, was ./a.js, which is not a file\n/functions/b/module: expected the file ./a.ts, was ./a, which',
    )
  })

  it('reads the secrets of functions on other hosts', () => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'key'), 'a secret from a file\n', { mode: 0o600 })
    const functions = {
      web: { url: 'https://fn.example/', secret: { file: 'key' }, headers: { 'x-key': 'k' } },
      far: { url: 'https://fn.example/' },
      cloud: {
        lambda: { functionName: 'ship', region: 'r', accessKeyId: 'A', secretAccessKey: { file: 'key' } },
      },
      own: { lambda: { functionName: 'ship', region: 'r', endpoint: 'http://[::1]:1' } },
    }
    const secret = 'a secret from a file'
    expect(settingsOf({ functions }, folder.path).functions.map(({ code }) => code)).toEqual([
      { url: 'https://fn.example/', secret, headers: { 'x-key': 'k' } },
      { url: 'https://fn.example/', secret: undefined, headers: {} },
      {
        lambda: {
          functionName: 'ship',
          region: 'r',
          credentials: { accessKeyId: 'A', secretAccessKey: secret },
        },
      },
      { lambda: { functionName: 'ship', region: 'r', endpoint: 'http://[::1]:1' } },
    ])
  })

  it('refuses unusable secrets of functions on other hosts, and does not show them', () => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'lines'), 'hidden\nhidden', { mode: 0o600 })
    const functions = {
      web: { url: 'https://fn.example/', secret: 'hidden', headers: { key: { file: 'lines' } } },
      cloud: {
        lambda: { functionName: 'ship', region: 'r', accessKeyId: 'A', secretAccessKey: { file: 'none' } },
      },
    }
    expect(() => settingsOf({ functions }, folder.path)).toThrow(
      new InvalidConfigError('The configuration', [
        {
          pointer: '/functions/web/secret',
          expected: 'a secret of at least 16 characters, or whsec_ and 16 bytes in base64',
          actual: 'another text',
        },
        {
          pointer: '/functions/web/headers/key',
          expected: 'a value of printable ASCII',
          actual: 'another text',
        },
        {
          pointer: '/functions/cloud/lambda/secretAccessKey',
          expected: 'a file',
          actual: 'none, where there is none',
        },
      ]),
    )
  })

  it('refuses a file of bytes as a secret, because many bytes would be one character', () => {
    using folder = temporaryFolder()
    writeFileSync(join(folder.path, 'bytes'), Buffer.alloc(32, 0xff), { mode: 0o600 })
    const functions = { web: { url: 'https://fn.example/', secret: { file: 'bytes' } } }
    expect(() => settingsOf({ functions }, folder.path)).toThrow(
      '/functions/web/secret: expected a file with a secret of text in UTF-8, was bytes',
    )
  })

  it('uses the configured region and account in every ARN', () => {
    const handler = () => null
    const config = {
      region: 'eu-central-1',
      account: '123456789012',
      functions: { shop: { handler, dialect: 'aws' as const } },
      loadBalancers: { web: { port: 0, function: 'shop' } },
    }
    const { functions, of, location } = settingsOf(config, '/')
    expect(location).toEqual({ region: 'eu-central-1', account: '123456789012' })
    expect(of(loadBalancersPart)![0]!.action).toMatchObject({
      targets: [{ targetGroupArn: expect.stringContaining(':eu-central-1:123456789012:') }],
    })
    expect(functions[0]!.dialect!.context!({ functionName: 'shop', requestId: 'r' })).toMatchObject({
      invokedFunctionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:shop',
    })
  })

  it('uses the settings of a queue as defaults for each of its functions', () => {
    const handler = () => null
    const queues = {
      orders: {
        functions: [
          { function: 'ship', batchSize: 2, filter: { body: ['x'] } },
          { function: 'bill', reportBatchItemFailures: true },
        ],
        batchSize: 3,
        maximumConcurrency: 4,
      },
    }
    const functions = { ship: { handler, timeout: 50 }, bill: { handler, dialect: 'aws' as const } }
    expect(settingsOf({ functions, queues }, '/').of(queuesPart)!.queues[0]).toMatchObject({
      visibilityTimeout: 50_000,
      functions: [
        {
          functionName: 'ship',
          batchSize: 2,
          maximumConcurrency: 4,
          reportBatchItemFailures: true,
          filter: [{ body: ['x'] }],
        },
        {
          functionName: 'bill',
          batchSize: 3,
          maximumConcurrency: 4,
          reportBatchItemFailures: true,
          filter: undefined,
        },
      ],
    })
  })
})

it.each([
  ['of 15 seconds if mail waits for the function', {}, {}, 35],
  ['of 10 seconds if mail does not wait for the function', { mode: 'async' as const }, {}, 30],
  ['of 10 seconds even if the timeout is set to 3', {}, { timeout: 3 }, 30],
])(
  'the visibility timeout of a queue covers the batch window and a function timeout %s',
  (_, rule, given, seconds) => {
    const settings = settingsOf(
      {
        functions: { sort: { handler: () => null, wait: 0, ...given } },
        mail: {
          domains: { 'office.example': { to: 'mailboxes' } },
          rules: [{ direction: 'INBOUND', function: 'sort', ...rule }],
        },
        queues: { a: { function: 'sort', batchWindow: 20 } },
      },
      '/',
    )
    expect(settings.of(queuesPart)?.queues[0]?.visibilityTimeout).toBe(seconds * 1000)
  },
)
