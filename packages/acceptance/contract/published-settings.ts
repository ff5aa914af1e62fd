import assert from 'node:assert/strict'
import { signalbox } from '@signalbox/core'
import { type CorsOptions, cors, get, json, loadBalancer } from '@signalbox/load-balancer'
import { bearer } from '@signalbox/load-balancer/bearer'
import type { LoadBalancerEvent } from '@signalbox/load-balancer/contract'
import { exchange, httpEvent } from '@signalbox/load-balancer/testing'
import { ask } from './cases/http-sides.ts'
import type { Sides } from './contract-case.ts'
import { replies, type Samples } from './published-sides.ts'

type Origins = CorsOptions['origins']

const served = (origins: Origins) =>
  signalbox(loadBalancer([get('/', () => json('garden'))])).use(cors({ origins }))

/** Returns checks that a browser at this origin may, or may not, read an answer. */
function mayRead(origins: Origins, origin: string, isAllowed = true): Sides {
  const handler = served(origins)
  const expected = isAllowed ? [origin] : []
  return {
    async function() {
      const event = httpEvent('GET', '/', { headers: { origin } })
      assert.deepEqual((await exchange(handler, event)).header('access-control-allow-origin'), expected)
    },
    async platform() {
      const { response } = await ask((event: LoadBalancerEvent) => handler(event), {
        lines: [`origin: ${origin}`],
      })
      const sent = response.headers.filter(([name]) => name.toLowerCase() === 'access-control-allow-origin')
      assert.deepEqual([response.status, sent.map(([, value]) => value)], [200, expected])
    },
  }
}

/** Returns checks that a function does not start with these options, so that clients get a 502. */
const doesNotStart = (make: () => unknown, why: RegExp): Sides => ({
  function: () => assert.throws(make, why),
  platform: async () => assert.equal((await ask(make)).response.status, 502),
})

const path = (text: string) => () => signalbox(loadBalancer([get(text as never, () => json(1))]))
const bed = loadBalancer([get('/beds/{id}', ({ params }) => json(params.id))])

/** Returns checks that a token of another issuer is refused, and that this many lines name both issuers. */
function tokenOf(iss: string, lines: number): Sides {
  const part = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url')
  const token = `${part({ alg: 'RS256', kid: 'k' })}.${part({ iss })}.c2lnbmF0dXJl`
  const handlerOf = () => {
    const guard = bearer({ issuer: 'https://issuer.example/pool', audience: 'garden' })
    return signalbox(loadBalancer([get('/', { guard }, () => json(1))]))
  }
  const warned = async (twice: () => Promise<number>) => {
    const { warn } = console
    const said: string[] = []
    console.warn = (...args: unknown[]) => void said.push(args.join(' '))
    try {
      assert.deepEqual([await twice(), await twice()], [401, 401])
    } finally {
      console.warn = warn
    }
    const names = said.filter(each => each.includes(JSON.stringify(iss)) && each.includes('write it so'))
    assert.equal(names.length, lines)
  }
  const authorization = `Bearer ${token}`
  return {
    function() {
      const handler = handlerOf()
      const event = httpEvent('GET', '/', { headers: { authorization } })
      return warned(async () => (await exchange(handler, event)).status)
    },
    platform() {
      const handler = handlerOf()
      const lines = [`authorization: ${authorization}`]
      return warned(
        async () => (await ask((event: LoadBalancerEvent) => handler(event), { lines })).response.status,
      )
    },
  }
}

/** Settings of functions for requests, in the manner of guides and reports. */
export const settingSamples: Samples = {
  'the origin of a site': mayRead(['https://garden.example'], 'https://garden.example'),
  'another origin': mayRead(['https://garden.example'], 'https://field.example', false),
  'the origin of a site on a port': mayRead(['http://localhost:5173'], 'http://localhost:5173'),
  'a pattern of origins': mayRead([/https:\/\/[a-z]+\.garden\.example/], 'https://north.garden.example'),
  'a pattern of origins, and a site that ends like them': mayRead(
    [/https:\/\/[a-z]+\.garden\.example/],
    'https://north.garden.example.field.example',
    false,
  ),
  'the origin of an app in a web view': mayRead(['capacitor://localhost'], 'capacitor://localhost'),
  'the origin of another kind of app': mayRead(['ionic://localhost'], 'ionic://localhost'),
  'the origin of a page without one': mayRead(['null'], 'null'),
  'a star in a text among the origins': doesNotStart(
    () => served(['https://*.garden.example']),
    /"https:\/\/\*\.garden\.example" is not an origin: write a pattern/,
  ),
  'a star alone in a list of origins': doesNotStart(
    () => served(['*']),
    /write origins: '\*', without a list/,
  ),
  'an origin with a slash at its end': doesNotStart(
    () => served(['https://garden.example/']),
    /write "https:\/\/garden\.example"/,
  ),
  'an origin without a scheme': doesNotStart(() => served(['garden.example']), /is not an origin/),
  'a pattern of a host alone': doesNotStart(
    () => served([/garden\.example$/]),
    /never matches a whole origin/,
  ),
  'a parameter in braces': replies(bed, { path: '/beds/7' }, '7'),
  'a path that stops before its parameter': replies(bed, { path: '/beds/' }, 404),
  'a parameter with a pattern': doesNotStart(
    path('/beds/{id:[0-9]+}'),
    /Write \{id\}, and check it with a codec/,
  ),
  'a parameter with a colon': doesNotStart(path('/beds/:id'), /a parameter is written \{id\}/),
  'a star for the rest of a path': doesNotStart(path('/beds/*'), /is written \{rest\+\}/),
  'an optional parameter': doesNotStart(path('/beds/{id?}'), /has an optional parameter/),
  'a query in a path': doesNotStart(path('/beds?sort=name'), /has a query or fragment/),
  'an issuer that differs by a slash': tokenOf('https://issuer.example/pool/', 1),
  'another issuer': tokenOf('https://other.example/pool', 0),
  'an issuer without encryption': doesNotStart(
    () => bearer({ issuer: 'http://issuer.example', audience: 'garden' }),
    /expected an https address/,
  ),
}
