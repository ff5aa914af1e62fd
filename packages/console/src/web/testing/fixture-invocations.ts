import type { InvocationDetails, InvocationSummary } from '../../api/invocations.ts'

const kinds = [
  ['shop', 'load balancer web', 'load-balancer', 'GET /orders/7', 'response', true, '200 OK'],
  ['shop', 'load balancer web', 'load-balancer', 'POST /orders', 'response', true, '201 Created'],
  ['ship-orders', 'queue orders', 'queue', '3 messages', 'partial', false, '1 of 3 messages failed: m-2'],
  [
    'shop',
    'load balancer web',
    'load-balancer',
    'GET /orders?page=2',
    'malformed',
    false,
    '/body: expected string, was object',
  ],
  [
    'sort-mail',
    'mail',
    'mail-flow',
    'mail from ann@shop.example',
    'decided',
    true,
    'bounce gone@office.example, deliver the others',
  ],
  [
    'sign-up',
    'user pool staff',
    'user-pool',
    'PreSignUp_SignUp of bob',
    'accepted',
    true,
    'confirmed automatically',
  ],
  [
    'sign-up',
    'user pool staff',
    'user-pool',
    'PreSignUp_SignUp of eve',
    'denied',
    true,
    'Staff addresses only',
  ],
  ['ship-orders', 'queue orders', 'queue', '1 message', 'success', true, '1 message is deleted'],
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
      attempt: kind === 'partial' ? 2 : 1,
      generation: 3,
      started: now - 4000 - index * 1900,
      duration: 4 + ((index * 37) % 420),
      verdict: { kind, ok, text },
      failure: undefined,
      masked: family === 'user-pool',
    }
  })
}

/** Returns an invocation that failed with a batch of messages, with its related invocations. */
export function fixtureDetails(
  invocation: InvocationSummary,
  all: readonly InvocationSummary[],
  mails: InvocationDetails['mails'],
): InvocationDetails {
  const [first, second, third] = all.slice(5)
  const related = (of: InvocationSummary | undefined, by: 'attempt' | 'shares') =>
    of === undefined ? [] : [{ invocation: of, by, id: '0b9e7a54-2f7e-4ab5-9d1c-000000000001' }]
  return {
    invocation,
    event: JSON.stringify({
      Records: [
        {
          messageId: '0b9e7a54-2f7e-4ab5-9d1c-000000000001',
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
    ledFrom: [...related(second, 'shares'), ...related(first, 'attempt')],
    ledTo: related(third, 'attempt'),
    mails,
  }
}
