import { Logger } from '@aws-lambda-powertools/logger'
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware'
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics'
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware'
import { Tracer } from '@aws-lambda-powertools/tracer'
import { captureLambdaHandler } from '@aws-lambda-powertools/tracer/middleware'
import { trace } from '@opentelemetry/api'
import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer } from '@signalbox/load-balancer'
import { log, telemetry } from '@signalbox/telemetry'
import type { Handler } from './stack.ts'

type Call = (context: never) => void

/** Returns a function with one route. Everything that is compared stands around it. */
function shop(inRoute: Call = () => {}) {
  return signalbox(
    loadBalancer([
      get('/orders/{id}', ({ params }, context) => {
        inRoute(context as never)
        return json({ id: params.id })
      }),
    ]),
  )
}

export const bare = (): Handler => shop() as Handler

export const withTelemetry = (): Handler => shop().use(telemetry()) as Handler

export const withEmf = (): Handler => shop().use(telemetry({ export: 'emf' })) as Handler

export const withLog = (): Handler =>
  shop(context => log(context).info('order read', { order: 7 })).use(telemetry()) as Handler

/** The span of each invocation, with the API of OpenTelemetry by hand. */
export function withApi(): Handler {
  const handler = shop()
  const tracer = trace.getTracer('shop')
  return (event, context) =>
    tracer.startActiveSpan('GET /orders/{id}', { kind: 1 }, async span => {
      try {
        return await handler(event, context)
      } finally {
        span.end()
      }
    })
}

export const withPowertoolsTracer = (): Handler =>
  shop().use(captureLambdaHandler(new Tracer({ serviceName: 'shop', enabled: false })) as never) as Handler

export function withPowertoolsMetrics(): Handler {
  const metrics = new Metrics({ namespace: 'shop', serviceName: 'shop' })
  return shop(() => {
    metrics.addMetric('invocations', MetricUnit.Count, 1)
    metrics.addMetric('duration', MetricUnit.Seconds, 0.01)
  }).use(logMetrics(metrics) as never) as Handler
}

export function withPowertoolsLogger(): Handler {
  const logger = new Logger({ serviceName: 'shop' })
  return shop(() => logger.info('order read', { order: 7 })).use(
    injectLambdaContext(logger) as never,
  ) as Handler
}
