import { expect, it } from '@jest/globals'
import { aws, toAws } from '@signalbox/aws'
import { signalbox } from '@signalbox/core'
import { cors, get, group, json, loadBalancer, withCookie } from '@signalbox/load-balancer'
import { exchange, httpEvent } from '@signalbox/load-balancer/testing'
import { mailFlow } from '@signalbox/mail-flow'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { queue } from '@signalbox/queue'
import { queueEvent } from '@signalbox/queue/testing'
import { claims, userPool } from '@signalbox/user-pool'
import { preSignUpEvent, triggerEvent } from '@signalbox/user-pool/testing'
import * as t from 'io-ts'

const nothing = () => {}
const orders = () => queue({ onMessage: nothing })
const site = (answer: () => unknown) => loadBalancer([get('/', answer as never)])

/** Sends a request to `/`. Throws an error that contains everything that the plugin logged. */
async function logged(answer: () => unknown): Promise<void> {
  const lines: string[] = []
  const plugin = loadBalancer([get('/', answer as never)], { log: line => lines.push(line) })
  await exchange(signalbox(plugin), httpEvent('GET', '/'))
  throw new Error(lines.join('\n'))
}

// Common mistakes of newcomers, each with the run-time error that says what to do instead. TypeScript reports most of
// these mistakes earlier, with messages that the type tests check.
it.each<[mistake: string, run: () => unknown, text: string]>([
  [
    'a codec of JSON values as the body of a message',
    () => queue({ body: t.type({ id: t.string }) as never, onMessage: nothing }),
    'the body of a message is text. Write body: fromJson(…) with fromJson of @signalbox/codec.',
  ],
  [
    'queueEvent({ body })',
    () => queueEvent({ body: 'one' } as never),
    'queueEvent() has no option "body". The options are bodies, records.',
  ],
  [
    'json() of a promise',
    () => logged(() => json(Promise.resolve(1) as never)),
    'json() got a promise: write json(await …)',
  ],
  [
    'a status number as the options of a reply',
    () => logged(() => json({}, 404 as never)),
    'The options of a reply are 404, expected an object such as { status: 404 }',
  ],
  [
    'routes without a plugin',
    () => signalbox({ PreSignUp: nothing } as never),
    'signalbox() needs at least one plugin, and got only routes, options or nothing: write the plugin of the family around the routes, as in signalbox(queue(…))',
  ],
  [
    'a list of routes without a plugin',
    () => signalbox([get('/', nothing as never)] as never),
    'signalbox() takes plugins, not a list of other things: write the plugin of the family around the routes, as in signalbox(queue(…))',
  ],
  [
    'a group without middlewares',
    () => loadBalancer([(group as (...args: unknown[]) => never)('/a', [get('/', nothing as never)])]),
    'group("/a") takes a list of middlewares before the routes: write group("/a", [], […])',
  ],
  [
    'a function without its name in the options',
    () => queue(nothing as never),
    'queue() takes options, not a function: write queue({ onMessage: … })',
  ],
  [
    'routes that are not a list',
    () => loadBalancer({ 'GET /': nothing } as never),
    'The routes of loadBalancer() are an object, expected a list: loadBalancer([get(…), …])',
  ],
  [
    'a string as the answer to a mail',
    () => signalbox(mailFlow((() => 'DROP') as never))(mailEvent()),
    'the value: expected the builder, or a response such as { actions: […] }, was a string',
  ],
  [
    'the type of an action beside the action instead of in it',
    () =>
      signalbox(mailFlow((() => ({ actions: [{ type: 'DROP', allRecipients: true }] })) as never))(
        mailEvent(),
      ),
    '/actions/0/type: expected it inside action: action: { type: … }, was beside it',
  ],
  [
    'a plain object as an answer',
    () => logged(() => ({ id: 7 })),
    'What GET / returned breaks the contract:\nthe value: expected a reply such as json(…), an object with a statusCode, or a Response, was an object',
  ],
  [
    'a forgotten return in a route',
    () => logged(nothing),
    'expected a reply such as json(…), an object with a statusCode, or a Response, was nothing',
  ],
  [
    'two cookies with single-value headers',
    () => logged(() => withCookie(withCookie(json(1), 'a', 'b'), 'c', 'd')),
    '/headers/set-cookie: expected one cookie, since the load balancer asks for single headers (to send several, turn on multi-value headers on its target group), was 2 cookies',
  ],
  [
    'a number codec in a query',
    () => get('/', { query: t.type({ limit: t.number }) as never }, () => json(1)),
    'query.limit is number, but query has text only, so that no request would fit. Use a codec that decodes text, such as NumberFromString',
  ],
  [
    'a plain map of codecs as a query',
    () => get('/', { query: { limit: t.string } as never }, () => json(1)),
    'has a query that is neither a codec of io-ts nor a Standard Schema: write t.type({ … }) around its fields',
  ],
  [
    'cors() without origins',
    () => (cors as () => unknown)(),
    "cors(): origins are missing. Write cors({ origins: ['https://shop.example'] }), or '*' for every origin",
  ],
  [
    'use(cors)',
    () => signalbox(site(nothing)).use(cors as never),
    'use() takes middlewares, each with before, after or onError, not a function: write use(cors(…))',
  ],
  [
    'the CORS middleware of middy',
    () => signalbox(site(nothing)).use({ after: function httpCorsMiddlewareAfter() {} }),
    '@middy/http-cors adds nothing to errors. Use cors().',
  ],
  [
    'the parameter ":id" in a path',
    () => loadBalancer([get('/orders/:id' as never, () => json(1))]),
    'has :id: a parameter is written {id}',
  ],
  [
    'claims() without for(event)',
    () =>
      signalbox(userPool({ TokenGeneration: (() => claims().set('tenant', 't1')) as never }))(
        triggerEvent('TokenGeneration_Authentication'),
      ),
    '/response: expected what its for(event) returns, was a builder of claims',
  ],
  [
    'claims().for(event) that is not returned',
    () =>
      signalbox(
        userPool({
          TokenGeneration: event => {
            claims().set('tenant', 't1').for(event)
          },
        }),
      )(triggerEvent('TokenGeneration_Authentication')),
    '/response: expected the claims that the route built with for(event): return them, was nothing',
  ],
  [
    'a misspelt field of a trigger',
    () => signalbox(userPool({ PreSignUp: () => ({ autoConfirmuser: true }) as never }))(preSignUpEvent()),
    '/response/autoConfirmuser: expected no such field; did you mean autoConfirmUser?, was a field',
  ],
  [
    'an answer inside an object "response"',
    () =>
      signalbox(userPool({ PreSignUp: () => ({ response: { autoConfirmUser: true } }) as never }))(
        preSignUpEvent(),
      ),
    '/response/response: expected one of the fields autoConfirmUser, autoVerifyEmail, autoVerifyPhone, was a field',
  ],
  [
    'mail actions that are not returned',
    () => signalbox(mailFlow((_mail, actions) => void actions.drop()))(mailEvent()),
    'expected the builder, because it has actions: return it, was nothing',
  ],
  [
    'a misspelt field of an action',
    () =>
      signalbox(mailFlow(() => ({ actions: [{ action: { type: 'DROP' }, allRecipient: true }] }) as never))(
        mailEvent(),
      ),
    '/actions/0/allRecipient: expected no such field; did you mean allRecipients?, was a field',
  ],
  [
    'an SQS event without aws()',
    () => signalbox(orders())(toAws(queueEvent({ bodies: ['one'] }))),
    'The event is from AWS SQS: wrap the handler in aws() of @signalbox/aws.',
  ],
  [
    'an event of a test builder in aws()',
    () => aws(signalbox(orders()))(queueEvent({ bodies: ['one'] })),
    'a handler in aws() takes events of AWS.',
  ],
  [
    'an SNS event',
    () => signalbox(orders())({ Records: [{ EventSource: 'aws:sns', Sns: { Message: 'one' } }] }),
    'The event is from aws:sns, not from a queue.',
  ],
  [
    'a request from an API Gateway',
    () =>
      signalbox(site(nothing))({
        version: '2.0',
        rawPath: '/',
        headers: {},
        requestContext: { http: { method: 'GET' } },
      }),
    'The event is from an API Gateway or a function URL, not from an Application Load Balancer: its requestContext has no elb.',
  ],
  [
    'an event that has a version but belongs to no family',
    () => signalbox(userPool({ PreSignUp: () => ({}) }))({ version: '2.0', routeKey: '$default' }),
    'This handler serves user-pool. The event has the fields version, routeKey. Add the plugin of its family, or see which that is with: signalbox check',
  ],
  [
    'an event that is a string',
    () => signalbox(orders())(JSON.stringify(queueEvent())),
    'The event is a string, expected the object that JSON.parse makes of it.',
  ],
  [
    'a plugin in aws()',
    () => aws(orders() as never),
    'aws() expects the handler that signalbox(…) returns: aws(signalbox(queue(…)))',
  ],
  [
    'a list of plugins',
    () => signalbox([orders()] as never),
    'signalbox() takes no list: write signalbox(...plugins)',
  ],
])('the error for “%s” says what to do instead', async (_mistake, run, text) => {
  await expect((async () => run())()).rejects.toThrow(text)
})
