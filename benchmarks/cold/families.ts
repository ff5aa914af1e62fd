import { batchVerdict } from '@signalbox/queue/contract'
import { batchOf, oddRecords } from '../data/batch.ts'
import { httpEvent } from '../data/http.ts'
import { outboundMail } from '../data/mail.ts'
import { tokenGenerationVariants } from '../data/token-generation.ts'

/** The answer of a handler. It has `failed` only if the handler threw. */
export interface Answer {
  readonly answer?: unknown
  readonly failed?: true
}

/** An event family whose handlers start in fresh processes. */
export interface Family {
  /** The events for the handlers, in turn. Only the first one is timed. */
  readonly questions: readonly unknown[]
  /** Returns the platform's verdict on an answer, in a form in which all handlers can be compared. */
  readonly conclude: (answer: Answer, question: never) => unknown
}

const good = '{"id":"a","items":[{"sku":"b","quantity":2}]}'
const oddOrders = [
  'not JSON',
  '{}',
  '{"id":"a","items":[{"sku":"b","quantity":"2"}]}',
  '{"id":"a","items":{}}',
]
const order = (body: string) =>
  httpEvent('single', {
    method: 'POST',
    path: '/orders',
    headers: { 'content-type': 'application/json' },
    body,
  })

export const families = {
  queue: {
    // No message of the timed batch fails, because Signalbox logs failures for its users and its peers do not.
    questions: [
      batchOf([good, good]),
      batchOf([good, '{"id":"c","items":[]}']),
      batchOf([good, ...oddOrders]),
      oddRecords(),
    ],
    conclude: ({ answer }, question) => {
      const verdict = batchVerdict(JSON.stringify(answer ?? null), question)
      return verdict.kind === 'partial' ? [...verdict.failed].sort() : verdict.kind
    },
  },
  'user-pool': {
    questions: tokenGenerationVariants().flatMap(({ event, drift }) => (drift ? [] : [event])),
    conclude: ({ answer, failed }) => failed ?? (answer as { readonly response: unknown }).response,
  },
  'mail-flow': {
    questions: [outboundMail(2), { ...outboundMail(2), flowDirection: 'SIDEWAYS' }],
    conclude: ({ answer, failed }) => failed ?? answer,
  },
  'load-balancer': {
    questions: [
      httpEvent('single', { method: 'GET', path: '/orders/7' }),
      order(good),
      ...oddOrders.map(order),
    ],
    conclude: httpConclusion,
  },
  telemetry: {
    questions: [httpEvent('single', { method: 'GET', path: '/orders/7' })],
    conclude: httpConclusion,
  },
} satisfies Readonly<Record<string, Family>>

interface HttpAnswer {
  readonly statusCode?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

function httpConclusion({ answer }: Answer): unknown {
  const { statusCode = 500, headers, body = '' } = (answer ?? {}) as HttpAnswer
  if (statusCode >= 400) return statusCode < 500 ? 'refused' : 'failed'
  return { status: statusCode, location: headers?.location, body: JSON.parse(body) as unknown }
}
