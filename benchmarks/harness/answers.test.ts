import { describe, expect, it } from '@jest/globals'
import { compareAnswers, difference } from './answers.ts'
import type { Contender, Role } from './work.ts'

function contender(name: string, role: Role, answer: () => unknown): Contender {
  return { name, role, run: answer }
}

describe('compareAnswers', () => {
  const limit = contender('by hand', 'limit', () => ({ failed: ['a'] }))

  it('ignores key order and prototypes of answers', async () => {
    const peer = contender('peer', 'peer', async () => Object.assign(Object.create(null), { failed: ['a'] }))
    expect(await compareAnswers({ name: 's', contenders: [limit, peer] })).toEqual(new Map())
  })

  it('reports each contender that gives a wrong answer, and how this answer differs from the right one', async () => {
    const peer = contender('peer', 'peer', () => ({ failed: ['b'] }))
    const found = await compareAnswers({ name: 's', contenders: [peer, limit] })
    expect(found).toEqual(new Map([['peer', '/failed/0 is "b", not "a"']]))
  })

  it('reports a difference that a contender declares, even if the answers are equal', async () => {
    const peer = { ...contender('peer', 'peer', () => ({ failed: ['a'] })), differs: 'checks nothing' }
    const found = await compareAnswers({ name: 's', contenders: [limit, peer] })
    expect(found).toEqual(new Map([['peer', 'checks nothing']]))
  })

  it('throws when Signalbox gives a wrong answer', async () => {
    const ours = contender('Signalbox', 'ours', () => ({ failed: [] }))
    await expect(compareAnswers({ name: 's', contenders: [limit, ours] })).rejects.toThrow(
      'Signalbox answers differently',
    )
  })

  it('skips a contender in the role "floor", and throws when any other contender gives no answer', async () => {
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
  it('returns undefined for equal values', () => {
    expect(difference({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBeUndefined()
  })

  it('describes the first difference between two values', () => {
    expect(difference({ a: { b: 1 } }, { a: {} })).toBe('/a/b is absent, not 1')
    expect(difference([1], { 0: 1 })).toBe('the answer is {"0":1}, not [1]')
  })
})
