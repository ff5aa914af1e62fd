import { isSecret, secretFields } from '@signalbox/codec'

/** Whether a name, as it stands somewhere in a text, is that of a secret: with escapes in it, or as `user[password]`. */
export function isSecretName(spelled: string): boolean {
  const name = unescaped(spelled).trim()
  if (isSecret(name)) return true
  const last = /([^.[\]]+)[\]]*$/.exec(name)?.[1]
  return last !== undefined && isSecret(last)
}

/** What a name or a text is when nothing in it is escaped, neither for URLs nor in JSON. */
export function unescaped(text: string): string {
  let plain = text
  for (let round = 0; round < 16; round++) {
    const less = plain
      .replaceAll(/\\{1,16}u([\da-f]{4})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
      .replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    if (less === plain) break
    plain = less
  }
  return plain
}

/**
 * Whether there may be a secret in a text. It is said too often rather than not often enough, and at once where it
 * is not so, which is nearly always.
 */
export function isSuspicious(text: string): boolean {
  return (
    named.test(text) ||
    (text.includes('%') && escapedForUrls.test(text)) ||
    (text.includes('\\') && escapedInJson.test(text))
  )
}

// Names in which another one is found already need not be looked for.
const shortest = secretFields
  .map(name => name.replaceAll(/[-_]/g, ''))
  .filter((name, _, all) => !all.some(other => other !== name && name.includes(other)))
const spelled = (name: string) => secretFields.find(field => field.replaceAll(/[-_]/g, '') === name)!

// Short names are parts of other words: of `statusCode` and `encode`. Before them may stand the end of an escape.
const alone = (name: string) => `(?:(?<![a-z])|(?<=\\\\[bfnrt]|%[\\da-f]{2}|u[\\da-f]{4}))${name}(?![a-z])`

const named = new RegExp(
  [
    ...shortest.map(name => (name.length < 5 ? alone(name) : spelled(name).replaceAll(/[-_]/g, '[-_]?'))),
    '"isBase64Encoded":\\s*true',
  ].join('|'),
  'i',
)

// Letters, digits, `-` and `_` need no escape: who writes them so may be writing a name. `%` and `\\` begin another one.
const escapedForUrls = /%(?:25|2d|5c|5f|[46][1-9a-f]|[57][\da])/i
const escapedInJson = /\\u00[2-7]/i
