import { InvalidOptionError } from '@signalbox/core'

/** One segment of the path of a route. */
export type Segment =
  | { readonly kind: 'static'; readonly text: string }
  /** `{name}`: one segment that is not empty. */
  | { readonly kind: 'param'; readonly name: string }
  /** `{name+}`: the rest of the path, including slashes, with at least one character. It is always the last segment. */
  | { readonly kind: 'rest'; readonly name: string }

/**
 * Parses the path of a route into the segments between its slashes. `/a/` has the segment `a` and an empty segment, so
 * that a trailing slash is matched exactly.
 * @throws InvalidOptionError for a path that no request can match, or that is ambiguous
 */
export function parsePath(path: string): readonly Segment[] {
  const invalid = (why: string) => new InvalidOptionError(`The path ${JSON.stringify(path)} ${why}`)
  if (typeof path !== 'string') throw invalid('is not text')
  if (!path.startsWith('/')) throw invalid('does not start with a slash')
  if (process.env.NODE_ENV !== 'production') refuseNotations(path, invalid)
  if (path.includes('?') || path.includes('#'))
    throw invalid('has a query or fragment: routes match the path alone')
  if (!/^[!-~]*$/.test(path)) {
    throw invalid(`never arrives in this form: write it as clients send it, ${encodeURI(path)}`)
  }
  const texts = path.slice(1).split('/')
  const names = new Set<string>()
  return texts.map((text, position) => {
    const segment = parseSegment(text)
    if (segment === undefined) throw invalid(`has braces that are not a whole segment: ${text}`)
    if (segment.kind === 'static') return segment
    if (segment.name === '' || segment.name === '__proto__')
      throw invalid(`has a parameter that cannot be named ${text}`)
    if (names.has(segment.name)) throw invalid(`has two parameters named ${segment.name}`)
    if (segment.kind === 'rest' && position < texts.length - 1) throw invalid(`goes on after ${text}`)
    names.add(segment.name)
    return segment
  })
}

/**
 * Refuses the notations of other routers, which would be literal text here, or a part of a name. The first start in
 * development or in a test finds them, so a production bundle does not look for them.
 */
function refuseNotations(path: string, invalid: (why: string) => Error): void {
  if (path.includes('?}'))
    throw invalid('has an optional parameter: write one route with it and one without it')
  for (const text of path.slice(1).split('/')) {
    if (/^:./.test(text)) throw invalid(`has ${text}: a parameter is written {${text.slice(1)}}`)
    if (text === '*') throw invalid('has *: the rest of a path is written {rest+}')
    const name = /^\{([^{}:]*):[^{}]*\}$/.exec(text)?.[1]
    if (name !== undefined)
      throw invalid(
        `has ${text}: a parameter has no pattern. Write {${name}}, and check it with a codec in params`,
      )
  }
}

function parseSegment(text: string): Segment | undefined {
  if (!hasBrace(text)) return { kind: 'static', text }
  const isRest = text.endsWith('+}')
  const name = text.slice(1, isRest ? -2 : -1)
  if (!text.startsWith('{') || !text.endsWith('}') || hasBrace(name)) return undefined
  return { kind: isRest ? 'rest' : 'param', name }
}

function hasBrace(text: string): boolean {
  return text.includes('{') || text.includes('}')
}
