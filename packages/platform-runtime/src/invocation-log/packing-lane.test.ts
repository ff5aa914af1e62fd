import { expect, it } from '@jest/globals'
import { unpack } from './block.ts'
import type { Block, RawBlock } from './packed-block.ts'
import { packingLane } from './packing-lane.ts'

const raw = (text: string, suspicious = false): RawBlock => ({
  ...{ text: Buffer.from(text), count: 1, size: text.length, newest: 0, functions: [], suspicious },
})

function open() {
  const blocks: Block[] = []
  const reasons: string[] = []
  const lane = packingLane(
    block => blocks.push(block),
    why => reasons.push(why),
  )
  return { lane, texts: () => blocks.map(({ packed }) => unpack(packed)), reasons }
}

it('hands blocks on in the order in which they came, wherever they are packed', () => {
  const { lane, texts } = open()
  const large = 'x'.repeat(100_000)
  lane.pack(raw('a'))
  expect(texts()).toEqual(['a'])
  lane.pack(raw(large))
  lane.pack(raw('b'))
  expect(lane.waiting).toBe(large.length + 1)
  lane.finish()
  expect(texts()).toEqual(['a', large, 'b'])
  expect(lane.waiting).toBe(0)
  lane.close()
})

it('packs a block as it was when it came', () => {
  const { lane, texts } = open()
  const block = raw('x'.repeat(100_000))
  lane.pack(block)
  block.text.fill(0)
  lane.close()
  expect(texts()).toEqual(['x'.repeat(100_000)])
})

it('says why a block was lost, and goes on', () => {
  const { lane, texts, reasons } = open()
  const broken = 'no entry\n'.repeat(10_000)
  lane.pack(raw('no entry', true))
  lane.pack(raw(broken, true))
  lane.pack(raw('a'))
  lane.close()
  expect(texts()).toEqual(['a'])
  expect(reasons).toEqual([expect.stringMatching(/JSON/), expect.stringMatching(/JSON/)])
})
