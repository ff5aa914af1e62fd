import { batchOf } from '../data/batch.ts'
import { httpEvent } from '../data/http.ts'
import { outboundMail } from '../data/mail.ts'
import { tokenGenerationText } from '../data/token-generation.ts'
import type { Role } from '../harness/work.ts'

/** A handler that is bundled, started in a fresh process and asked once. */
export interface ColdContender {
  readonly name: string
  readonly role: Role
  /** Its file in this folder, without the ending. */
  readonly file: string
  readonly event: unknown
  /** Whether it does what it is measured for. */
  readonly right: (answer: never) => boolean
  /** Whether it holds its input against a schema. */
  readonly validates: boolean
}

const batch = {
  event: batchOf(['{"id":"a","items":[{"sku":"b","quantity":2}]}', '{"id":"c","items":[]}']),
  right: (answer: { batchItemFailures?: readonly unknown[] }) => answer.batchItemFailures?.length === 1,
}
const request = {
  event: httpEvent('single', { method: 'GET', path: '/orders/7' }),
  right: (answer: { statusCode?: number; body?: string }) =>
    answer.statusCode === 200 && answer.body === '{"id":"7"}',
}
const trigger = {
  event: JSON.parse(tokenGenerationText()) as unknown,
  right: (answer: { response?: { claimsOverrideDetails?: unknown } }) =>
    answer.response?.claimsOverrideDetails !== undefined,
}
const mail = {
  event: outboundMail(2),
  right: (answer: { actions?: readonly unknown[] }) => answer.actions?.length === 1,
}
const nothing = { event: {}, right: () => true }

/** How large the bundle of a file of this folder may be. */
export interface Budget {
  /** Bytes, minified, that it was to have at most. */
  readonly goal: number
  /** Bytes that a test holds it to: the goal where it is reached, elsewhere what was, so that it cannot grow unnoticed. */
  readonly held: number
  /** Whether it brings a codec of io-ts of its own. */
  readonly ioTs: boolean
  /** Why it does not reach the goal. */
  readonly otherwise: string
}

/** Why a family does not reach its goal, and what would be left of it, in kilobytes, without what it names. */
function heavy(left: number): string {
  return `Three things would have to go: what makes guards of the contract and knows io-ts when a function starts (8 kB; guards written when packages are built would take less), what finds words for problems (6 kB), and the validator of middy (3 kB). Without all of it about ${left} kB would be left.`
}

const ioTs =
  'The handler brings a codec of io-ts, whose classes stay in a bundle whatever is used of them (10 kB with fp-ts).'

export const budgets: Readonly<Record<string, Budget>> = {
  'signalbox-codec': {
    goal: 14_000,
    held: 27_400,
    ioTs: true,
    otherwise: `${ioTs} Of the rest, a fifth generates guards, a quarter knows the codecs of io-ts without naming them all, which would bring 8 kB more of it, and the half says what is wrong with a value, of which a function needs all or nothing.`,
  },
  'signalbox-queue': { goal: 30_000, held: 58_700, ioTs: true, otherwise: `${ioTs} ${heavy(31)}` },
  'signalbox-user-pool': { goal: 30_000, held: 48_800, ioTs: false, otherwise: heavy(31) },
  'signalbox-mail-flow': { goal: 30_000, held: 46_700, ioTs: false, otherwise: heavy(29) },
  'signalbox-load-balancer': {
    goal: 30_000,
    held: 70_000,
    ioTs: true,
    otherwise: `${ioTs} Routes, cookies, forms and both forms of headers make the family the largest. ${heavy(42)}`,
  },
}

export const coldContenders: readonly ColdContender[] = [
  { name: 'an empty file', role: 'floor', file: 'empty', validates: false, ...nothing },
  { name: 'bare middy', role: 'floor', file: 'middy', validates: false, ...nothing },
  { name: 'Signalbox codec', role: 'ours', file: 'signalbox-codec', validates: true, ...nothing },
  { name: 'Signalbox queue', role: 'ours', file: 'signalbox-queue', validates: true, ...batch },
  { name: 'Signalbox user-pool', role: 'ours', file: 'signalbox-user-pool', validates: true, ...trigger },
  { name: 'Signalbox mail-flow', role: 'ours', file: 'signalbox-mail-flow', validates: true, ...mail },
  {
    name: 'Signalbox load-balancer',
    role: 'ours',
    file: 'signalbox-load-balancer',
    validates: true,
    ...request,
  },
  { name: 'Signalbox, all four', role: 'ours', file: 'signalbox-everything', validates: true, ...batch },
  { name: 'middy batch + io-ts', role: 'peer', file: 'middy-queue-io-ts', validates: true, ...batch },
  { name: 'middy batch + ajv', role: 'peer', file: 'middy-queue-ajv', validates: true, ...batch },
  {
    name: 'Powertools batch + zod 4',
    role: 'peer',
    file: 'powertools-queue-zod',
    validates: true,
    ...batch,
  },
  {
    name: 'Powertools batch + zod 4 mini',
    role: 'peer',
    file: 'powertools-queue-zod-mini',
    validates: true,
    ...batch,
  },
  {
    name: 'Powertools batch + valibot',
    role: 'peer',
    file: 'powertools-queue-valibot',
    validates: true,
    ...batch,
  },
  { name: 'middy router', role: 'peer', file: 'middy-http', validates: false, ...request },
  { name: 'Hono, Lambda adapter', role: 'peer', file: 'hono', validates: false, ...request },
  { name: 'Hono, Lambda adapter + zod 4', role: 'peer', file: 'hono-zod', validates: true, ...request },
  { name: 'lambda-api', role: 'peer', file: 'lambda-api', validates: false, ...request },
  {
    name: 'Powertools event handler',
    role: 'peer',
    file: 'powertools-http',
    validates: false,
    ...request,
  },
]
