/** The key or the index of a step in a reference, such as the parts of `aws_sqs_queue.dead[0].arn`. */
export type Step = string | number

/** An expression of Terraform's language, as far as it says a value. All others are `other`. */
export type Expression =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'template'; readonly parts: readonly Expression[] }
  | { readonly kind: 'reference'; readonly path: readonly Step[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, Expression])[] }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'call'; readonly name: string; readonly given: readonly Expression[] }
  | { readonly kind: 'other' }

/** What stands between the braces of a block. */
export interface Body {
  readonly attributes: ReadonlyMap<string, Expression>
  readonly blocks: readonly Block[]
}

export interface Block extends Body {
  readonly type: string
  readonly labels: readonly string[]
}

/** The greatest depth of blocks and expressions in each other. */
const mostDepth = 100

const other: Expression = { kind: 'other' }

/**
 * Reads a file in Terraform's language. What it does not understand, such as operators and most functions, becomes `other`:
 * Terraform itself has checked the file already.
 * @throws SyntaxError for a text in another language
 */
export function readHcl(text: string): Body {
  const reader = readerOf(text)
  const body = reader.body(0)
  if (!reader.isAtEnd()) throw new SyntaxError(`It is not understood from character ${reader.at()} on.`)
  return body
}

/** Returns a value of Terraform's JSON syntax, in which texts are templates, as an expression. */
export function expressionOfJson(value: unknown): Expression {
  if (typeof value === 'string') return simplest(readerOf(`${value}\0`).template('\0'))
  if (Array.isArray(value)) return { kind: 'list', items: value.map(expressionOfJson) }
  if (typeof value !== 'object' || value === null) return { kind: 'value', value }
  return {
    kind: 'object',
    entries: Object.entries(value).map(([name, each]) => [name, expressionOfJson(each)] as const),
  }
}

/** Returns a template of one part as that part, whose value need not be a text. */
function simplest(parts: readonly Expression[]): Expression {
  if (parts.length === 0) return { kind: 'value', value: '' }
  return parts.length === 1 ? parts[0]! : { kind: 'template', parts }
}

/** Returns the steps of a reference, such as `module.queues["a"].url`, or undefined for another text. */
export function stepsOf(text: string): readonly Step[] | undefined {
  const reader = readerOf(text)
  const found = reader.expression(0)
  return found.kind === 'reference' && reader.isAtEnd() ? found.path : undefined
}

function readerOf(text: string) {
  let at = 0
  /** The number of texts that are open: a text may have expressions with texts. */
  let nesting = 0
  const matches = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  const takes = (token: string): boolean => {
    if (!text.startsWith(token, at)) return false
    at += token.length
    return true
  }
  const space = () => matches(/(?:[ \t\r]+|\/\*[\s\S]*?\*\/|(?:#|\/\/)[^\n]*)*/y)
  const lines = () => matches(/(?:\s+|\/\*[\s\S]*?\*\/|(?:#|\/\/)[^\n]*)*/y)
  const name = () => matches(/[A-Za-z_][\w-]*/y)

  function body(depth: number): Body {
    if (depth > mostDepth) throw new SyntaxError(`It has blocks in more than ${mostDepth} blocks.`)
    const attributes = new Map<string, Expression>()
    const blocks: Block[] = []
    for (;;) {
      lines()
      const first = name()
      if (first === undefined) return { attributes, blocks }
      space()
      if (text[at] === '=' && text[at + 1] !== '=') {
        at++
        attributes.set(first, whole(depth + 1))
        continue
      }
      const labels: string[] = []
      for (;;) {
        space()
        const label = matches(/"[^"\n]*"/y)?.slice(1, -1) ?? name()
        if (label === undefined) break
        labels.push(label)
      }
      if (!takes('{')) throw new SyntaxError(`A block has no brace at character ${at}.`)
      const inner = body(depth + 1)
      if (!takes('}')) throw new SyntaxError(`A block has no end at character ${at}.`)
      blocks.push({ type: first, labels, ...inner })
    }
  }

  /** Reads an expression and everything up to its end. One that goes on after what is understood is `other`. */
  function whole(depth: number): Expression {
    space()
    const start = at
    const found = expression(depth)
    space()
    if (at >= text.length || /[\n,}\])]/.test(text[at]!)) return found
    at = start
    skip()
    return other
  }

  /** Goes to the end of an expression: to a new line, a comma or a closing bracket that is not in brackets. */
  function skip(): void {
    let open = 0
    while (at < text.length) {
      if (matches(/(?:\/\*[\s\S]*?\*\/|(?:#|\/\/)[^\n]*)+/y)) continue
      const character = text[at]!
      if (open === 0 && /[\n,}\])]/.test(character)) return
      if (character === '"') {
        at++
        template('"')
        continue
      }
      if (/[([{]/.test(character)) open++
      if (/[)\]}]/.test(character)) open--
      at++
    }
  }

  function expression(depth: number): Expression {
    if (depth > mostDepth) throw new SyntaxError(`It has expressions in more than ${mostDepth} expressions.`)
    if (takes('"')) return simplest(template('"'))
    const heredoc = matches(/<<-?\w+\r?\n/y)
    if (heredoc !== undefined) {
      const end = /\w+/.exec(heredoc)![0]
      matches(new RegExp(`[\\s\\S]*?^[ \\t]*${end}$`, 'my'))
      return other
    }
    const number = matches(/-?\d+(?:\.\d+)?/y)
    if (number !== undefined) return { kind: 'value', value: Number(number) }
    if (takes('[')) return list(depth)
    if (takes('{')) return object(depth)
    const first = name()
    if (first === undefined) return other
    if (first === 'true' || first === 'false') return { kind: 'value', value: first === 'true' }
    if (first === 'null') return { kind: 'value', value: null }
    if (takes('(')) return call(first, depth)
    return { kind: 'reference', path: path(first) ?? [] }
  }

  function path(first: string): readonly Step[] | undefined {
    const steps: Step[] = [first]
    for (;;) {
      if (takes('.')) {
        const next = name() ?? matches(/\d+/y)
        if (next === undefined) return steps
        steps.push(/^\d+$/.test(next) ? Number(next) : next)
      } else if (text[at] === '[') {
        const key = matches(/\[\s*(?:\d+|"[^"$\n]*"|each\.key|count\.index)\s*\]/y)
        if (key === undefined) return steps
        const inner = key.slice(1, -1).trim()
        steps.push(/^\d+$/.test(inner) ? Number(inner) : inner.startsWith('"') ? inner.slice(1, -1) : '[own]')
      } else return steps
    }
  }

  function list(depth: number): Expression {
    const items: Expression[] = []
    for (;;) {
      lines()
      if (takes(']')) return { kind: 'list', items }
      if (at >= text.length) return other
      const before = at
      items.push(whole(depth + 1))
      lines()
      takes(',')
      if (at === before) return other
    }
  }

  function object(depth: number): Expression {
    const entries: (readonly [string, Expression])[] = []
    for (;;) {
      lines()
      if (takes('}')) return { kind: 'object', entries }
      const key = matches(/"[^"$\n]*"/y)?.slice(1, -1) ?? name()
      space()
      if (key === undefined || !(takes('=') || takes(':'))) {
        // Such as a `for` expression: go to its end.
        while (at < text.length && text[at] !== '}') {
          skip()
          if (text[at] !== '}') at++
        }
        takes('}')
        return other
      }
      entries.push([key, whole(depth + 1)])
      lines()
      takes(',')
    }
  }

  function call(called: string, depth: number): Expression {
    const found: Expression[] = []
    for (;;) {
      lines()
      if (takes(')')) break
      if (at >= text.length) return other
      const before = at
      found.push(whole(depth + 1))
      lines()
      takes(',')
      if (at === before) at++
    }
    return { kind: 'call', name: called, given: found }
  }

  /** Reads a text with `${…}` up to its end, which is a quote. */
  function template(end: string): readonly Expression[] {
    if (++nesting > mostDepth) throw new SyntaxError(`It has texts in more than ${mostDepth} texts.`)
    const parts: Expression[] = []
    let literal = ''
    const flush = () => {
      if (literal !== '') parts.push({ kind: 'value', value: literal })
      literal = ''
    }
    while (at < text.length && !takes(end)) {
      if (takes('$${')) literal += '${'
      else if (takes('%%{')) literal += '%{'
      else if (takes('${') || takes('%{')) {
        flush()
        lines()
        const start = at
        const found = expression(1)
        lines()
        if (takes('}')) parts.push(found)
        else {
          at = start
          parts.push(other)
          while (at < text.length && text[at] !== '}') {
            skip()
            if (text[at] !== '}') at++
          }
          takes('}')
        }
      } else if (end === '"' && text[at] === '\\') {
        literal += escaped(matches(/\\(?:u[\da-fA-F]{4}|U[\da-fA-F]{8}|[\s\S])/y)!)
      } else literal += text[at++]
    }
    flush()
    nesting--
    return parts
  }

  return {
    body,
    expression: (depth: number) => {
      lines()
      return expression(depth)
    },
    template,
    at: () => at,
    isAtEnd: () => {
      lines()
      return at >= text.length
    },
  }
}

function escaped(text: string): string {
  if (/^\\u/i.test(text)) return String.fromCodePoint(Math.min(Number.parseInt(text.slice(2), 16), 0x10ffff))
  return { n: '\n', r: '\r', t: '\t' }[text[1]!] ?? text[1]!
}
