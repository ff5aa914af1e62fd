import { describe, expect, it } from '@jest/globals'
import { mistakes } from './testing/mistakes.ts'

describe('decisions about mail', () => {
  const code = (actions: string) => `
    exports.handler = async event => {
      if (event.flowDirection === 'OUTBOUND') return undefined
      return { actions: [${actions}] }
    }`
  const bounces = (count: number) =>
    Array.from(
      { length: count },
      (_, i) => `{ recipients: [${i}], action: { type: 'BOUNCE', parameters: { bounceMessage: '${i}' } } }`,
    ).join()

  it.each([
    [`{ allRecipients: true, action: { type: 'REJECT' } }`, 'response.actions'],
    [`{ allRecipients: true, action: { type: 'default' } }`, 'action.DEFAULT'],
    [`{ action: { type: 'DROP' } }`, 'verdict.no-recipients'],
    [`{ allRecipient: true, action: { type: 'DROP' } }`, 'verdict.misspelt-field'],
    [bounces(11), 'verdict.ten-actions'],
  ])('finds %s', (actions, row) => {
    expect(mistakes(code(actions))).toEqual([`mail-response 4 mail-flow.md#${row}`])
  })

  it('knows decisions by their own fields, and by what the module reads of a mail', () => {
    const answers = (read: string, decision: string) => `
      exports.handler = async event => {
        ${read}
        return { actions: [${decision}] }
      }`
    const forAll = `{ allRecipients: true, action: { type: spam ? 'JUNK' : 'DEFAULT' } }`
    const row = (name: string) => [`mail-response 4 mail-flow.md#${name}`]
    expect(mistakes(answers('', forAll))).toEqual(row('response.actions'))
    expect(mistakes(answers('', forAll.replace('JUNK', 'MOVE_TO_JUNK')))).toEqual([])
    const some = `{ recipients: those, action: { type: 'bounce' } }`
    for (const read of [
      'log(event.envelope.mailFrom.address)',
      'const to = event.envelope.recipients',
      'const flow = new AWS.WorkMailMessageFlow()',
    ])
      expect(mistakes(answers(read, some))).toEqual(row('action.BOUNCE'))
    expect(mistakes(answers('', some))).toEqual([])
  })

  it('says nothing about right decisions, and about actions of others', () => {
    expect(mistakes(code(bounces(10)))).toEqual([])
    expect(mistakes(code(`{ allRecipients: true, action: { type: kind } }`))).toEqual([])
    expect(mistakes(code(`{ name: 'a', type: 'b' }`))).toEqual([])
    const notReturned = `
      exports.handler = async event => {
        const log = { direction: event.flowDirection, actions: [{ action: { type: 'forward' } }] }
        return decide(log)
      }`
    expect(mistakes(notReturned)).toEqual([])
    const other = `exports.rule = { actions: [{ action: { type: 'forward' } }] }`
    expect(mistakes(other)).toEqual([])
  })
})
