import { describe, expect, it } from '@jest/globals'
import { fifoEvent, fifoRecord, queueEvent, queueRecord } from '../testing/index.ts'
import { isFifo } from './fifo.ts'

const standardArn = { eventSourceARN: 'arn:cloud:queue:eu-central-1:123456789012:orders' }
const sequenced = { attributes: { SequenceNumber: '1', MessageGroupId: 'g' } }

describe('isFifo() is true', () => {
  it('when the ARN of the queue ends in .fifo', () => {
    expect(isFifo(fifoEvent([['g', 'a']]).Records)).toBe(true)
    expect(isFifo([queueRecord('a', { eventSourceARN: 'arn:x:orders.fifo' })])).toBe(true)
  })

  it('when every record has a SequenceNumber and a MessageGroupId', () => {
    const records = [queueRecord('a', { ...standardArn, ...sequenced }), queueRecord('b', sequenced)]
    expect(isFifo(records)).toBe(true)
    expect(isFifo([...records, queueRecord('c')])).toBe(false)
  })

  it('when one record names a FIFO queue, even if another record is malformed', () => {
    expect(isFifo([{ messageId: 'x' }, fifoRecord('a')])).toBe(true)
    expect(isFifo([fifoRecord('a'), { messageId: 'x', attributes: null, eventSourceARN: 7 } as never])).toBe(
      true,
    )
  })
})

describe('isFifo() is false', () => {
  it('when the batch has no records', () => {
    expect(isFifo([])).toBe(false)
  })

  it('when records have a MessageGroupId but no SequenceNumber', () => {
    expect(isFifo([queueRecord('a', { attributes: { MessageGroupId: 'g' } })])).toBe(false)
    expect(isFifo([queueRecord('a', { attributes: { SequenceNumber: '1', MessageGroupId: null } })])).toBe(
      false,
    )
  })

  it('when the name of the queue contains .fifo but does not end in it', () => {
    expect(
      isFifo(
        queueEvent({ records: [queueRecord('a', { eventSourceARN: 'arn:x:orders.fifo.copy' })] }).Records,
      ),
    ).toBe(false)
  })
})
