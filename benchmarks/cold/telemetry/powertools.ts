import { Logger } from '@aws-lambda-powertools/logger'
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware'
import { Metrics } from '@aws-lambda-powertools/metrics'
import { Tracer } from '@aws-lambda-powertools/tracer'
import { captureLambdaHandler } from '@aws-lambda-powertools/tracer/middleware'
import { handler as shop } from './none.ts'

new Metrics({ namespace: 'shop', serviceName: 'shop' })
const logger = new Logger({ serviceName: 'shop', logLevel: 'SILENT' })

export const handler = shop
  .use(captureLambdaHandler(new Tracer({ serviceName: 'shop' })) as never)
  .use(injectLambdaContext(logger) as never)
