import { faultOf, type Protocol } from '../protocol.ts'
import { keyName } from './query-names.ts'
import { noOperation, queryMessage, queryProtocol } from './query-protocol.ts'

/**
 * The query protocol for clients that accept JSON, such as API gateways. The fields have the structure of the XML: maps
 * are lists of names and values, and missing fields are null.
 */
export const queryJsonProtocol: Protocol = {
  ...queryProtocol,
  contentType: 'application/json',

  result: (operation, answer, requestId) => {
    const fields = jsonFields(answer)
    return JSON.stringify({
      [`${operation}Response`]: {
        ...(Object.keys(fields).length > 0 && { [`${operation}Result`]: fields }),
        ResponseMetadata: { RequestId: requestId },
      },
    })
  },

  error: (error, requestId) =>
    error.code === noOperation
      ? queryProtocol.error(error, requestId)
      : JSON.stringify({
          Error: { Code: error.code, Detail: null, Message: queryMessage(error), Type: faultOf(error) },
          RequestId: requestId,
        }),
}

/** The lists whose names begin with a small letter in JSON. */
const small: { readonly [field: string]: string } = { Messages: 'messages', QueueUrls: 'queueUrls' }

function jsonFields(fields: object): { readonly [name: string]: unknown } {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      Object.hasOwn(small, field) ? small[field] : field,
      jsonValue(field, value),
    ]),
  )
}

function jsonValue(field: string, value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(each => (typeof each === 'object' ? jsonFields(each as object) : each))
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.entries(value).map(([key, each]) => ({
    [keyName(field)]: key,
    Value: typeof each === 'object' ? jsonFields(each as object) : each,
  }))
}
