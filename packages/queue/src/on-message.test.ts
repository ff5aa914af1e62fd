import { expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { queue } from './on-message.ts'
import { queueEvent } from './testing/index.ts'

it('queue() from @signalbox/queue/on-message handles each message, and reports failed messages', async () => {
  const event = queueEvent({ bodies: ['a', 'b'] })
  const onMessage = ({ body }: { readonly body: string }): void => {
    if (body === 'b') throw new Error('no b')
  }
  expect(await signalbox(queue({ onMessage, log: false }))(event, {})).toEqual({
    batchItemFailures: [{ itemIdentifier: event.Records[1]!.messageId }],
  })
})

it('queue() from @signalbox/queue/on-message refuses options without onMessage', () => {
  expect(() => queue({} as never)).toThrow('queue() needs either onMessage or onBatch')
})
