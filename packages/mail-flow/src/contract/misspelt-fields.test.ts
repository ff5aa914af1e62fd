import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { mailFlow } from '../mail-flow.ts'
import { mailEvent } from '../testing/index.ts'
import { misspeltFields } from './misspelt-fields.ts'
import { mailVerdict } from './verdict.ts'

const drop = { type: 'DROP' }

describe('a misspelt field of a mail-flow response', () => {
  const misspelt: readonly [response: object, pointer: string, meant: string][] = [
    [{ action: [], actions: [{ action: drop }] }, '/action', 'actions'],
    [{ actions: [{ action: drop, allRecipient: true }] }, '/actions/0/allRecipient', 'allRecipients'],
    [{ actions: [{ action: drop, Recipients: [] }] }, '/actions/0/Recipients', 'recipients'],
    [{ actions: [{ action: { typ: 'DROP' } }] }, '/actions/0/action/typ', 'type'],
    [{ actions: [{ action: { ...drop, parameter: {} } }] }, '/actions/0/action/parameter', 'parameters'],
    [
      { actions: [{ action: drop }, { action: { type: 'BOUNCE', parameters: { bounceMesage: 'x' } } }] },
      '/actions/1/action/parameters/bounceMesage',
      'bounceMessage',
    ],
  ]
  it.each(misspelt.map(([response, pointer, meant]) => [pointer, meant, response] as const))(
    'at %s is refused by the function and the platform, which both suggest "%s"',
    async (pointer, meant, response) => {
      const event = mailEvent()
      const text = `${pointer}: expected no such field; did you mean ${meant}?`
      const handler = signalbox(mailFlow(() => response as never))
      await expect(handler(event)).rejects.toThrow(text)
      const verdict = mailVerdict(JSON.stringify(response), event)
      expect(verdict.kind).toBe('failed')
      expect(verdict).toMatchObject({ why: expect.stringContaining(text) })
    },
  )

  it('default, which the service does not read, gets a hint at allRecipients', async () => {
    const response = { actions: [{ action: drop, default: true }] }
    const text =
      '/actions/0/default: expected allRecipients: true for an action that is for all other recipients'
    await expect(signalbox(mailFlow(() => response as never))(mailEvent())).rejects.toThrow(text)
    expect(mailVerdict(JSON.stringify(response), mailEvent())).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining(text),
    })
  })

  it.each([
    ['id and note', { id: 7, actions: [{ action: drop, note: 'x', allRecipients: true }] }],
    [
      'reason and bounceText',
      { actions: [{ action: { ...drop, reason: 'spam', parameters: { bounceText: 'x' } } }] },
    ],
  ])('is not confused with the unknown fields %s, which resemble no known field', (_, response) => {
    expect(misspeltFields(response)).toEqual([])
    expect(mailVerdict(JSON.stringify(response), mailEvent()).kind).toBe('decided')
  })

  it.each([undefined, null, 'actions', [], { actions: null }, { actions: [null, 7, { action: [] }] }])(
    'is not reported for the response %j',
    response => {
      expect(misspeltFields(response)).toEqual([])
    },
  )
})

const toAll = { action: drop, allRecipients: true }
const beside = 'beside action, in an element of actions'
it.each<[pointer: string, place: string, response: object]>([
  ['/allRecipients', beside, { actions: [{ action: drop }], allRecipients: true }],
  ['/recipients', beside, { actions: [toAll], recipients: ['ann@office.example'] }],
  ['/actions/0/action/allRecipients', beside, { actions: [{ action: { ...drop, allRecipients: true } }] }],
  ['/actions/1/action/recipients', beside, { actions: [toAll, { action: { ...drop, recipients: [] } }] }],
  [
    '/actions/0/parameters',
    'inside action',
    { actions: [{ ...toAll, action: { type: 'BOUNCE' }, parameters: { bounceMessage: 'Gone' } }] },
  ],
  [
    '/actions/0/action/bounceMessage',
    'inside the parameters of action',
    { actions: [{ ...toAll, action: { type: 'BOUNCE', bounceMessage: 'Gone' } }] },
  ],
])(
  'a field at the wrong place, %s, is refused by the function and the platform',
  async (at, place, response) => {
    const event = mailEvent()
    const text = `${at}: expected ${at.split('/').at(-1)} ${place}, was at another place`
    await expect(signalbox(mailFlow(() => response as never))(event)).rejects.toThrow(text)
    const verdict = mailVerdict(JSON.stringify(response), event)
    expect(verdict).toMatchObject({ kind: 'failed', why: expect.stringContaining(text) })
  },
)

it('parameters may have any names, even those of fields at other places', () => {
  const parameters = { recipients: [], allRecipients: true, bounceMessage: 'x' }
  expect(misspeltFields({ actions: [{ action: { ...drop, parameters } }] })).toEqual([])
})

it('the problem with a misspelt field has the pointer and the correct name, but not the value', () => {
  expect(misspeltFields({ action: ['secret'] })).toEqual([
    { pointer: '/action', expected: 'no such field; did you mean actions?', actual: 'a field' },
  ])
})

it('a type beside the action is reported with a hint to write it inside the action', () => {
  expect(misspeltFields({ actions: [{ type: 'DROP', allRecipients: true }] })).toEqual([
    { pointer: '/actions/0/type', expected: 'it inside action: action: { type: … }', actual: 'beside it' },
  ])
  expect(misspeltFields({ actions: [{ action: drop, type: 'of my own' }] })).toEqual([])
})
