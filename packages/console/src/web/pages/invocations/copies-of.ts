/** An invocation that the user wants to repeat outside the console. */
export interface Repeatable {
  readonly functionName: string
  readonly summary: string
  /** The event as JSON text. */
  readonly event: string
  readonly verdict: { readonly kind: string } | undefined
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

/** Returns the source of a test that expects the same verdict. */
export function testFor({ functionName, summary, event, verdict }: Repeatable): string {
  const name = source(`${functionName}: ${summary}`.slice(0, 120))
  return [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    "import { createPlatform } from '@signalbox/platform'",
    "import config from './signalbox.config.ts'",
    '',
    `const event = JSON.parse(${source(oneLineOf(event))})`,
    '',
    `test(${name}, async () => {`,
    "  const platform = createPlatform({ ...config, dataDir: ':memory:' })",
    '  await platform.start()',
    '  try {',
    `    const { verdict } = await platform.invoke(${source(functionName)}, event)`,
    `    assert.equal(verdict?.kind, ${verdict === undefined ? 'undefined' : source(verdict.kind)})`,
    '  } finally {',
    '    await platform.stop()',
    '  }',
    '})',
    '',
  ].join('\n')
}

/** Writes JSON on one line, and escapes characters that affect a terminal or an editor. */
function oneLineOf(json: string): string {
  try {
    return escaped(JSON.stringify(JSON.parse(json)))
  } catch {
    return source(json)
  }
}

/** Returns a JavaScript string literal for a string. */
function source(text: string): string {
  return escaped(JSON.stringify(text))
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
