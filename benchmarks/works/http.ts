import { httpVerdict } from '@signalbox/load-balancer/contract'
import { byHand, hono, lambdaApi, middyStack, ours, powertools } from '../contenders/http.ts'
import type { Handler } from '../contenders/stack.ts'
import { httpEvent, itemRequests, type Mode, oddRequests, paths, type Request } from '../data/http.ts'
import { inTurn } from '../data/turn.ts'
import type { Contender, Role, Setup, Work } from '../harness/work.ts'

const routes = paths(150)
const requests = itemRequests(150 / 6)
const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 3_000 }

function setup(mode: Mode): Setup {
  const contender = (name: string, role: Role, handler: Handler): Contender => {
    const next = inTurn(requests.map(request => httpEvent(mode, request)))
    return {
      name,
      role,
      run: () => handler(next() as never, context as never),
      answers: () => seen(handler, mode, [...requests, ...oddRequests]),
    }
  }
  return {
    name: `${mode} headers`,
    contenders: [
      contender('hand-written', 'limit', byHand(routes)),
      contender('Signalbox', 'ours', ours(routes)),
      contender('middy router and friends', 'peer', middyStack(routes)),
      contender('Hono, Lambda adapter', 'peer', hono(routes)),
      contender('lambda-api', 'peer', lambdaApi(routes)),
      contender('Powertools event handler', 'peer', powertools(routes)),
    ],
  }
}

/** Returns the response that the client gets after the load balancer has processed the answer. */
async function seen(handler: Handler, mode: Mode, asked: readonly Request[]): Promise<unknown> {
  const found: unknown[] = []
  for (const request of asked) {
    const event = httpEvent(mode, request)
    const payload = JSON.stringify(await handler(event as never, context as never))
    const verdict = httpVerdict(payload, httpEvent(mode, request) as never)
    const type = verdict.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
    found.push({
      kind: verdict.kind === 'malformed' ? verdict.why : verdict.kind,
      status: verdict.status,
      type: type?.split(';')[0],
      body: verdict.kind === 'malformed' ? undefined : JSON.parse(Buffer.from(verdict.body).toString()),
    })
  }
  return found
}

const single = 'single headers'

export const work: Work = {
  name: 'http',
  title: 'HTTP: 150 routes, a dynamic one with two parameters, JSON out',
  setups: [setup('single'), setup('multi-value')],
  ratios: [
    {
      setup: single,
      of: 'Signalbox',
      to: 'middy router and friends',
      atMost: 0.55,
      otherwise:
        'Signalbox stands at the goal, and runs fall on both sides. A fifth of its time is JSON.stringify, as in every contender, and an eighth the key of the route, which is cut out of the path.',
    },
    { setup: single, of: 'Signalbox', to: 'Hono, Lambda adapter', atLeast: 6 },
  ],
}
