import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { queue } from '../index.ts'
import { queueEvent } from '../testing/index.ts'

const event = queueEvent({ bodies: ['a', 'b'] })
const ids = event.Records.map(({ messageId }) => messageId)

describe.each([
  ['returns', (value: unknown) => value],
  ['resolves to', async (value: unknown) => value],
])('an onMessage that %s a value', (_, give) => {
  const run = async (value: (id: string) => unknown) => {
    const logged: string[] = []
    const log = (text: string, reason: unknown) => logged.push(`${text} ${(reason as Error).message}`)
    const handler = signalbox(queue({ onMessage: ({ id }) => give(value(id)), log }))
    return { answer: await handler(event), logged }
  }

  it('fails the message if the value is batchItemFailures, which would be ignored', async () => {
    const { answer, logged } = await run(id =>
      id === ids[0] ? { batchItemFailures: [{ itemIdentifier: id }] } : undefined,
    )
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: ids[0] }] })
    expect(logged).toEqual([
      expect.stringContaining('/batchItemFailures: expected nothing: to fail the message, throw an error'),
    ])
  })

  it.each([undefined, null, 'text', 7, {}, { batchItemFailures: [] }, { batchItemFailures: 'text' }])(
    'succeeds with %j',
    async value => {
      expect(await run(() => value)).toEqual({ answer: { batchItemFailures: [] }, logged: [] })
    },
  )
})
