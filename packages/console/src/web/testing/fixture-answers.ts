import type { api } from '../../api/api.ts'
import type { InvocationSummary } from '../../api/invocations.ts'
import type { LiveEvents } from '../../api/live.ts'
import type { OutputOf } from '../../api/route.ts'
import { fixtureDetails, fixtureSummaries } from './fixture-invocations.ts'

/** An answer for each route that returns a body. */
export type FixtureAnswers = {
  readonly [Name in keyof typeof api as Output<Name> extends void ? never : Name]: Output<Name>
}

type Output<Name extends keyof typeof api> = Awaited<OutputOf<(typeof api)[Name]>>

const minute = 60_000

/** Returns the data for all pages, as a platform with many resources would send it. */
export function fixtureAnswers(now: number): FixtureAnswers {
  const queues = [
    {
      name: 'orders',
      isFifo: false,
      visible: 3,
      inFlight: 2,
      delayed: 0,
      oldestAge: 4200,
      functions: ['ship-orders'],
      deadLetter: { queue: 'orders-failed', maxReceiveCount: 3 },
      deadLetters: 2,
      sources: [],
      attributes: {
        VisibilityTimeout: '30',
        MessageRetentionPeriod: '345600',
        ReceiveMessageWaitTimeSeconds: '0',
      },
    },
    {
      name: 'orders-failed',
      isFifo: false,
      visible: 2,
      inFlight: 0,
      delayed: 0,
      oldestAge: 25 * minute,
      functions: [],
      deadLetter: undefined,
      deadLetters: undefined,
      sources: ['orders'],
      attributes: { VisibilityTimeout: '30', MessageRetentionPeriod: '1209600' },
    },
    {
      name: 'invoices.fifo',
      isFifo: true,
      visible: 0,
      inFlight: 0,
      delayed: 0,
      oldestAge: undefined,
      functions: ['ship-orders'],
      deadLetter: undefined,
      deadLetters: undefined,
      sources: [],
      attributes: { FifoQueue: 'true' },
    },
  ] as const
  const invocations = fixtureSummaries(now)
  const [newest] = invocations
  const failed = invocations.find(({ verdict }) => verdict?.ok === false) as InvocationSummary
  const mail = {
    id: 'm-01HZX3',
    receivedAt: now - 3 * minute,
    from: 'ann@shop.example',
    subject: 'Your order 4711 is on its way',
    size: 18_400,
    report: false,
    held: false,
    recipients: [
      {
        address: 'bob@office.example',
        direction: 'INBOUND',
        state: 'delivered',
        why: 'The function lets it pass.',
        attempts: 1,
        nextAt: undefined,
      },
      {
        address: 'gone@office.example',
        direction: 'INBOUND',
        state: 'bounced',
        why: 'The function sort-mail bounces it: Left the company',
        attempts: 1,
        nextAt: undefined,
      },
      {
        address: 'carl@elsewhere.example',
        direction: 'OUTBOUND',
        state: 'delivering',
        why: 'The relay did not answer in time.',
        attempts: 2,
        nextAt: now + 4 * minute,
      },
    ],
  } as const
  const content = {
    headers: [
      ['Received', 'from shop.example ([192.0.2.7]) by office.example with ESMTPS'],
      ['From', 'Ann at the shop <ann@shop.example>'],
      ['To', 'Bob <bob@office.example>'],
      ['Subject', 'Your order 4711 is on its way'],
      ['Content-Type', 'multipart/alternative; boundary="b1"'],
    ] as [string, string][],
    from: 'Ann at the shop <ann@shop.example>',
    to: 'Bob <bob@office.example>, gone@office.example',
    cc: '',
    subject: 'Your order 4711 is on its way',
    date: 'Sun, 22 Nov 2026 20:25:06 +0000',
    text: 'Hello Bob,\n\nyour order 4711 left our house this morning.\n\nAnn',
    html: '<h1 style="color:#1257a6">On its way</h1><p>Hello Bob, your order <b>4711</b> left our house this morning.</p>',
    attachments: [{ filename: 'invoice.pdf', mimeType: 'application/pdf', size: 14_200 }],
  } as const
  const user = {
    sub: '5f0f2c1e-6c1b-4a57-9a57-0d4be8a1c0de',
    name: 'ann',
    status: 'CONFIRMED',
    enabled: true,
    attributes: {
      email: 'ann@example.com',
      email_verified: 'true',
      given_name: 'Ann',
      'custom:plan': 'gold',
    },
    createdAt: now - 26 * 60 * minute,
    modifiedAt: now - 12 * minute,
  }
  const text = {
    to: 'ann@example.com',
    medium: 'EMAIL',
    occasion: 'ForgotPassword',
    at: now - 2 * minute,
    subject: 'Your password reset code',
    text: 'Your password reset code is 493021',
    code: '493021',
  } as const
  const numbers = { calls: 1284, errors: 17, p50: 12.4, p90: 48, p99: 310 }
  const state = (name: string, calls: number, errors: number) => ({
    name,
    instances: 2,
    most: 10,
    timeout: 5000,
    memory: 256,
    coldStarts: 4,
    reloads: 3,
    ...numbers,
    calls,
    errors,
  })
  return {
    session: { name: 'operator', mayAct: true },
    overview: {
      functions: ['shop', 'ship-orders', 'sort-mail', 'sign-up'],
      families: ['load-balancer', 'queue', 'mail-flow', 'user-pool'],
      sources: ['load balancer web', 'queue orders', 'mail', 'user pool staff'],
      verdicts: ['answered', 'malformed', 'failure', 'success', 'partial', 'decided', 'accepted', 'denied'],
      has: { loadBalancers: true, queues: true, mail: true, userPools: true, access: true },
    },
    invocations: { invocations, before: 1 },
    invocation: fixtureDetails(failed, invocations, [mail]),
    invoke: {
      requestId: 'r-1',
      id: 42,
      payload: '{"statusCode":200,"body":"ok"}',
      verdict: { kind: 'answered', ok: true, text: '200 OK' },
      failure: undefined,
      logs: [{ stream: 'out', text: 'found order 7' }],
      duration: 3.2,
    },
    functions: [
      state('shop', 1284, 17),
      state('ship-orders', 420, 31),
      state('sort-mail', 36, 0),
      state('sign-up', 8, 1),
    ],
    functionSeries: {
      from: now - 60 * minute,
      to: now,
      points: Array.from({ length: 60 }, (_, index) => {
        const calls = Math.round(20 + 14 * Math.sin(index / 6) + (index % 7))
        return {
          at: now - (60 - index) * minute,
          calls,
          errors: index % 11 === 0 ? 4 : 0,
          p50: 10 + (index % 5),
          p90: 40 + 10 * Math.sin(index / 9),
          p99: index % 13 === 0 ? 310 : 90,
          generation: index < 22 ? 2 : 3,
        }
      }),
    },
    queues,
    queue: queues[0],
    queueHistory: Array.from({ length: 90 }, (_, index) => ({
      at: now - (90 - index) * 1000,
      state: {
        ...queues[0],
        visible: Math.round(12 - 9 * Math.cos((index - 89) / 10)),
        inFlight: (index + 3) % 6,
        oldestAge: 800 * (index % 12),
      },
    })),
    queueMessages: Array.from({ length: 3 }, (_, index) => ({
      position: index + 1,
      messageId: `0b9e7a54-2f7e-4ab5-9d1c-00000000000${index}`,
      body: JSON.stringify({ order: 4711 + index, items: [{ sku: 'tea-01', count: 2 }], customer: 'ann' }),
      attributes: { priority: { dataType: 'String', stringValue: 'high', binaryValue: undefined } },
      sentAt: now - (25 - index) * minute,
      state: 'visible' as const,
      visibleAt: now - minute,
      receiveCount: 3,
      group: undefined,
      deduplicationId: undefined,
      deadLetterSource: 'orders',
    })),
    messageInvocations: { invocations: [failed], before: undefined },
    sendMessage: { messageId: '0b9e7a54-2f7e-4ab5-9d1c-7d5a41f2a001' },
    redrives: [
      {
        task: 't1',
        status: 'RUNNING',
        moved: 340,
        toMove: 1000,
        perSecond: 50,
        failure: undefined,
        startedAt: now - 7000,
      },
    ],
    resendMessage: { messageId: '0b9e7a54-2f7e-4ab5-9d1c-000000000009' },
    startRedrive: { task: 't1' },
    stopRedrive: { moved: 340 },
    mails: [
      mail,
      {
        ...mail,
        id: 'm-01HZX4',
        from: '',
        subject: 'Undelivered: Your order 4711 is on its way',
        report: true,
        receivedAt: now - 2 * minute,
        recipients: [{ ...mail.recipients[0], address: 'ann@shop.example' }],
      },
      {
        ...mail,
        id: 'm-01HZX5',
        from: 'news@offers.example',
        subject: 'You have won',
        receivedAt: now - 44 * minute,
        recipients: [{ ...mail.recipients[0], state: 'dropped', why: 'The function sort-mail drops it.' }],
      },
    ],
    mail: { mail, content },
    sendMail: {
      id: 'm-01HZX6',
      refused: [{ recipient: 'x@nowhere.example', reply: '550 5.1.1 Unknown user' }],
    },
    accessLog: [
      ['shop', 'queues', 'SendMessage', 'orders', 'allowed', '192.0.2.11', 240],
      ['ops', 'console', 'POST', 'queues/orders-failed/redrives', 'allowed', '192.0.2.40', 1],
      ['shop', 'queues', 'PurgeQueue', 'orders', 'denied', '192.0.2.11', 1],
      ['warehouse', 'queues', 'ReceiveMessage', 'orders', 'allowed', '192.0.2.12', 58],
      [undefined, 'userPools', 'AdminGetUser', undefined, 'InvalidSignature', '198.51.100.7', 12],
      ['ops', 'console', 'SignIn', undefined, 'allowed', '192.0.2.40', 1],
      ['shop', 'mail', 'MAIL', 'shop@shop.example', 'allowed', '192.0.2.11', 3],
    ].map(([identity, source, operation, resource, result, address, count], index) => ({
      ...{ id: 900 - index, first: now - (index + 2) * minute, last: now - (index + 1) * minute },
      ...{ identity, source, operation, resource, result, address, count },
    })) as FixtureAnswers['accessLog'],
    platforms: {
      isShared: true,
      platforms: [
        { host: 'signalbox-6c9f7-x2b4k', process: 1, seen: 21_400, isAlive: false, ago: 52 },
        { host: 'signalbox-6c9f7-9q7mz', process: 1, seen: 1200, isAlive: true, ago: 50 },
        { host: 'signalbox-6c9f7-tt5wd', process: 1, seen: 2600, isAlive: true, ago: 3 },
      ].map(({ ago, ...each }, index) => ({
        ...each,
        started: now - ago * minute,
        addresses: [
          { source: 'queues', url: `http://10.0.0.${index + 4}:9324/` },
          { source: 'mail', url: `smtp://10.0.0.${index + 4}:2525` },
        ],
      })),
    },
    mailboxes: [
      { address: 'bob@office.example', inbox: 2, junk: 1 },
      { address: 'ann@office.example', inbox: 1, junk: 0 },
    ],
    mailbox: [
      {
        address: 'bob@office.example',
        id: '1700000000.M1',
        folder: 'inbox',
        deliveredAt: now - 3 * minute,
        size: 18_400,
        sender: 'ann@shop.example',
        subject: 'Your order 4711 is on its way',
      },
      {
        address: 'bob@office.example',
        id: '1700000000.M2',
        folder: 'junk',
        deliveredAt: now - 50 * minute,
        size: 2400,
        sender: 'news@offers.example',
        subject: 'You have won',
      },
    ],
    mailboxMail: content,
    pools: [
      {
        name: 'staff',
        id: 'local-1_staff0001',
        issuer: 'http://127.0.0.1:9329/local-1_staff0001',
        url: 'http://127.0.0.1:9329',
        users: 3,
        groups: ['admins', 'editors'],
        clients: [{ name: 'web', id: 'c0ffee', flows: ['password', 'srp'] }],
      },
    ],
    users: {
      users: [
        user,
        { ...user, sub: 's2', name: 'bob', status: 'UNCONFIRMED', attributes: { email: 'bob@example.com' } },
        { ...user, sub: 's3', name: 'carl', enabled: false, attributes: { phone_number: '+15550100' } },
      ],
      after: undefined,
    },
    user: { user, groups: ['editors'], messages: [text] },
    poolMessages: [
      text,
      {
        ...text,
        medium: 'SMS',
        to: '+15550100',
        occasion: 'SignUp',
        subject: undefined,
        code: undefined,
        text: undefined,
      },
    ],
    signIn: {
      idToken: {
        header: { alg: 'RS256', kid: 'k1' },
        claims: {
          sub: user.sub,
          'cognito:username': 'ann',
          email: 'ann@example.com',
          token_use: 'id',
          tenant: 't1',
        },
      },
      accessToken: {
        header: { alg: 'RS256', kid: 'k1' },
        claims: { sub: user.sub, username: 'ann', token_use: 'access', scope: 'openid' },
      },
      hasRefreshToken: true,
      challenge: undefined,
    },
    samples: [
      { name: 'queue', family: 'queue' },
      { name: 'queue-fifo', family: 'queue' },
      { name: 'PreSignUp_SignUp', family: 'user-pool' },
    ],
    sample: {
      name: 'queue',
      family: 'queue',
      event: {
        Records: [
          {
            messageId: '0b9e7a54-2f7e-4ab5-9d1c-000000000001',
            body: '{"order":7}',
            attributes: { ApproximateReceiveCount: '1', SenderId: 'anonymous' },
            eventSource: 'cloud:queue',
          },
        ],
      },
      schema: {
        type: 'object',
        required: ['Records'],
        properties: {
          Records: {
            type: 'array',
            items: {
              type: 'object',
              required: ['messageId', 'body', 'attributes', 'eventSource'],
              properties: {
                messageId: { type: 'string' },
                body: { type: 'string' },
                attributes: {
                  type: 'object',
                  required: ['ApproximateReceiveCount', 'SenderId'],
                  properties: {
                    ApproximateReceiveCount: { type: 'string' },
                    SenderId: { type: 'string' },
                    MessageGroupId: { type: ['string', 'null'] },
                  },
                },
                eventSource: { const: 'cloud:queue' },
              },
            },
          },
        },
      },
    },
    loadBalancers: [{ name: 'web', url: 'http://127.0.0.1:8080', functions: ['shop'] }],
    sendRequest: {
      status: 200,
      statusText: 'OK',
      headers: [
        ['content-type', 'application/json'],
        ['date', 'Sun, 22 Nov 2026 20:25:06 GMT'],
      ],
      body: '{"id":7,"lines":[{"sku":"tea-01","count":2}]}',
      isBase64: false,
      duration: 14.2,
      invocation: newest?.id,
    },
  }
}

/** Returns the numbers that the live connection sends in one second. */
export function fixtureNumbers(now: number): LiveEvents['numbers'] {
  return {
    at: now,
    instances: { shop: 3, 'ship-orders': 2, 'sort-mail': 1, 'sign-up': 1 },
    calls: 12,
    errors: 1,
    queues: undefined,
  }
}
