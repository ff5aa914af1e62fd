import { byHand, middyStack, ours } from '../contenders/http.ts'
import type { Handler } from '../contenders/stack.ts'
import { httpEvent, itemRequests, paths } from '../data/http.ts'
import { inTurn } from '../data/turn.ts'
import type { Contender, Role, Setup, Work } from '../harness/work.ts'

const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 3_000 }

function setup(count: number): Setup {
  const routes = paths(count)
  const requests = itemRequests(Math.ceil(count / 6))
  const contender = (name: string, role: Role, handler: Handler): Contender => {
    const next = inTurn(requests.map(request => httpEvent('single', request)))
    return { name, role, run: () => handler(next() as never, context as never), answers: bodies }

    async function bodies(): Promise<unknown> {
      const found: unknown[] = []
      for (const request of requests) {
        const answer = await handler(httpEvent('single', request) as never, context as never)
        found.push(JSON.parse((answer as { body: string }).body))
      }
      return found
    }
  }
  return {
    name: `${count.toLocaleString('en')} routes`,
    contenders: [
      contender('hand-written', 'limit', byHand(routes)),
      contender('Signalbox', 'ours', ours(routes)),
      contender('middy router and friends', 'peer', middyStack(routes)),
    ],
  }
}

export const work: Work = {
  name: 'http-growth',
  title: 'HTTP: the same request among more and more routes',
  unit: 'request',
  setups: [setup(10), setup(150), setup(1_000)],
  growth: [{ of: 'Signalbox', from: '10 routes', to: '1,000 routes', atMost: 1.2 }],
}
