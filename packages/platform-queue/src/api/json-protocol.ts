import { isOperation, type Protocol } from './protocol.ts'
import { ProtocolError } from './wire-error.ts'

const target = /^AmazonSQS\.([A-Za-z]+)$/
const contentType = 'application/x-amz-json-1.0'

/** The JSON protocol, which SQS clients use since the end of 2023. */
export const jsonProtocol: Protocol = {
  contentType,
  bodyLimit: 8 * 1024 * 1024,

  async read({ headers, method }, body) {
    const operation = target.exec(String(headers['x-amz-target']))?.[1]
    const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
    if (method !== 'POST' || type !== contentType || operation === undefined)
      throw new ProtocolError(
        'UnknownOperation',
        `A request is a POST with the content type ${contentType} and the header X-Amz-Target: AmazonSQS.Operation, or one of the query protocol.`,
      )
    if (!isOperation(operation))
      throw new ProtocolError('UnknownOperation', `The operation ${operation} is not supported.`)
    return { operation, input: readInput(await body()) }
  },

  result: (_operation, answer) => JSON.stringify(answer),
  error: ({ type, message }) => JSON.stringify({ __type: `com.amazonaws.sqs#${type}`, message }),
}

function readInput(bytes: Uint8Array): object {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ProtocolError('Serialization', 'The body is not JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ProtocolError('Serialization', 'The body is not a JSON object.')
  dropNulls(value, inputDepth)
  return value
}

/** The nesting of a request: entries, one entry, its attributes, one attribute. Values below that are not read. */
const inputDepth = 5

/** Null and absent mean the same. */
function dropNulls(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth === 0) return
  if (Array.isArray(value)) for (const each of value) dropNulls(each, depth - 1)
  else
    for (const [name, each] of Object.entries(value))
      if (each === null) delete (value as Record<string, unknown>)[name]
      else dropNulls(each, depth - 1)
}
