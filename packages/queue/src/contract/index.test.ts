import { expect, it } from '@jest/globals'
import * as contract from './index.ts'

it('the package exports exactly these names', () => {
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

it('Limits: "default batch size: up to 10 messages per invocation"', () => {
  expect(contract.defaultBatchSize).toBe(10)
})

it('Limits: "Deduplication interval for FIFO messages: 5 minutes"', () => {
  expect(contract.deduplicationInterval).toBe(5 * 60 * 1000)
})

it('B, output: {batchItemFailures: [{itemIdentifier: <message_id String>}, ...]}', () => {
  const { BatchResponse } = contract
  expect(BatchResponse.is({ batchItemFailures: [] })).toBe(true)
  expect(BatchResponse.is({ batchItemFailures: [{ itemIdentifier: 'x' }] })).toBe(true)
  for (const wrong of [{}, { batchItemFailures: null }, { batchItemFailures: [{ itemIdentifier: '' }] }])
    expect(BatchResponse.is(wrong)).toBe(false)
})
