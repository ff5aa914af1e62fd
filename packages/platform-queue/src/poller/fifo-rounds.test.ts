import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ReceivedMessage } from '../store/queue-store.ts'
import { fifoRounds } from './fifo-rounds.ts'

/** Parses messages such as `a1:X`, which name a group, a number and a function. */
const parse = (texts: readonly string[]) =>
  texts.map(text => {
    const [id, consumer] = text.split(':')
    return [{ messageId: id, group: id![0] } as ReceivedMessage, consumer!] as const
  })
const ids = (texts: readonly string[]) =>
  fifoRounds(parse(texts)).map(shares =>
    Object.fromEntries([...shares].map(([to, all]) => [to, all.map(({ messageId }) => messageId)])),
  )

it('fifoRounds() makes one round when each group has one function', () => {
  expect(ids(['a1:X', 'b1:Y', 'a2:X', 'b2:Y'])).toEqual([{ X: ['a1', 'a2'], Y: ['b1', 'b2'] }])
})

it('fifoRounds() starts another round when the function of a group changes', () => {
  expect(ids(['a1:X', 'a2:Y', 'a3:Y', 'b1:Y', 'a4:X'])).toEqual([
    { X: ['a1'], Y: ['b1'] },
    { Y: ['a2', 'a3'] },
    { X: ['a4'] },
  ])
})

it('fifoRounds() puts each message into exactly one round, and keeps each group in order with one function per round', () => {
  const message = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('X', 'Y', 'Z'))
  fc.assert(
    fc.property(fc.array(message, { maxLength: 12 }), drawn => {
      const texts = drawn.map(([group, consumer], at) => `${group}${at}:${consumer}`)
      const seen = ids(texts)
      for (const group of 'abc') {
        const inOrder: string[] = []
        for (const shares of seen) {
          const having = Object.values(shares).filter(all => all.some(id => id.startsWith(group)))
          expect(having.length).toBeLessThanOrEqual(1)
          inOrder.push(...having.flat().filter(id => id.startsWith(group)))
        }
        expect(inOrder).toEqual(texts.filter(id => id.startsWith(group)).map(id => id.split(':')[0]))
      }
    }),
  )
})
