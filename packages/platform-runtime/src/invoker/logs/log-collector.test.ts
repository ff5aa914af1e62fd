import { describe, expect, it } from '@jest/globals'
import { logLimit } from '../invoker.ts'
import { logCollector } from './log-collector.ts'

describe('logCollector()', () => {
  it('keeps the output without the last line feed', () => {
    const logs = logCollector()
    expect(logs.add('out', 'a\n')).toBe('a\n')
    logs.add('err', 'b\nc')
    expect(logs.lines).toEqual([
      { stream: 'out', text: 'a' },
      { stream: 'err', text: 'b\nc' },
    ])
  })

  it('drops output beyond the limit, and reports that once', () => {
    const logs = logCollector()
    logs.add('out', 'x'.repeat(logLimit - 1))
    expect(logs.add('out', 'yz')).toBe('y')
    expect(logs.add('out', 'more')).toBeUndefined()
    expect(logs.lines.map(({ text }) => text.slice(0, 20))).toEqual([
      'x'.repeat(20),
      'y',
      '(what follows is lef',
    ])
  })

  it('limits the number of empty lines', () => {
    const logs = logCollector()
    for (let i = 0; i < 100_000; i++) logs.add('out', '')
    expect(logs.lines.length).toBeLessThan(20_000)
    expect(logs.lines.at(-1)?.text).toMatch(/^\(what follows is left out/)
  })
})
