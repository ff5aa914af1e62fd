import middy from '@middy/core'
import httpErrorHandler from '@middy/http-error-handler'
import httpEventNormalizer from '@middy/http-event-normalizer'
import httpHeaderNormalizer from '@middy/http-header-normalizer'
import httpRouter from '@middy/http-router'

export const handler = middy({ timeoutEarlyInMillis: 0 })
  .use(httpEventNormalizer())
  .use(httpHeaderNormalizer())
  .use(httpErrorHandler({ logger: false }))
  .handler(
    httpRouter([
      {
        method: 'GET',
        path: '/orders/{id}',
        handler: ((event: { readonly pathParameters: { readonly id: string } }) => ({
          statusCode: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ id: event.pathParameters.id }),
        })) as never,
      },
    ]) as never,
  )
