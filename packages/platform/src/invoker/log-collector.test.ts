import { describe, expect, it } from '@jest/globals'
import { logLimit } from './invoker.ts'
import { logCollector } from './log-collector.ts'

describe('logCollector', () => {
  it('keeps what is written, without the last line feed', () => {
    const logs = logCollector()
    expect(logs.add('out', 'a\n')).toBe(true)
    logs.add('err', 'b\nc')
    expect(logs.lines).toEqual([
      { stream: 'out', text: 'a' },
      { stream: 'err', text: 'b\nc' },
    ])
  })

  it('drops what is beyond the limit, and says so once', () => {
    const logs = logCollector()
    logs.add('out', 'x'.repeat(logLimit - 1))
    logs.add('out', 'yz')
    expect(logs.add('out', 'more')).toBe(false)
    expect(logs.lines.map(({ text }) => text.slice(0, 20))).toEqual([
      'x'.repeat(20),
      'y',
      '(what follows is lef',
    ])
  })
})
