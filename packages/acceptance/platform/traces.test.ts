import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { createPlatform } from '@signalbox/platform'
import { startReceiver } from '@signalbox/telemetry/testing/otlp-receiver'

const client = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }

it('thin', async () => {
  await using receiver = await startReceiver()
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url
  const { handler } = await import('./testing/traced-functions.ts')
  const clock = manualClock(Date.now())
  const platform = createPlatform({
    functions: { all: { handler, timeout: 5 } },
    loadBalancers: { web: { function: 'all', port: 0 } },
    queues: { orders: { function: 'all', visibilityTimeout: 10 } },
    queueListener: { port: 0 },
    dataDir: ':memory:',
  } as never, { clock })
  const addresses = await platform.start()
  const url = (part: string) => addresses.find(({ source }) => source.includes(part))!.url
  console.log(addresses)
  const answer = await fetch(`${url('load balancer')}?to=${encodeURIComponent(JSON.stringify({ queues: url('queue') }))}`, {
    headers: { traceparent: `00-${client.traceId}-${client.spanId}-01` },
  })
  console.log(answer.status, await answer.text())
  for (let i = 0; i < 40; i++) {
    await new Promise(r => setTimeout(r, 100))
    await clock.advance(1000)
  }
  await platform.stop()
  await new Promise(r => setTimeout(r, 500))
  console.log(receiver.spans.map(s => JSON.stringify(s)).join('\n'))
}, 30000)
