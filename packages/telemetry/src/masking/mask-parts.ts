import { type Findings, hidden } from './findings.ts'
import { isSecretName } from './secret-name.ts'
import { unescaped } from './unescaped.ts'

/** The maximum number of characters of a part's headers that are searched for the name of the part. */
const headAtMost = 16 * 1024

/**
 * Masks a `multipart/form-data` body. A part with a secret name is replaced up to the next boundary, or up to the end
 * of the body. In all other parts, only the secrets are masked. Returns undefined for any other body.
 */
export function maskParts(
  text: string,
  findings: Findings,
  again: (text: string) => string,
): string | undefined {
  if (!/content-disposition\s*:\s*form-data/i.test(text)) return undefined
  const [line, boundary] = /(?:^|[\r\n])(--[^\r\n]+)\r?\n/.exec(text) ?? []
  if (line === undefined || boundary === undefined) {
    // The line breaks may be escaped, as in a string of incomplete JSON.
    const lines = text.replaceAll(/\\{1,16}([rn"])/g, (_, sign: string) => signs[sign]!)
    return lines === text ? hidden(text, findings) : again(lines)
  }
  return text
    .split(boundary)
    .map(part => {
      const [head] = /^[\s\S]*?\r?\n\r?\n/.exec(part) ?? []
      if (head === undefined) return again(part)
      const body = part.slice(head.length)
      const end = /\r?\n$/.exec(body)?.[0] ?? ''
      const value = body.slice(0, body.length - end.length)
      return `${head}${isOfSecret(head) ? hidden(value, findings) : again(value)}${end}`
    })
    .join(boundary)
}

function isOfSecret(head: string): boolean {
  const names = head
    .slice(0, headAtMost)
    .matchAll(/\bname\*?\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^;\r\n]*))/gi)
  return [...names].some(([, double, single, bare = '']) =>
    // An extended name starts with its character set and its language.
    isSecretName(unescaped(double ?? single ?? bare.replace(/^[\w-]*'[\w-]*'/, '')).trim()),
  )
}

const signs: { readonly [sign: string]: string } = { r: '\r', n: '\n', '"': '"' }
