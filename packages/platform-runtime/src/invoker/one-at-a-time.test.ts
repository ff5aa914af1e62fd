import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { fuzz } from './one-at-a-time.fuzz.ts'
import { testInvoker } from './testing/process-test-invoker.ts'

const recorded = new URL('./testing/functions/recorded.ts', import.meta.url).href

describe('events that wait for an instance', () => {
  it('begin exactly once, one at a time in each instance, and do not fail when another one fails', async () => {
    expect(await fuzz(200, 7)).toMatch(/^\d+ events$/)
  })

  it('do not wait for an event that never yields', async () => {
    using folder = temporaryFolder()
    const shop = testInvoker({ module: recorded, instances: 2, timeout: 100_000 })
    const file = join(folder.path, 'events')
    const short = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, id) => shop.invoke({ do: 'nothing', id, file })))
    await short(2)
    let isOver = false
    const endless = shop.invoke({ do: 'loop', id: 'endless', file }).finally(() => {
      isOver = true
    })
    const results = await short(20)
    expect(isOver).toBe(false)
    expect(results.filter(({ failure }) => failure)).toEqual([])
    await shop.stop()
    expect((await endless).failure?.message).toBe('shop was stopped')
    expect(readFileSync(file, 'utf8').match(/begins endless/g)).toHaveLength(1)
  })

  it('are not run when the platform stops', async () => {
    using folder = temporaryFolder()
    const shop = testInvoker({ module: recorded, timeout: 20_000 })
    const file = join(folder.path, 'events')
    await shop.invoke({ do: 'nothing', id: 'first', file })
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
