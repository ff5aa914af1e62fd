import { expect, it } from '@jest/globals'
import { unpack } from './block.ts'
import { blockPacker } from './block-packer.ts'
import type { Block, RawBlock } from './packed-block.ts'

const raw = (text: string, suspicious = false): RawBlock => ({
  segment: { count: 1, oldest: 0, abouts: '[]', columns: new Uint8Array(10) },
  ...{
    text: Buffer.from(text),
    count: 1,
    size: text.length,
    newest: 0,
    functions: [],
    suspicious,
    unsearched: '',
  },
})

function open() {
  const blocks: Block[] = []
  const reasons: string[] = []
  const packer = blockPacker(
    block => blocks.push(block),
    why => reasons.push(why),
  )
  return { packer, texts: () => blocks.map(({ packed }) => unpack(packed)), reasons }
}

it('the block packer keeps the order of blocks, regardless of the thread that packs them', () => {
  const { packer, texts } = open()
  const large = 'x'.repeat(100_000)
  packer.pack(raw('a'))
  expect(texts()).toEqual(['a'])
  packer.pack(raw(large))
  packer.pack(raw('b'))
  expect(packer.waiting).toBe(large.length + 1)
  packer.finish()
  expect(texts()).toEqual(['a', large, 'b'])
  expect(packer.waiting).toBe(0)
  packer.close()
})

it('a block in the block packer is not affected by later changes to its buffer', () => {
  const { packer, texts } = open()
  const block = raw('x'.repeat(100_000))
  packer.pack(block)
  block.text.fill(0)
  packer.close()
  expect(texts()).toEqual(['x'.repeat(100_000)])
})

it('the block packer reports why a block was lost, and packs the following blocks', () => {
  const { packer, texts, reasons } = open()
  const broken = 'no entry\n'.repeat(10_000)
  packer.pack(raw('no entry', true))
  packer.pack(raw(broken, true))
  packer.pack(raw('a'))
  packer.close()
  expect(texts()).toEqual(['a'])
  expect(reasons).toEqual([expect.stringMatching(/JSON/), expect.stringMatching(/JSON/)])
})
