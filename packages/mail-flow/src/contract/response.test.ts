import { describe, expect, it } from '@jest/globals'
import { compile, problems } from '@signalbox/codec'
import fc from 'fast-check'
import { arbitraryMailEvent, arbitraryMailResponse } from '../testing/arbitrary.ts'
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

describe('the mail-flow response', () => {
  it('needs a list of actions with at least one element', () => {
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

  it('needs a type in each action, such as BOUNCE, DROP or DEFAULT', () => {
    for (const type of ['BOUNCE', 'DROP', 'DEFAULT']) expect(accepts({ action: { type } })).toBe(true)
    for (const type of ['bounce', '', null, 7, 'toString', '__proto__', undefined])
      expect(accepts({ action: { type } })).toBe(false)
    for (const action of [undefined, null, 'DROP', [], {}]) expect(accepts({ action })).toBe(false)
    expect(pointers({ actions: [{ action: { type: 'DROP' } }, {}] })).toEqual(['/actions/1/action'])
  })

  it('may have the types BYPASS_SPAM_CHECK and MOVE_TO_JUNK, which Signalbox adds', () => {
    for (const type of ['BYPASS_SPAM_CHECK', 'MOVE_TO_JUNK']) expect(accepts({ action: { type } })).toBe(true)
    const extensions = Object.entries(actionTypes).filter(([, row]) => 'extension' in row)
    expect(extensions.map(([name]) => name)).toEqual(['BYPASS_SPAM_CHECK', 'MOVE_TO_JUNK'])
    for (const [, row] of extensions) expect(row.inboundOnly).toBe(true)
    for (const name of ['BOUNCE', 'DROP', 'DEFAULT'] as const)
      expect(actionTypes[name].inboundOnly).toBe(false)
  })

  it('may have parameters in an action, such as bounceMessage for BOUNCE', () => {
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

  it('may have a list of recipients for an action', () => {
    const to = (recipients: unknown) => accepts({ action: { type: 'DROP' }, recipients })
    for (const good of [undefined, null, [], ['a@b.example'], ['a@b.example', 'a@b.example']])
      expect(to(good)).toBe(true)
    for (const bad of ['a@b.example', [7], [null], {}, [{ address: 'a@b.example' }]])
      expect(to(bad)).toBe(false)
    const broken = { actions: [{ action: { type: 'DROP' }, recipients: ['a@b.example', 7] }] }
    expect(pointers(broken)[0]).toBe('/actions/0/recipients/1')
  })

  it('may have allRecipients for an action', () => {
    // Published functions answer with the texts, and the service takes them.
    for (const good of [undefined, null, true, false, 'true', 'false'])
      expect(accepts({ action: { type: 'DROP' }, allRecipients: good })).toBe(true)
    for (const bad of ['True', 'yes', 1, {}])
      expect(accepts({ action: { type: 'DROP' }, allRecipients: bad })).toBe(false)
    const broken = { actions: [{ action: { type: 'DROP' }, allRecipients: 'yes' }] }
    expect(pointers(broken)[0]).toBe('/actions/0/allRecipients')
  })

  it('has exactly the fields of the contract', () => {
    expect(Object.keys(mailResponseFields)).toEqual(['actions'])
    expect(Object.entries(decisionFields).map(([name, { required }]) => [name, required])).toEqual([
      ['action', true],
      ['recipients', false],
      ['allRecipients', false],
    ])
    expect(Object.keys(actionTypes.BOUNCE.parameters)).toEqual(['bounceMessage'])
  })

  it('may have unknown fields', () => {
    expect(accepts({ action: { type: 'DROP', colour: 'red' }, weight: 7 })).toBe(true)
    expect(MailAction.is({ type: 'BOUNCE', parameters: { colour: 'red' } })).toBe(true)
  })

  it('is valid when arbitraryMailResponse() generates it', () => {
    const responses = arbitraryMailEvent().chain(arbitraryMailResponse)
    fc.assert(fc.property(responses, response => isMailResponse(response)))
  })
})
