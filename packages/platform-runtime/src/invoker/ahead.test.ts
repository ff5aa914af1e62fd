import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { fuzz } from './ahead.fuzz.ts'
import { testInvoker } from './testing/process-test-invoker.ts'

const recorded = new URL('./testing/functions/recorded.ts', import.meta.url).href

describe('events that an instance gets ahead of time', () => {
  it('begin exactly once, one at a time, and do not fail when another one fails', async () => {
    expect(await fuzz(200, 7)).toMatch(/^\d+ events$/)
  })

  it('do not wait for an event that never yields', async () => {
    using folder = temporaryFolder()
    await using shop = testInvoker({ module: recorded, instances: 2, timeout: 20_000 })
    const file = join(folder.path, 'events')
    const short = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, id) => shop.invoke({ do: 'nothing', id, file })))
    await short(100)
    let isOver = false
    const endless = shop.invoke({ do: 'loop', id: 'endless', file }, 4000).then(result => {
      isOver = true
      return result
    })
    const results = await short(20)
    expect(isOver).toBe(false)
    expect(results.filter(({ failure }) => failure)).toEqual([])
    expect((await endless).failure?.message).toBe('shop timed out after 4000 ms')
    expect(readFileSync(file, 'utf8').match(/begins endless/g)).toHaveLength(1)
  })

  it('are not run when the platform stops', async () => {
    using folder = temporaryFolder()
    const shop = testInvoker({ module: recorded, timeout: 20_000 })
    const file = join(folder.path, 'events')
    await Promise.all(Array.from({ length: 100 }, (_, id) => shop.invoke({ do: 'nothing', id, file })))
    const endless = shop.invoke({ do: 'loop', id: 'endless', file })
    const behind = Array.from({ length: 5 }, (_, id) =>
      shop.invoke({ do: 'answer', id: `behind ${id}`, file }),
    )
    while (!readFileSync(file, 'utf8').includes('endless'))
      await new Promise(resolve => setTimeout(resolve, 5))
    await shop.stop()
    expect((await endless).failure).toEqual({ kind: 'crash', message: 'shop was stopped' })
    for (const { failure } of await Promise.all(behind))
      expect(failure).toEqual({ kind: 'unavailable', message: 'shop is stopping' })
    expect(readFileSync(file, 'utf8')).not.toContain('behind')
  })
})
