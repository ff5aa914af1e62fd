/**
 * The positions of the signed headers in a request. A layout depends only on the names of the headers. So a listener
 * can use the layout of one request for the next request of the same client, which takes a third of the time of a new
 * search.
 */
export interface HeaderLayout {
  /** The names of all headers, in the order of the request. */
  readonly names: readonly string[]
  /** The lower-case names of the signed headers, joined with semicolons. */
  readonly signedHeaders: string
  /** A header that must be signed, but is not. */
  readonly unsigned: string | undefined
  /**
   * The parts of the canonical lines of the signed headers. Each part is a string, followed by the header value at a
   * position.
   */
  readonly lines: readonly { readonly before: string; readonly at: number }[]
  /** The text after the last value. */
  readonly end: string
}

/**
 * Finds the signed headers of a request.
 * @param headers alternating names and values
 * @param signedHeaders lower-case names, joined with semicolons
 */
export function headerLayout(headers: readonly string[], signedHeaders: string): HeaderLayout {
  const names = headers.filter((_, at) => at % 2 === 0)
  const places = new Map<string, number[]>()
  for (const [at, name] of names.entries()) {
    const same = places.get(name.toLowerCase())
    if (same === undefined) places.set(name.toLowerCase(), [2 * at + 1])
    else same.push(2 * at + 1)
  }
  // A name that a client repeats counts once, so that the size of a layout is limited by that of the request.
  const signed = new Set(signedHeaders.split(';'))
  const lines: { readonly before: string; readonly at: number }[] = []
  let end = ''
  for (const name of signed) {
    const [first, ...more] = places.get(name) ?? []
    end += `${name}:`
    if (first !== undefined) {
      lines.push({ before: end, at: first }, ...more.map(at => ({ before: ',', at })))
      end = ''
    }
    end += '\n'
  }
  return { names, signedHeaders, unsigned: unsignedHeader(names, signed), lines, end }
}

/** Returns whether a request has the headers of a layout in the same order. */
export function hasLayout(headers: readonly string[], { names }: HeaderLayout): boolean {
  if (headers.length !== 2 * names.length) return false
  for (let at = 0; at < names.length; at++) if (headers[2 * at] !== names[at]) return false
  return true
}

/** Returns the canonical lines of the signed headers. */
export function headerLines(headers: readonly string[], { lines, end }: HeaderLayout): string {
  let text = ''
  for (const { before, at } of lines) text += before + headerValue(headers[at]!)
  return text + end
}

/** Returns the value of a header in the form that is signed. */
export function headerValue(value: string): string {
  const trimmed = value.trim()
  return trimmed.includes('  ') ? trimmed.replaceAll(/ +/g, ' ') : trimmed
}

/** Returns a header that must be signed, but is not. */
function unsignedHeader(names: readonly string[], signed: ReadonlySet<string>): string | undefined {
  if (!signed.has('host')) return 'Host'
  return names.find(name => /^x-amz-(?!security-token$)/i.test(name) && !signed.has(name.toLowerCase()))
}
