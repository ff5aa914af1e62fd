import { trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { handler as shop } from './none.ts'

new NodeSDK({ serviceName: 'shop', traceExporter: new OTLPTraceExporter() }).start()

const tracer = trace.getTracer('shop')

export const handler = (event: never, context: never) =>
  tracer.startActiveSpan('GET /orders/{id}', { kind: 1 }, async span => {
    try {
      return await shop(event, context)
    } finally {
      span.end()
    }
  })
