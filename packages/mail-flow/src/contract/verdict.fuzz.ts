import fc from 'fast-check'
import { arbitraryMailEvent, arbitraryMailResponse, arbitraryText } from '../testing/arbitrary.ts'
import { addressKey } from './address.ts'
import { mailVerdict } from './verdict.ts'

const names = ['actions', 'action', 'type', 'parameters', 'bounceMessage', 'recipients', 'allRecipients']
const values = [
  'DROP',
  'BOUNCE',
  'DEFAULT',
  'MOVE_TO_JUNK',
  '',
  '\ud800',
  0,
  -0,
  1e308,
  5e-324,
  null,
  true,
  false,
]

/** Generates payloads that resemble responses, and any other payloads. */
export function arbitraryPayload(): fc.Arbitrary<string> {
  const key = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...names) },
    fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'errorMessage', 'length', '0'),
  )
  const { json } = fc.letrec<{ json: unknown }>(tie => ({
    json: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom(...values),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.array(fc.tuple(key, tie('json')), { maxLength: 5 }).map(entries => Object.fromEntries(entries)),
    ),
  }))
  const response = arbitraryMailEvent().chain(arbitraryMailResponse)
  const text = response.map(value => JSON.stringify(value))
  const damaged = fc.tuple(text, fc.nat(), fc.nat(8), arbitraryText(3)).map(([whole, at, length, piece]) => {
    const start = at % whole.length
    return whole.slice(0, start) + piece + whole.slice(start + length)
  })
  const doubled = text.map(whole => whole.replace('"actions"', '"actions":[],"actions"'))
  const deep = fc
    .tuple(
      fc.constantFrom(
        '[',
        '{"a":',
        '{"actions":[',
        '{"actions":[{"action":{"type":"BOUNCE","parameters":{"a":',
      ),
      fc.nat(20_000),
    )
    .map(([opening, depth]) => opening.repeat(depth % (400_000 / opening.length)))
  return fc.oneof(
    arbitraryText(40),
    fc.uint8Array({ maxLength: 80 }).map(bytes => Buffer.from(bytes).toString('utf8')),
    fc.json(),
    json.map(value => JSON.stringify(value)),
    { weight: 4, arbitrary: damaged },
    doubled,
    { weight: 1, arbitrary: deep },
  )
}

export interface VerdictFigures {
  decided: number
  failed: number
}

/**
 * Checks that any payload results in exactly one verdict about each recipient, and that nothing is thrown.
 */
export function verdictProperty(figures: VerdictFigures = { decided: 0, failed: 0 }) {
  return fc.property(arbitraryPayload(), arbitraryMailEvent(), (payload, event) => {
    const { kind, recipients } = mailVerdict(payload, event, { fallback: 'BOUNCE' })
    if (kind === 'ignored') throw new Error('a synchronous invocation was ignored')
    figures[kind]++
    const got = recipients.map(({ address }) => addressKey(address))
    const wanted = new Set(event.envelope.recipients.map(({ address }) => addressKey(address)))
    if (got.length !== wanted.size || !got.every(who => wanted.has(who)))
      throw new Error('recipients are lost')
    if (kind === 'failed' && recipients.some(({ disposition }) => disposition !== 'fallback'))
      throw new Error('a failed invocation decided something')
  })
}

export async function fuzz(runs: number, seed?: number): Promise<string> {
  const figures: VerdictFigures = { decided: 0, failed: 0 }
  fc.assert(verdictProperty(figures), { numRuns: runs, ...(seed === undefined ? {} : { seed }) })
  if (Object.keys(Object.prototype).length > 0) throw new Error('a payload changed every object')
  return `${runs} payloads: ${figures.decided} decided, ${figures.failed} failed invocations, none without a verdict`
}
