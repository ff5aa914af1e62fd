import { encoded } from '@signalbox/telemetry/masking'
import { hostileTexts } from '@signalbox/telemetry/testing/hostile-texts'
import fc from 'fast-check'
import { caseCosts } from '../testing/case-costs.ts'
import type { NewInvocationLogEntry } from './entry.ts'
import { entryOf, type InvocationRow, rowOf } from './invocation-row.ts'
import { maskedEntry } from './masked-entry.ts'

const secret = 'hunter2-Hunter2'

const secretName = fc.constantFrom(
  ...[
    'password',
    'newPassword',
    'X-Api-Key',
    'access_token',
    'otp',
    'pin',
    'Cookie',
    'authorization',
    'user[pwd]',
  ],
)
const hostile = fc
  .tuple(
    fc.constantFrom(...Object.keys(hostileTexts)),
    fc.oneof({ weight: 999, arbitrary: fc.nat(3000) }, fc.nat(100_000)),
  )
  .map(([name, size]) => hostileTexts[name]!(size + 1))
const piece = fc.oneof(
  fc.string(),
  fc.string({
    unit: fc.constantFrom('"', '\\', '=', ':', '&', '%', '{', '[', '<', '/', 'token', 'eyJ', '\n', 'u0061'),
  }),
  hostile,
)

/** Strings that contain the secret as the value of a secret name. */
const text: fc.Arbitrary<string> = fc.tuple(secretName, piece, fc.nat(5)).map(([name, beside, shape]) => {
  switch (shape) {
    case 0:
      return JSON.stringify({ [beside]: 1, [name]: secret, beside })
    case 1:
      return JSON.stringify([{ beside, deep: { [name]: { a: [secret] } } }])
    case 2:
      return `a=${encoded(beside)}&${name}=${secret}&b=1`
    case 3:
      return JSON.stringify({ data: JSON.stringify({ beside, [name]: secret }) })
    case 4:
      return Buffer.from(JSON.stringify({ [name]: secret, beside })).toString('base64')
    default:
      return JSON.stringify({ headers: [{ value: secret, name }], beside })
  }
})

const entry: fc.Arbitrary<NewInvocationLogEntry> = fc
  .record({ held: text, junk: piece, key: fc.oneof(fc.string(), hostile), where: fc.nat(3) })
  .map(({ held, junk, key, where }) => ({
    ...{
      requestId: 'r',
      functionName: 'shop',
      source: 'invoke',
      family: undefined,
      attempt: 1,
      generation: 1,
    },
    ...{ started: 0, duration: 0, verdict: undefined },
    event: JSON.stringify({ [key]: junk, body: where === 0 ? held : junk }),
    payload: where === 1 ? held : JSON.stringify({ body: junk }),
    failure: where === 2 ? { kind: 'threw', message: held } : undefined,
    logs: [{ stream: 'out', text: where === 3 ? held : junk }],
  }))

/**
 * Masks entries that contain hostile strings and a secret, and checks that the secret is gone and JSON is still valid.
 */
export async function fuzz(runs: number, seed: number): Promise<string> {
  const costs = caseCosts()
  await costs.inHalves(half =>
    fc.assert(
      fc.asyncProperty(entry, async each => {
        let row: InvocationRow | undefined
        await costs.hold(
          () => `an entry: ${JSON.stringify(each).slice(0, 2000)}`,
          () => {
            row = rowOf(maskedEntry(each))
          },
        )
        const { event, payload, failure, logs } = entryOf({ id: 1, ...row! })
        const stored = [event, payload, failure?.message, ...logs.map(line => line.text)].join('\n')
        if (opened(stored).includes(secret)) throw new Error('The secret is in the invocation log')
        JSON.parse(event)
        if (isJson(each.payload) && !isJson(payload)) throw new Error('The payload is not JSON any more')
      }),
      { numRuns: Math.ceil(runs / 2), seed: seed + half },
    ),
  )
  return `${runs} entries, ${costs.figures()}`
}

function opened(stored: string): string {
  return stored.replaceAll(/[\w+/-]{16,}={0,2}/g, part => `${part} ${Buffer.from(part, 'base64')}`)
}

function isJson(payload: string): boolean {
  try {
    JSON.parse(payload)
    return true
  } catch {
    return false
  }
}
