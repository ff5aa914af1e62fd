import type { InvocationDetails, InvocationSummary } from '../../api/invocations.ts'

const kinds = [
  ['shop', 'load balancer web', 'load-balancer', 'GET /orders/7', 'answered', true, '200 OK'],
  ['shop', 'load balancer web', 'load-balancer', 'POST /orders', 'answered', true, '201 Created'],
  [
    'ship-orders',
    'queue orders',
    'queue',
    '1 message',
    'failure',
    false,
    'failure: /batchItemFailures/0/itemIdentifier: expected string, was number 17',
  ],
  [
    'shop',
    'load balancer web',
    'load-balancer',
    'GET /orders?page=2',
    'malformed',
    false,
    '502 Bad Gateway: /body: expected string, was object',
  ],
  [
    'sort-mail',
    'mail',
    'mail-flow',
    'mail from ann@shop.example',
    'decided',
    true,
    'gone@office.example: bounce, bob@office.example: deliver',
  ],
  [
    'sign-up',
    'user pool staff',
    'user-pool',
    'PreSignUp_SignUp of bob',
    'accepted',
    true,
    'accepted with {"autoConfirmUser":true}',
  ],
  [
    'sign-up',
    'user pool staff',
    'user-pool',
    'PreSignUp_SignUp of eve',
    'denied',
    true,
    'denied: PreSignUp failed with error Staff addresses only.',
  ],
  ['ship-orders', 'queue orders', 'queue', '3 messages', 'partial', true, 'partial: m-2 failed'],
] as const

/** Returns invocations of four functions, newest first. */
export function fixtureSummaries(now: number): readonly InvocationSummary[] {
  return Array.from({ length: 40 }, (_, index) => {
    const [functionName, source, family, summary, kind, ok, text] =
      kinds[(index * 5) % kinds.length] ?? kinds[0]
    return {
      id: 1040 - index,
      requestId: `3f6c1f0e-2b7d-4b21-8d3a-${String(1040 - index).padStart(12, '0')}`,
      functionName,
      source,
      family,
      summary,
      attempt: kind === 'failure' ? 2 : 1,
      generation: 3,
      started: now - 4000 - index * 1900,
      duration: 4 + ((index * 37) % 420),
      verdict: { kind, ok, text },
      failure: undefined,
      masked: family === 'user-pool',
    }
  })
}

/** Returns the details of an invocation whose payload breaks the contract, with its related invocations. */
export function fixtureDetails(
  invocation: InvocationSummary,
  all: readonly InvocationSummary[],
  mails: InvocationDetails['mails'],
): InvocationDetails {
  const request = all.find(each => each.id < invocation.id && each.summary === 'POST /orders') ?? invocation
  const mailed = all.find(each => each.id > invocation.id && each.source === 'mail')
  const id = '0b9e7a54-2f7e-4ab5-9d1c-000000000001'
  return {
    invocation,
    event: JSON.stringify({
      Records: [
        {
          messageId: id,
          body: '{"order":4711,"items":[{"sku":"tea-01","count":2}]}',
          attributes: { ApproximateReceiveCount: '2', SentTimestamp: '1700000000000', SenderId: 'anonymous' },
          messageAttributes: {},
          eventSource: 'cloud:queue',
          cloudRegion: 'local-1',
        },
      ],
    }),
    isEventOmitted: false,
    payload: JSON.stringify({ batchItemFailures: [{ itemIdentifier: 17 }], took: 12.5, note: null }),
    logs: [
      { stream: 'out', text: 'shipping order 4711' },
      { stream: 'err', text: 'Error: no stock of tea-01\n    at ship (file:///shop/ship-orders.ts:14:11)' },
    ],
    eventProblems: [],
    payloadProblems: [
      { pointer: '/batchItemFailures/0/itemIdentifier', expected: 'string', actual: 'number 17' },
    ],
    ledFrom: [
      { invocation: request, by: 'shares', id },
      {
        invocation: { ...invocation, id: invocation.id - 1, attempt: 1, started: invocation.started - 2000 },
        by: 'attempt',
        id: invocation.requestId,
      },
    ],
    ledTo: mailed === undefined ? [] : [{ invocation: mailed, by: 'shares', id: 'ann@shop.example' }],
    mails,
  }
}
