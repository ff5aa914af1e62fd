import { expect, it } from '@jest/globals'
import { queueEvent } from '@signalbox/queue/testing'
import { createPlatform } from '../platform.ts'
import { mailBox } from '../testing/mail-box.ts'

const fail = (): never => {
  throw new Error('I have no words')
}

it.each([
  ['the event', { event: fail, answer: (answer: unknown) => answer }],
  ['the answer', { event: (event: unknown) => event, answer: fail }],
  ['the context', { event: (event: unknown) => event, answer: (answer: unknown) => answer, context: fail }],
])('fails an invocation when its dialect throws at %s', async (_, dialect) => {
  const platform = createPlatform({
    functions: { sort: { handler: () => ({}), dialect } },
    dataDir: ':memory:',
  })
  const { failure, conclusion } = await platform.fire('sort', queueEvent())
  expect(failure).toEqual({ kind: 'threw', message: 'its dialect failed: I have no words' })
  expect(conclusion).toMatchObject({ ok: false })
  await platform.stop()
})

it('lets mail end by its rule when a dialect throws', async () => {
  const sort = { handler: () => ({}), dialect: { event: (event: unknown) => event, answer: fail } }
  await using box = await mailBox(() => ({}), { functions: { sort }, inbound: { fallback: 'DROP' } })
  const id = await box.send()
  await box.calm()
  expect(await box.outcome(id)).toEqual({ 'bob@office.example': 'dropped' })
})
