import type { Route } from '@middy/http-router'
import type { ALBEvent, ALBResult } from 'aws-lambda'

/** The event of a load balancer, with the parameters that middy's router adds. */
export interface RoutedEvent extends ALBEvent {
  readonly pathParameters: { readonly [name: string]: string }
}

const names = new Map([['7', 'Ada Lovelace']])

/** Routes of an application on middy's router, as they were. */
export const existing: Route<RoutedEvent, ALBResult>[] = [
  {
    method: 'GET',
    path: '/customers/{id}',
    handler: async ({ pathParameters }: RoutedEvent) => {
      const name = names.get(pathParameters.id!)
      return name === undefined
        ? { statusCode: 404, headers: { 'content-type': 'text/plain' }, body: 'No such customer' }
        : { statusCode: 200, headers: { 'content-type': 'text/plain' }, body: name }
    },
  },
]
