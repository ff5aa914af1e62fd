import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { soak } from './soak.ts'
import { verify } from './verify.ts'

it('queues lose no message and keep every group in order, even if the platform is killed at random moments', async () => {
  const seed = fc.readConfigureGlobal().seed!
  const { violations, acknowledged, probes } = await soak({ messages: 500, groups: 20, kills: 3, seed })
  expect({ seed, violations }).toEqual({ seed, violations: [] })
  expect(probes).toBe(3)
  expect(acknowledged).toBeGreaterThanOrEqual(500)
})

describe('the check after a queue soak', () => {
  const line = (time: number, process: number, id: string, body: string) =>
    `${time} ${process} ${id} ${body}\n`

  it.each<[string, string, string[], string[]]>([
    ['a lost message', line(1, 1, 'a', 'standard:1'), ['a', 'b'], ['b was acknowledged and never handled']],
    [
      'a duplicate without a reason',
      line(1, 1, 'a', 'standard:1') + line(2, 1, 'a', 'standard:1'),
      ['a'],
      ['standard:1 was handled twice within 1 ms in one process'],
    ],
    [
      'a message group out of order',
      line(1, 1, 'a', 'ordered:g:0') + line(2, 1, 'c', 'ordered:g:2') + line(3, 1, 'b', 'ordered:g:1'),
      ['a', 'b', 'c'],
      ['ordered:g:2 was handled right after number 0'],
    ],
    [
      'no violation if a duplicate follows a kill',
      line(1, 1, 'a', 'standard:1') + line(2, 2, 'a', 'standard:1'),
      ['a'],
      [],
    ],
    [
      'no violation if a duplicate follows the visibility timeout',
      line(1, 1, 'a', 'standard:1') + line(3001, 1, 'a', 'standard:1'),
      ['a'],
      [],
    ],
  ])('finds %s', (_, written, acknowledged, violations) => {
    expect(verify(written, new Set(acknowledged)).violations).toEqual(violations)
  })
})
