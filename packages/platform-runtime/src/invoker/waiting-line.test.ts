import { expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { waitingLine } from './waiting-line.ts'

const event = (client: string | undefined, number: number) => ({ client, number })
const numbers = (events: readonly { readonly number: number }[]) => events.map(({ number }) => number)

it('the clients of a waiting line take turns, and the events of each client stay in order', () => {
  const line = waitingLine<ReturnType<typeof event>>()
  for (const [at, client] of ['a', 'a', 'a', 'b', undefined, 'a', 'b'].entries()) line.add(event(client, at))
  const taken = () => {
    const next = line.next()
    return next === undefined ? [] : [next]
  }
  expect(numbers([...taken(), ...taken()])).toEqual([0, 3])
  line.add(event('c', 7))
  expect(numbers(Array.from({ length: 9 }, taken).flat())).toEqual([4, 1, 6, 7, 2, 5])
})

it('a full waiting line loses the latest event of the client with the most events', () => {
  const line = waitingLine<ReturnType<typeof event>>()
  for (const [at, client] of ['a', 'b', 'a', 'a', 'b'].entries()) line.add(event(client, at))
  expect(line.leaves('a')).toBeUndefined()
  expect(line.leaves('c')).toMatchObject({ number: 3 })
  line.remove(line.leaves('c')!)
  // Now b would have as many events as a.
  expect(line.leaves('b')).toBeUndefined()
})

it('a waiting line knows which events are next, whatever was added, taken and removed', () => {
  const step = fc.oneof(
    fc.record({ add: fc.constantFrom('a', 'b', 'c') }),
    fc.constant('next' as const),
    fc.record({ remove: fc.nat(5) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), steps => {
      const line = waitingLine<ReturnType<typeof event>>()
      let all: ReturnType<typeof event>[] = []
      for (const [number, each] of steps.entries()) {
        if (typeof each === 'object' && 'add' in each) {
          const added = event(each.add, number)
          line.add(added)
          all.push(added)
        } else if (typeof each === 'object') {
          const removed = all[each.remove]
          if (removed !== undefined) line.remove(removed)
          all = all.filter(one => one !== removed)
        } else {
          const first = all.filter(one => line.isAmongNext(one, 1))
          const next = line.next()
          expect(first).toEqual(next === undefined ? [] : [next])
          all = all.filter(one => one !== next)
        }
        expect(line.length()).toBe(all.length)
      }
      expect(new Set(line.clear())).toEqual(new Set(all))
      expect(line.next()).toBeUndefined()
    }),
  )
})
