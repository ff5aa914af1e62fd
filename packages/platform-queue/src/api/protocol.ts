import type { IncomingMessage } from 'node:http'
import type { WireError } from '../wire/wire-error.ts'
import { inputs, type Operation } from './operations/inputs.ts'

/** A wire format of requests and responses. */
export interface Protocol {
  /** The content type of responses. */
  readonly contentType: string
  /** The maximum size of a request in bytes. It has room for a full batch in which every character is escaped. */
  readonly bodyLimit: number
  /**
   * Reads a request. It does not check the input.
   * @throws ProtocolError for a request that does not follow this protocol
   */
  readonly read: (request: IncomingMessage, body: Uint8Array) => Call
  /** Writes the result of an operation. */
  readonly result: (operation: Operation, answer: object, requestId: string) => string
  /** Writes an error. */
  readonly error: (error: WireError, requestId: string) => string
}

/** The operation and the input of a request. */
interface Call {
  readonly operation: Operation
  readonly input: object
}

/** Returns whether the client or the service caused an error. */
export function faultOf({ status }: WireError): 'Sender' | 'Receiver' {
  return status < 500 ? 'Sender' : 'Receiver'
}

/** Returns whether an operation of this name exists. */
export function isOperation(name: string): name is Operation {
  return Object.hasOwn(inputs, name)
}
