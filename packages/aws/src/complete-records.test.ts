import { expect, it } from '@jest/globals'
import { queueEvent } from '@signalbox/queue/testing'
import { awsDialect } from './dialect.ts'
import { fromAws } from './from-aws.ts'
import { awsEvent } from './testing/index.ts'

const attributes = {
  size: { stringValue: '7', dataType: 'Number' },
  blob: { binaryValue: 'AA==', dataType: 'Binary', stringListValues: ['kept'] },
}
const event = queueEvent({ bodies: ['a', 'b'] })
const [first, second] = event.Records
const neutral = {
  Records: [{ ...first!, messageAttributes: attributes, md5OfMessageAttributes: 'x' }, second!],
}

it.each([
  ['the dialect', awsDialect.event],
  ['awsEvent()', (given: object) => awsEvent(given) as unknown],
])('%s writes records as SQS does, with the lists and the null that were missing', (_, translate) => {
  expect(translate(neutral)).toMatchObject({
    Records: [
      {
        eventSource: 'aws:sqs',
        messageAttributes: {
          size: { stringValue: '7', stringListValues: [], binaryListValues: [], dataType: 'Number' },
          blob: { binaryValue: 'AA==', stringListValues: ['kept'], binaryListValues: [], dataType: 'Binary' },
        },
        md5OfMessageAttributes: 'x',
      },
      { messageAttributes: {}, md5OfMessageAttributes: null },
    ],
  })
})

it('records of the contract stay as they are, and a completed record is one of the contract', () => {
  expect(neutral.Records[1]).not.toHaveProperty('md5OfMessageAttributes')
  expect(fromAws(awsDialect.event(neutral))).toMatchObject({ Records: [{ eventSource: 'cloud:queue' }, {}] })
})

it('an event that is no batch of SQS gets nothing', () => {
  for (const other of [{ Records: [{ eventSource: 'aws:s3' }, 7] }, { Records: [] }, null, 'text'])
    expect(awsDialect.event(other)).toEqual(other)
})
