import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { createPlatform } from '@signalbox/platform'

const drain = 5

/** Returns a platform whose function answers a request to `/held` only after a call of `release`. */
async function startPlatform() {
  const clock = manualClock()
  let release: () => void = () => {}
  let markHeld: () => void
  const isHeld = new Promise<void>(resolve => {
    markHeld = resolve
  })
  const handler = async ({ path }: { readonly path: string }) => {
    if (path === '/held')
      await new Promise<void>(resolve => {
        release = resolve
        markHeld()
      })
    return {
      statusCode: 200,
      statusDescription: '200 OK',
      isBase64Encoded: false,
      headers: {},
      body: path,
    }
  }
  const platform = createPlatform(
    {
      functions: { shop: { handler: handler as never } },
      loadBalancers: { web: { port: 0, function: 'shop' } },
      control: { port: 0 },
      drain,
      dataDir: ':memory:',
    },
    { clock },
  )
  const addresses = await platform.start()
  const urlOf = (name: string) => addresses.find(({ source }) => source === name)!.url
  return {
    platform,
    clock,
    isHeld,
    release: () => release(),
    url: urlOf('load balancer web'),
    control: urlOf('control'),
    /** The requests that this platform has not answered yet. */
    open: new Set<object>(),
  }
}

it('a rolling restart loses no request if the load balancer in front polls /readyz', async () => {
  const backends = [await startPlatform(), await startPlatform()]
  let ready = [...backends]
  let isOver = false
  let answered = 0
  const check = async () => {
    const all = [...backends]
    const statuses = await Promise.all(
      all.map(async each => {
        return (await fetch(`${each.control}/readyz`).catch(() => undefined))?.status
      }),
    )
    ready = all.filter((_, index) => statuses[index] === 200)
  }
  const client = async () => {
    while (!isOver) {
      const backend = ready[answered % ready.length]!
      const request = {}
      backend.open.add(request)
      const response = await fetch(`${backend.url}/quick`)
      expect([response.status, await response.text()]).toEqual([200, '/quick'])
      backend.open.delete(request)
      answered++
    }
  }
  const clients = Promise.all([client(), client(), client(), client()])
  /** Lets clients continue for a while. Throws the error of a client if one has failed. */
  const turn = () => Promise.race([clients, new Promise(setImmediate)])

  for (const _ of [1, 2]) {
    const [old] = backends as [Awaited<ReturnType<typeof startPlatform>>]
    const held = fetch(`${old.url}/held`).then(response => response.text())
    await old.isHeld
    const before = answered
    const stopped = old.platform.stop()
    expect((await fetch(`${old.control}/readyz`)).status).toBe(503)
    expect((await fetch(`${old.control}/livez`)).status).toBe(200)
    // The load balancer has not noticed the stop yet, so its clients continue.
    while (answered < before + 20) await turn()
    await check()
    expect(ready).not.toContain(old)
    while (old.open.size > 0) await turn()
    await old.clock.advance(drain * 1000)
    // The platform no longer listens, but still answers accepted requests.
    await expect(fetch(`${old.url}/quick`)).rejects.toThrow()
    old.release()
    expect(await held).toBe('/held')
    await stopped
    backends.shift()
    backends.push(await startPlatform())
    await check()
    expect(ready).toHaveLength(2)
  }
  isOver = true
  await clients
  await Promise.all(
    backends.map(({ platform, clock }) => {
      const stopped = platform.stop()
      return clock.advance(drain * 1000).then(() => stopped)
    }),
  )
  expect(answered).toBeGreaterThan(40)
})
