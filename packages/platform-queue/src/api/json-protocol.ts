import { jsonObject } from '@signalbox/platform-runtime/listener'
import { ProtocolError } from '../wire/wire-error.ts'
import { isOperation, type Protocol } from './protocol.ts'

const target = /^AmazonSQS\.([A-Za-z]+)$/
const contentType = 'application/x-amz-json-1.0'

/** The JSON protocol, which SQS clients have used since the end of 2023. */
export const jsonProtocol: Protocol = {
  contentType,
  bodyLimit: 8 * 1024 * 1024,

  read({ headers, method }, body) {
    const operation = target.exec(String(headers['x-amz-target']))?.[1]
    const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
    if (method !== 'POST' || type !== contentType || operation === undefined)
      throw new ProtocolError(
        'UnknownOperation',
        `A request is a POST with the content type ${contentType} and the header X-Amz-Target: AmazonSQS.Operation, or one of the query protocol.`,
      )
    if (!isOperation(operation))
      throw new ProtocolError('UnknownOperation', `The operation ${operation} is not supported.`)
    return { operation, input: readInput(body) }
  },

  result: (_operation, answer) => JSON.stringify(answer),
  error: ({ type, message }) => JSON.stringify({ __type: `com.amazonaws.sqs#${type}`, message }),
}

/**
 * The maximum nesting depth of a request, which only message attributes in a batch reach. Deeper values are not read.
 */
const inputDepth = 5

function readInput(bytes: Uint8Array): object {
  const input = jsonObject(bytes, inputDepth)
  if (typeof input === 'string') throw new ProtocolError('Serialization', input)
  return input
}
