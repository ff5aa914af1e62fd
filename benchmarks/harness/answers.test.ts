import { describe, expect, it } from '@jest/globals'
import { compareAnswers, difference } from './answers.ts'
import type { Contender, Role } from './work.ts'

function contender(name: string, role: Role, answer: () => unknown): Contender {
  return { name, role, run: answer }
}

describe('compareAnswers', () => {
  const limit = contender('by hand', 'limit', () => ({ failed: ['a'] }))

  it('finds no difference between equal answers, whatever their order of keys and their prototype', async () => {
    const peer = contender('peer', 'peer', async () => Object.assign(Object.create(null), { failed: ['a'] }))
    expect(await compareAnswers({ name: 's', contenders: [limit, peer] })).toEqual(new Map())
  })

  it('names each contender with another answer, and the difference from the right answer', async () => {
    const peer = contender('peer', 'peer', () => ({ failed: ['b'] }))
    const found = await compareAnswers({ name: 's', contenders: [peer, limit] })
    expect(found).toEqual(new Map([['peer', '/failed/0 is "b", not "a"']]))
  })

  it('reports the declared differences that answers cannot show', async () => {
    const peer = { ...contender('peer', 'peer', () => ({ failed: ['a'] })), differs: 'checks nothing' }
    const found = await compareAnswers({ name: 's', contenders: [limit, peer] })
    expect(found).toEqual(new Map([['peer', 'checks nothing']]))
  })

  it('throws when Signalbox gives another answer', async () => {
    const ours = contender('Signalbox', 'ours', () => ({ failed: [] }))
    await expect(compareAnswers({ name: 's', contenders: [limit, ours] })).rejects.toThrow(
      'Signalbox answers differently',
    )
  })

  it('does not compare floors, and names contenders without an answer', async () => {
    const broken = () => {
      throw new Error('no')
    }
    const floor = contender('empty', 'floor', broken)
    expect(await compareAnswers({ name: 's', contenders: [limit, floor] })).toEqual(new Map())
    const peer = contender('peer', 'peer', broken)
    await expect(compareAnswers({ name: 's', contenders: [limit, peer] })).rejects.toThrow(
      'peer has no answer to compare',
    )
  })
})

describe('difference', () => {
  it('is undefined for equal values', () => {
    expect(difference({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBeUndefined()
  })

  it('names the first place that differs, and what is missing there', () => {
    expect(difference({ a: { b: 1 } }, { a: {} })).toBe('/a/b is absent, not 1')
    expect(difference([1], { 0: 1 })).toBe('the answer is {"0":1}, not [1]')
  })
})
