import { ProtocolError } from '../../wire/wire-error.ts'

/**
 * The maximum number of parameters of a request. A full batch with all message attributes has fewer than a thousand.
 */
const parameterLimit = 5000

/**
 * The maximum number of parts of a parameter name. The longest is
 * `SendMessageBatchRequestEntry.1.MessageAttribute.1.Value.StringListValue.1`.
 */
const depthLimit = 8

/** A tree of parameters. Each level of the tree is one part of a parameter name. */
export interface ParameterNode {
  value?: string
  children?: Map<string, ParameterNode>
}

/**
 * Reads `application/x-www-form-urlencoded` parameters into one tree. For any input, the time is linear in the
 * number of bytes.
 * @throws ProtocolError for input that is not percent-encoded UTF-8, and for a parameter that occurs twice, because
 * readers could choose different ones
 */
export function queryParameters(...encoded: readonly Uint8Array[]): ParameterNode {
  const root: ParameterNode = {}
  let left = parameterLimit
  for (const bytes of encoded) {
    const pairs = textOf(bytes).split('&', left + 1)
    if (pairs.length > left)
      throw new ProtocolError('Serialization', `The request has more than ${parameterLimit} parameters.`)
    left -= pairs.length
    for (const pair of pairs) {
      const end = pair.indexOf('=')
      const name = decoded(() => decodeURIComponent(end === -1 ? pair : pair.slice(0, end)))
      const path = name.split('.', depthLimit + 1)
      if (name === '' || path.length > depthLimit) continue
      const node = nodeAt(root, path)
      if (node.value !== undefined)
        throw new ProtocolError('Serialization', `The parameter ${name.slice(0, 80)} occurs more than once.`)
      node.value = end === -1 ? '' : decoded(() => decodeURIComponent(pair.slice(end + 1)))
    }
  }
  return root
}

function nodeAt(root: ParameterNode, path: readonly string[]): ParameterNode {
  let node = root
  for (const part of path) {
    node.children ??= new Map()
    let child = node.children.get(part)
    if (child === undefined) {
      child = {}
      node.children.set(part, child)
    }
    node = child
  }
  return node
}

/** Decodes UTF-8 and replaces `+` with a space. A loop over bytes takes a tenth of the time of `replaceAll`. */
function textOf(bytes: Uint8Array): string {
  const copy = Buffer.from(bytes)
  for (let at = 0; at < copy.length; at++) if (copy[at] === 0x2b) copy[at] = 0x20
  return decoded(() => utf8.decode(copy))
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decoded(decode: () => string): string {
  try {
    return decode()
  } catch {
    throw new ProtocolError('Serialization', 'The parameters are not percent-encoded UTF-8.')
  }
}
