import { InvalidOptionError } from '@signalbox/core'

/** One segment of a route's path. */
export type Segment =
  | { readonly kind: 'static'; readonly text: string }
  /** `{name}`: one segment that is not empty. */
  | { readonly kind: 'param'; readonly name: string }
  /** `{name+}`: all that follows, at least one character, slashes included. Always the last segment. */
  | { readonly kind: 'rest'; readonly name: string }

/**
 * The segments of a route's path, between its slashes: `/a/` has the segments `a` and an empty one, so that a
 * trailing slash is matched like everything else, exactly.
 * @throws InvalidOptionError for a path that no request could match, or that could be read in two ways
 */
export function parsePath(path: string): readonly Segment[] {
  const refuse = (why: string) => new InvalidOptionError(`The path ${JSON.stringify(path)} ${why}`)
  if (typeof path !== 'string') throw refuse('is not text')
  if (!path.startsWith('/')) throw refuse('does not start with a slash')
  if (/[?#]/.test(path)) throw refuse('has a query or fragment: routes match the path alone')
  if (!/^[!-~]*$/.test(path)) {
    throw refuse(`never arrives in this form: write it as clients send it, ${encodeURI(path)}`)
  }
  const texts = path.slice(1).split('/')
  const names = new Set<string>()
  return texts.map((text, position) => {
    const segment = parseSegment(text)
    if (segment === undefined) throw refuse(`has braces that are not a whole segment: ${text}`)
    if (segment.kind === 'static') {
      // As other routers write them. Here they would be texts that no client ever sends.
      if (/^:./.test(text)) throw refuse(`has ${text}: a parameter is written {${text.slice(1)}}`)
      if (text === '*') throw refuse('has *: all that follows is written {rest+}')
      return segment
    }
    if (segment.name === '' || segment.name === '__proto__')
      throw refuse(`has a parameter that cannot be named ${text}`)
    if (names.has(segment.name)) throw refuse(`has two parameters named ${segment.name}`)
    if (segment.kind === 'rest' && position < texts.length - 1) throw refuse(`goes on after ${text}`)
    names.add(segment.name)
    return segment
  })
}

function parseSegment(text: string): Segment | undefined {
  if (!/[{}]/.test(text)) return { kind: 'static', text }
  const [, name, plus] = /^\{([^{}]*?)(\+?)\}$/.exec(text) ?? []
  if (name === undefined) return undefined
  return { kind: plus === '+' ? 'rest' : 'param', name }
}
