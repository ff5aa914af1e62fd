import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { methods } from '../contract/index.ts'
import { arbitraryPath } from '../testing/arbitrary.ts'
import { parsePath } from './path-pattern.ts'
import { type Indexed, routeIndex } from './route-index.ts'

const routes = (...texts: string[]): Indexed[] =>
  texts.map(text => {
    const [method, path] = text.split(' ') as [Indexed['method'], string]
    return { method, path }
  })

const matched = (known: readonly Indexed[], path: string, method: (typeof methods)[number] = 'GET') => {
  const match = routeIndex(known).find(method, path)
  return match && [match.route.path, ...match.params]
}

describe('routeIndex', () => {
  const paths = ['/a/{rest+}', '/{x}/b', '/a/{x}', '/a/b', '/{rest+}', '/a/{x}/{y}', '/a/{x}/c', '/']

  it.each([
    ['/', ['/']],
    ['/a/b', ['/a/b']],
    ['/a/z', ['/a/{x}', 'z']],
    ['/z/b', ['/{x}/b', 'z']],
    ['/z', ['/{rest+}', 'z']],
    ['/a', ['/{rest+}', 'a']],
    ['/a/z/c', ['/a/{x}/c', 'z']],
    ['/a/z/z', ['/a/{x}/{y}', 'z', 'z']],
    ['/a/z/z/z', ['/a/{rest+}', 'z/z/z']],
    ['/a/z/', ['/a/{rest+}', 'z/']],
    ['/a/', ['/{rest+}', 'a/']],
    ['//', ['/{rest+}', '/']],
    ['//a/b', ['/{rest+}', '/a/b']],
  ])('finds the most specific route for %s, in any order of registration', (path, expected) => {
    for (const order of [paths, paths.toReversed()]) {
      expect(matched(routes(...order.map(each => `GET ${each}`)), path)).toEqual(expected)
    }
  })

  it('distinguishes paths with and without a trailing slash', () => {
    const known = routes('GET /a', 'GET /b/', 'GET /c/{x}', 'GET /d/{x}/')
    expect(matched(known, '/a')).toEqual(['/a'])
    expect(matched(known, '/a/')).toBeUndefined()
    expect(matched(known, '/b/')).toEqual(['/b/'])
    expect(matched(known, '/b')).toBeUndefined()
    expect(matched(known, '/c/1')).toEqual(['/c/{x}', '1'])
    expect(matched(known, '/c/1/')).toBeUndefined()
    expect(matched(known, '/d/1/')).toEqual(['/d/{x}/', '1'])
    expect(matched(known, '/d/1')).toBeUndefined()
    expect(matched(known, '/d//')).toBeUndefined()
  })

  it('does not normalize dots, double slashes or escapes', () => {
    const known = routes('GET /admin', 'GET /foo/{x}')
    for (const path of [
      '//evil/admin',
      '/foo/../admin',
      '//admin',
      '/./admin',
      '/%61dmin',
      '/admin/',
      '/foo//x',
    ]) {
      expect(matched(known, path)).toBeUndefined()
    }
    expect(matched(known, '/foo/..')).toEqual(['/foo/{x}', '..'])
    expect(matched(known, '/foo/%2e%2e%2fadmin')).toEqual(['/foo/{x}', '%2e%2e%2fadmin'])
  })

  it('does not match a path that does not start with a slash', () => {
    const known = routes('GET /{rest+}', 'GET /')
    for (const path of ['', '*', 'a', 'http://shop.example/']) expect(matched(known, path)).toBeUndefined()
  })

  it('requires at least one character in each parameter, and allows a slash only in rest parameters', () => {
    const known = routes('GET /a/{x}', 'GET /b/{rest+}')
    expect(matched(known, '/a/')).toBeUndefined()
    expect(matched(known, '/b/')).toBeUndefined()
    expect(matched(known, '/b')).toBeUndefined()
    expect(matched(known, '/b//')).toEqual(['/b/{rest+}', '/'])
  })

  it('accepts any parameter names, even different ones for each method', () => {
    const known = routes('GET /a/{my-id}', 'POST /a/{proxy}', 'PUT /a/{p1}/{p0}', 'GET /b/{1+}')
    expect(matched(known, '/a/1')).toEqual(['/a/{my-id}', '1'])
    expect(matched(known, '/a/1', 'POST')).toEqual(['/a/{proxy}', '1'])
    expect(matched(known, '/a/1/2', 'PUT')).toEqual(['/a/{p1}/{p0}', '1', '2'])
    expect(matched(known, '/b/1/2')).toEqual(['/b/{1+}', '1/2'])
  })

  it('treats special characters of regular expressions as plain text', () => {
    const known = routes('GET /a.b/{x}', 'GET /(c)+/{x}', 'GET /$&/{x}')
    expect(matched(known, '/a.b/1')).toEqual(['/a.b/{x}', '1'])
    expect(matched(known, '/aXb/1')).toBeUndefined()
    expect(matched(known, '/(c)+/1')).toEqual(['/(c)+/{x}', '1'])
    expect(matched(known, '/$&/1')).toEqual(['/$&/{x}', '1'])
  })

  it('finds a less specific route when the more specific one has another method', () => {
    const known = routes('POST /orders/new', 'GET /orders/{id}')
    expect(matched(known, '/orders/new')).toEqual(['/orders/{id}', 'new'])
    expect(routeIndex(known).allowed('/orders/new')).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST'])
  })

  it('serves HEAD with the HEAD route, or else with the GET route, or else with the ANY route', () => {
    const match = (...texts: string[]) => routeIndex(routes(...texts)).find('HEAD', '/')?.route.method
    expect(match('GET /', 'ANY /', 'HEAD /')).toBe('HEAD')
    expect(match('GET /', 'ANY /')).toBe('GET')
    expect(match('ANY /', 'POST /')).toBe('ANY')
    expect(match('POST /')).toBeUndefined()
  })

  it('uses the ANY route for a method that has no other route', () => {
    const index = routeIndex(routes('ANY /a', 'PUT /a'))
    for (const method of methods) {
      expect(index.find(method, '/a')?.route.method).toBe(method === 'PUT' ? 'PUT' : 'ANY')
    }
    expect(index.allowed('/a')).toEqual(methods)
  })

  it('lists the methods of all patterns that match a path', () => {
    const index = routeIndex(routes('GET /a', 'DELETE /{x}', 'PATCH /{rest+}', 'POST /b/{x}'))
    expect(index.allowed('/a')).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH'])
    expect(index.allowed('/b')).toEqual(['DELETE', 'OPTIONS', 'PATCH'])
    expect(index.allowed('/')).toEqual([])
  })

  it.each([
    [['GET /a', 'GET /a'], 'GET /a is defined twice'],
    [['GET /a/{x}', 'POST /a/{x}', 'GET /a/{y}'], 'GET /a/{y} matches the same paths as /a/{x}'],
    [['ANY /{x+}', 'ANY /{y+}'], 'ANY /{y+} matches the same paths'],
  ])('refuses the duplicate routes %j', (texts, message) => {
    expect(() => routeIndex(routes(...texts))).toThrow(message)
  })

  it('refuses an invalid path', () => {
    expect(() => routeIndex(routes('GET /{a'))).toThrow('braces')
  })

  it('matches very long paths', () => {
    const index = routeIndex(routes('GET /a/{x}/c', 'GET /b/{rest+}'))
    expect(index.find('GET', `/a/${'/'.repeat(65_536)}`)).toBeUndefined()
    expect(index.find('GET', `/b/${'x/'.repeat(32_768)}`)?.params[0]).toHaveLength(65_536)
  })
})

/** Finds a route in a simple way. It matches all routes segment by segment, and returns the most specific match. */
function model(known: readonly Indexed[], path: string): readonly string[] | undefined {
  if (!path.startsWith('/')) return undefined
  const texts = path.slice(1).split('/')
  const matching = known.flatMap(({ path: pattern }) => {
    const params: string[] = []
    const ranks: string[] = []
    const segments = parsePath(pattern)
    for (const [i, segment] of segments.entries()) {
      const text = texts[i]
      if (text === undefined) return []
      ranks.push({ static: '0', param: '1', rest: '2' }[segment.kind])
      if (segment.kind === 'static') {
        if (segment.text !== text) return []
      } else if (segment.kind === 'param') {
        if (text === '') return []
        params.push(text)
      } else {
        const rest = texts.slice(i).join('/')
        return rest === '' ? [] : [{ rank: ranks.join(''), match: [pattern, ...params, rest] }]
      }
    }
    return segments.length === texts.length ? [{ rank: ranks.join(''), match: [pattern, ...params] }] : []
  })
  return matching.sort((a, b) => (a.rank < b.rank ? -1 : 1))[0]?.match
}

describe('routeIndex, for any routes and paths', () => {
  const segment = fc.constantFrom('a', 'b', '', '..', '{p}', '{q}', 'a.b')
  const pattern = fc
    .tuple(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.boolean())
    .map(([segments, open]) => {
      const numbered = segments.map((text, i) => (text.startsWith('{') ? `{${text[1]}${i}}` : text))
      return `/${[...numbered, ...(open ? ['{rest+}'] : [])].join('/')}`
    })
  const patterns = fc.uniqueArray(pattern, {
    maxLength: 12,
    selector: text => text.replace(/\{[pq]\d\}/g, '{}'),
  })
  const path = fc.oneof(
    arbitraryPath(),
    fc
      .array(fc.constantFrom('a', 'b', '', '..', 'a.b', 'c'), { maxLength: 5 })
      .map(texts => `/${texts.join('/')}`),
  )

  it('finds the same route as a search through all routes', () => {
    fc.assert(
      fc.property(patterns, fc.array(path, { minLength: 1, maxLength: 10 }), (texts, asked) => {
        const known = texts.map((text): Indexed => ({ method: 'GET', path: text }))
        const index = routeIndex(known)
        for (const each of asked) {
          const match = index.find('GET', each)
          expect(match && [match.route.path, ...match.params]).toEqual(model(known, each))
        }
      }),
      { numRuns: 500 },
    )
  })
})
