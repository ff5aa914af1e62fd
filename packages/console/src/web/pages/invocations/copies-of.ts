/** An invocation that the user wants to repeat outside the console. */
export interface Repeatable {
  readonly functionName: string
  readonly summary: string
  /** The event as JSON text. */
  readonly event: string
  readonly verdict: { readonly kind: string; readonly ok: boolean; readonly text: string } | undefined
  readonly logs: readonly { readonly stream: string }[]
  /** Whether any part of the event or of what came of it is masked. */
  readonly masked: boolean
}

/** Returns shell commands that send the same event to the same function. */
export function commandFor({ functionName, event }: Repeatable): string {
  return [
    "cat > event.json <<'END_OF_EVENT'",
    oneLineOf(event),
    'END_OF_EVENT',
    `signalbox invoke ${quoted(functionName)} event.json`,
    '',
  ].join('\n')
}

/**
 * Returns the source of a test that runs the function alone, without a listener, so that it runs beside `signalbox dev`.
 * After an invocation that failed, it expects what is right, so that it fails until the function is mended. It expects no
 * content, because content may be masked.
 */
export function testFor(invocation: Repeatable): string {
  const { functionName, summary, event, masked } = invocation
  const name = source(`${functionName}: ${summary}`.slice(0, 120))
  const assertions = assertionsOf(invocation)
  const used = ['failure', 'logs', 'payload', 'verdict'].filter(each =>
    assertions.some(line => new RegExp(`\\b${each}\\b`).test(line)),
  )
  return [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    "import { createPlatform } from '@signalbox/platform'",
    "import config from './signalbox.config.ts'",
    '',
    ...(masked ? ['// Secrets are masked. Write values in their place that the function can use.'] : []),
    `const event = ${literalOf(event)}`,
    '',
    `test(${name}, { timeout: 30_000 }, async t => {`,
    `  const functions = { ${keyOf(functionName)}: config.functions${memberOf(functionName)} }`,
    "  const platform = createPlatform({ functions, dataDir: ':memory:' })",
    '  t.after(() => platform.stop())',
    `  const { ${used.join(', ')} } = await platform.invoke(${source(functionName)}, event)`,
    ...assertions.map(line => `  ${line}`),
    '})',
    '',
  ].join('\n')
}

/** Returns assertions that hold when the function is right. */
function assertionsOf({ verdict, logs }: Repeatable): readonly string[] {
  const hasLoggedError = logs.some(({ stream }) => stream === 'err')
  const noLoggedError = hasLoggedError
    ? ["assert.deepEqual(logs.filter(({ stream }) => stream === 'err'), [])"]
    : []
  if (verdict === undefined) return ['assert.equal(failure, undefined)', ...noLoggedError]
  const { kind, ok, text } = verdict
  // A trigger also denies with an error that is a mistake. Such an error is logged, and a denial is not.
  if (kind === 'denied' && hasLoggedError) return noLoggedError
  if (kind === 'answered' || kind === 'malformed') {
    const status = Number.parseInt(text, 10)
    return [
      "const status = Number.parseInt(verdict?.text ?? '', 10)",
      status < 500
        ? `assert.equal(status, ${status}, verdict?.text)`
        : 'assert.ok(status < 500, verdict?.text)',
      ...noLoggedError,
    ]
  }
  if (!ok) return ['assert.equal(verdict?.ok, true, verdict?.text)', ...noLoggedError]
  if (kind === 'partial')
    return [
      "const { batchItemFailures = [] } = JSON.parse(payload || '{}')",
      'assert.deepEqual(batchItemFailures, [])',
      ...noLoggedError,
    ]
  return [`assert.equal(verdict?.kind, ${source(kind)}, verdict?.text)`, ...noLoggedError]
}

/** Writes JSON text as an object literal of JavaScript. Text that is not JSON becomes a string literal. */
function literalOf(json: string): string {
  try {
    return literal(JSON.parse(json), '')
  } catch {
    return source(json)
  }
}

function literal(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return source(value)
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const lines = Array.isArray(value)
    ? value.map(each => literal(each, inner))
    : Object.entries(value).map(([key, each]) => `${keyOf(key)}: ${literal(each, inner)}`)
  if (lines.length === 0) return `${open}${close}`
  return `${open}\n${lines.map(line => `${inner}${line},\n`).join('')}${indent}${close}`
}

/** Writes the access to a member of an object. */
function memberOf(name: string): string {
  const key = keyOf(name)
  return key === name ? `.${name}` : `[${source(name)}]`
}

/** Writes the key of an object literal. A plain key `__proto__` would set the prototype. */
function keyOf(name: string): string {
  if (name === '__proto__') return `['__proto__']`
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : source(name)
}

/** Writes JSON on one line, and escapes characters that affect a terminal or an editor. */
function oneLineOf(json: string): string {
  try {
    return escaped(JSON.stringify(JSON.parse(json)))
  } catch {
    return source(json)
  }
}

/** Returns the JavaScript literal of a string, or of another value without parts. */
function source(value: unknown): string {
  return escaped(JSON.stringify(value))
}

function escaped(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, character =>
    [...Array(character.length).keys()]
      .map(index => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w.@%+=:,/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
