import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { readTemplate } from './index.ts'

/** A program of Terraform, and its plan as `terraform show -json` prints it. */
const program = fileURLToPath(new URL('../fixtures/terraform', import.meta.url))
const folder = temporaryFolder()
beforeAll(() => cpSync(program, folder.path, { recursive: true }))
afterAll(() => folder[Symbol.dispose]())

const planText = JSON.stringify(JSON.parse(readFileSync(join(program, 'plan.json'), 'utf8')))

interface Changed {
  readonly [name: string]: unknown
}

const read = (text: string, template = folder.path) =>
  readTemplate(text, {
    root: folder.path,
    template,
    python: () => ['python3', 'runtime.py'],
    keep(name, file, code) {
      const path = join(folder.path, 'kept', name, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, code)
      return join(folder.path, 'kept', name)
    },
    parameters: {},
    region: 'eu-central-1',
    account: '000000000000',
    stack: 'shop',
  })

const missing = (found: ReturnType<typeof read>) =>
  found.warnings.flatMap(({ kind, text }) => (kind === 'missing' ? [text] : []))

describe('a plan of Terraform', () => {
  it('has functions, with their code from an archive, and with what variables refer to', () => {
    const { config } = read(planText)
    expect(config.functions['shop-dev-worker']).toMatchObject({
      module: './kept/worker/index.mjs',
      dialect: 'aws',
      timeout: 20,
      memory: 256,
    })
    const { id, clients } = config.userPools!['staff-0'] as { id: string; clients: { app: { id: string } } }
    expect(config.functions['shop-dev-web']).toMatchObject({ instances: 3 })
    expect(config.functions['shop-dev-web']!.env).toMatchObject({
      STAGE: 'dev',
      QUEUE_URL: 'http://127.0.0.1:9324/000000000000/shop-dev-mails',
      POOL_ID: id,
      CLIENT: clients.app.id,
      ISSUER: `https://127.0.0.1:9331/${id}`,
      WORKER: 'shop-dev-worker',
      EMPTY: '',
    })
    expect(config.functions['shop-dev-web']!.env).not.toHaveProperty('TABLE')
  })

  it('has the queues of its modules, with their mappings and dead-letter queues', () => {
    const { config } = read(planText)
    expect(Object.keys(config.queues!).sort()).toEqual([
      'shop-dev-mails',
      'shop-dev-mails-dead',
      'shop-dev-orders',
      'shop-dev-orders-dead',
    ])
    expect(config.queues!['shop-dev-orders']).toEqual({
      visibilityTimeout: 60,
      retentionPeriod: 345_600,
      deadLetter: { queue: 'shop-dev-orders-dead', maxReceiveCount: 4 },
      function: 'shop-dev-worker',
      batchSize: 5,
      batchWindow: 1,
      maximumConcurrency: 2,
      reportBatchItemFailures: true,
      filter: [{ body: { kind: ['new'] } }],
    })
    expect(config.queues!['shop-dev-mails']).toMatchObject({ deadLetter: { maxReceiveCount: 2 } })
  })

  it('has user pools with everything that belongs to them', () => {
    expect(read(planText).config.userPools).toEqual({
      'staff-0': {
        id: expect.stringMatching(/^eu-central-1_/),
        signIn: ['email'],
        verify: ['email'],
        signUp: false,
        custom: { tenant: 'number' },
        immutable: ['custom:tenant'],
        password: { min: 10, lower: true, upper: false, digits: true, symbols: false },
        mfa: { mode: 'optional', by: ['totp'] },
        recovery: ['email'],
        triggers: { PreSignUp: 'shop-dev-gate', TokenGeneration: { function: 'shop-dev-gate', version: 2 } },
        domain: 'shop-login',
        groups: { admins: { precedence: 1 } },
        resourceServers: { 'https://api.example': { name: 'api', scopes: { read: 'Read orders' } } },
        identityProviders: {
          Partner: {
            issuer: 'https://id.example',
            clientId: 'shop',
            clientSecret: 'hunter2000',
            scopes: ['openid', 'email'],
            attributes: { email: 'email' },
          },
        },
        clients: {
          app: {
            id: expect.any(String),
            flows: ['refresh', 'password'],
            secret: true,
            refresh: { days: 0.5 },
            callbacks: ['https://shop.example/back'],
            grants: ['code'],
            scopes: ['openid', 'https://api.example/read'],
          },
        },
      },
    })
  })

  it('has load balancers, whose groups keep their weights, and whose rules without a priority come last', () => {
    const { config, outputs } = read(planText)
    const target = (name: string, weight: number) => ({
      function: 'shop-dev-web',
      targetGroupArn: expect.stringContaining(`:targetgroup/web-${name}/`),
      multiValueHeaders: true,
      weight,
    })
    expect(config.loadBalancers).toEqual({
      http: {
        port: 8080,
        respond: { status: 404, contentType: 'text/plain', body: 'none' },
        rules: [
          {
            path: ['/shop/*'],
            query: [{ key: 'v', value: '2' }],
            forward: [target('green', 10), target('blue', 90)],
          },
          { host: ['old.example'], redirect: expect.objectContaining({ host: 'new.example', status: 301 }) },
        ],
      },
    })
    expect(outputs).toEqual({
      web: 'http://127.0.0.1:8080/',
      queues: 'http://127.0.0.1:9324/000000000000/shop-dev-orders',
    })
  })

  it('names once what does not run, and what is not read', () => {
    const found = read(planText)
    expect(missing(found)).toEqual([
      'aws_lambda_function.batch does not run: container images do not run here. A `command` in a configuration can run it.',
      'aws_lambda_function.web has no TABLE here: aws_dynamodb_table.stock.arn exists only in the cloud.',
      'aws_lambda_function.web has no LIMITS here: the value of dead exists only in the cloud.',
      'aws_lambda_function.web has no CONDITION here: the value of CONDITION exists only in the cloud.',
      'aws_dynamodb_table.stock does not run here.',
    ])
    const ignored = found.warnings.flatMap(({ kind, text }) => (kind === 'ignored' ? [text] : []))
    expect(ignored).toContain('aws_lambda_function: layers')
    expect(ignored).toContain('aws_sqs_queue: kms_master_key_id')
    expect(ignored.join()).not.toContain('AWS::')
  })

  it('without its files has what refers to one thing only, and guesses nothing else', () => {
    using empty = temporaryFolder()
    const found = read(planText, empty.path)
    expect(found.outputs).toEqual({})
    expect(found.config.queues!['shop-dev-orders']).toEqual({
      visibilityTimeout: 60,
      retentionPeriod: 345_600,
    })
    expect(found.config.loadBalancers).toHaveProperty('http.rules.1.redirect.host', 'new.example')
    expect(missing(found)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^aws_lambda_function\.web does not run: there is no \S+code\.zip\. Build it first\.$/,
        ),
        'module.worker["orders"].aws_sqs_queue.this has no RedrivePolicy here: module.worker["orders"].aws_sqs_queue.this.redrive_policy exists only in the cloud.',
      ]),
    )
  })

  it('that is applied has the addresses of this platform in place of those of the cloud', () => {
    const plan = JSON.parse(planText) as {
      planned_values: { root_module: { child_modules: unknown[]; resources: unknown[] } }
      resource_changes: { change: { after_unknown: unknown } }[]
    }
    const arn = 'arn:aws:sqs:eu-central-1:123456789012:shop-dev-orders-dead'
    const url = 'https://sqs.eu-central-1.amazonaws.com/123456789012/shop-dev-orders'
    const pool = 'eu-central-1_AbCdEf123'
    for (const { change } of plan.resource_changes) change.after_unknown = {}
    const applied = JSON.stringify(plan, (_key, value: Changed) => {
      if (value?.address === 'module.worker["orders"].aws_sqs_queue.dead[0]')
        return { ...value, values: { ...(value.values as object), arn } }
      if (value?.address === 'module.worker["orders"].aws_sqs_queue.this')
        return {
          ...value,
          values: {
            ...(value.values as object),
            url,
            id: url,
            redrive_policy: JSON.stringify({ deadLetterTargetArn: arn, maxReceiveCount: 6 }),
          },
        }
      if (value?.address === 'aws_cognito_user_pool.staff[0]' && value.values !== undefined)
        return { ...value, values: { ...(value.values as object), id: pool } }
      if (value?.address === 'aws_lambda_function.web' && value.values !== undefined)
        return {
          ...value,
          values: {
            ...(value.values as object),
            environment: [{ variables: { Q: url, P: `https://x/${pool}/y`, R: 'us' } }],
          },
        }
      return value
    })
    const { config } = read(applied)
    expect(config.queues!['shop-dev-orders']).toMatchObject({
      deadLetter: { queue: 'shop-dev-orders-dead', maxReceiveCount: 6 },
    })
    expect(config.functions['shop-dev-web']!.env).toMatchObject({
      Q: 'http://127.0.0.1:9324/000000000000/shop-dev-orders',
      P: `https://x/${(config.userPools!['staff-0'] as { id: string }).id}/y`,
      R: 'us',
    })
  })

  it('has its code where an archive of the plan has it from', () => {
    const plan = JSON.parse(planText) as { prior_state?: unknown }
    plan.prior_state = {
      values: {
        root_module: {
          resources: [
            {
              address: 'data.archive_file.code',
              mode: 'data',
              type: 'archive_file',
              name: 'code',
              values: { type: 'zip', source_dir: './built', output_path: 'code.zip' },
            },
          ],
        },
      },
    }
    mkdirSync(join(folder.path, 'built'), { recursive: true })
    writeFileSync(join(folder.path, 'built/index.mjs'), '')
    expect(read(JSON.stringify(plan)).config.functions['shop-dev-gate']).toMatchObject({
      module: './built/index.mjs',
    })
    rmSync(join(folder.path, 'built'), { recursive: true })
  })

  it('is refused with the names of Terraform, and without secrets', () => {
    const wrong = planText.replaceAll(
      '"visibility_timeout_seconds":60',
      '"visibility_timeout_seconds":"hunter2000"',
    )
    expect(() => read(wrong)).toThrow(
      '/module.worker["mails"].aws_sqs_queue.this/visibility_timeout_seconds: expected a number, got "****"',
    )
    expect(() => read(planText.replace('"errored":false', '"errored":true'))).toThrow(
      'expected a plan without errors',
    )
    const { explain } = read(planText)
    expect(
      explain({
        pointer: '/queues/shop-dev-mails/visibilityTimeout',
        expected: 'seconds',
        actual: 'hunter2000',
      }),
    ).toEqual({
      pointer: '/module.worker["mails"].aws_sqs_queue.this/visibility_timeout_seconds',
      expected: 'seconds',
      actual: '****',
    })
  })
})
