import type { ServerResponse } from 'node:http'
import { describe, expect, it, jest } from '@jest/globals'
import { startReceiver } from '../testing/otlp-receiver.ts'
import type { EndedSpan } from '../trace/own-tracer.ts'
import { otlpExporter } from './exporter.ts'
import { otlpSettings } from './settings.ts'

const span = (at: number, attributes: EndedSpan['attributes'] = {}): EndedSpan => ({
  ...{ traceId: '1'.repeat(32), spanId: `${at}`.padStart(16, '0'), isSampled: true, name: `span ${at}` },
  ...{ kind: 'server', attributes, links: [], parentId: undefined, failure: undefined },
  ...{ startedAt: 1_700_000_000_000.25, endedAt: 1_700_000_000_001.5 },
})

/** Timers that run when a test says so. They keep the waiting times. */
function manualTimers() {
  const due: { readonly ms: number; readonly run: () => void }[] = []
  let time = 0
  return {
    due,
    now: () => time,
    after(ms: number, run: () => void) {
      due.push({ ms, run })
      return () => {}
    },
    /** Waits for the next timer, and lets its time pass. Returns its milliseconds. */
    async next() {
      while (due.length === 0) await new Promise(resolve => setTimeout(resolve, 1))
      const { ms, run } = due.shift()!
      time += ms
      run()
      return ms
    },
  }
}

async function exporterTo(
  answer?: (response: ServerResponse, spans: number) => boolean,
  variables: { readonly [name: string]: string } = {},
) {
  const receiver = await startReceiver(answer)
  const timers = manualTimers()
  const lines: string[] = []
  const write = jest.spyOn(process.stderr, 'write').mockImplementation(text => lines.push(String(text)) > 0)
  const settings = otlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...variables })!
  return {
    receiver,
    timers,
    lines,
    take: otlpExporter(settings, timers),
    until: async (condition: () => boolean) => {
      while (!condition()) await new Promise(resolve => setTimeout(resolve, 1))
    },
    async [Symbol.asyncDispose]() {
      write.mockRestore()
      await receiver[Symbol.asyncDispose]()
    },
  }
}

describe('the exporter', () => {
  it('sends the spans of some time in one request, with the variables of OpenTelemetry', async () => {
    await using setup = await exporterTo(undefined, {
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b, x-other=2',
      OTEL_SERVICE_NAME: 'shop',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
    })
    setup.take(
      span(1, { count: 7, share: 0.5, infinite: Number.NaN, isCold: true, text: 'é', none: undefined }),
    )
    setup.take(span(2))
    expect(await setup.timers.next()).toBe(200)
    await setup.until(() => setup.receiver.spans.length === 2)
    expect(setup.receiver.sizes).toEqual([2])
    expect(setup.receiver.spans[0]).toMatchObject({
      attributes: { count: 7, share: 0.5, isCold: true, text: 'é' },
      took: 1.25,
    })
    expect(setup.receiver.headers[0]).toMatchObject({
      ...{ path: '/v1/traces', method: 'POST', 'content-type': 'application/json' },
      ...{ 'x-key': 'a b', 'x-other': '2' },
    })
    expect(setup.receiver.resource()).toMatchObject({
      'service.name': 'shop',
      'deployment.environment.name': 'test',
    })
  })

  it('comes again when the receiver is busy, when it says so, and else after longer and longer pauses', async () => {
    const answers: ((response: ServerResponse) => void)[] = [
      response => response.writeHead(429, { 'retry-after': '7' }).end(),
      response => response.writeHead(503).end(),
      response => response.socket!.destroy(),
    ]
    await using setup = await exporterTo(response => {
      const next = answers.shift()
      next?.(response)
      return next !== undefined
    })
    setup.take(span(1))
    await setup.timers.next()
    expect(await setup.timers.next()).toBe(7000)
    const second = await setup.timers.next()
    const third = await setup.timers.next()
    expect([second >= 500 && second <= 1000, third >= 1000 && third <= 2000]).toEqual([true, true])
    await setup.until(() => setup.receiver.spans.length === 1)
    expect(setup.lines).toEqual([])
  })

  it('gives up after five attempts, and says so', async () => {
    await using setup = await exporterTo(response => response.writeHead(503).end() !== undefined)
    setup.take(span(1))
    for (let timer = 0; timer < 5; timer++) await setup.timers.next()
    await setup.until(() => setup.lines.length === 1)
    expect(setup.lines).toEqual(['telemetry: 1 spans were not sent: the receiver answered 503\n'])
    expect(setup.receiver.sizes).toHaveLength(5)
  })

  it('sends what is too large in halves, and gives up a single span that is', async () => {
    await using setup = await exporterTo((response, spans) => spans > 3 && !!response.writeHead(413).end())
    for (let at = 0; at < 10; at++) setup.take(span(at))
    await setup.timers.next()
    await setup.until(() => setup.receiver.spans.length === 10)
    expect(setup.receiver.sizes).toEqual([10, 5, 3, 2, 5, 3, 2])
    await using strict = await exporterTo(response => !!response.writeHead(413).end())
    strict.take(span(1))
    await strict.timers.next()
    await strict.until(() => strict.lines.length === 1)
    expect(strict.lines[0]).toContain('answered 413')
  })

  it('does not repeat what the receiver refuses, and says what it rejects', async () => {
    await using setup = await exporterTo(response => !!response.writeHead(401).end())
    setup.take(span(1))
    await setup.timers.next()
    await setup.until(() => setup.lines.length === 1)
    expect(setup.receiver.sizes).toHaveLength(1)
    await using partial = await exporterTo(
      response => !!response.end('{"partialSuccess":{"rejectedSpans":"2"}}'),
    )
    for (let at = 0; at < 3; at++) partial.take(span(at))
    await partial.timers.next()
    await partial.until(() => partial.lines.length === 1)
    expect(partial.lines).toEqual(['telemetry: 2 spans were not sent: the receiver has rejected them\n'])
  })

  it('sends what waits at once when it is flushed, and waits no longer than it is told', async () => {
    await using setup = await exporterTo()
    setup.take(span(1))
    await setup.take.flush(1000)
    expect(setup.receiver.sizes).toEqual([1])

    await using away = await exporterTo(() => true)
    away.take(span(1))
    const flushed = away.take.flush(1000)
    expect(await away.timers.next()).toBe(200)
    expect(await away.timers.next()).toBe(1000)
    await flushed
    expect(away.lines).toEqual([])
  })

  it('sends spans that come after it was flushed, with and without spans', async () => {
    await using setup = await exporterTo()
    await setup.take.flush(1000)
    expect(await setup.timers.next()).toBe(1000)
    for (const count of [1, 2]) {
      setup.take(span(count))
      expect(await setup.timers.next()).toBe(200)
      await setup.until(() => setup.receiver.spans.length === count)
      await setup.take.flush(1000)
      expect(await setup.timers.next()).toBe(1000)
    }
  })

  it('reads no more than the beginning of an answer that does not end', async () => {
    const closed: boolean[] = []
    await using setup = await exporterTo((response, spans) => {
      if (spans > 1) return false
      const pour = () => {
        while (response.write('{'.repeat(65_536)));
      }
      response.on('drain', pour).on('close', () => closed.push(true))
      pour()
      return true
    })
    setup.take(span(1))
    await setup.timers.next()
    await setup.until(() => closed.length === 1)
    setup.take(span(2))
    setup.take(span(3))
    await setup.timers.next()
    await setup.until(() => setup.receiver.spans.length === 2)
    expect(setup.lines).toEqual([])
  })

  it('holds a bounded number of spans and of bytes while the receiver is slow', async () => {
    const held: ServerResponse[] = []
    await using setup = await exporterTo(response => held.push(response) > 0)
    for (let at = 0; at < 600; at++) setup.take(span(at))
    await setup.timers.next()
    await setup.until(() => held.length === 1)
    for (let at = 0; at < 5000; at++) setup.take(span(at))
    expect(setup.lines).toEqual([
      'telemetry: 1 spans were not sent: more of them come than the receiver takes\n',
    ])
    const text = 'x'.repeat(1024 * 1024)
    await using large = await exporterTo(response => held.push(response) > 0)
    for (let at = 0; at < 20; at++) large.take(span(at, { text }))
    expect(large.lines).toHaveLength(1)
  })
})

describe('the settings', () => {
  it('are those of the standard', () => {
    expect(otlpSettings({})).toMatchObject({ url: 'http://localhost:4318/v1/traces', timeout: 10_000 })
    expect(otlpSettings({ OTEL_SDK_DISABLED: 'TRUE' })).toBeUndefined()
    const own = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=%zz,=x,b',
      OTEL_EXPORTER_OTLP_TIMEOUT: '50',
      AWS_LAMBDA_FUNCTION_NAME: 'mine',
    }
    expect(otlpSettings(own)).toMatchObject({
      ...{ url: 'https://traces.example/in', timeout: 50, headers: { a: '%zz' } },
      resource: { 'service.name': 'mine', 'faas.name': 'mine' },
    })
  })

  it('have a time that a timer can have', () => {
    const timeoutOf = (text: string) => otlpSettings({ OTEL_EXPORTER_OTLP_TIMEOUT: text })!.timeout
    expect(['1.5', '0', 'x', '1e12', 'Infinity'].map(timeoutOf)).toEqual([
      ...[2, 10_000, 10_000, 2 ** 31 - 1, 2 ** 31 - 1],
    ])
  })

  it('refuse an address with a password, without showing it', () => {
    const start = () => otlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://ann:hunter2@127.0.0.1' })
    expect(start).toThrow('Put them into OTEL_EXPORTER_OTLP_HEADERS')
    expect(start).not.toThrow('hunter2')
  })

  it('refuse an address that is none, without showing it', () => {
    expect(() => otlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'user:hunter2@host' })).toThrow(
      'OTEL_EXPORTER_OTLP_ENDPOINT is not the address of an HTTP server, such as http://127.0.0.1:4318',
    )
  })
})
