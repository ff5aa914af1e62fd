import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { get, HttpError, loadBalancer, type Reply, text } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'

it('toReply() awaits promises and thenables', async () => {
  const thenable = (then: (answer: (reply: Reply) => void, fail: (error: unknown) => void) => void) =>
    ({ then }) as never
  const handler = signalbox(
    loadBalancer([
      // In a jest test, Node's own functions return promises of another realm.
      get('/node', () => delay(1, text('late')) as Promise<Reply>),
      get('/own', () => thenable(answer => answer(text('late')))),
      get('/broken', () => thenable((_, fail) => fail(new HttpError(409, 'broken')))),
    ]),
  )
  const ask = (path: string) => exchange(handler, httpEvent('GET', path))
  expect(await ask('/node')).toMatchObject({ status: 200, text: 'late' })
  expect(await ask('/own')).toMatchObject({ status: 200, text: 'late' })
  expect(await ask('/broken')).toMatchObject({ status: 409 })
})
