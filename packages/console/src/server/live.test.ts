import { expect, it } from '@jest/globals'
import { type ConsolePlatform, consolePlatform } from '../testing/console-platform.ts'

const functions = { shop: { handler: async () => 'ok' }, other: { handler: async () => 'ok' } }

interface LiveEvent {
  readonly kind: string
  readonly data: {
    readonly invocations: readonly { readonly id: number; readonly functionName: string }[]
    readonly skipped: number
    readonly calls: number
    readonly instances: object
  }
}

/** Yields the live events for a visitor. The connection closes when the caller stops iterating. */
async function* liveEvents(setup: ConsolePlatform, query = ''): AsyncGenerator<LiveEvent> {
  const abort = new AbortController()
  const { body } = await setup.fetch(`/console/api/live${query}`, { signal: abort.signal })
  let text = ''
  try {
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const [, kind, data] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? []
        text = text.slice(end + 2)
        // The stream starts with a comment.
        if (kind === undefined) yield { kind: 'connected', data: {} as never }
        else yield { kind, data: JSON.parse(data!) }
      }
    }
  } finally {
    abort.abort()
  }
}

it('the live stream reports the new invocations that pass a visitor’s filters', async () => {
  await using setup = await consolePlatform({ functions })
  const seen: unknown[] = []
  for await (const { kind, data } of liveEvents(setup, '?function=shop')) {
    if (kind === 'connected')
      for (const name of ['shop', 'other', 'shop']) await setup.platform.invoke(name, {})
    if (kind === 'invocations') seen.push(...data.invocations.map(({ id }) => id))
    if (seen.length === 2) break
  }
  expect(seen.sort()).toEqual([1, 3])
})

it('the live stream reports the number of calls in each second', async () => {
  await using setup = await consolePlatform({ functions })
  let calls = 0
  for await (const { kind, data } of liveEvents(setup)) {
    if (kind === 'connected') for (let i = 0; i < 5; i++) await setup.platform.invoke('shop', {})
    if (kind !== 'numbers') continue
    expect(data).toMatchObject({ errors: 0, instances: { shop: 1, other: 1 } })
    calls += data.calls
    if (calls === 5) break
  }
})

it('the live stream sends only the newest of many invocations, and says how many it skipped', async () => {
  await using setup = await consolePlatform({ functions })
  let shown = 0
  let skipped = 0
  let latest = 0
  for await (const { kind, data } of liveEvents(setup)) {
    if (kind === 'connected')
      await Promise.all(Array.from({ length: 2000 }, () => setup.platform.invoke('shop', {})))
    if (kind !== 'invocations') continue
    expect(data.invocations.length).toBeLessThanOrEqual(50)
    shown += data.invocations.length
    skipped += data.skipped
    latest = Math.max(latest, ...data.invocations.map(({ id }) => id))
    if (shown + skipped === 2000) break
  }
  expect([latest, skipped > 1000]).toEqual([2000, true])
})

it('the live stream ends when its visitor signs out, and reports nothing more', async () => {
  await using setup = await consolePlatform({ functions })
  const kinds: string[] = []
  for await (const { kind } of liveEvents(setup)) {
    kinds.push(kind)
    if (kind !== 'connected') continue
    await setup.api.del('/session')
    await setup.platform.invoke('shop', {})
  }
  expect(kinds).toEqual(['connected'])
})

it('a platform sets no timers for the live stream while no visitor is connected', async () => {
  const { systemClock } = await import('@signalbox/core/base')
  let waiting = 0
  const clock = {
    now: systemClock.now,
    wall: systemClock.wall,
    after(ms: number, run: () => void) {
      if (ms !== 1000) return systemClock.after(ms, run)
      waiting++
      const end = systemClock.after(ms, () => {
        waiting--
        run()
      })
      return () => {
        waiting--
        end()
      }
    },
  }
  await using setup = await consolePlatform({ functions }, { clock })
  expect(waiting).toBe(0)
  for await (const { kind } of liveEvents(setup)) {
    expect([kind, waiting]).toEqual(['connected', 1])
    break
  }
  while (waiting > 0) await new Promise(resolve => setImmediate(resolve))
})

it('a platform can stop while visitors are connected to the live stream', async () => {
  await using setup = await consolePlatform({ functions })
  await expect(
    (async () => {
      for await (const { kind } of liveEvents(setup)) if (kind === 'connected') void setup.platform.stop()
    })(),
  ).rejects.toThrow()
  await setup.platform.stop()
})
