import { describe, expect, it } from '@jest/globals'
import { compile, problems } from '@signalbox/codec'
import fc from 'fast-check'
import { arbitraryMailEvent, arbitraryMailResponse } from '../testing/index.ts'
import { actionTypes, decisionFields, MailAction, MailResponse, mailResponseFields } from './response.ts'

const isMailResponse = compile(MailResponse)
const pointers = (response: unknown) => [
  ...new Set(problems(MailResponse, response).map(({ pointer }) => pointer)),
]
const accepts = (...decisions: readonly unknown[]) => {
  const accepted = isMailResponse({ actions: decisions })
  expect(pointers({ actions: decisions }).length === 0).toBe(accepted)
  return accepted
}

describe('C. Mail-flow invocation, output', () => {
  it('actions | Array | yes, at least 1 element | Actions to take', () => {
    expect(accepts({ action: { type: 'DEFAULT' } })).toBe(true)
    for (const broken of [{}, { actions: null }, { actions: {} }, { actions: [] }, { actions: 'DROP' }]) {
      expect(isMailResponse(broken)).toBe(false)
      expect(pointers(broken)).toEqual(['/actions'])
    }
    for (const broken of [null, undefined, [], 'DROP', 7]) {
      expect(isMailResponse(broken)).toBe(false)
      expect(pointers(broken)).toEqual([''])
    }
  })

  it('actions[].action.type | String | yes | BOUNCE, DROP or DEFAULT', () => {
    for (const type of ['BOUNCE', 'DROP', 'DEFAULT']) expect(accepts({ action: { type } })).toBe(true)
    for (const type of ['bounce', '', null, 7, 'toString', '__proto__', undefined])
      expect(accepts({ action: { type } })).toBe(false)
    for (const action of [undefined, null, 'DROP', [], {}]) expect(accepts({ action })).toBe(false)
    expect(pointers({ actions: [{ action: { type: 'DROP' } }, {}] })).toEqual(['/actions/1/action'])
  })

  it('extension: inbound actions may also be BYPASS_SPAM_CHECK and MOVE_TO_JUNK', () => {
    for (const type of ['BYPASS_SPAM_CHECK', 'MOVE_TO_JUNK']) expect(accepts({ action: { type } })).toBe(true)
    const extensions = Object.entries(actionTypes).filter(([, row]) => 'extension' in row)
    expect(extensions.map(([name]) => name)).toEqual(['BYPASS_SPAM_CHECK', 'MOVE_TO_JUNK'])
    for (const [, row] of extensions) expect(row.inboundOnly).toBe(true)
    for (const name of ['BOUNCE', 'DROP', 'DEFAULT'] as const)
      expect(actionTypes[name].inboundOnly).toBe(false)
  })

  it('actions[].action.parameters | Object | no | For BOUNCE, may hold bounceMessage (String)', () => {
    const bounce = (parameters: unknown) => accepts({ action: { type: 'BOUNCE', parameters } })
    for (const good of [{ bounceMessage: 'Gone' }, { bounceMessage: '' }, {}, { bounceMessage: null }, null])
      expect(bounce(good)).toBe(true)
    for (const bad of [{ bounceMessage: 7 }, { bounceMessage: ['Gone'] }, 'Gone', [], 7])
      expect(bounce(bad)).toBe(false)
    for (const type of ['DROP', 'DEFAULT', 'BYPASS_SPAM_CHECK', 'MOVE_TO_JUNK']) {
      expect(accepts({ action: { type, parameters: {} } })).toBe(true)
      expect(accepts({ action: { type, parameters: null } })).toBe(true)
      expect(accepts({ action: { type, parameters: 'none' } })).toBe(false)
    }
  })

  it('actions[].recipients | List of String | no | Recipients the action applies to', () => {
    const to = (recipients: unknown) => accepts({ action: { type: 'DROP' }, recipients })
    for (const good of [undefined, null, [], ['a@b.example'], ['a@b.example', 'a@b.example']])
      expect(to(good)).toBe(true)
    for (const bad of ['a@b.example', [7], [null], {}, [{ address: 'a@b.example' }]])
      expect(to(bad)).toBe(false)
    const broken = { actions: [{ action: { type: 'DROP' }, recipients: ['a@b.example', 7] }] }
    expect(pointers(broken)[0]).toBe('/actions/0/recipients/1')
  })

  it('actions[].allRecipients | Boolean | no | Whether the action applies to all recipients', () => {
    for (const good of [undefined, null, true, false])
      expect(accepts({ action: { type: 'DROP' }, allRecipients: good })).toBe(true)
    for (const bad of ['true', 1, {}])
      expect(accepts({ action: { type: 'DROP' }, allRecipients: bad })).toBe(false)
    const broken = { actions: [{ action: { type: 'DROP' }, allRecipients: 'yes' }] }
    expect(pointers(broken)[0]).toBe('/actions/0/allRecipients')
  })

  it('has a row in the table for every field, and no other', () => {
    expect(Object.keys(mailResponseFields)).toEqual(['actions'])
    expect(Object.entries(decisionFields).map(([name, { required }]) => [name, required])).toEqual([
      ['action', true],
      ['recipients', false],
      ['allRecipients', false],
    ])
    expect(Object.keys(actionTypes.BOUNCE.parameters)).toEqual(['bounceMessage'])
  })

  it('keeps fields that nobody knows', () => {
    expect(accepts({ action: { type: 'DROP', colour: 'red' }, weight: 7 })).toBe(true)
    expect(MailAction.is({ type: 'BOUNCE', parameters: { colour: 'red' } })).toBe(true)
  })

  it('accepts any response that the arbitrary generates', () => {
    const responses = arbitraryMailEvent().chain(arbitraryMailResponse)
    fc.assert(fc.property(responses, response => isMailResponse(response)))
  })
})
