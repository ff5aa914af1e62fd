import { expect, it } from '@jest/globals'
import { problems } from '@signalbox/codec'
import * as contract from './index.ts'

it('@signalbox/queue/contract exports exactly the listed names', () => {
  expect(Object.keys(contract).sort()).toMatchInlineSnapshot(`
[
  "BatchItemFailure",
  "BatchResponse",
  "QueueEnvelope",
  "QueueEvent",
  "QueueRecord",
  "SystemAttributes",
  "WireMessageAttribute",
  "batchVerdict",
  "deduplicationInterval",
  "defaultBatchSize",
  "eventFields",
  "eventSource",
  "messageAttributeFields",
  "recordFields",
  "systemAttributeFields",
]
`)
})

it('the default batch size is 10 messages per invocation', () => {
  expect(contract.defaultBatchSize).toBe(10)
})

it('the deduplication interval of FIFO messages is 5 minutes', () => {
  expect(contract.deduplicationInterval).toBe(5 * 60 * 1000)
})

it('a response lists failures as `{batchItemFailures: [{itemIdentifier: "…"}, …]}`', () => {
  const { BatchResponse } = contract
  expect(BatchResponse.is({ batchItemFailures: [] })).toBe(true)
  expect(BatchResponse.is({ batchItemFailures: [{ itemIdentifier: 'x' }] })).toBe(true)
  for (const wrong of [{}, { batchItemFailures: null }, { batchItemFailures: [{ itemIdentifier: '' }] }])
    expect(BatchResponse.is(wrong)).toBe(false)
})

it('each codec is named after the value that it describes', () => {
  const { eventFields, recordFields, systemAttributeFields, QueueEnvelope } = contract
  expect(
    [
      contract.QueueEvent,
      QueueEnvelope,
      contract.QueueRecord,
      contract.SystemAttributes,
      contract.WireMessageAttribute,
      contract.BatchResponse,
      contract.BatchItemFailure,
      eventFields.Records.codec,
      recordFields.messageId.codec,
      systemAttributeFields.SentTimestamp.codec,
    ].map(({ name }) => name),
  ).toEqual([
    'queue event',
    'queue event',
    'queue record',
    'attributes',
    'message attribute',
    'batch response',
    'batch item failure',
    'list of queue record',
    'text that is not empty',
    'text of digits',
  ])
})

it('a problem names the position of a record that has no id', () => {
  expect(problems(contract.QueueEnvelope, { Records: [{}] })).toEqual([
    { pointer: '/Records/0/messageId', expected: 'text that is not empty', actual: 'nothing' },
  ])
})
