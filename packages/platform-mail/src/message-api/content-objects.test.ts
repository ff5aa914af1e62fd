import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { contentObjects, objectBounds } from './content-objects.ts'

const name = (key: string, owner = 'changer') => ({ owner, bucket: 'changes', key })
const bounds = { count: 2, bytes: 10, age: 1000 }

it('objects are kept up to a number and a size, and an object takes the place of an earlier one', () => {
  const objects = contentObjects(bounds, manualClock(0))
  expect(objects.put(name('a'), Buffer.alloc(6))).toBe(true)
  expect(objects.put(name('b'), Buffer.alloc(5))).toBe(false)
  expect(objects.put(name('a'), Buffer.alloc(7))).toBe(true)
  expect(objects.put(name('b'), Buffer.alloc(3))).toBe(true)
  expect(objects.put(name('c'), Buffer.alloc(0))).toBe(false)
  objects.remove(name('a'))
  objects.remove(name('never'))
  expect(objects.put(name('c'), Buffer.alloc(7))).toBe(true)
  expect([...'abc'].map(key => objects.get(name(key))?.bytes.length)).toEqual([undefined, 3, 7])
  objects.clear()
  expect(objects.get(name('c'))).toBeUndefined()
  expect(objects.put(name('d'), Buffer.alloc(10))).toBe(true)
})

it('each client has objects of its own', () => {
  const objects = contentObjects(bounds, manualClock(0))
  objects.put(name('a', 'one'), Buffer.from('1'))
  objects.put(name('a', 'other'), Buffer.from('2'))
  expect(String(objects.get(name('a', 'one'))?.bytes)).toBe('1')
})

it('an object is deleted when it is old, also when nothing asks for it', async () => {
  const clock = manualClock(0)
  const timers = new Set<() => void>()
  const after = (ms: number, run: () => void) => {
    const cancel = clock.after(ms, () => {
      timers.delete(run)
      run()
    })
    timers.add(run)
    return () => {
      timers.delete(run)
      cancel()
    }
  }
  const objects = contentObjects(bounds, { ...clock, after })
  objects.put(name('a'), Buffer.alloc(6))
  await clock.advance(600)
  objects.put(name('b'), Buffer.alloc(4))
  await clock.advance(399)
  expect(objects.get(name('a'))).toMatchObject({ putAt: 0 })
  await clock.advance(1)
  expect(objects.get(name('a'))).toBeUndefined()
  expect(timers.size).toBe(1)
  await clock.advance(600)
  expect(timers.size).toBe(0)
  expect(objects.put(name('c'), Buffer.alloc(10))).toBe(true)
  objects.clear()
  expect(timers.size).toBe(0)
})

it('the bounds leave room for two of the largest mails', () => {
  expect(objectBounds(512 * 1024 * 1024).bytes).toBe(1024 * 1024 * 1024)
  expect(objectBounds(1000).bytes).toBe(64 * 1024 * 1024)
})
