import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { mailVerdict } from '../contract/index.ts'
import { mailEvent } from '../testing/index.ts'
import { builderProperty } from './actions.fuzz.ts'
import { mailActions } from './mail-actions.ts'

const [ann, bob, cyd] = ['ann@office.example', 'bob@office.example', 'cyd@office.example'] as const
const inbound = mailEvent({ recipients: [ann, bob, cyd] })
const many = (count: number) => Array.from({ length: count }, (_, i) => `r${i}@office.example`)
const texts = (count: number) => Array.from({ length: count }, (_, i) => `text ${i}`)

describe('the action builder', () => {
  it('makes a response with one action for one recipient and another action for the rest', () => {
    const response = mailActions(inbound).bounce('Left the company', [bob]).default().response()
    expect(response).toEqual({
      actions: [
        { action: { type: 'BOUNCE', parameters: { bounceMessage: 'Left the company' } }, recipients: [bob] },
        { action: { type: 'DEFAULT' }, allRecipients: true },
      ],
    })
  })

  it('has a method for each type of action', () => {
    const types = [
      mailActions(inbound).bounce(),
      mailActions(inbound).drop(),
      mailActions(inbound).default(),
      mailActions(inbound).bypassSpamCheck(),
      mailActions(inbound).moveToJunk(),
    ].map(actions => actions.response().actions[0]?.action)
    expect(types).toEqual([
      { type: 'BOUNCE' },
      { type: 'DROP' },
      { type: 'DEFAULT' },
      { type: 'BYPASS_SPAM_CHECK' },
      { type: 'MOVE_TO_JUNK' },
    ])
  })

  it('makes a response with DEFAULT for all recipients when no action was added', () => {
    const everyone = { actions: [{ action: { type: 'DEFAULT' }, allRecipients: true }] }
    expect(mailActions(inbound).response()).toEqual(everyone)
    expect(mailActions(inbound).drop([]).bounce('x', []).response()).toEqual(everyone)
    expect(mailActions(inbound).drop([]).response().warnings).toEqual([])
  })

  it('merges calls with the same action, so that 500 equal bounces become one action', () => {
    const actions = mailActions(mailEvent({ recipients: many(500), outbound: true }))
    for (const address of many(500)) actions.bounce('Gone', [address])
    expect(actions.response().actions).toEqual([
      { action: { type: 'BOUNCE', parameters: { bounceMessage: 'Gone' } }, recipients: many(500) },
    ])
  })

  it('treats an empty string as a bounce message, and null as no bounce message', () => {
    const actions = mailActions(inbound)
      .bounce(null as never, [ann])
      .bounce(undefined, [bob])
      .bounce('', [cyd])
    expect(actions.response().actions).toEqual([
      { action: { type: 'BOUNCE' }, recipients: [ann, bob] },
      { action: { type: 'BOUNCE', parameters: { bounceMessage: '' } }, recipients: [cyd] },
    ])
  })

  it('omits a recipient whose action equals the action for all recipients', () => {
    expect(mailActions(inbound).drop([ann]).drop().drop().response().actions).toEqual([
      { action: { type: 'DROP' }, allRecipients: true },
    ])
  })

  it('names a recipient that the event does not list beside the same action for all, in either order', () => {
    const archive = 'archive@office.example'
    const response = {
      actions: [
        { action: { type: 'DEFAULT' }, recipients: [archive] },
        { action: { type: 'DEFAULT' }, allRecipients: true },
      ],
    }
    for (const event of [inbound, mailEvent({ outbound: true })]) {
      expect(mailActions(event).default([archive]).default().response()).toEqual(response)
      expect(mailActions(event).default().default([archive]).response()).toEqual(response)
    }
    expect(mailActions(inbound).default([ann, archive]).default().response()).toEqual(response)
  })

  it('puts the action for all other recipients last', () => {
    const { actions } = mailActions(inbound).drop().default([ann]).bounce('x', [bob]).response()
    expect(actions.map(({ action }) => action.type)).toEqual(['DEFAULT', 'BOUNCE', 'DROP'])
  })

  it('ignores the case of domains, and spells addresses as the event does', () => {
    const event = mailEvent({
      recipients: ['Ann@OFFICE.example', 'ann@Office.example', 'Ann@office.example'],
    })
    const actions = mailActions(event).drop(['Ann@office.EXAMPLE', 'Ann@OFFICE.example'])
    expect(actions.response().actions[0]?.recipients).toEqual(['Ann@OFFICE.example'])
    expect(actions.default(['ann@office.example']).response().actions[1]?.recipients).toEqual([
      'ann@Office.example',
    ])
    expect(() => actions.default(['Ann@office.example'])).toThrow(
      '"Ann@office.example" already has the action DROP',
    )
  })

  it('makes a response that later calls do not change', () => {
    const actions = mailActions(inbound).drop([ann])
    const response = actions.response()
    actions.drop([bob]).default()
    expect(response.actions).toEqual([{ action: { type: 'DROP' }, recipients: [ann] }])
  })

  it('accepts every recipient of the event, even if it is not an address', () => {
    const event = mailEvent({ recipients: ['Postmaster', 'a b@c', ''], outbound: true })
    expect(
      mailActions(event).drop(['Postmaster', 'a b@c', '']).response().actions[0]?.recipients,
    ).toHaveLength(3)
  })

  it('refuses invalid options', () => {
    expect(() => mailActions(inbound, { overflw: 'fallback' } as never)).toThrow('Did you mean overflow?')
    expect(() => mailActions(inbound, { overflow: 'falback' } as never)).toThrow(
      'mailActions(): overflow is "falback", expected refuse or fallback',
    )
  })
})

describe('unique actions', () => {
  const ten = () => {
    const actions = mailActions(mailEvent({ recipients: many(20) }))
    for (const [i, text] of texts(10).entries()) actions.bounce(text, [`r${i}@office.example`])
    return actions
  }

  it('are limited to ten, and the error about an eleventh action lists the first ten', () => {
    const refused = () => ten().drop(['r15@office.example'])
    const actions = texts(10).map(bounceMessage => ({ type: 'BOUNCE', parameters: { bounceMessage } }))
    const error = { name: 'TooManyActionsError', code: 'TOO_MANY_ACTIONS', actions }
    expect(refused).toThrow(expect.objectContaining(error))
    for (const text of texts(10)) expect(refused).toThrow(text)
    expect(() => ten().default()).toThrow('DEFAULT would be the eleventh')
    expect(() => ten().bounce('text 3', many(20).slice(10)).drop([])).not.toThrow()
  })

  it('may exceed ten with the fallback option, and a warning names the recipients of the extra actions', () => {
    const event = mailEvent({ recipients: many(14) })
    const actions = mailActions(event, { overflow: 'fallback' }).default()
    for (const [i, text] of texts(12).entries()) actions.bounce(text, [`r${i}@office.example`])
    const response = actions.response()
    expect(response.warnings).toEqual([
      {
        kind: 'overflow',
        recipients: ['r9@office.example', 'r10@office.example', 'r11@office.example'],
        message:
          'The action for "r9@office.example", "r10@office.example", "r11@office.example" is not among the first ten ' +
          'unique actions. The fallback action applies.',
      },
    ])
    const { recipients } = mailVerdict(JSON.stringify(response), event, { fallback: 'DROP' })
    expect(recipients.map(({ disposition }) => disposition)).toEqual([
      ...Array(9).fill('bounce'),
      ...Array(3).fill('fallback'),
      'deliver',
      'deliver',
    ])
  })

  it('come before the action for all other recipients only if they are among the first ten', () => {
    const event = mailEvent({ recipients: many(12) })
    const actions = mailActions(event, { overflow: 'fallback' })
    for (const [i, text] of texts(10).entries()) actions.bounce(text, [`r${i}@office.example`])
    const response = actions.drop().bounce('text 10', ['r10@office.example']).response()
    expect(response.actions.map(({ action }) => action.type)).toEqual([
      ...Array(10).fill('BOUNCE'),
      'DROP',
      'BOUNCE',
    ])
    expect(response.warnings[0]?.recipients).toEqual(['r10@office.example', 'r11@office.example'])
  })
})

describe('any sequence of builder calls', () => {
  it('throws a documented error or makes the response that the calls ask for', () => {
    const figures = { refused: 0, overflowed: 0, decided: 0 }
    fc.assert(builderProperty(figures), { numRuns: 300 })
    for (const figure of Object.values(figures)) expect(figure).toBeGreaterThan(2)
  })
})
