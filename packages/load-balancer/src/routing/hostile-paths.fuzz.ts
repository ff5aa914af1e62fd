import { signalbox } from '@signalbox/core'
import fc from 'fast-check'
import type { LoadBalancerEvent } from '../contract/index.ts'
import { any, fromFetch, get, json, loadBalancer, type Path, post, type Route } from '../index.ts'
import { arbitraryText } from '../testing/arbitrary.ts'
import { exchange, httpEvent } from '../testing/index.ts'

/** The paths of an API, from the most specific to the least specific. */
const patterns: readonly Path[] = [
  '/',
  '/admin',
  '/admin/',
  '/admin/users',
  '/admin/users/{id}',
  '/admin/{area}/settings',
  '/a.b/(c)+/[d]',
  '/orders/new',
  '/orders/{id}/items/{item-id}',
  '/orders/{id}/',
  '/orders/{id}',
  '/public/{rest+}',
  '/{tenant}/admin',
  '/{tenant}/{id}/x',
]

/**
 * For each pattern, an equivalent regular expression, which is used for comparison. The router uses no regular
 * expressions.
 */
const oracles = patterns.map(pattern => {
  const source = pattern
    .split('/')
    .map(text => {
      if (/^\{.*\+\}$/.test(text)) return '([^]+)'
      return text.startsWith('{') ? '([^/]+)' : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    })
    .join('/')
  return { pattern, regExp: new RegExp(`^${source}$`) }
})

const secret = new Set<string>()
const app = (request: Request) => {
  secret.add(new URL(request.url).pathname)
  return Response.json({ route: 'app', params: [] })
}
const routes: readonly Route[] = patterns.map(pattern =>
  get(pattern, ({ params }) => json({ route: pattern, params: Object.values(params as object) })),
)
const only = signalbox(
  loadBalancer([...routes, post('/admin/purge', () => json({ route: 'purge', params: [] }))]),
)
const mounted = signalbox(loadBalancer([fromFetch(app, '/app'), any('/x', () => json(1))]))

const seeds = [...patterns, '/app', '/app/', '/app/admin', '/admin/purge']
const hostile = fc.constantFrom(
  ...[
    '/',
    '//',
    '/./',
    '/../',
    '/.',
    '/..',
    '..',
    '.',
    '\\',
    '/\\',
    '%2f',
    '%2F',
    '%5c',
    '%2e',
    '%2e%2e/',
    '%252e',
  ],
  ...[
    '%',
    '%zz',
    '%00',
    '\0',
    '\n',
    '\r\n',
    '\t',
    ' ',
    '?',
    '#',
    ';',
    ';x=y',
    ':',
    '@',
    '*',
    '{id}',
    '{rest+}',
    '+',
  ],
  ...[
    '%61dmin',
    'ADMIN',
    'admin',
    'orders',
    'new',
    'é',
    '%C3%A9',
    '%c3',
    '\u2028',
    '\ud800',
    '／',
    '․․',
    '__proto__',
  ],
  ...['constructor', 'a'.repeat(300), '/'.repeat(50), 'http://evil.example', '//evil.example/admin'],
)

/** Generates a path of the API with a few changes, or any text. */
const path = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(...seeds), fc.array(fc.tuple(fc.nat(40), fc.nat(3), hostile), { maxLength: 3 }))
      .map(([seed, spoils]) =>
        spoils.reduce<string>(
          (text, [at, cut, piece]) => {
            const place = at % (text.length + 1)
            return text.slice(0, place) + piece + text.slice(place + cut)
          },
          seed.replace(/\{[^}]*\}/g, 'v'),
        ),
      ),
  },
  { weight: 2, arbitrary: fc.array(hostile, { maxLength: 6 }).map(pieces => `/${pieces.join('')}`) },
  arbitraryText(),
)

/**
 * Sends hostile paths through a complete handler, with single-value and with multi-value headers. Each path
 * must reach the most specific matching route, and a mounted application must get the original path.
 */
export async function fuzz(runs: number, seed?: number): Promise<string> {
  const seen = { routed: 0, refused: 0, unknown: 0 }
  await fc.assert(
    fc.asyncProperty(path, fc.boolean(), async (raw, multiValue) => {
      const event: LoadBalancerEvent = { ...httpEvent('GET', '/', { multiValue }), path: raw }
      const { status, json: answer, text } = await exchange(only, event)
      const best = oracles.find(({ regExp }) => regExp.test(raw))
      const expected = expectation(best, raw)
      if (status !== expected.status)
        throw new Error(`${status} ${text}, expected ${JSON.stringify(expected)}`)
      if (status === 200 && JSON.stringify(answer) !== JSON.stringify(expected.answer)) {
        throw new Error(`reached ${text}, expected ${JSON.stringify(expected.answer)}`)
      }
      seen[status === 200 ? 'routed' : status === 400 ? 'refused' : 'unknown']++

      secret.clear()
      const inApp = await exchange(mounted, event)
      if (secret.size > 0 !== (inApp.status === 200))
        throw new Error(`the app and the answer disagree: ${inApp.text}`)
      for (const pathname of secret) {
        const outside = pathname !== '/app' && !pathname.startsWith('/app/')
        if (outside || pathname.split('/').length !== raw.split('/').length) {
          throw new Error(`${JSON.stringify(raw)} became ${pathname} for the app`)
        }
      }
    }),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  )
  return `${runs} hostile paths: ${seen.routed} reached the one route they match, ${seen.refused} were refused for an escape, ${seen.unknown} reached none`
}

function expectation(
  best: (typeof oracles)[number] | undefined,
  raw: string,
): { status: number; answer?: unknown } {
  if (!best) return { status: raw === '/admin/purge' ? 405 : 404 }
  const [, ...params] = best.regExp.exec(raw)!
  try {
    return { status: 200, answer: { route: best.pattern, params: params.map(decodeURIComponent) } }
  } catch {
    return { status: 400 }
  }
}
