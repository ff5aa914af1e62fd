import { Tracer } from '@aws-lambda-powertools/tracer'
import { captureLambdaHandler } from '@aws-lambda-powertools/tracer/middleware'
import { handler as shop } from './none.ts'

export const handler = shop.use(captureLambdaHandler(new Tracer({ serviceName: 'shop' })) as never)
