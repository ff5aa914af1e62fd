import { describe, expect, it } from '@jest/globals'
import { mailEvent } from '../testing/index.ts'
import { heldBy } from './actions.ts'
import { isAsBuilt } from './built-response.ts'
import { mailActions } from './mail-actions.ts'

const event = mailEvent({ recipients: ['ann@office.example', 'bob@office.example'] })
const build = () => mailActions(event).bounce('Gone', ['ann@office.example']).drop().response()

type Loose = {
  actions: { action: Record<string, unknown>; recipients?: string[]; allRecipients?: unknown }[]
}

describe('isAsBuilt', () => {
  it('returns true for the unchanged response of a builder, but not for a copy of it', () => {
    expect(isAsBuilt(build(), event, 'refuse')).toBe(true)
    expect(isAsBuilt(structuredClone(build()), event, 'refuse')).toBe(false)
  })

  it('returns false for a different event or a different overflow option', () => {
    expect(isAsBuilt(build(), { ...event }, 'refuse')).toBe(false)
    expect(isAsBuilt(build(), event, 'fallback')).toBe(false)
  })

  it('returns false for a response that may exceed the size limit', () => {
    const almost = mailActions(event).bounce('x'.repeat(43_000)).response()
    expect(isAsBuilt(almost, event, 'refuse')).toBe(true)
    const perhaps = mailActions(event).bounce('x'.repeat(44_000)).response()
    expect(isAsBuilt(perhaps, event, 'refuse')).toBe(false)
  })

  it.each<[string, (response: Loose) => void]>([
    [
      'has another bounce message',
      ({ actions }) => Object.assign(actions[0]?.action.parameters as object, { bounceMessage: 'Gone!' }),
    ],
    ['has another type', ({ actions }) => Object.assign(actions[0]!.action, { type: 'DROP' })],
    ['has lost its parameters', ({ actions }) => delete actions[0]?.action.parameters],
    ['has another recipient', ({ actions }) => actions[0]?.recipients?.splice(0, 1, 'bob@office.example')],
    ['has one more recipient', ({ actions }) => actions[0]?.recipients?.push('bob@office.example')],
    ['has recipients that are not a list', ({ actions }) => Object.assign(actions[0]!, { recipients: {} })],
    ['has null as recipients', ({ actions }) => Object.assign(actions[0]!, { recipients: null })],
    ['has a string as allRecipients', ({ actions }) => Object.assign(actions[1]!, { allRecipients: 'true' })],
    ['has one more action', ({ actions }) => actions.push({ action: { type: 'DROP' } })],
    ['has one more field', response => Object.assign(response, { extra: 'x' })],
    ['has one more nested field', ({ actions }) => Object.assign(actions[1]!.action, { parameters: {} })],
  ])('returns false for a response that a handler changed so that it %s', (_, change) => {
    const response = build()
    change(response as unknown as Loose)
    expect(isAsBuilt(response, event, 'refuse')).toBe(false)
  })

  it('returns false for a response after another call of its builder, but true for the next response', () => {
    const actions = mailActions(event).drop(['ann@office.example'])
    const response = actions.response()
    actions.drop(['bob@office.example'])
    expect(isAsBuilt(response, event, 'refuse')).toBe(false)
    expect(isAsBuilt(actions.response(), event, 'refuse')).toBe(true)
  })

  it('returns true only for a response below the size limit, even with unusual characters', () => {
    for (const text of ['\u0000', '\ud800', '"', '😀', '中', 'x']) {
      const response = mailActions(event)
        .bounce(text.repeat(Math.floor(43_500 / text.length)))
        .response()
      expect(isAsBuilt(response, event, 'refuse')).toBe(true)
      expect(Buffer.byteLength(JSON.stringify(response))).toBeLessThanOrEqual(262_144)
    }
    // The bounce message alone is below the size limit, but the response is above it.
    const response = mailActions(event).bounce('\u0000'.repeat(43_690))
    expect(() => response.response()).toThrow('The response has 262237 bytes')
    const decided = heldBy(response)!()!
    expect(isAsBuilt(decided, event, 'refuse')).toBe(false)
  })
})
